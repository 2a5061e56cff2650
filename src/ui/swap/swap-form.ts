/** The form of a swap: of `<swap-panel>`, and of the wallet's own Swap. */
import { css, html, nothing, type TemplateResult } from 'lit';
import { formatAmount } from '../../base/amount.ts';
import { msg, plural, str } from '../../base/localize.ts';
import { CHAIN_NAMES } from '../../chains/secret-type.ts';
import { fieldText, type Figure, isLong, rounded } from '../amount-text.ts';
import { chainBadge, tokenBadge } from '../chain-badge.ts';
import { icon, iconCaution, iconChevronDown, iconDanger, iconInfo, iconSwap } from '../icons.ts';
import type { Combobox } from '../combobox.ts';
import { WalletPicker } from '../wallet-picker.ts';
import {
  amountLabel,
  type Choice,
  type Field,
  otherAmount,
  type Side,
  type SwapFields,
} from './swap-fields.ts';
import type { SwapSource } from './swap-source.ts';
import type { Problem } from './swap-problem.ts';

/** Needs `formStyles`. */
export const swapFormStyles = css`
  .swapstack { display: grid; grid-template-columns: minmax(0, 1fr); gap: var(--_s1); }
  .swapdir { z-index: 1; justify-self: center; display: grid; place-items: center; inline-size: var(--_hit); block-size: var(--_hit); margin-block: -20px; padding: 0; border: 1px solid var(--_border-strong); border-radius: 50%; background: var(--_surface); box-shadow: var(--_shadow-1); cursor: pointer; }
  .swapdir.low { margin-block: -4px -20px; }
  .swapdir:hover { background: var(--_surface-2); }
  .swapdir:disabled { color: var(--_text-3); cursor: default; }
  .amount .sub { min-block-size: 30px; }
  @container (max-width: 279px) { .amount input { font-size: max(16px, var(--_fs-lg)); } }
  .amount.read { background: var(--_surface-2); box-shadow: none; border-color: var(--_border); }
  .amount.read .token { background: var(--_surface); }
  .amount.read:focus-within { background: var(--_surface); }
  .waiting { opacity: .55; }
  .hint { padding-block: var(--_s3); text-align: center; }

  .token > .line { flex-wrap: nowrap; gap: 6px; }
  .token .name { max-inline-size: 96px; }
`;

export class SwapForm {
  /** Made when the first list opens. */
  readonly #pickers: { [S in Side]?: Combobox<Choice> } = {};
  readonly #payer: WalletPicker;

  constructor(private readonly source: SwapSource) {
    this.#payer = new WalletPicker(source.host, 'wallet');
  }

  get fields(): SwapFields {
    return this.source.fields;
  }

  #update(change: () => void): void {
    change();
    this.source.host.requestUpdate();
  }

  #typed(side: Side, event: Event): void {
    this.#update(() => {
      const { fields } = this;
      fields.orderType = side === 'from' ? 'SELL' : 'BUY';
      fields.value = (event.target as HTMLInputElement).value;
      fields.errors.clear();
    });
  }

  /** What is announced of the first rates; undefined if there is none. */
  get ratesText(): string | undefined {
    const { best, fields, watch } = this.source;
    if (!best) return undefined;
    const { raw, decimals, side } = otherAmount(best);
    const amount = amountLabel(
      raw,
      decimals,
      fields.asset(side)?.symbol ?? '',
      side === 'to' ? 'down' : 'up',
    );
    const { length } = watch.rates!.exchangeRates;
    return plural(
      length,
      msg(str`1 rate. ${best.exchange}, ${amount}`),
      msg(str`${length} rates. Best: ${best.exchange}, ${amount}`),
    );
  }

  render(): TemplateResult {
    const { fields } = this;
    if (this.source.unreachable && fields.pairs === undefined) return this.#unreachable();
    if (fields.pairs?.length === 0 && fields.wallet) {
      const chain = CHAIN_NAMES[fields.wallet.secretType];
      return html`${this.#wallet()}${alert('', msg('No exchange on this network'), msg(str`Nothing can be swapped on ${chain} here.`))}`;
    }
    const { assets, between, offers } = this.source;
    const low = fields.errors.has('from') || fields.shortError(this.source.rate);
    const turn = fields.crosses ? assets?.turn : fields.to !== undefined && (() => fields.turn());
    return html`${this.#wallet()}<div class="swapstack">${this.#side('from')}<button
        type="button"
        class="swapdir ${low ? 'low' : ''}"
        aria-label=${msg('Swap direction')}
        ?disabled=${!turn}
        @click=${() => turn && this.#update(turn)}
      >${icon(iconSwap())}</button>${this.#side('to')}</div>
      ${fields.crosses ? between?.receiver() : nothing}${fields.amount ? offers?.render() : html`<p part="hint" class="sm muted hint">${msg('Enter an amount to see rates.')}</p>`}`;
  }

  #unreachable(): TemplateResult {
    const again = () => this.source.loadPairs(this.fields.wallet!);
    return html`${this.#wallet()}${alert(
      'caution',
      msg('The exchanges could not be reached'),
      msg('The network did not answer. Try again in a moment.'),
      html`<button
        type="button"
        part="button button-quiet"
        class="btn secondary mini"
        @click=${again}
      >${msg('Try again')}</button>`,
    )}`;
  }

  #badge(side: Side): TemplateResult | typeof nothing {
    const { fields } = this;
    const asset = fields.asset(side);
    if (!asset) return nothing;
    const chain = side === 'to' ? fields.outputChain! : fields.wallet!.secretType;
    return asset.address ? tokenBadge(asset.symbol) : chainBadge(chain, 'm');
  }

  #side(side: Side): TemplateResult {
    const { fields } = this;
    const { rate } = this.source;
    const isSell = side === 'from';
    const isExact = fields.exact === side;
    const error = fields.errors.get(side) ?? (isSell ? fields.shortError(rate) : undefined);
    return html`<div class="field">
      <label class="label" for=${side}>${isSell ? msg('Sell') : msg('Buy')}</label>
      <div part="input" class="amount ${isExact ? '' : 'read'} ${error ? 'invalid' : ''}">
        <div class="top">${this.#input(side, isExact, error !== undefined)}${this.#tokenButton(side)}</div>
        <div class="sub">${this.source.offers?.worth(side)}${this.#holdings(side)}</div>
      </div>
      ${this.#tokenList(side)}${note(fields, side, error)}${
        isSell && isExact && fields.reserve && fields.value && fields.amount === fields.maxSpendable
          ? html`<p part="hint" class="help">${msg(str`Max leaves ${`${fieldText(fields.reserve)} ${this.#symbol(side)}`} for the fees.`)}</p>`
          : nothing
      }${
        !isSell && fields.sellOnly
          ? html`<p part="hint" class="help" role="status">${msg(str`${fields.sellOnly} takes an exact amount to sell only.`)}</p>`
          : nothing
      }
    </div>`;
  }

  #symbol(side: Side): string {
    return this.fields.asset(side)?.symbol ?? '…';
  }

  /** What the user typed, or what the rate makes of it. */
  #amountText(side: Side, isExact: boolean): string {
    const { rate } = this.source;
    if (isExact) return this.fields.value;
    if (!rate) return '';
    const other = otherAmount(rate);
    return fieldText(formatAmount(rounded(other, side === 'from' ? 'up' : 'down').raw, other.decimals));
  }

  #input(side: Side, isExact: boolean, isInvalid: boolean): TemplateResult {
    const amount = this.#amountText(side, isExact);
    const { fields } = this;
    return html`<input
      id=${side}
      class="${this.source.watch.busy && !isExact ? 'waiting' : ''} ${isLong(amount) ? 'long' : ''}"
      inputmode="decimal"
      dir="ltr"
      placeholder="0"
      autocomplete="off"
      aria-describedby="${side}-note"
      aria-invalid=${isInvalid ? 'true' : nothing}
      ?readonly=${side === 'to' && fields.sellOnly !== undefined}
      .value=${amount}
      @input=${(event: Event) => this.#typed(side, event)}
    />`;
  }

  #tokenButton(side: Side): TemplateResult {
    const symbol = this.#symbol(side);
    const label = side === 'from' ? msg(str`Sell token: ${symbol}`) : msg(str`Buy token: ${symbol}`);
    return html`<button
      type="button"
      class="token"
      aria-haspopup="listbox"
      aria-controls="${side}-tokens"
      aria-expanded=${String(!!this.#pickers[side]?.open)}
      @click=${() => this.#pick(side)}
    ><span class="sr">${label}</span><span
      class="line"
      aria-hidden="true"
    >${this.#badge(side)}<span class="name trunc">${symbol}</span></span>${icon(iconChevronDown(), 's')}</button>`;
  }

  async #pick(side: Side): Promise<void> {
    const [{ Combobox }] = await Promise.all([import('../combobox.ts'), this.source.loadAssets()]);
    await (this.#pickers[side] ??= new Combobox<Choice>(this.source.host, `${side}-tokens`)).show();
  }

  /** What the wallet has of the token, and Max. */
  #holdings(side: Side): TemplateResult | typeof nothing {
    const { fields } = this;
    const asset = fields.asset(side);
    if (asset?.raw == null || asset.decimals === null) return nothing;
    const amount = this.source.ways.held(asset as Figure);
    if (side === 'to') return html`<span class="num">${msg(html`${amount} held`)}</span>`;
    const max = () =>
      this.#update(() => {
        fields.orderType = 'SELL';
        fields.value = fieldText(fields.maxSpendable ?? '');
        fields.errors.clear();
      });
    return html`<span class="num">${msg(html`${amount} available`)}</span><button type="button" class="btn text mini" @click=${max}>${msg('Max')}</button>`;
  }

  #tokenList(side: Side): unknown {
    const { assets } = this.source;
    return (assets && this.#pickers[side]?.render(assets.choices(side))) ?? nothing;
  }

  #wallet(): TemplateResult | typeof nothing {
    const { wallets } = this.source;
    if (wallets.length < 2) return nothing;
    return this.#payer.render(msg('Wallet'), wallets, this.fields.wallet, (wallet) =>
      this.source.choose(wallet),
    );
  }
}

// What the form and its offers both draw.

export function alert(
  look: '' | 'caution' | 'danger',
  title: string,
  text: unknown,
  action: unknown = nothing,
): TemplateResult {
  const mark = look === 'danger' ? iconDanger() : look ? iconCaution() : iconInfo();
  return html`<div
    class="alert ${look}"
    role=${look === 'danger' ? 'alert' : nothing}
  >${icon(mark)}<div class="grow"><b>${title}</b><p>${text}</p>${action}</div></div>`;
}

/** The error of a field, whose `aria-describedby` refers to it. */
export function note(
  { errors }: SwapFields,
  field: Field,
  error: string | undefined = errors.get(field),
): TemplateResult {
  return html`<div id="${field}-note">${error ? html`<p class="err">${icon(iconDanger(), 's')}<span>${error}</span></p>` : nothing}</div>`;
}

export function problem({ look, title, text }: Problem): TemplateResult {
  return html`<div
    class="alert ${look}"
    role=${look === 'danger' ? 'alert' : 'status'}
  >${icon(look === 'danger' ? iconDanger() : iconInfo())}<div class="grow"><b>${title}</b><p class="wrap">${text}</p></div></div>`;
}
