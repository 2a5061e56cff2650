import { html, LitElement, nothing, type TemplateResult } from 'lit';
import type { Connect } from '../actions/types.ts';
import type { PayAnswer, PayByCard, PayPage, WalletPayment } from '../api/pay.ts';
import type { Limit } from '../base/clock.ts';
import { ConnectError, type Issue } from '../base/errors.ts';
import { Countdown } from '../ui/countdown.ts';
import { customElement, property, state } from '../ui/decorators.ts';
import { msg, str } from '../base/localize.ts';
import { forgetAttempt, keepAttempt, keptAttempt, newAttempt, type PayCalls } from './calls.ts';
import type { challengeView, Outcome } from './challenge.ts';
import { brandProperties } from './colors.ts';
import {
  closedView,
  loadingView,
  type CompletedPayment,
  paidView,
  unknownView,
  unreachableView,
} from './ends.ts';
import { declined, noAnswer, notPaid, type Problem } from './pay-form.ts';
import { isUnderWay, PayWays } from './pay-ways.ts';
import { expiry, moreTime, summary, testBanner } from './summary.ts';

type View = 'loading' | 'unreachable' | 'unknown' | 'form' | 'challenge' | 'paid' | 'closed';
type Payment = Omit<PayByCard, 'attempt'>;

/** After this the page says that it is taking longer than usual. */
const SLOW_MS = 8000;
/** Left when the end is announced. */
const SPOKEN_SECONDS = [300, 60];
/** Left when more time is offered. */
const OFFERED_SECONDS = 120;

/**
 * The whole payment page: loads the checkout from the service, and shows the form, the bank's challenge or the outcome. Only the service
 * decides the outcome of a payment: if an answer is lost, the page asks again, and pressing Pay again repeats the same attempt.
 */
@customElement('pay-checkout')
export class CheckoutPage extends LitElement {
  @property({ attribute: false }) calls!: PayCalls;
  /** Connects to the wallet; created on demand if not given. */
  @property({ attribute: false }) connect: Connect | undefined;
  /** Navigates to the shop. */
  @property({ attribute: false }) go = (url: string): void => location.assign(url);

  @state() private view: View = 'loading';
  @state() private busy = false;
  @state() private problem: Problem | undefined;
  @state() private note = '';
  @state() private spoken = '';

  #page: PayPage | undefined;
  #challenge: typeof challengeView | undefined;
  /** End of the running countdown, which is not restarted for the same end: that could skip a second. */
  #ends = 0;
  #paid: CompletedPayment | undefined;
  /** The attempt whose outcome is unknown, and the payment data that it was made with. */
  #attempt: { id: string; with: string } | undefined;
  #last: Pick<CompletedPayment, 'name' | 'last4' | 'email'> = { name: '', last4: '', email: '' };
  readonly #ways = new PayWays();
  readonly #countdown = new Countdown(this, (seconds) => this.#onSecond(seconds));

  constructor() {
    super();
    this.addEventListener('pay-submit', (event) => void this.#pay((event as CustomEvent<Payment>).detail));
    this.addEventListener('pay-free', () => void this.#complete());
    this.addEventListener('pay-cancel', () => void this.#cancel());
    this.addEventListener('pay-read', (event) => void this.#hear((event as CustomEvent<PayPage>).detail));
    this.addEventListener('pay-wallet', (event) =>
      this.#quoted((event as CustomEvent<WalletPayment>).detail),
    );
    this.addEventListener('pay-say', (event) => this.#say((event as CustomEvent<string>).detail));
    this.addEventListener('cbf-announce', ({ detail }) => this.#say(detail.text));
  }

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    document.addEventListener('visibilitychange', this.#onVisible);
    addEventListener('pageshow', this.#onShown);
    void this.#load();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    document.removeEventListener('visibilitychange', this.#onVisible);
    removeEventListener('pageshow', this.#onShown);
  }

  /** Another tab may have paid meanwhile. */
  readonly #onVisible = (): void => {
    if (document.visibilityState === 'visible') void this.#refresh();
  };

  /** The customer came back from the shop, and the browser restored the page from its cache. */
  readonly #onShown = ({ persisted }: PageTransitionEvent): void => {
    if (persisted) void this.#load();
  };

  #say(text: string): void {
    this.spoken = this.spoken === text ? `${text}\u00a0` : text;
  }

  #onSecond(seconds: number): void {
    if (SPOKEN_SECONDS.includes(seconds)) this.#say(expiry(this.#countdown.until));
    if (seconds === 0) setTimeout(() => void this.#refresh(), 1000);
  }

  async #load(): Promise<void> {
    this.busy = false;
    this.view = 'loading';
    try {
      this.#take(await this.calls.read());
    } catch (error) {
      const unknown = error instanceof ConnectError && error.code === 'checkout.session.unknown';
      await this.#show(unknown ? 'unknown' : 'unreachable');
      return;
    }
    const attempt = keptAttempt();
    if (this.#page?.status !== 'open') {
      await this.#close();
    } else if (attempt?.asked) {
      this.#attempt = { id: attempt.id, with: '' };
      await this.#show('challenge');
    } else {
      if (this.#page.wallet?.payment?.state === 'quoted') this.#ways.way = 'wallet';
      await this.#show('form');
      // The page was left during a payment, which the service may still be processing.
      if (attempt) setTimeout(() => void this.#refresh(), 2500);
    }
  }

  /** Reads the page again, and says nothing of a failure. */
  async #refresh(): Promise<void> {
    if (this.busy || (this.view !== 'form' && this.view !== 'challenge')) return;
    const page = await this.calls.read().catch(() => undefined);
    if (page && !this.busy) await this.#hear(page);
  }

  /** Applies the checkout's current state, with a payment in progress or without. */
  async #hear(page: PayPage): Promise<void> {
    if (this.view !== 'form' && this.view !== 'challenge') return;
    this.#take(page);
    if (page.status === 'open') return;
    const coins = this.#ways.paidCoins;
    if (page.redirect && coins) await this.#thank(page.redirect, coins);
    else await this.#close();
  }

  #quoted(payment: WalletPayment): void {
    const page = this.#page;
    if (!page?.wallet) return;
    this.#use({ ...page, wallet: { ...page.wallet, payment } });
    if (payment.state === 'paid') void this.#refresh();
  }

  #use(page: PayPage): void {
    this.#page = page;
    this.#ways.page = page;
    // A transaction under way has no deadline.
    const counted = page.status === 'open' && !isUnderWay(page.wallet?.payment);
    const ends = counted ? page.expiresAt : 0;
    if (ends !== this.#ends) {
      this.#ends = ends;
      if (ends) this.#countdown.start(ends + this.#ways.ahead);
      else this.#countdown.stop();
    }
    this.requestUpdate();
  }

  #take(page: PayPage): void {
    this.#ways.ahead = Date.now() - page.now;
    this.#use(page);
    document.title = msg(str`Pay ${page.merchant}`);
    const { style } = document.documentElement;
    for (const [name, value] of Object.entries(page.branding ? brandProperties(page.branding) : {}))
      style.setProperty(name, value);
  }

  /** Shows a view and moves focus to its start. */
  async #show(wanted: View): Promise<void> {
    let view = wanted;
    // Loaded on demand: few payments are challenged.
    if (view === 'challenge')
      try {
        this.#challenge ??= (await import('./challenge.ts')).challengeView;
      } catch {
        view = 'unreachable';
      }
    // Without it the receipt is still behind its link.
    if (this.#page?.receiptMail && (view === 'paid' || view === 'closed'))
      import('./receipt-mail.ts').catch(() => {});
    this.view = view;
    await this.updateComplete;
    if (view === 'form') await this.#ways.start();
    else this.querySelector<HTMLElement>('h1')?.focus();
  }

  /** The session has ended. */
  async #close(): Promise<void> {
    forgetAttempt();
    this.#countdown.stop();
    await this.#show('closed');
  }

  /** Runs `work` unless other work is running, and tells the customer if it takes long. */
  async #alone(work: () => Promise<void>): Promise<void> {
    if (this.busy) return;
    this.busy = true;
    this.problem = undefined;
    const slow = setTimeout(
      () => {
        this.note = msg('This takes longer than usual. Keep this page open.');
        this.#say(this.note);
      },
      SLOW_MS,
      'limit' satisfies Limit,
    );
    try {
      await work();
    } finally {
      clearTimeout(slow);
      this.note = '';
      this.busy = false;
    }
  }

  #pay(payment: Payment): Promise<void> {
    const text = JSON.stringify(payment);
    return this.#alone(async () => {
      this.#say(msg('Paying'));
      if (this.#attempt?.with !== text) this.#attempt = { id: newAttempt(), with: text };
      const { email, card } = payment;
      this.#last = { name: card.name, last4: card.number.slice(-4), email };
      const { id } = this.#attempt;
      keepAttempt({ id, asked: false });
      await this.#follow(() => this.calls.pay({ ...payment, attempt: id }));
    });
  }

  #complete(): Promise<void> {
    return this.#alone(() => this.#follow(() => this.calls.complete()));
  }

  #answer(outcome: Outcome): Promise<void> {
    return this.#alone(async () => {
      this.#say(outcome === 'complete' ? msg('Paying') : '');
      await this.#follow(() => this.calls.challenge({ attempt: this.#attempt!.id, outcome }));
    });
  }

  async #follow(call: () => Promise<PayAnswer>): Promise<void> {
    let answer: PayAnswer;
    try {
      answer = await call();
    } catch (error) {
      await this.#failed(error as ConnectError);
      return;
    }
    if (answer.state === 'challenge') {
      keepAttempt({ id: this.#attempt!.id, asked: true });
      this.#last.last4 = answer.challenge.last4;
      await this.#show('challenge');
      return;
    }
    this.#settled();
    if (answer.state === 'paid') return this.#thank(answer.redirect);
    this.problem = declined();
    this.view = 'form';
    await this.updateComplete;
    await this.#ways.card.decline(answer.reason);
  }

  #settled(): void {
    this.#attempt = undefined;
    forgetAttempt();
  }

  async #thank(redirect: string, coins?: string): Promise<void> {
    this.#settled();
    this.#countdown.stop();
    // What was under way is over: the heading has the focus, and says so.
    this.spoken = '';
    this.#paid = coins ? { name: '', last4: '', email: '', coins, redirect } : { ...this.#last, redirect };
    await this.#show('paid');
  }

  async #failed({ code, details }: ConnectError): Promise<void> {
    if (code === 'request.invalid') {
      this.#settled();
      await this.#show('form');
      if (await this.#ways.card.refuse((details?.['issues'] ?? []) as Issue[])) return;
      this.problem = notPaid(msg('You have not been charged. Try again.'));
    } else if (code === 'request.rate-limited') {
      const over = typeof details['redirect'] === 'string';
      this.problem = notPaid(
        over
          ? msg('There were too many tries on this checkout. Start again from the shop.')
          : msg('There were too many tries at once. Wait a minute, then try again.'),
      );
    } else {
      await this.#lookUp(code !== 'checkout.session.complete');
    }
  }

  /**
   * The answer was lost, or the session has ended: asks the service what has been paid. `mine`: a payment that it reports was made here,
   * not in another tab.
   */
  async #lookUp(mine: boolean): Promise<void> {
    const page = await this.calls.read().catch(() => undefined);
    if (page) this.#take(page);
    const byWallet = page?.wallet?.payment;
    if (page?.status === 'complete' && page.redirect && mine && byWallet?.state !== 'paid')
      return this.#thank(page.redirect);
    if (page && page.status !== 'open') return this.#close();
    if (isUnderWay(byWallet)) return this.#show('form');
    this.problem = noAnswer(
      msg('We cannot tell yet whether the payment went through. Try again: you pay only once.'),
    );
    this.#say(msg('No answer came. Try again: you pay only once.'));
  }

  #cancel(): Promise<void> {
    return this.#alone(async () => {
      try {
        const { redirect } = await this.calls.cancel();
        this.#settled();
        this.go(redirect);
      } catch (error) {
        if ((error as ConnectError).code === 'checkout.payment.pending') await this.#lookUp(false);
        else this.problem = noAnswer(msg('You have not been charged. Try again.'));
      }
    });
  }

  async #extend(before: EventTarget | null): Promise<void> {
    try {
      this.#take(await this.calls.extend());
      this.#say(expiry(this.#countdown.until));
    } catch {
      // It has ended, or the service is out of reach.
      return this.#refresh();
    }
    await this.updateComplete;
    ((before as HTMLElement | null) ?? this.querySelector('h1'))?.focus();
  }

  #moreTime(): TemplateResult | typeof nothing {
    const { until, seconds } = this.#countdown;
    const { latestEnd = 0, expiresAt } = this.#page ?? { expiresAt: 0 };
    const isOffered = this.view === 'form' || this.view === 'challenge';
    return isOffered && until && seconds <= OFFERED_SECONDS && latestEnd > expiresAt
      ? moreTime(until, (before) => void this.#extend(before))
      : nothing;
  }

  #content(): TemplateResult {
    const page = this.#page;
    if (this.view === 'unknown') return unknownView();
    if (this.view === 'unreachable') return unreachableView(() => void this.#load());
    if (!page || this.view === 'loading') return loadingView();
    if (this.view === 'closed') return closedView(page, this.calls.mail);
    if (this.view === 'paid') return paidView(page, this.#paid!, this.calls.mail);
    const { busy, problem, note } = this;
    if (this.view === 'challenge' && this.#challenge) {
      const { last4 } = this.#last;
      return this.#challenge({ page, last4, busy, problem, answer: (outcome) => void this.#answer(outcome) });
    }
    Object.assign(this.#ways, { calls: this.calls, connect: this.connect, busy, problem, note });
    return html`<div class="checkout">
      <div class="checkout-grid">${summary(page, this.#countdown.until)}${this.#ways}</div>
    </div>`;
  }

  protected override render(): TemplateResult {
    const page = this.#page;
    const takesCards = this.view === 'form' && this.#ways.takesCards;
    const use = takesCards ? (number: string) => void this.#ways.use(number) : undefined;
    return html`<main>
      ${page && testBanner(page, use)}
      ${this.#content()}
      ${this.#moreTime()}
      <p class="sr" role="status">${this.spoken}</p>
    </main>`;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'pay-checkout': CheckoutPage;
  }
}
