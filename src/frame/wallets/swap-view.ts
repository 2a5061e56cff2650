import { css, html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import type { Wallet } from '../../api/wallet.ts';
import type { ConnectError } from '../../base/errors.ts';
import { msg } from '../../base/localize.ts';
import type { Network } from '../../chains/network.ts';
import type { SecretType } from '../../chains/secret-type.ts';
import { addressStyles } from '../../ui/address.ts';
import { alertStyles } from '../../ui/alert.ts';
import { rowAmount } from '../../ui/amount-text.ts';
import { customElement, property } from '../../ui/decorators.ts';
import { fieldStyles } from '../../ui/field-styles.ts';
import { formStyles } from '../../ui/form-styles.ts';
import { icon, iconRefresh } from '../../ui/icons.ts';
import { spinner } from '../../ui/parts.ts';
import { RateWatch } from '../../ui/swap/rate-watch.ts';
import { type Review, SwapBuild } from '../../ui/swap/swap-build.ts';
import { problem, SwapForm, swapFormStyles } from '../../ui/swap/swap-form.ts';
import { type SwapHost, type SwapReads, SwapSource, type ValueOf } from '../../ui/swap/swap-source.ts';
import { blockStyles } from '../approve/drawing/blocks.ts';
import { cardStyles, chainStyles } from '../ui/card-styles.ts';
import { explanationStyles, whatIsThis } from '../ui/explanations.ts';
import { backButton } from '../ui/head.ts';
import { unlessHidden } from '../ui/hidden-balances.ts';
import { networkOptions } from '../ui/rows.ts';
import { FrameView } from '../ui/view.ts';
import { failureNote } from './failure.ts';

export interface SwapEvents {
  /** A built swap, to be approved. */
  'cbf-continue': Review;
  /** Back, Esc. */
  'cbf-back': null;
}

/** The form of the wallet's own Swap, as in `<swap-panel>`: Review leads to the approval at once. */
@customElement('cbf-swap')
export class SwapView extends FrameView<SwapEvents> implements SwapHost {
  static override styles = [
    FrameView.styles,
    addressStyles,
    alertStyles,
    blockStyles,
    cardStyles,
    chainStyles,
    fieldStyles,
    explanationStyles,
    formStyles,
    swapFormStyles,
    css`
      .view-head > :last-child { margin-inline-end: -12px; }
      .body { container-type: inline-size; }
      :where(ol, dl, dd) { margin: 0; padding: 0; list-style: none; }
      .picker > button { flex: 1 1 0; min-block-size: var(--_hit); }
      .token { min-block-size: var(--_hit); }
      /* Their frames show the focus. */
      :is(.amount input, .picker > button):focus-visible { outline: none; }
      .btn.faint { background: var(--_surface-3); color: var(--_text-2); }
    `,
  ];

  @property({ attribute: false }) current!: SwapReads;
  /** The user's wallets, to choose from. */
  @property({ attribute: false }) linked: readonly Wallet[] = [];
  /** Id of one of `places`. */
  @property({ attribute: false }) network!: string;
  /** The networks on which something can be swapped. */
  @property({ attribute: false }) places: readonly Network[] = [];
  @property({ attribute: false }) priceOf: ValueOf = () => undefined;
  /** Why the last attempt was not sent. */
  @property({ attribute: false }) error: ConnectError | undefined;
  /** Ids of those of `places` that a wallet is on, its default one first. */
  placesOf: (wallet: Wallet) => readonly string[] = ({ secretType }) =>
    this.places.filter((place) => place.secretType === secretType).map(({ id }) => id);

  readonly #watch = new RateWatch(
    this,
    (first) => this.#onRates(first),
    () => this.clock,
  );
  readonly #source = new SwapSource(this, this.#watch, {
    has: (wallet) => {
      const ids = this.placesOf(wallet);
      return this.#chain === wallet.secretType ? ids.includes(this.network) : ids.length > 0;
    },
    enter: (wallet) => void (this.network = this.placesOf(wallet)[0]!),
    linkTo: () =>
      html`<p class="sm muted">${msg('Add one in the list of your wallets, then come back.')}</p>`,
    values: async () => (wallet, amount) => this.priceOf(wallet, amount),
    held: (amount) => unlessHidden(() => rowAmount(amount)),
  });
  readonly #form = new SwapForm(this.#source);
  readonly #build = new SwapBuild(this.#source, {
    load: async () => {},
    wrong: (field) => this.#focus(`#${field}`),
    say: (text) => this.announce(text),
  });

  /** The chosen network's. */
  get #chain(): SecretType | undefined {
    return this.places.find(({ id }) => id === this.network)?.secretType;
  }

  protected override readonly escape = 'cbf-back';

  /** Switches to this wallet. */
  from(wallet: Wallet): void {
    this.#source.choose(wallet);
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.#watch.start();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#watch.stop();
  }

  protected override willUpdate(changed: PropertyValues): void {
    super.willUpdate(changed);
    this.#source.follow();
    this.#build.follow();
  }

  protected override updated(changed: PropertyValues): void {
    super.updated(changed);
    const review = this.#build.take();
    if (review) this.emit('cbf-continue', review);
  }

  /** Empties the amount, after a swap. */
  clear(): void {
    this.#source.fields.value = '';
    this.#source.refreshBalances();
    this.requestUpdate();
  }

  #onRates(first: boolean): void {
    this.#source.refreshBalances();
    const text = first && this.#form.ratesText;
    if (text) this.announce(text);
  }

  #focus(selector: string): void {
    void this.updateComplete.then(() => this.renderRoot.querySelector<HTMLElement>(selector)?.focus());
  }

  #place(): TemplateResult | typeof nothing {
    const { network } = this;
    const places = this.places.filter(({ secretType }) => secretType === this.#chain);
    if (places.length < 2) return nothing;
    return html`<div class="field">
      <label for="network">${msg('Network')}</label>
      <select
        class="input"
        id="network"
        @change=${({ target }: Event) => (this.network = (target as HTMLSelectElement).value)}
      >${networkOptions(places, network)}</select>
    </div>`;
  }

  protected override render(): TemplateResult {
    const { busy, problem: trouble } = this.#build;
    const isReady = this.#source.rate !== undefined || busy;
    return this.layout({
      body: html`<div class="view-head">
          ${backButton(this)}
          <h1 class="h1 grow" tabindex="-1">${msg('Swap')}</h1>
          <button
            type="button"
            class="btn icon"
            aria-label=${msg('Refresh rates')}
            aria-disabled=${this.#watch.busy ? 'true' : 'false'}
            @click=${() => this.#watch.refresh()}
          >${icon(iconRefresh())}</button>
        </div>
        ${this.#place()} ${this.#form.render()} ${trouble ? problem(trouble) : nothing} ${failureNote(this.error)}
        ${whatIsThis(this.#source.fields.crosses ? msg('An exchange between chains takes your coins on one chain, and pays out on another. You approve the least that you get. For less, your coins come back, less a fee.') : msg('A program on the network, an exchange, gives one coin or token for another. You approve the least that you get, or the most that you pay: if the price moves past that, nothing is swapped, and only the network fee is spent.'))}`,
      foot: html`<button
        type="button"
        class="btn ${isReady ? 'primary' : 'faint'} lg block"
        aria-disabled=${busy ? 'true' : 'false'}
        @click=${() => {
          this.error = undefined;
          this.#build.press();
        }}
      >${busy ? spinner() : nothing}<span>${msg('Review')}</span></button>`,
    });
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'cbf-swap': SwapView;
  }
}
