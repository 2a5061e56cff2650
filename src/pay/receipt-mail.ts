/** The field in which a customer who paid from a wallet, or nothing, may enter an address for the receipt. */
import { css, html, LitElement, nothing, type TemplateResult } from 'lit';
import { Email } from '../api/pay.ts';
import type { ConnectError } from '../base/errors.ts';
import { msg, str } from '../base/localize.ts';
import { customElement, property, state } from '../ui/decorators.ts';
import { icon, iconDanger } from '../ui/icons.ts';
import { adoptPart } from './styles.ts';

const styles = css`
  pay-receipt-mail { justify-self: stretch; text-align: start; overflow-wrap: anywhere; }
`;

type Phase = 'asking' | 'sending' | 'sent' | 'earlier';

@customElement('pay-receipt-mail')
export class ReceiptMail extends LitElement {
  @property({ attribute: false }) send!: (email: string) => Promise<unknown>;

  @state() private phase: Phase = 'asking';
  @state() private error = '';
  #email = '';

  override connectedCallback(): void {
    super.connectedCallback();
    adoptPart(styles);
  }

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  readonly #onInput = ({ target }: Event): void => {
    this.#email = (target as HTMLInputElement).value.trim();
    this.error = '';
  };

  readonly #onSubmit = async (event: Event): Promise<void> => {
    event.preventDefault();
    if (this.phase === 'sending') return;
    this.error = '';
    if (!Email.safeParse(this.#email).success) return this.#refuse(addressError(this.#email));
    this.phase = 'sending';
    try {
      await this.send(this.#email);
      this.phase = 'sent';
    } catch (error) {
      const { code } = error as ConnectError;
      this.phase = code === 'request.conflict' ? 'earlier' : 'asking';
      if (this.phase === 'asking') return this.#refuse(sendingError(code));
    }
    await this.updateComplete;
    this.querySelector<HTMLElement>('p')?.focus();
  };

  async #refuse(text: string): Promise<void> {
    this.error = text;
    await this.updateComplete;
    this.querySelector('input')?.focus();
  }

  protected override render(): TemplateResult {
    const { phase, error } = this;
    if (phase === 'sent' || phase === 'earlier')
      return html`<p class="sm center muted" tabindex="-1">${
        phase === 'sent'
          ? msg(str`The receipt goes to ${this.#email}.`)
          : msg('The receipt was already sent by e-mail.')
      }</p>`;
    const busy = phase === 'sending';
    return html`<form class="field" novalidate @submit=${this.#onSubmit}>
      <label for="receipt-email">${msg('E-mail a receipt (optional)')}</label>
      <input
        id="receipt-email"
        name="email"
        class="input"
        type="email"
        autocomplete="email"
        inputmode="email"
        autocapitalize="off"
        spellcheck="false"
        maxlength="254"
        aria-invalid=${error ? 'true' : nothing}
        aria-describedby=${error ? 'receipt-email-error' : nothing}
        ?readonly=${busy}
        @input=${this.#onInput}
      />
      ${error ? html`<p class="err" id="receipt-email-error">${icon(iconDanger(), 's')}<span>${error}</span></p>` : nothing}
      <button type="submit" class="btn secondary lg block" aria-disabled=${busy ? 'true' : nothing}>
        ${busy ? html`<span class="spin"></span>` : nothing}<span>${msg('Send the receipt')}</span>
      </button>
    </form>`;
  }
}

function addressError(text: string): string {
  return text
    ? msg('This is not an e-mail address. Check that you typed all of it.')
    : msg('Enter your e-mail address.');
}

function sendingError(code: string): string {
  if (code === 'request.invalid')
    return msg('This is not an e-mail address. Check that you typed all of it.');
  if (code === 'request.rate-limited')
    return msg('There were too many tries at once. Wait a minute, then try again.');
  return msg('No answer came. Try again.');
}

declare global {
  interface HTMLElementTagNameMap {
    'pay-receipt-mail': ReceiptMail;
  }
}
