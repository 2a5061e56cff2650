/**
 * `/pay/refund#{token}`: the customer says where a refund goes, once. The token is in the fragment, which no server, log or other site gets
 * and which the page removes, and in the body of the calls.
 */
import { css, html, LitElement, nothing, type TemplateResult } from 'lit';
import { giveRefundAddress, readRefundRequest, type RefundRequest } from '../api/refund-link.ts';
import { ConnectError, type Issue } from '../base/errors.ts';
import { language, msg, str } from '../base/localize.ts';
import { CHAIN_NAMES } from '../chains/secret-type.ts';
import { addressStyles, fullAddress } from '../ui/address.ts';
import { alert } from '../ui/alert.ts';
import { grouped } from '../ui/amount-text.ts';
import { customElement, property, state } from '../ui/decorators.ts';
import { icon, iconCheck, iconDanger } from '../ui/icons.ts';
import { hero } from '../ui/status.ts';
import { caller } from './calls.ts';
import { brandProperties } from './colors.ts';
import { end, loadingView, offline } from './ends.ts';
import { adoptPart } from './styles.ts';
import { merchantLine } from './summary.ts';
import { testBanner } from './summary.ts';

export interface RefundCalls {
  read(token: string): Promise<RefundRequest>;
  give(token: string, address: string): Promise<RefundRequest>;
}

const styles = css`
  pay-refund { display: block; max-inline-size: 520px; margin-inline: auto; padding: var(--_s5); }
  .refund { padding: var(--_s8); display: flex; flex-direction: column; gap: var(--_s5); }
  .refund .tick { display: flex; gap: var(--_s2); align-items: start; min-block-size: var(--_hit); font-size: var(--_fs-sm); }
  @media (max-width: 680px) {
    pay-refund { padding: 0; }
    .refund { padding: var(--_s5) var(--_s4); }
  }
`;

type Shown = RefundRequest | 'none' | 'unreachable' | undefined;

/** The service says what is wrong with an address; a page in another language says that something is. */
function addressText(issues: readonly Issue[], { secretType }: RefundRequest): string {
  const wrong = msg(
    str`This is not an address of ${CHAIN_NAMES[secretType]} that can be paid. Copy it from your wallet again.`,
  );
  const reason = issues.find(({ path }) => path === 'address')?.message;
  return reason && (language ?? 'en').startsWith('en') ? `${wrong} It ${reason}.` : wrong;
}

@customElement('pay-refund')
export class RefundPage extends LitElement {
  @property({ attribute: false }) calls!: RefundCalls;
  @property({ attribute: false }) token = '';

  @state() private request: Shown;
  /** Entered, and shown back before it is sent. */
  @state() private entered = '';
  @state() private step: 'enter' | 'confirm' = 'enter';
  @state() private own = false;
  @state() private error = '';
  @state() private busy = false;

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    adoptPart(addressStyles, styles);
    void this.#load();
  }

  async #load(): Promise<void> {
    this.request = undefined;
    await this.#take(() => this.calls.read(this.token));
  }

  /** Shows what the service answers. */
  async #take(call: () => Promise<RefundRequest>): Promise<void> {
    try {
      const request = await call();
      document.title = msg(str`Refund from ${request.merchant}`);
      const { style } = document.documentElement;
      for (const [name, value] of Object.entries(request.branding ? brandProperties(request.branding) : {}))
        style.setProperty(name, value);
      this.request = request;
    } catch (error) {
      const { code } = error as ConnectError;
      this.request = code === 'request.not-found' || code === 'request.invalid' ? 'none' : 'unreachable';
    }
    await this.#focus();
  }

  async #focus(place = 'h1'): Promise<void> {
    await this.updateComplete;
    this.querySelector<HTMLElement>(place)?.focus();
  }

  async #enter(event: SubmitEvent): Promise<void> {
    event.preventDefault();
    this.entered = this.querySelector<HTMLInputElement>('#refund-address')!.value.trim();
    this.error = this.entered ? '' : msg('Enter an address.');
    if (this.error) return this.#focus('#refund-address');
    this.step = 'confirm';
    this.own = false;
    await this.#focus();
  }

  async #back(): Promise<void> {
    this.step = 'enter';
    await this.#focus('#refund-address');
  }

  async #give(request: RefundRequest): Promise<void> {
    if (this.busy || !this.own) return;
    this.busy = true;
    try {
      this.request = await this.calls.give(this.token, this.entered);
      await this.#focus();
    } catch (error) {
      await this.#refused(error as ConnectError, request);
    } finally {
      this.busy = false;
    }
  }

  async #refused({ code, details }: ConnectError, request: RefundRequest): Promise<void> {
    // It ended, or another address was given by it: the service says which.
    if (code === 'request.not-found' || code === 'request.conflict') return this.#load();
    if (code !== 'request.invalid') {
      this.error = msg('No answer came. Try again.');
      return;
    }
    this.error = addressText((details?.['issues'] ?? []) as Issue[], request);
    await this.#back();
  }

  #problem(): TemplateResult | typeof nothing {
    return this.error
      ? html`<p class="err" id="refund-error" role="alert">${icon(iconDanger(), 's')}<span>${this.error}</span></p>`
      : nothing;
  }

  #form({ secretType, networkName, symbol, expiresAt }: RefundRequest): TemplateResult {
    const until = new Intl.DateTimeFormat(language, { dateStyle: 'long', timeStyle: 'short' }).format(
      expiresAt,
    );
    const chain = CHAIN_NAMES[secretType];
    return html`<form class="stack mid" novalidate @submit=${this.#enter}>
      <div class="field">
        <label for="refund-address">${msg(str`Your ${chain} address`)}</label>
        <input
          id="refund-address"
          class="input"
          dir="ltr"
          autocomplete="off"
          autocapitalize="off"
          spellcheck="false"
          maxlength="128"
          .value=${this.entered}
          aria-required="true"
          aria-invalid=${this.error ? 'true' : nothing}
          aria-describedby=${this.error ? 'refund-error' : nothing}
        />
        ${this.#problem()}
      </div>
      ${alert('caution', {
        title: msg(str`It must take ${symbol} on ${networkName}`),
        text: msg(
          'The deposit address of an exchange is often shared by many customers, and may refuse this coin or network. An address of your own wallet is safer. Do not use the address that you paid from unless it is yours.',
        ),
      })}
      <button type="submit" class="btn primary lg block"><span>${msg('Continue')}</span></button>
      <p class="sm muted">${msg(str`This link works once, until ${until}.`)}</p>
    </form>`;
  }

  #check(request: RefundRequest): TemplateResult {
    const tick = (event: Event): void => {
      this.own = (event.target as HTMLInputElement).checked;
    };
    return html`<div class="stack mid">
      <h1 class="title" tabindex="-1">${msg('Is this your address?')}</h1>
      <p>${fullAddress(this.entered)}</p>
      <p class="sm muted">${msg('Compare all of it with your wallet. It cannot be changed afterwards, and what is sent there cannot be brought back.')}</p>
      <label class="tick"><input type="checkbox" class="check" .checked=${this.own} @change=${tick} /><span>${msg(
        str`It is mine, and takes ${request.symbol} on ${request.networkName}.`,
      )}</span></label>
      ${this.#problem()}
      <button
        type="button"
        class="btn primary lg block"
        aria-disabled=${this.busy || !this.own ? 'true' : nothing}
        @click=${() => void this.#give(request)}
      >${this.busy ? html`<span class="spin"></span>` : nothing}<span>${msg('Send this address')}</span></button>
      <button type="button" class="btn text back" @click=${() => void this.#back()}><span>${msg('Back')}</span></button>
    </div>`;
  }

  #given({ merchant, address, sent }: RefundRequest): TemplateResult {
    const title = sent ? msg('Your refund was sent') : msg('Your address was received');
    const text = sent
      ? msg(str`${merchant} sent it to this address.`)
      : msg(str`${merchant} checks it and then sends the refund there. Nothing was sent yet.`);
    return html`${hero('good', iconCheck(), title, text)}<p>${fullAddress(address!)}</p>`;
  }

  #content(request: RefundRequest): TemplateResult {
    const amount = html`<bdi dir="ltr">${grouped(request.amount)} ${request.symbol}</bdi>`;
    const asking = this.step === 'enter' ? this.#form(request) : this.#check(request);
    const title = html`<h1 class="h1" tabindex="-1">${msg('Where should your refund go?')}</h1>`;
    return html`${testBanner({ cards: [], livemode: request.livemode })}
      <article class="checkout refund">
        ${merchantLine(request, true)}
        ${request.address !== null ? this.#given(request) : html`${this.step === 'enter' ? title : nothing}`}
        <dl class="kv">
          <div><dt>${msg('Amount')}</dt><dd>${amount}</dd></div>
          <div><dt>${msg('Network')}</dt><dd>${request.networkName}</dd></div>
        </dl>
        ${request.address === null ? asking : nothing}
      </article>`;
  }

  protected override render(): TemplateResult {
    const { request } = this;
    const title = msg('This link has ended');
    const text = msg('It may be incomplete, too old or withdrawn. Ask the shop for another one.');
    const content =
      request === undefined
        ? loadingView()
        : request === 'none'
          ? end(nothing, hero('bad', iconDanger(), title, text), nothing)
          : request === 'unreachable'
            ? offline(
                msg('This page did not load'),
                msg('Check your connection and try again.'),
                () => void this.#load(),
              )
            : this.#content(request);
    return html`<main>${content}</main>`;
  }
}

/** Takes it out of the address, which is copied and kept; a reload of this tab still has it. */
function takeToken(): string {
  const token = location.hash.slice(1);
  if (token) history.replaceState(token, '', location.pathname + location.search);
  return token || String(history.state ?? '');
}

export function refundPage(url: string): RefundPage {
  // Another link in the address of this page loads nothing by itself.
  addEventListener('hashchange', () => location.reload());
  const call = caller(url);
  const calls: RefundCalls = {
    read: (token) => call(readRefundRequest, { body: { token } }),
    give: (token, address) => call(giveRefundAddress, { body: { token, address } }),
  };
  return Object.assign(new RefundPage(), { calls, token: takeToken() });
}

declare global {
  interface HTMLElementTagNameMap {
    'pay-refund': RefundPage;
  }
}
