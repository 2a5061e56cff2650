/** The exchanges' offers in the form of `<swap-panel>`: rates, slippage limit and totals. Loaded once the form is on screen. */
import { html, nothing, type TemplateResult } from 'lit';
import type { ExchangeRate } from '../api/swap.ts';
import type { Wallet } from '../api/wallet.ts';
import { parseUnits } from '../base/amount.ts';
import { amountText, figure, numbers, placesFor, rounded, shortened, written } from '../ui/amount-text.ts';
import { icon, iconCaution } from '../ui/icons.ts';
import { listOf } from '../ui/text.ts';
import { msg, str } from '../base/localize.ts';
import { worthText } from '../ui/worth.ts';
import type { Asset } from '../ui/assets.ts';
import { amountLabel, otherAmount, type Side, SLIPPAGES, type SwapFields } from './swap-fields.ts';
import { behind, type Offer, type Offers, offersOf, unitsFor } from './swap-net.ts';
import { swapOffersStyles } from './swap-offers-styles.ts';
import { alert, note } from './swap-parts.ts';
import type { SwapSource } from './swap-source.ts';
import { spinner } from './view.ts';
import { WalletPicker } from './wallet-picker.ts';
import { valueOf, worth } from './worth.ts';

export { swapOffersStyles };

/** Price impact, in percent, from which there is a caution or a danger. */
const HIGH_IMPACT = 3;
const SEVERE_IMPACT = 10;
/** In percent: a wider limit lets others profit from the swap. */
const HIGH_SLIPPAGE = 5;

type Fee = NonNullable<ExchangeRate['networkFee']>;

export class SwapOffers {
  readonly #receiver: WalletPicker;

  constructor(private readonly source: SwapSource) {
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

  /** Converts a fee by the prices of the wallet's source. */
  #priced(fee: Fee, of: Asset): bigint | undefined {
    const { wallet } = this.fields;
    if (!wallet || of.decimals === null) return undefined;
    const { host } = this.source;
    const [paid, one] = [moneyOf(fee), { ...of, raw: 10n ** BigInt(of.decimals) }].map(
      (each) => valueOf(host, wallet, each)?.value,
    );
    return paid && one ? unitsFor(paid, one, of.decimals) : undefined;
  }

  /** Value of one side's amount, typed or computed. */
  worth(side: Side): TemplateResult | typeof nothing {
    const { fields } = this;
    const asset = fields.asset(side);
    const { rate, host } = this.source;
    if (!asset || asset.decimals === null) return nothing;
    let raw: bigint;
    try {
      if (fields.exact === side) raw = parseUnits(fields.amount, asset.decimals);
      else if (rate) raw = otherAmount(rate).raw;
      else return nothing;
    } catch {
      return nothing;
    }
    return worth(host, fields.wallet, { ...asset, raw }, side === 'from' ? 'up' : 'down');
  }

  render(): TemplateResult {
    return html`${this.#rates()}${this.#destination()}${this.#slippage()}${this.totals(this.source.rate)}`;
  }

  #rates(): TemplateResult | typeof nothing {
    const { watch } = this.source;
    const { rates, error, stale } = watch;
    const failed = error
      ? error.code === 'node.unreachable' || error.code.startsWith('frame.')
        ? alert('caution', msg('No new rates'), msg('The network did not answer. It is asked again.'))
        : alert('danger', msg('No rates'), msg('Try a smaller amount or another token.'))
      : nothing;
    if (!rates) {
      return html`${failed}${watch.busy ? html`<p class="line sm muted">${spinner('accent')}<span>${msg('Asking the exchanges…')}</span></p>` : nothing}`;
    }
    const { offers } = this;
    const best = offers?.list[0];
    if (!best) {
      return html`${failed}${alert('danger', msg('No exchange can do this swap'), msg('Try a smaller amount or another token.'))}`;
    }
    const { age } = watch;
    return html`${failed}<div class=${stale ? 'waiting' : ''} role="group" aria-labelledby="rates-label" aria-busy=${String(stale)}>
      <div class="sect"><span class="grow" id="rates-label">${msg('Exchange rates')}</span><span class="age num">${age ? msg(str`${age} s old`) : msg('Up to date')}</span></div>
      <div class="card rates">${offers.list.map((offer) => this.#rateRow(offer, best))}</div>${
        offers.list.length > 1
          ? html`<p class="help order">${this.#order(offers.isNet, best.rate)}</p>`
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
    return html`<label class="rate"><input
        type="radio"
        class="check"
        name="exchange"
        aria-label="${exchange}, ${amount}"
        .checked=${this.source.rate?.exchange === exchange}
        @change=${choose}
      /><span class="row-main"><span class="name"><span class="strong">${exchange}</span>${offer === best ? html`<span class="tag">${msg('Best')}</span>` : nothing}</span><span class="sm muted">${this.#cost(rate)}</span></span
      ><span class="num"><span class="strong">${amountText(amount)}</span>${this.#gap(offer, best)}</span></label>`;
  }

  /** The network fee and the route: `Fee 0.00138 ETH · via WETH`. */
  #cost(rate: ExchangeRate): unknown {
    const { networkFee } = rate;
    const via = this.#via(rate);
    const fee = networkFee && html`<span class="nowrap">${msg(html`Fee ${feeText(networkFee)}`)}</span>`;
    return html`${fee ?? nothing}${fee && via ? ' · ' : nothing}${via}`;
  }

  /** The best offer's value; for the others, how much worse they are. */
  #gap(offer: Offer, best: Offer): TemplateResult | typeof nothing {
    const { fields } = this;
    const { side, raw } = otherAmount(offer.rate);
    const asset = fields.asset(side);
    const { wallet } = fields;
    const { host } = this.source;
    if (!asset || !wallet) return nothing;
    if (offer === best)
      return html`<span class="sm faint">${worth(host, wallet, { ...asset, raw }, side === 'to' ? 'down' : 'up', false)}</span>`;
    const sign = side === 'to' ? '−' : '+';
    const lost = side === 'to' ? best.net - offer.net : offer.net - best.net;
    const value = valueOf(host, wallet, { ...asset, raw: lost });
    const text = value ? worthText(value, 'up') : `${numbers().format(behind(offer, best))}%`;
    return lost > 0n ? html`<span class="sm faint"><bdi dir="ltr">${sign}${text}</bdi></span>` : nothing;
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
      ? alert('caution', msg(str`Your swap moves the price by ${impact}%`), text)
      : alert('danger', msg(str`Your swap loses ${impact}% to its own size`), text);
  }

  #slippage(): TemplateResult | typeof nothing {
    const { fields } = this;
    if (!this.source.watch.rates?.bestRate) return nothing;
    const { ppm } = fields;
    const isCustom = fields.slippage === 'custom';
    const error =
      isCustom && fields.custom && ppm === undefined ? msg('Enter a percentage from 0.01 to 50.') : undefined;
    return html`<div class="field"><span class="label" id="slippage-label">${msg('Slippage limit')}</span>
      <div class="seg" role="radiogroup" aria-labelledby="slippage-label">${SLIPPAGES.map(
        (value) => html`<label><input
          type="radio"
          name="slippage"
          .checked=${fields.slippage === value}
          @change=${() => this.#update(() => (fields.slippage = value))}
        />${value === 'custom' ? msg('Custom') : `${value}%`}</label>`,
      )}</div>${
        isCustom
          ? html`<input
              id="slippage"
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
          ? html`<p class="help warn">${icon(iconCaution(), 's')}<span>${msg('A wide limit lets others profit from your swap.')}</span></p>`
          : nothing
      }</div>`;
  }

  totals(rate: ExchangeRate | undefined): TemplateResult | typeof nothing {
    const { fields } = this;
    const [from, to] = [fields.asset('from'), fields.asset('to')];
    if (!rate || !from || !to || fields.ppm === undefined) return nothing;
    const { priceImpact = 0, fee } = rate;
    const limit = fields.limit(rate);
    const [term, amount] =
      rate.orderType === 'SELL'
        ? [msg('You get at least'), amountLabel(limit, rate.outputDecimals!, to.symbol, 'down')]
        : [msg('You pay at most'), amountLabel(limit, rate.inputDecimals!, from.symbol, 'up')];
    const look = priceImpact < HIGH_IMPACT ? '' : priceImpact < SEVERE_IMPACT ? 'warn' : 'bad';
    return html`<dl class="kv"><div><dt>${term}</dt><dd>${amountText(amount)}</dd></div
      ><div><dt>${msg('Network fee')}</dt><dd>${this.#fee(rate)}</dd></div
      ><div><dt>${msg('Fee of the pools, in the rate')}</dt><dd>${fee}%</dd></div
      ><div><dt>${msg('Price impact')}</dt><dd class=${look}>${priceImpact < 0.01 ? msg('below 0.01%') : `${priceImpact}%`}</dd></div
      ><div><dt>${msg('Rate')}</dt><dd>${amountText(priceLabel(rate, from.symbol, to.symbol))}</dd></div></dl>`;
  }

  /** Approximate: the exact fee is known only once the wallet has prepared the transaction. */
  #fee({ networkFee }: ExchangeRate): unknown {
    if (networkFee) {
      const value = worth(this.source.host, this.fields.wallet, moneyOf(networkFee), 'up', false);
      return html`${msg(html`about ${feeText(networkFee)}`)}${value === nothing ? nothing : html` <span class="faint">${value}</span>`}`;
    }
    const symbol = this.fields.balance?.gasSymbol;
    return html`<span class="muted">${symbol ? msg(str`In ${symbol}, shown at approval`) : msg('Shown at approval')}</span>`;
  }

  #destination(): TemplateResult | typeof nothing {
    const { destinations, host, watch } = this.source;
    const { fields } = this;
    if (destinations.length < 2 || !watch.rates?.bestRate) return nothing;
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
  const shown = `${written(rounded(amount, 'up', places), places)} ${fee.symbol}`;
  return shortened(shown, `${figure(amount)} ${fee.symbol}`);
}

/** `1 ETH = 2,456.94 USDC`, in the direction in which the figure is at least 1. */
function priceLabel({ inputAmount, outputAmount }: ExchangeRate, from: string, to: string): string {
  const [one, other, price] =
    outputAmount >= inputAmount
      ? [from, to, outputAmount / inputAmount]
      : [to, from, inputAmount / outputAmount];
  return `1 ${one} = ${numbers({ maximumSignificantDigits: 6 }).format(price)} ${other}`;
}
