/**
 * "Pay with a wallet". Loaded when chosen: it brings the project's elements, which the card form does not use. The wallet's answer is only
 * a hint; the service, which watches the chain, decides whether the payment is made.
 */
import { html, LitElement, nothing, type PropertyValues, render, type TemplateResult } from 'lit';
import { createConnect } from '../actions/connect.ts';
import type { Connect } from '../actions/types.ts';
import type { PayChoice, PayPage, PayWallet, WalletPayment } from '../api/pay.ts';
import type { Wallet } from '../api/wallet.ts';
import { LinkWallets } from '../elements/link-wallets/link-wallets.ts';
import type { ConnectError } from '../base/errors.ts';
import { amountText } from '../ui/amount-text.ts';
import { Countdown } from '../ui/countdown.ts';
import { customElement, property, state } from '../ui/decorators.ts';
import { msg, str } from '../base/localize.ts';
import type { PayCalls } from './calls.ts';
import { choiceStyles, choiceView, Holdings, isOn, othersButton } from './coin-choice.ts';
import type { Problem } from './pay-form.ts';
import { adoptPart } from './styles.ts';
import { isUnderWay } from './pay-ways.ts';
import { PaymentDialog, WalletRequest } from './wallet-request.ts';
import { noHash, quoteTrouble } from './wallet-text.ts';
import {
  coins,
  expiredView,
  noPriceView,
  pendingView,
  priceView,
  quotedView,
  walletStyles,
} from './wallet-views.ts';
import { Watch } from './watch.ts';

for (const [name, element] of Object.entries({
  'link-wallets': LinkWallets,
  'transfer-dialog': PaymentDialog,
}))
  if (!customElements.get(name)) customElements.define(name, element);
adoptPart(...walletStyles, choiceStyles);

/** How long polling continues after a quote expires: a transaction sent in time may be seen late. */
const AFTER_MS = 300_000;

/**
 * @fires pay-wallet - `detail` is the payment as last returned by the service.
 * @fires pay-read - `detail` is the page as last returned by the service.
 * @fires pay-hold - `detail`: whether a wallet request is open, which blocks everything else.
 * @fires pay-cancel - Back to the shop was pressed.
 * @fires pay-say - `detail` is read out politely.
 */
@customElement('pay-wallet')
export class WalletWay extends LitElement {
  /** It has a `wallet`. */
  @property({ attribute: false }) page!: PayPage;
  @property({ attribute: false }) calls!: PayCalls;
  /** Milliseconds that the customer's clock is ahead of the service's. */
  @property({ attribute: false }) ahead = 0;
  /** The page is returning to the shop. */
  @property({ attribute: false }) busy = false;
  /** Shown at the top. */
  @property({ attribute: false }) problem: Problem | undefined;
  /** This page's connection to the wallet; created if not given. */
  @property({ attribute: false }) connect: Connect | undefined;

  @state() private wallets: readonly Wallet[] | undefined;
  @state() private from = '';
  @state() private quoting = false;
  /** The customer chooses among the shop's coins and tokens. */
  @state() private choosing = false;
  /** Why there is no quote. */
  @state() private trouble = '';
  @state() private note = '';
  /** Loaded when opened. */
  @state() private elsewhere: typeof import('./wallet-elsewhere.ts') | undefined;

  #unlisten: (() => void) | undefined;
  #view = '';
  #said = 0;
  /** What the customer chose and has no price of yet. */
  #chosen: PayChoice | undefined;
  readonly #holdings = new Holdings(this);
  /** When the quote being counted down expires. */
  #ends = 0;
  readonly #countdown = new Countdown(this, (seconds) => this.#onSecond(seconds));
  readonly #watch = new Watch(this, () => this.#look());
  readonly #request = new WalletRequest(this, {
    held: (on) => this.#emit('pay-hold', on),
    sent: () => {
      this.#emit('pay-say', msg('Payment sent'));
      void this.#report().then(() => this.#watch.soon());
    },
    rejected: () => {
      this.note = msg('Nothing was sent.');
      this.#emit('pay-say', this.note);
    },
    moved: () => this.#watch.soon(),
  });

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  get #wallet(): PayWallet {
    return this.page.wallet!;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    const { frame, site } = this.#wallet;
    this.connect ??= createConnect({ frame, ...(site ? { site } : {}) });
    const follow = (wallets: readonly Wallet[]): void => {
      this.wallets = wallets;
    };
    this.#unlisten = this.connect.onWallets(follow);
    this.connect.wallets().then(follow, () => follow([]));
    void this.#start();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#unlisten?.();
  }

  /** First resumes what a previous load left open; then gets a quote, unless there is one or the last one needs explaining. */
  async #start(): Promise<void> {
    if (this.#request.hash) await this.#report();
    else await this.#request.recover(this.connect!);
    const { payment, choices } = this.#wallet;
    if (payment && (payment.state !== 'expired' || payment.problem || isUnderWay(payment))) return;
    if (choices.length > 1) this.choosing = true;
    else await this.#quote();
  }

  async #choose(choice: PayChoice): Promise<void> {
    this.#chosen = choice;
    this.choosing = false;
    await this.#quote();
  }

  #emit(name: string, detail?: unknown): void {
    this.dispatchEvent(new CustomEvent(name, { detail, bubbles: true }));
  }

  async #quote(): Promise<void> {
    if (this.quoting) return;
    this.quoting = true;
    this.trouble = '';
    this.note = '';
    const chosen = this.#chosen;
    try {
      const payment = await this.calls.quote(
        chosen && { network: chosen.network, tokenAddress: chosen.tokenAddress ?? undefined },
      );
      // The page has everything else of the coin that was chosen.
      if (chosen) await this.#look();
      else this.#emit('pay-wallet', payment);
      this.#chosen = undefined;
    } catch (error) {
      const { code } = error as ConnectError;
      if (/^checkout\.(session|payment)\./.test(code)) await this.#look().catch(() => false);
      else this.trouble = quoteTrouble(error as ConnectError, (chosen ?? this.#wallet).symbol);
    } finally {
      this.quoting = false;
    }
  }

  /** Returns whether anything changed. */
  async #look(): Promise<boolean> {
    if (this.#request.hash && (await this.#report())) return true;
    const before = JSON.stringify(this.#wallet.payment);
    const page = await this.calls.read();
    this.#emit('pay-read', page);
    return JSON.stringify(page.wallet?.payment) !== before;
  }

  /** Reports the wallet's transaction to the service. False if that failed and has to be retried. */
  async #report(): Promise<boolean> {
    try {
      const payment = await this.calls.report(this.#request.hash!);
      this.#request.reported();
      this.#emit('pay-wallet', payment);
      return true;
    } catch (error) {
      // The service cannot use it: the page shows the payment as the service knows it.
      if (/^(checkout|request\.(invalid|conflict))/.test((error as ConnectError).code))
        this.#request.reported();
      return false;
    }
  }

  #onSecond(seconds: number): void {
    if (seconds === 60) this.#emit('pay-say', msg('This price holds for one more minute.'));
    if (seconds === 0) this.#request.giveUp();
  }

  /** The wallets on the payment's network. */
  get #usable(): Wallet[] {
    return (this.wallets ?? []).filter((wallet) => isOn(this.#wallet, wallet));
  }

  /** Starts one countdown per quote: a restart could skip a second. */
  #count(payment: WalletPayment | null): void {
    const ends = payment?.state === 'quoted' ? payment.expiresAt : 0;
    if (ends === this.#ends) return;
    this.#ends = ends;
    if (ends) return this.#countdown.start(ends + this.ahead);
    this.#countdown.stop();
    // The service may report expiry before the countdown does.
    if (payment?.state === 'expired') this.#request.giveUp();
  }

  protected override willUpdate(changed: PropertyValues): void {
    const { payment } = this.#wallet;
    const until = payment ? payment.expiresAt + this.ahead : 0;
    if (changed.has('page')) this.#count(payment);
    if (this.choosing) this.#holdings.look(this.connect!, this.#wallet.choices, this.wallets ?? []);
    const usable = this.#usable;
    if (!usable.some(({ id }) => id === this.from))
      this.from = (usable.find(({ primary }) => primary) ?? usable[0])?.id ?? '';
    this.#watch.on =
      this.#request.hash !== undefined ||
      isUnderWay(payment) ||
      (!!payment && payment.state !== 'paid' && Date.now() < until + AFTER_MS);
  }

  /** If the focused element is gone, focus moves to the start of the new view; the wallet returns focus later, through the dialog. */
  protected override updated(): void {
    const view = this.querySelector('[data-view]')?.getAttribute('data-view') ?? '';
    const { activeElement } = document;
    if (this.#view && view !== this.#view && (!activeElement || activeElement === document.body))
      this.#focus();
    this.#view = view;
    const { payment } = this.#wallet;
    const confirmations = payment?.state === 'pending' ? payment.confirmations : 0;
    if (confirmations > this.#said)
      this.#emit('pay-say', msg(str`${confirmations} of ${payment!.needed} confirmations`));
    this.#said = confirmations;
  }

  #focus(): void {
    this.querySelector<HTMLElement>('h1')?.focus();
  }

  /** `0.0131 ETH` */
  coins(payment: WalletPayment): string {
    return coins(this.#wallet, payment);
  }

  /** Moves focus to its start. */
  async start(): Promise<void> {
    await this.updateComplete;
    this.#focus();
  }

  /** The Pay button. While hidden it only passes on the focus that the wallet returns. */
  #drawTrigger(payment: WalletPayment | undefined): void {
    const { connect, from } = this;
    const { asking, lost, dialog } = this.#request;
    const { secretType, tokenAddress } = this.#wallet;
    Object.assign(dialog, {
      connect,
      secretType,
      walletId: from,
      to: payment?.to,
      value: payment?.amount,
      tokenAddress: tokenAddress ?? undefined,
      data: payment?.memo,
      order: payment?.order ?? undefined,
    });
    const hidden = !payment || !from || lost;
    const relay = (): void => {
      if (hidden) this.#focus();
    };
    const busy = asking ? 'true' : nothing;
    const label = asking
      ? html`<span class="spin"></span><span>${msg('Waiting for your wallet…')}</span>`
      : html`<span dir="auto">${payment && msg(html`Pay ${amountText(coins(this.#wallet, payment))}`)}</span>`;
    const button = html`<button
      type="button"
      class="btn primary lg block"
      tabindex=${hidden ? -1 : nothing}
      aria-disabled=${busy}
      ?hidden=${lost}
      @focus=${relay}
    >${label}</button>`;
    render(button, dialog);
  }

  protected override render(): TemplateResult {
    const { page, busy, problem, note, from, elsewhere, connect } = this;
    const { asking, lost, hash, dialog } = this.#request;
    const wallet = this.#wallet;
    const { payment } = wallet;
    const { seconds } = this.#countdown;
    const again = (): void => void this.#quote();
    const underWay = hash !== undefined || isUnderWay(payment) || payment?.state === 'paid';
    // A customer who has already sent something must not pay the full amount again.
    const named = payment?.problem === 'underpaid' || payment?.problem === 'overpaid';
    const choosing = this.choosing && !underWay && !named;
    const payable =
      !underWay && !choosing && !this.trouble && !this.quoting && payment?.state === 'quoted' && seconds > 0;
    this.#drawTrigger(payable && !named ? payment : undefined);
    const shown = (payable && !named && from) || (lost && !underWay);
    const shared = {
      page,
      wallet,
      problem,
      busy: busy || asking,
      lost,
      dialog: shown ? dialog : html`<div class="sr" aria-hidden="true">${dialog}</div>`,
      others:
        wallet.choices.length > 1 && !asking && !lost ? othersButton(() => this.#showChoices()) : nothing,
      back: () => {
        if (!asking) this.#emit('pay-cancel');
      },
    };
    if (underWay)
      return pendingView({
        ...shared,
        payment: payment ?? undefined,
        hash: (hash ?? payment?.transactionHash)!,
        note,
        elsewhere,
        openElsewhere: () => void this.#openElsewhere(),
        name: (named) => void this.#name(named),
      });
    if (choosing)
      return choiceView(shared, {
        choices: this.#holdings.sorted(wallet.choices, this.wallets ?? []),
        holdings: this.#holdings,
        choose: (choice) => void this.#choose(choice),
      });
    if (this.trouble) return noPriceView({ ...shared, text: this.trouble, again });
    if (this.quoting || !payment) return priceView(shared);
    if (!payable) return expiredView({ ...shared, payment, again });
    return quotedView({
      ...shared,
      payment,
      seconds,
      ends: payment.expiresAt + this.ahead,
      note,
      connect: connect!,
      wallets: this.wallets && this.#usable,
      linked: this.wallets?.some(({ secretType }) => secretType === wallet.secretType) ?? false,
      from,
      choose: (id) => {
        this.from = id;
      },
      elsewhere,
      openElsewhere: () => void this.#openElsewhere(),
      name: (named) => void this.#name(named),
    });
  }

  #showChoices(): void {
    this.trouble = '';
    this.note = '';
    this.choosing = true;
  }

  /** Reports a transaction that the customer sent with another app. */
  async #name(hash: string): Promise<void> {
    this.note = '';
    try {
      this.#emit('pay-wallet', await this.calls.report(hash));
    } catch (error) {
      const isNone = (error as ConnectError).code === 'request.invalid';
      this.note = isNone ? noHash(this.#wallet) : quoteTrouble(error as ConnectError, this.#wallet.symbol);
      this.#emit('pay-say', this.note);
    }
    this.#watch.soon();
  }

  async #openElsewhere(): Promise<void> {
    this.elsewhere ??= await import('./wallet-elsewhere.ts');
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'pay-wallet': WalletWay;
  }
}
