import { html, LitElement, nothing, type SVGTemplateResult, type TemplateResult } from 'lit';
import type { Connect } from '../actions/types.ts';
import type { PayPage, WalletPayment } from '../api/pay.ts';
import { msg, str } from '../base/localize.ts';
import { alert } from '../ui/alert.ts';
import { amountText, priceText } from '../ui/amount-text.ts';
import { customElement, property, state } from '../ui/decorators.ts';
import { icon, iconWallet } from '../ui/icons.ts';
import { iconCard } from '../ui/list-icons.ts';
import type { PayCalls } from './calls.ts';
import { isFree } from './summary.ts';
import { PayForm, type Problem } from './pay-form.ts';
import type { WalletWay } from './wallet-way.ts';

export type Way = 'card' | 'wallet';

/**
 * The paying side: the card form or, if the shop takes both, the wallet. They are never on the page together, so that no wallet code is
 * present while a card is typed in; it loads only when chosen.
 */
@customElement('pay-ways')
export class PayWays extends LitElement {
  @property({ attribute: false }) page!: PayPage;
  @property({ attribute: false }) calls!: PayCalls;
  /** Milliseconds that the clock here is ahead of the service's. */
  @property({ attribute: false }) ahead = 0;
  @property({ attribute: false }) busy = false;
  @property({ attribute: false }) problem: Problem | undefined;
  @property({ attribute: false }) note = '';
  /** Connects to the wallet; created if not given. */
  @property({ attribute: false }) connect: Connect | undefined;
  @property({ attribute: false }) way: Way = 'card';

  /** A wallet request is open: the choice is disabled. */
  @state() private held = false;
  @state() private unloaded = false;

  readonly card = new PayForm();
  #wallet: WalletWay | undefined;
  #loading: Promise<void> | undefined;

  constructor() {
    super();
    this.addEventListener('pay-hold', (event) => {
      this.held = (event as CustomEvent<boolean>).detail;
    });
  }

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  /** Moves focus to its start. */
  async start(): Promise<void> {
    await this.updateComplete;
    if (this.way === 'wallet') {
      await this.#loading;
      await this.updateComplete;
      await this.#wallet?.start();
    } else if (this.page.card.redirect || isFree(this.page)) this.querySelector<HTMLElement>('h1')?.focus();
    else await this.card.start();
  }

  /** Fills in a test card. */
  async use(number: string): Promise<void> {
    this.way = 'card';
    await this.updateComplete;
    this.card.use(number);
  }

  /** Whether a card can be used now. */
  get takesCards(): boolean {
    const { wallet, card } = this.page;
    return !this.held && !isUnderWay(wallet?.payment) && card.redirect === null && !isFree(this.page);
  }

  /** What a wallet paid while this page was watching: `0.0131 ETH`. */
  get paidCoins(): string | undefined {
    const { payment } = this.page.wallet ?? {};
    return this.way === 'wallet' && payment?.state === 'paid' ? this.#wallet?.coins(payment) : undefined;
  }

  async #load(): Promise<void> {
    this.unloaded = false;
    try {
      const { WalletWay } = await import('./wallet-way.ts');
      this.#wallet ??= Object.assign(new WalletWay(), { calls: this.calls, connect: this.connect });
    } catch {
      this.unloaded = true;
      this.#loading = undefined;
    }
    this.requestUpdate();
  }

  protected override willUpdate(): void {
    if (isUnderWay(this.page.wallet?.payment)) this.way = 'wallet';
    if (!this.page.wallet) this.way = 'card';
    if (this.way === 'wallet' && !this.unloaded) this.#loading ??= this.#load();
  }

  #choose(way: Way): void {
    this.way = way;
    this.unloaded = false;
    this.problem = undefined;
  }

  #choice(): TemplateResult | typeof nothing {
    const { wallet } = this.page;
    // A sent transaction cannot be undone.
    if (!wallet || isUnderWay(wallet.payment)) return nothing;
    const way = (name: Way, mark: SVGTemplateResult, label: string): TemplateResult => html`<label>
      <input
        type="radio"
        name="way"
        value=${name}
        .checked=${this.way === name}
        ?disabled=${this.held || this.busy}
        @change=${() => this.#choose(name)}
      />
      <span class="line">${icon(mark)}${label}</span>
    </label>`;
    return html`<fieldset class="seg">
      <legend class="sr">${msg('How to pay')}</legend>
      ${way('card', iconCard(), msg('Card'))}${way('wallet', iconWallet(), msg('Wallet'))}
    </fieldset>`;
  }

  #way(): unknown {
    const { page, calls, busy, problem, note, ahead } = this;
    if (this.way === 'wallet') {
      if (this.#wallet) return Object.assign(this.#wallet, { page, calls, busy, problem, ahead });
      const again = (): void => this.#choose('wallet');
      return this.unloaded
        ? html`<div class="co-way" role="alert">
            ${alert('caution', { text: msg('This part of the page did not load. Try again, or pay with a card.') })}
            <button type="button" class="btn secondary lg block" @click=${again}>
              <span>${msg('Try again')}</span>
            </button>
          </div>`
        : html`<p class="line muted" role="status"><span class="spin"></span>${msg('Loading')}</p>`;
    }
    const { redirect } = page.card;
    const back = (): boolean => this.dispatchEvent(new CustomEvent('pay-cancel', { bubbles: true }));
    if (redirect) return cardLink({ page, redirect, problem, busy, back });
    if (isFree(page)) {
      const done = (): boolean => this.dispatchEvent(new CustomEvent('pay-free', { bubbles: true }));
      return freeOrder({ page, problem, busy, done, back });
    }
    return Object.assign(this.card, { page, busy, problem, note });
  }

  protected override render(): TemplateResult {
    return html`<div class="co-pay">${this.#choice()}${this.#way()}</div>`;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'pay-ways': PayWays;
  }
}

/** A transaction is known but not yet settled: nothing else may be paid meanwhile. */
export function isUnderWay(payment: WalletPayment | null | undefined): boolean {
  if (!payment) return false;
  const { state, transactionHash, problem } = payment;
  return state === 'pending' || (state !== 'paid' && transactionHash !== null && problem === null);
}

/** A single button: nobody is asked for a card or a wallet. */
function freeOrder({
  page,
  problem,
  busy,
  done,
  back,
}: Omit<CardLink, 'redirect'> & { done: () => void }): TemplateResult {
  return html`<section class="co-way" aria-labelledby="free-title">
    <h1 class="title" id="free-title" tabindex="-1">${msg('Nothing to pay')}</h1>
    ${problem ? alert(problem.level, problem) : nothing}
    <button type="button" class="btn primary lg block" aria-disabled=${busy ? 'true' : nothing} @click=${done}>
      ${busy ? html`<span class="spin"></span>` : nothing}<span>${msg('Complete order')}</span>
    </button>
    ${backButton(page, busy, back)}
  </section>`;
}

function backButton({ merchant }: PayPage, busy: boolean, back: () => void): TemplateResult {
  return html`<button type="button" class="btn text back" aria-disabled=${busy ? 'true' : nothing} @click=${back}>
    <span>${msg(str`Back to ${merchant}`)}</span>
  </button>`;
}

/** To a payment provider that takes cards on its own page. */
interface CardLink {
  page: PayPage;
  redirect: string;
  problem: Problem | undefined;
  busy: boolean;
  back: () => void;
}

function cardLink({ page, redirect, problem, busy, back }: CardLink): TemplateResult {
  const total = priceText(page.amountTotal, page.currency);
  return html`<section class="co-way" aria-labelledby="card-title">
    <h1 class="title" id="card-title" tabindex="-1">${msg('Pay with card')}</h1>
    ${problem ? alert(problem.level, problem) : nothing}
    <p class="muted">${msg(
      str`You pay on the payment processor’s page, which then returns you to ${page.merchant}.`,
    )}</p>
    <a class="btn primary lg block" href=${redirect}><span dir="auto">${msg(html`Pay ${amountText(total)}`)}</span></a>
    ${backButton(page, busy, back)}
  </section>`;
}
