import { css, html, nothing, type TemplateResult } from 'lit';
import { type ConnectError, FrameUnreachableError, mayBeSent, UserRejectedError } from '../../base/errors.ts';
import { msg } from '../../base/localize.ts';
import { CARDS, CONTRACT_CHAINS, type SecretType } from '../../chains/secret-type.ts';
import type { TransactionResult } from '../../channel/messages.ts';
import { rowAmount } from '../../ui/amount-text.ts';
import { chainBadge, tokenBadge } from '../../ui/chain-badge.ts';
import { icon, iconRefresh } from '../../ui/icons.ts';
import { formStyles } from '../../ui/form-styles.ts';
import { heading, spinner } from '../../ui/parts.ts';
import { type FormClock, RateWatch } from '../../ui/swap/rate-watch.ts';
import { type Review, SwapBuild } from '../../ui/swap/swap-build.ts';
import { problem, SwapForm, swapFormStyles } from '../../ui/swap/swap-form.ts';
import { chainOf, SwapSource } from '../../ui/swap/swap-source.ts';
import { ignore, type Status } from '../connect-element.ts';
import type { PageNetwork } from '../page-network.ts';
import { PanelView } from '../view.ts';
import { isDone, isSentAway, keptRun, type Run, running } from './swap-run.ts';
import type * as Outcome from './swap-outcome.ts';
import type { SwapProgress } from './swap-outcome.ts';
import type { SwapPanel } from './swap-panel.ts';

/** Styles of the panel. Needs `swapFormStyles`. */
const swapPanelStyles = css`
  .panel { display: flex; flex-direction: column; gap: var(--_s4); padding: var(--_s5); border: 1px solid var(--_border); border-radius: var(--_r-lg); background: var(--_surface); box-shadow: var(--_shadow-2); color: var(--_text); container-type: inline-size; }
  :where(ol, dl, dd) { min-inline-size: 0; margin: 0; padding: 0; border: 0; list-style: none; }
  h2:focus { outline: none; }
  .head2 { display: flex; align-items: center; gap: var(--_s1); min-block-size: 36px; margin-block: -8px -4px; }
  .head2 > .btn.icon:first-child { margin-inline-start: -12px; }
  .head2 > .btn.icon:last-child { margin-inline-end: -12px; }
  [dir="rtl"] .flip, .flip:dir(rtl) { transform: scaleX(-1); }

  .end { display: grid; justify-items: center; gap: var(--_s3); padding-block: var(--_s2); text-align: center; }
`;

interface Caller {
  resolve(result: TransactionResult[]): void;
  reject(error: unknown): void;
}

/** As `systemClock`, which a page loads with its first request: the form is drawn before. */
const PAGE_CLOCK: FormClock = {
  date: () => Date.now(),
  after(milliseconds, work) {
    const id = setTimeout(work, milliseconds);
    return () => clearTimeout(id);
  },
  every(milliseconds, work) {
    const id = setInterval(work, milliseconds);
    return () => clearInterval(id);
  },
};

/** The panel of `<swap-panel>`: form, review, and the steps of the swap. */
export class SwapPanelView extends PanelView<SwapPanel> {
  static override styles = [...PanelView.styles, formStyles, swapFormStyles, swapPanelStyles];

  readonly #watch = new RateWatch(
    this.host,
    (first) => this.#onRates(first),
    () => PAGE_CLOCK,
  );
  /** Loaded if the page has set a network. */
  #pageNetwork: PageNetwork | undefined;
  readonly #source = new SwapSource(this.host, this.#watch, {
    has: (wallet) => this.#pageNetwork?.has(wallet) ?? true,
    values: async () => {
      const { valueOf } = await import('../worth.ts');
      return (wallet, amount) => valueOf(this.host, wallet, amount);
    },
    held: rowAmount,
    linkTo: (chain) => this.#linker([chain]),
  });
  readonly #form = new SwapForm(this.#source);
  readonly #build = new SwapBuild(this.#source, {
    load: () => this.#load(),
    wrong: (field) => this.#focusWhenDrawn(`#${field}`),
    say: (text) => this.say(text),
  });
  /** The caller that awaits the panel's first outcome. */
  #caller: Caller | undefined;
  /** The code of review and steps, and the swap in progress; undefined until needed. */
  #outcome: typeof Outcome | undefined;
  #progress: SwapProgress | undefined;
  /** The part of the panel that was last drawn. */
  #part = '';

  hostConnected(): void {
    if (this.#progress) this.#progress.connect();
    else if (keptRun()) this.#load().catch(ignore);
    this.#follow();
  }

  get #run(): Run | undefined {
    return this.#progress?.run;
  }

  async #load(): Promise<typeof Outcome> {
    if (this.#outcome) return this.#outcome;
    const outcome = await import('./swap-outcome.ts').catch((cause: unknown) => {
      throw new FrameUnreachableError('The review could not be loaded.', { cause: String(cause) });
    });
    if (this.#outcome) return outcome;
    this.#outcome = outcome;
    this.adopt(outcome.swapOutcomeStyles);
    this.#progress = new outcome.SwapProgress(this.host, {
      changed: () => {
        if (this.#run) this.say(outcome.spoken(this.#run));
        this.host.requestUpdate();
      },
      over: () => this.#source.refreshBalances(),
      dropped: (run, error) => this.#dropped(run, error),
    });
    this.#progress.connect();
    this.host.requestUpdate();
    return outcome;
  }

  /** A request continues without its element; a form does not. */
  hostDisconnected(): void {
    this.#progress?.disconnect();
    this.#watch.stop();
    const caller = this.#caller;
    this.#caller = undefined;
    if (!caller) return;
    const error = new UserRejectedError('The panel was removed.');
    this.host.fail('executeAll', error);
    caller.reject(error);
  }

  /** Resolves once a swap has been sent. */
  ask(): Promise<TransactionResult[]> {
    const going = this.#run && running.get(this.#run.requestId);
    if (going) return going;
    this.host.requestUpdate();
    this.#focusWhenDrawn('#from');
    return new Promise((resolve, reject) => {
      this.#caller = { resolve, reject };
    });
  }

  #focusWhenDrawn(selector: string): void {
    this.host.updateComplete.then(() => this.root.querySelector<HTMLElement>(selector)?.focus(), ignore);
  }

  override hostUpdate(): void {
    super.hostUpdate();
    if (this.host.linked) {
      this.#followNetwork();
      this.#source.follow();
    }
    this.#build.follow();
    this.#follow();
  }

  #followNetwork(): void {
    const { host } = this;
    if (this.#pageNetwork) this.#pageNetwork.follow(chainOf(host.fromSecretType));
    else if (host.network)
      import('../page-network.ts').then(({ PageNetwork }) => {
        this.#pageNetwork ??= new PageNetwork(host, 'executeAll');
        host.requestUpdate();
      }, ignore);
  }

  /** Keeps the rates fresh until the wallet is opened, while the page shows the element. */
  #follow(): void {
    if (this.#run || this.host.isAway) this.#watch.stop();
    else this.#watch.start();
  }

  override hostUpdated(): void {
    super.hostUpdated();
    const run = this.#run;
    const isEnd = run && (isDone(run) || isSentAway(run));
    const part = run ? (isEnd ? 'done' : 'steps') : this.#build.review ? 'review' : 'form';
    const moved = this.#part && part !== this.#part;
    this.#part = part;
    if (moved && part !== 'form') this.root.querySelector<HTMLElement>('h2')?.focus();
  }

  override focusTarget(): HTMLElement | undefined {
    return this.root.querySelector<HTMLElement>('h2') ?? super.focusTarget();
  }

  override hides(): boolean {
    return true;
  }

  override after(): unknown {
    return nothing;
  }

  protected override settled(status: Status): void {
    const { kind } = status;
    const run = this.#run;
    if (kind === 'done')
      this.#load().then(() => this.#progress?.onSent(status.result as TransactionResult[]), ignore);
    else if (run && kind === 'failed') this.#progress?.onFailed(status.error);
    else if (run && kind === 'rejected' && !running.has(run.requestId))
      this.#progress?.onFailed(new UserRejectedError());
  }

  // The form.

  #onRates(first: boolean): void {
    // A payment may have come in meanwhile.
    this.#source.refreshBalances();
    // Nobody has asked for those of a panel that they do not use.
    const isUsed = this.host.matches(':focus-within');
    const text = first && isUsed && !this.#build.review && this.#form.ratesText;
    if (text) this.say(text);
    this.#build.onRates();
  }

  // The swap.

  #swap(event: Event): void {
    // Ignores the second click of a double click on Review.
    if ((event as MouseEvent).detail > 1) return;
    const it = this.#build.take();
    if (!it) return;
    const run = this.#outcome!.runOf(it, this.#source.fields);
    const caller = this.#caller;
    this.#caller = undefined;
    const { requests } = it;
    const { requestId } = run;
    // Within the user's press, because only then can a window open.
    const ask = () =>
      this.host.start('executeAll', requests, (connect, options) =>
        connect.executeAll(requests, { ...options, requestId }),
      );
    this.#progress!.start(run, ask).then(
      (result) => caller?.resolve(result),
      (error: unknown) => caller?.reject(error),
    );
  }

  /** Nothing was sent: returns to where the user was. */
  #dropped(run: Run, error: ConnectError | undefined): void {
    if (!error || !this.#build.restore()) {
      this.#source.restore(run.saved);
      this.#build.problem = {
        look: '',
        title: msg('Your last swap was not approved'),
        text: msg('Nothing was swapped.'),
      };
    }
    this.host.requestUpdate();
  }

  /** Returns to the form, for a new swap or to try the same one again. */
  #leave(again: boolean): void {
    const run = this.#run;
    this.#build.review = undefined;
    this.#progress?.leave();
    this.host.status = { kind: 'idle' };
    if (run && again) this.#source.restore(run.saved);
    else this.#source.fields.value = '';
    this.#source.refreshBalances();
    this.host.requestUpdate();
    this.#focusWhenDrawn('#from');
  }

  // Rendering.

  below(): TemplateResult {
    return html`<section
      class="panel"
      part="panel"
      aria-label=${msg('Swap')}
    >${this.#content()}</section>${this.live()}`;
  }

  #content(): unknown {
    if (this.#run) return this.#steps(this.#run);
    if (!this.host.linked) return html`<p class="sm muted">${msg('Loading…')}</p>`;
    if (!this.#source.payers.length) return this.#unlinked();
    return this.#build.review ? this.#reviewing(this.#build.review) : this.#entering();
  }

  #heading(look = 'title grow'): TemplateResult {
    return heading(this.host, msg('Swap'), look);
  }

  #entering(): TemplateResult {
    const arrived = this.#progress?.arrived;
    const { busy, problem: told } = this.#build;
    const none = this.#source.fields.pairs?.length === 0;
    return html`<div class="head2">${this.#heading()}<button
      type="button"
      class="btn icon"
      aria-label=${msg('Refresh rates')}
      aria-disabled=${this.#watch.busy || nothing}
      @click=${() => this.#watch.refresh()}
    >${icon(iconRefresh())}</button></div>
      ${arrived ? problem({ look: 'good', title: msg('Your last swap is on its way'), text: arrived }) : nothing}
      ${this.#form.render()}${told ? problem(told) : nothing}${this.trouble(msg('Could not swap'), false)}
      ${
        none
          ? this.#elsewhere()
          : html`<button
            type="button"
            part="button button-primary"
            class="btn primary lg block ${this.#source.rate || busy ? '' : 'faint'}"
            aria-disabled=${busy || nothing}
            @click=${() => this.#build.press()}
          >${busy ? spinner() : nothing}<span>${msg('Review')}</span></button>`
      }`;
  }

  /** Nothing can be swapped with these wallets, but maybe with one of another chain. */
  #elsewhere(): TemplateResult | typeof nothing {
    const { fromSecretType, network, walletId } = this.host;
    const isOther = this.#source.payers.every(({ secretType }) => !CARDS[secretType].contracts);
    return isOther && !fromSecretType && !walletId ? this.#linker(CONTRACT_CHAINS, network) : nothing;
  }

  #reviewing(it: Review): TemplateResult {
    const rejected = this.host.status.kind === 'rejected';
    return this.#outcome!.review(it, {
      host: this.host,
      busy: this.#build.busy,
      notice: rejected
        ? problem({ look: '', title: msg('You rejected the request'), text: msg('Nothing was swapped.') })
        : nothing,
      totals: this.#source.offers?.totals(it.rate) ?? nothing,
      badge: (asset, chain) => (asset.address ? tokenBadge(asset.symbol) : chainBadge(chain, 'm')),
      back: () => {
        this.#build.review = undefined;
        this.host.status = { kind: 'idle' };
        this.#focusWhenDrawn('#from');
      },
      renew: () => it.moved && void this.#build.build(it.moved),
      swap: (event) => this.#swap(event),
    });
  }

  #steps(run: Run): TemplateResult {
    const { status } = this.host;
    // After a failure, the steps have their own "Try again".
    const trouble = this.trouble(undefined, this.host.status.kind !== 'failed');
    const lost = status.kind === 'lost' || (status.kind === 'failed' && mayBeSent(status.error));
    return this.#outcome!.steps(run, {
      host: this.host,
      asking: status.kind === 'waiting',
      notice: lost
        ? html`${trouble}<button
          type="button"
          class="btn secondary"
          @click=${() => this.#leave(false)}
        >${msg('New swap')}</button>`
        : trouble,
      explorer: this.#progress!.explorer,
      copied: (hash) => this.copied(hash),
      copy: (hash) => void this.copy(hash, msg('Transaction hash copied')),
      cancel: () => this.host.cancel(),
      leave: () => this.#leave(false),
      again: () => this.#leave(true),
    });
  }

  #unlinked(): TemplateResult {
    const { walletId, fromSecretType, network } = this.host;
    return html`<div class="end">${this.#heading('sr')}<div><p class="strong">${
      walletId ? msg('This wallet is not linked to this site') : msg('No wallet is linked to this site')
    }</p><p class="sm muted">${msg('Connect one to swap its coins and tokens.')}</p></div
    >${this.#linker(fromSecretType ? [fromSecretType] : CONTRACT_CHAINS, network)}</div>`;
  }

  /** Linking is a separate request, whose events must not appear as this element's. */
  #linker(secretTypes: readonly SecretType[], network?: string): TemplateResult {
    const { current, theme } = this.host;
    const own = (event: Event) => event.stopPropagation();
    return html`<link-wallets
      .connect=${current}
      .theme=${theme}
      .secretTypes=${secretTypes}
      .network=${network}
      @connect-request=${own}
      @connect-progress=${own}
      @connect-result=${own}
      @connect-cancel=${own}
      @connect-error=${own}
    ></link-wallets>`;
  }
}
