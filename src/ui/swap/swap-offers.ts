/** The exchanges' offers in the form of a swap: rates, slippage limit and totals. Loaded once the form is on screen. */
import { css, html, nothing, type TemplateResult } from 'lit';
import type { ExchangeRate, ExchangeRates } from '../../api/swap.ts';
import type { Wallet } from '../../api/wallet.ts';
import { parseUnits } from '../../base/amount.ts';
import { msg, plural, str } from '../../base/localize.ts';
import { amountText, figure, numbers, placesFor, rounded, shortened, written } from '../amount-text.ts';
import type { Asset } from '../assets.ts';
import { icon, iconCaution } from '../icons.ts';
import { spinner } from '../parts.ts';
import { listOf } from '../text.ts';
import { type Look, type Rounding, worthOf, worthText } from '../worth.ts';
import { WalletPicker } from '../wallet-picker.ts';
import {
  amountLabel,
  impactText,
  otherAmount,
  percentText,
  type Side,
  SLIPPAGES,
  slippageError,
  type SwapFields,
} from './swap-fields.ts';
import { alert, note } from './swap-form.ts';
import type { SwapSource, ValueOf } from './swap-source.ts';

/** Price impact, in percent, from which there is a caution or a danger. */
const HIGH_IMPACT = 3;
const SEVERE_IMPACT = 10;
/** In percent: a wider limit lets others profit from the swap. */
const HIGH_SLIPPAGE = 5;

type Fee = NonNullable<ExchangeRate['networkFee']>;

export class SwapOffers {
  readonly #receiver: WalletPicker;

  constructor(
    private readonly source: SwapSource,
    private readonly valueOf: ValueOf,
  ) {
    this.#receiver = new WalletPicker(source.host, 'destination');
  }

  get fields(): SwapFields {
    return this.source.fields;
  }

  #update(change: () => void): void {
    change();
    this.source.host.requestUpdate();
  }

  /** Best first; undefined without a rate. */
  get offers(): Offers | undefined {
    const { rates } = this.source.watch;
    const { fields } = this;
    const [from, to] = [fields.asset('from'), fields.asset('to')];
    if (!rates?.bestRate || !from || !to) return undefined;
    return offersOf(rates, { from, to }, (fee, of) => this.#priced(fee, of));
  }

  get best(): ExchangeRate | undefined {
    return this.offers?.list[0]?.rate;
  }

  /** The wallet on whose network a side's asset is. */
  #walletOf(side: Side): Wallet | undefined {
    const { crosses, destination, wallet } = this.fields;
    return side === 'to' && crosses ? destination : wallet;
  }

  /** Converts a fee by the prices of the wallet's source. `of`: the asset of the side that is not exact. */
  #priced(fee: Fee, of: Asset): bigint | undefined {
    const { exact, wallet } = this.fields;
    const other = this.#walletOf(exact === 'from' ? 'to' : 'from');
    if (!wallet || !other || of.decimals === null) return undefined;
    const paid = this.valueOf(wallet, moneyOf(fee))?.value;
    const one = this.valueOf(other, { ...of, raw: 10n ** BigInt(of.decimals) })?.value;
    return paid && one ? unitsFor(paid, one, of.decimals) : undefined;
  }

  #worth(
    amount: Asset,
    rounding: Rounding,
    says: Look['says'] = 'briefly',
    wallet = this.fields.wallet,
  ): TemplateResult | typeof nothing {
    const value = wallet && this.valueOf(wallet, amount);
    return value
      ? html`<span class="worth num">${worthOf(value, { rounding, now: this.source.watch.date(), says })}</span>`
      : nothing;
  }

  /** Value of one side's amount, typed or computed. */
  worth(side: Side): TemplateResult | typeof nothing {
    const { fields } = this;
    const asset = fields.asset(side);
    const { rate } = this.source;
    if (!asset || asset.decimals === null) return nothing;
    let raw: bigint;
    try {
      if (fields.exact === side) raw = parseUnits(fields.amount, asset.decimals);
      else if (rate) raw = otherAmount(rate).raw;
      else return nothing;
    } catch {
      return nothing;
    }
    return this.#worth({ ...asset, raw }, side === 'from' ? 'up' : 'down', 'briefly', this.#walletOf(side));
  }

  render(): TemplateResult {
    return html`${this.#rates()}${this.#destination()}${this.#slippage()}${this.totals(this.source.rate)}`;
  }

  #rates(): TemplateResult | typeof nothing {
    const { watch } = this.source;
    const { rates, error, stale } = watch;
    const failed = error
      ? error.code === 'node.unreachable' || error.code.startsWith('frame.')
        ? alert('caution', msg('No new rates'), msg('The network did not answer. Trying again.'))
        : alert('danger', msg('No rates'), msg('Try a smaller amount or another token.'))
      : nothing;
    if (!rates) {
      return html`${failed}${watch.busy ? html`<p class="line sm muted">${spinner('accent')}<span>${msg('Asking the exchanges…')}</span></p>` : nothing}`;
    }
    const { offers } = this;
    const best = offers?.list[0];
    if (!best) {
      const reason = this.source.between?.unavailable(rates) ?? nothing;
      if (reason !== nothing) return html`${failed}${reason}`;
      return html`${failed}${alert('danger', msg('No exchange can do this swap'), msg('Try a smaller amount or another token.'))}`;
    }
    const { age } = watch;
    return html`${failed}<div
      class=${stale ? 'waiting' : ''}
      role="group"
      aria-labelledby="rates-label"
      aria-busy=${String(stale)}
    >
      <div class="sect"><span
        class="grow"
        id="rates-label"
      >${msg('Exchange rates')}</span><span class="age num">${age ? msg(str`${age} s old`) : msg('Up to date')}</span></div>
      <div class="card rates">${offers.list.map((offer) => this.#rateRow(offer, best))}</div>${
        offers.list.length > 1
          ? html`<p part="hint" class="help order">${this.#order(offers.isNet, best.rate)}</p>`
          : nothing
      }
    </div>${this.#impact(this.source.rate)}`;
  }

  /** Says how the offers are compared. */
  #order(isNet: boolean, { orderType, networkFee }: ExchangeRate): string {
    if (isNet)
      return orderType === 'SELL'
        ? msg('Compared by what you get, less the network fee.')
        : msg('Compared by what you pay, with the network fee.');
    if (!networkFee) return msg('Compared without the network fee, which is not known yet.');
    const other = this.fields.asset(orderType === 'SELL' ? 'to' : 'from')?.symbol ?? '';
    return msg(str`Compared without the network fee: its worth in ${other} is not known.`);
  }

  #rateRow(offer: Offer, best: Offer): TemplateResult {
    const { rate } = offer;
    const { raw, decimals, side } = otherAmount(rate);
    const { exchange } = rate;
    const amount = amountLabel(
      raw,
      decimals,
      this.fields.asset(side)?.symbol ?? '',
      side === 'to' ? 'down' : 'up',
    );
    const choose = () => this.#update(() => (this.fields.chosen = exchange));
    return html`<label part="rate" class="rate"><input
        type="radio"
        class="check"
        name="exchange"
        aria-label="${exchange}, ${amount}"
        .checked=${this.source.rate?.exchange === exchange}
        @change=${choose}
      /><span class="row-main"><span class="name"><span class="strong">${exchange}</span>${offer === best ? html`<span part="tag" class="tag">${msg('Best')}</span>` : nothing}</span><span class="sm muted">${this.#cost(rate)}</span></span
      ><span class="num"><span class="strong">${amountText(amount)}</span>${this.#gap(offer, best)}</span></label>`;
  }

  /** The network fee and the route: `Fee 0.00138 ETH · via WETH`. */
  #cost(rate: ExchangeRate): unknown {
    const { networkFee, crossChain } = rate;
    const via = crossChain ? aboutMinutes(crossChain.seconds) : this.#via(rate);
    const fee = networkFee && html`<span class="nowrap">${msg(html`Fee ${feeText(networkFee)}`)}</span>`;
    return html`${fee ?? nothing}${fee && via ? ' · ' : nothing}${via}`;
  }

  /** The best offer's value; for the others, how much worse they are. */
  #gap(offer: Offer, best: Offer): TemplateResult | typeof nothing {
    const { fields } = this;
    const { side, raw } = otherAmount(offer.rate);
    const asset = fields.asset(side);
    const wallet = this.#walletOf(side);
    if (!asset || !wallet) return nothing;
    if (offer === best)
      return html`<span class="sm faint">${this.#worth({ ...asset, raw }, side === 'to' ? 'down' : 'up', false, wallet)}</span>`;
    const gets = side === 'to';
    const lost = gets ? best.net - offer.net : offer.net - best.net;
    if (lost <= 0n) return nothing;
    const signed = (text: string) => html`<bdi dir="ltr">${gets ? '−' : '+'}${text}</bdi>`;
    const value = this.valueOf(wallet, { ...asset, raw: lost });
    if (!value) return html`<span class="sm faint">${signed(percentText(behind(offer, best)))}</span>`;
    // A sign before words would be read as part of them, and stands on their wrong side in a right-to-left language.
    let cent = '';
    const text = worthText(value, 'up', (least) => (cent = least));
    const words = gets ? msg(str`less than ${cent} less`) : msg(str`less than ${cent} more`);
    return html`<span class="sm faint">${cent ? words : signed(text)}</span>`;
  }

  /** The intermediate tokens of the route. */
  #via({ route = [] }: ExchangeRate): string {
    const names = route.slice(1, -1).map((address) => this.fields.assetOf(address)?.symbol ?? '');
    return names.length ? msg(str`via ${listOf(names)}`) : '';
  }

  #impact(rate: ExchangeRate | undefined): TemplateResult | typeof nothing {
    const impact = rate?.priceImpact ?? 0;
    if (impact < HIGH_IMPACT) return nothing;
    const text = msg('The amount is large for what the exchange holds. A smaller one gets a better price.');
    return impact < SEVERE_IMPACT
      ? alert('caution', msg(str`Your swap moves the price by ${percentText(impact)}`), text)
      : alert('danger', msg(str`The size of your swap costs you ${percentText(impact)}`), text);
  }

  #slippage(): TemplateResult | typeof nothing {
    const { fields } = this;
    if (!this.source.watch.rates?.bestRate) return nothing;
    const { ppm } = fields;
    const isCustom = fields.slippage === 'custom';
    const error = isCustom && fields.custom && ppm === undefined ? slippageError() : undefined;
    return html`<div class="field"><span class="label" id="slippage-label">${msg('Slippage limit')}</span>
      <div class="seg" role="radiogroup" aria-labelledby="slippage-label">${SLIPPAGES.map(
        (value) => html`<label part="segment"><input
          type="radio"
          name="slippage"
          .checked=${fields.slippage === value}
          @change=${() => this.#update(() => (fields.slippage = value))}
        />${value === 'custom' ? msg('Custom') : percentText(Number(value))}</label>`,
      )}</div>${
        isCustom
          ? html`<input
              id="slippage"
              part="input"
              class="input"
              inputmode="decimal"
              dir="ltr"
              autocomplete="off"
              aria-label=${msg('Custom slippage limit in percent')}
              aria-describedby="slippage-note"
              aria-invalid=${error || fields.errors.has('slippage') ? 'true' : nothing}
              .value=${fields.custom}
              @input=${(event: Event) =>
                this.#update(() => {
                  fields.custom = (event.target as HTMLInputElement).value;
                  fields.errors.delete('slippage');
                })}
            />`
          : nothing
      }${note(fields, 'slippage', error ?? fields.errors.get('slippage'))}${
        ppm !== undefined && ppm > BigInt(HIGH_SLIPPAGE) * 10_000n
          ? html`<p part="hint" class="help warn">${icon(iconCaution(), 's')}<span>${msg('A high limit lets others profit from your swap.')}</span></p>`
          : nothing
      }</div>`;
  }

  totals(rate: ExchangeRate | undefined): TemplateResult | typeof nothing {
    const { fields } = this;
    const [from, to] = [fields.asset('from'), fields.asset('to')];
    if (!rate || !from || !to || fields.ppm === undefined) return nothing;
    const { priceImpact = 0, fee, crossChain } = rate;
    const price = amountText(priceLabel(rate, from.symbol, to.symbol));
    if (crossChain)
      return this.source.between?.totals({ ...rate, crossChain }, this.#fee(rate), price) ?? nothing;
    const limit = fields.limit(rate);
    const [term, amount] =
      rate.orderType === 'SELL'
        ? [msg('You get at least'), amountLabel(limit, rate.outputDecimals!, to.symbol, 'down')]
        : [msg('You pay at most'), amountLabel(limit, rate.inputDecimals!, from.symbol, 'up')];
    const look = priceImpact < HIGH_IMPACT ? '' : priceImpact < SEVERE_IMPACT ? 'warn' : 'bad';
    return html`<dl class="kv"><div><dt>${term}</dt><dd>${amountText(amount)}</dd></div
      ><div><dt>${msg('Network fee')}</dt><dd>${this.#fee(rate)}</dd></div
      ><div><dt>${msg('Exchange fee, included')}</dt><dd>${percentText(fee)}</dd></div
      ><div><dt>${msg('Price impact')}</dt><dd class=${look}>${impactText(priceImpact)}</dd></div
      ><div><dt>${msg('Rate')}</dt><dd>${price}</dd></div></dl>`;
  }

  /** Approximate: the exact fee is known only once the wallet has prepared the transaction. */
  #fee({ networkFee }: ExchangeRate): unknown {
    if (networkFee) {
      const value = this.#worth(moneyOf(networkFee), 'up', false);
      return html`${msg(html`about ${feeText(networkFee)}`)}${value === nothing ? nothing : html` <span class="faint">${value}</span>`}`;
    }
    const symbol = this.fields.balance?.gasSymbol;
    return html`<span class="muted">${symbol ? msg(str`In ${symbol}, shown at approval`) : msg('Shown at approval')}</span>`;
  }

  #destination(): TemplateResult | typeof nothing {
    const { destinations, host, watch } = this.source;
    const { fields } = this;
    if (fields.crosses || destinations.length < 2 || !watch.rates?.bestRate) return nothing;
    const current = fields.destination ?? fields.wallet;
    const items = host.destinationWalletId ? [] : destinations;
    return this.#receiver.render(msg('Receive in'), items, current, (wallet: Wallet) => {
      fields.destination = wallet.id === fields.wallet?.id ? undefined : wallet;
    });
  }
}

const moneyOf = ({ symbol, decimals, rawAmount }: Fee): Asset & { raw: bigint } => ({
  symbol,
  decimals,
  raw: BigInt(rawAmount),
});

/** Three significant digits, rounded up, as in approvals. */
function feeText(fee: Fee): TemplateResult {
  const amount = moneyOf(fee);
  const places = placesFor(amount, 3);
  const text = `${written(rounded(amount, 'up', places), places)} ${fee.symbol}`;
  return shortened(text, `${figure(amount)} ${fee.symbol}`);
}

/** `about 10 minutes`, never too few. */
export function aboutMinutes(seconds: number): string {
  const minutes = Math.max(1, Math.ceil(seconds / 60));
  return plural(minutes, msg('about 1 minute'), msg(str`about ${minutes} minutes`));
}

/** `1 ETH = 2,456.94 USDC`, in the direction in which the figure is at least 1. */
function priceLabel({ inputAmount, outputAmount }: ExchangeRate, from: string, to: string): string {
  const [one, other, price] =
    outputAmount >= inputAmount
      ? [from, to, outputAmount / inputAmount]
      : [to, from, inputAmount / outputAmount];
  return `1 ${one} = ${numbers({ maximumSignificantDigits: 6 }).format(price)} ${other}`;
}

/** Styles of the exchanges' offers and the totals. Needs `swapFormStyles`. */
export const swapOffersStyles = css`
  .sect { display: flex; align-items: center; min-block-size: 24px; color: var(--_text-2); font-size: var(--_fs-sm); font-weight: 600; }
  .age { color: var(--_text-3); font-size: var(--_fs-xs); font-weight: 400; }
  .rates { margin-block-start: 6px; overflow: hidden; }
  .rate { display: grid; grid-template-columns: auto 1fr auto; align-items: center; gap: 0 var(--_s3); min-block-size: 58px; padding: 10px var(--_s3); cursor: pointer; }
  .rate + .rate { border-block-start: 1px solid var(--_border); }
  .rate:has(:checked) { background: var(--_accent-soft); }
  .rate:has(:focus-visible) { outline: 2px solid var(--_focus); outline-offset: -2px; }
  .rate .num { text-align: end; }
  .rate .num > * { display: block; line-height: 1.3; }
  .rate .name { display: flex; flex-wrap: wrap; gap: 0 6px; }
  @container (max-width: 279px) {
    .rate { grid-template-columns: auto 1fr; }
    .rate .num { grid-column: 2; text-align: start; white-space: normal; }
    .rate .num > * { display: inline-block; margin-inline-end: 6px; }
  }
  .faint { color: var(--_text-3); }
  .check { appearance: none; display: grid; place-items: center; flex: none; inline-size: 22px; block-size: 22px; margin: 0; border: 1.5px solid var(--_border-strong); border-radius: 50%; background: var(--_surface); cursor: pointer; outline: none; }
  .check:checked { border-color: var(--_accent); background: var(--_accent); }
  .check:checked::after { content: ""; inline-size: 8px; block-size: 8px; border-radius: 50%; background: var(--_on-accent); }
  .tag { padding: 1px 7px; border-radius: var(--_r-xs); background: var(--_success-soft); color: var(--_success); font-size: var(--_fs-xs); font-weight: 560; line-height: 18px; white-space: nowrap; }
  .seg { display: grid; grid-auto-columns: 1fr; grid-auto-flow: column; gap: 2px; padding: 3px; border-radius: var(--_r-sm); background: var(--_surface-2); box-shadow: inset 0 0 0 1px var(--_border); }
  .seg label { position: relative; display: grid; place-items: center; min-block-size: 38px; padding: 0 var(--_s1); border-radius: calc(var(--_r-sm) - 3px); color: var(--_text-2); font-size: var(--_fs-sm); font-weight: 560; cursor: pointer; white-space: nowrap; }
  .seg input { position: absolute; inset: 0; margin: 0; opacity: 0; cursor: pointer; }
  .seg label:has(:checked) { background: var(--_surface); color: var(--_text); box-shadow: var(--_shadow-1), 0 0 0 1px var(--_border-strong); }
  .seg label:has(:focus-visible) { outline: 2px solid var(--_focus); outline-offset: 1px; }
  .kv > div { display: flex; justify-content: space-between; gap: var(--_s3); padding: 7px 0; font-size: var(--_fs-sm); line-height: 1.35; }
  .kv > div + div { border-block-start: 1px solid var(--_border); }
  .kv dt { color: var(--_text-2); }
  .kv dd { text-align: end; font-variant-numeric: tabular-nums; overflow-wrap: anywhere; }
  .kv .warn { color: var(--_caution); }
  .kv .bad { color: var(--_danger); }
  .order { margin-block-start: 6px; }
  .nowrap { white-space: nowrap; }
  .sub > .worth { margin-inline-end: auto; white-space: normal; }
  .kv .worth { color: inherit; }
  @media (forced-colors: active) { .check { appearance: auto; } .check::after { display: none; } .seg label:has(:checked) { border: 1px solid ButtonText; } }
`;

// Compares the exchanges' offers after the network fee. No rendering.

export interface Offer {
  rate: ExchangeRate;
  /** In smallest units of the other side: the output of a sale less the fee, or the input of a purchase plus the fee. */
  net: bigint;
}

export interface Offers {
  /** Best first. */
  list: Offer[];
  /** Whether `net` includes the fees: those of all offers, or of none. */
  isNet: boolean;
}

/** Converts a fee into smallest units of another asset; undefined if a price is missing. */
export type Priced = (fee: NonNullable<ExchangeRate['networkFee']>, of: Asset) => bigint | undefined;

export function offersOf(
  { exchangeRates, bestRate }: ExchangeRates,
  sides: { from: Asset; to: Asset },
  priced: Priced,
): Offers {
  const gross = exchangeRates.map((rate): Offer => ({ rate, net: otherAmount(rate).raw }));
  const fees = exchangeRates.map((rate) => bestRate && feeOf(rate, bestRate, sides, priced));
  const isNet = fees.length > 0 && fees.every((fee) => fee != null);
  const list = isNet
    ? gross.map(({ rate, net }, i) => ({ rate, net: isSale(rate) ? net - fees[i]! : net + fees[i]! }))
    : gross;
  return {
    isNet,
    list: [...list].sort((a, b) => {
      const [one, other] = isSale(a.rate) ? [b, a] : [a, b];
      return one.net < other.net ? -1 : one.net > other.net ? 1 : 0;
    }),
  };
}

const isSale = ({ orderType }: ExchangeRate): boolean => orderType === 'SELL';

/** In the other side's smallest units, rounded up. If the coin is one side of the swap, its best rate is the coin's price. */
function feeOf(
  { networkFee: fee, orderType }: ExchangeRate,
  best: ExchangeRate,
  { from, to }: { from: Asset; to: Asset },
  priced: Priced,
): bigint | undefined {
  if (!fee) return undefined;
  const raw = BigInt(fee.rawAmount);
  const [other, exact] = orderType === 'SELL' ? [to, from] : [from, to];
  if (other.symbol === fee.symbol) return raw;
  if (exact.symbol !== fee.symbol) return priced(fee, other);
  const [input, output] = [BigInt(best.rawInputAmount!), BigInt(best.rawOutputAmount!)];
  const [of, per] = orderType === 'SELL' ? [output, input] : [input, output];
  return per > 0n ? (raw * of + per - 1n) / per : undefined;
}

/** How much worse an offer is than the best, in percent; 0 for the best itself. */
export function behind({ rate, net }: Offer, { net: best }: Offer): number {
  const gap = isSale(rate) ? best - net : net - best;
  return best > 0n ? Number((gap * 10_000n) / best) / 100 : 0;
}

/**
 * How many smallest units `money` buys if one whole token is worth `one`, rounded up. Undefined if that exceeds what a number can hold: a
 * token may have any number of decimals, and be worth next to nothing.
 */
export function unitsFor(money: number, one: number, decimals: number): bigint | undefined {
  const raw = Math.ceil((money / one) * 10 ** decimals);
  return Number.isFinite(raw) ? BigInt(raw) : undefined;
}
