import { css, html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { customElement, property, query, state } from '../../ui/decorators.ts';
import { fieldStyles } from '../../ui/field-styles.ts';
import { msg } from '../../base/localize.ts';
import { head, mainButton, mainButtonStyles } from '../ui/head.ts';
import '../ui/pin-entry.ts';
import type { PinEntry } from '../ui/pin-entry.ts';
import { errorLine, FrameView } from '../ui/view.ts';

export interface EnterCodeEvents {
  /** Read `code`, and `pin` if the code is for a device. Set `busy`, then `error` or `pinError`. */
  'cbf-continue': null;
  /** The PIN is forgotten, or the passkey lost. */
  'cbf-forgot': null;
  /** Back, Esc. */
  'cbf-back': null;
}

/**
 * What the code is for: to use another device, together with the PIN or the account's passkey; or by itself, to choose a new PIN or remove
 * the passkey.
 */
export type CodeUse = 'device' | 'device-by-passkey' | 'pin' | 'passkey';

/** The recovery code of the wallet service. */
@customElement('cbf-enter-code')
export class EnterCodeView extends FrameView<EnterCodeEvents> {
  static override styles = [
    FrameView.styles,
    fieldStyles,
    ...mainButtonStyles,
    css`
      textarea.input { font-family: var(--_mono); text-transform: uppercase; min-block-size: 64px; }
      /* Keys of 44 px: below a code, no size of keys fits a small window. */
      cbf-pin-entry { --_pad: 194px; }
    `,
  ];

  @property({ attribute: false }) use: CodeUse = 'pin';
  @property({ attribute: false }) error = '';
  @property({ attribute: false }) pinError = '';
  @property({ attribute: false }) busy = false;

  @state() private letters = 0;
  @state() private digits = 0;
  @query('textarea') private field!: HTMLTextAreaElement;
  @query('cbf-pin-entry') private entry?: PinEntry;

  protected override readonly escape = 'cbf-back';

  get code(): string {
    return this.field.value;
  }

  get pin(): string {
    return this.entry?.value ?? '';
  }

  get #withPin(): boolean {
    return this.use === 'device';
  }

  /** What is still missing. */
  get #why(): string | undefined {
    if (this.letters < 32) return msg('Type your recovery code');
    if (this.error) return msg('Correct the recovery code');
    return this.#withPin && (this.digits < 4 || this.pinError) ? msg('Enter your PIN') : undefined;
  }

  protected override updated(changed: PropertyValues): void {
    super.updated(changed);
    if (changed.has('pinError') && this.pinError) {
      this.entry?.clear();
      this.digits = 0;
      this.entry?.focus();
    } else if (changed.has('error') && this.error) this.field.focus();
  }

  protected override render(): TemplateResult {
    const { busy, error, use } = this;
    const [title, text] = wordsOf(use);
    return this.layout({
      body: html`${head(this, title)}
        <p class="muted sm">${text}</p>
        <div class="field">
          <label for="code">${msg('Recovery code')}</label>
          <textarea
            class="input"
            id="code"
            rows="2"
            dir="ltr"
            data-start
            autocomplete="off"
            autocapitalize="characters"
            spellcheck="false"
            maxlength="80"
            ?disabled=${busy}
            aria-invalid=${error ? 'true' : 'false'}
            aria-describedby=${error ? 'code-error' : nothing}
            @input=${() => {
              this.letters = this.field.value.replaceAll(/[^0-9a-z]/gi, '').length;
              this.error = '';
            }}
          ></textarea>
          ${errorLine(error, 'code-error')}
        </div>
        ${
          this.#withPin
            ? html`<cbf-pin-entry .label=${msg('PIN')} .error=${this.pinError} ?disabled=${busy}
                @cbf-pin-input=${(event: HTMLElementEventMap['cbf-pin-input']) => {
                  this.digits = event.detail.length;
                  this.pinError = '';
                }}
                @cbf-pin-enter=${() => this.busy || this.#why || this.emit('cbf-continue')}></cbf-pin-entry>`
            : errorLine(this.pinError)
        }`,
      foot: html`${mainButton({
        label: this.#action,
        why: this.#why,
        wait: busy ? msg('Checking the recovery code…') : undefined,
        press: () => this.emit('cbf-continue'),
      })}
        ${
          this.#withPin || use === 'device-by-passkey'
            ? html`<button
              type="button"
              class="btn ghost block"
              ?disabled=${busy}
              @click=${() => this.emit('cbf-forgot')}
            >
                <span>${this.#withPin ? msg('I forgot my PIN') : msg('I lost my passkey')}</span>
              </button>`
            : nothing
        }`,
    });
  }

  get #action(): string {
    if (this.use === 'device-by-passkey') return msg('Continue with passkey');
    return this.use === 'passkey' ? msg('Remove passkey') : msg('Continue');
  }
}

function wordsOf(use: CodeUse): [title: string, text: string] {
  switch (use) {
    case 'device':
      return [
        msg('Use your service wallets here'),
        msg(
          'This browser is new to the wallet service. Your recovery code and your PIN let it approve payments.',
        ),
      ];
    case 'device-by-passkey':
      return [
        msg('Use your service wallets here'),
        msg(
          'This browser is new to the wallet service. Your recovery code and your passkey let it approve payments.',
        ),
      ];
    case 'pin':
      return [
        msg('Choose a new PIN'),
        msg('Type your recovery code. Then you choose a new PIN, and get a new code.'),
      ];
    case 'passkey':
      return [
        msg('Remove the lost passkey'),
        msg('Type your recovery code. After that, your service PIN is enough again. The code stays valid.'),
      ];
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'cbf-enter-code': EnterCodeView;
  }
}
