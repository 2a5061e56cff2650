/** The form of `<swap-panel>`. */
import { html, nothing, type TemplateResult } from 'lit';
import type { ExchangeRate } from '../api/swap.ts';
import type { Wallet } from '../api/wallet.ts';
import { formatAmount } from '../chains/amount.ts';
import { CHAIN_NAMES } from '../chains/secret-type.ts';
import { amountText, type Figure, rounded, rowAmount } from '../ui/amount-text.ts';
import { chainBadge, tokenBadge } from '../ui/chain-badge.ts';
import { icon } from '../ui/icon.ts';
import { iconCaution, iconDanger } from '../ui/base-icons.ts';
import { iconChevronDown, iconInfo } from '../ui/approval-icons.ts';
import { iconSwap } from '../ui/icons.ts';
import { msg, str } from '../ui/localize.ts';
import {
  amountLabel,
  behind,
  type Field,
  otherAmount,
  priceLabel,
  type Side,
  SLIPPAGES,
  type SwapFields,
} from './swap-fields.ts';
import type { SwapSource } from './swap-source.ts';
import type { Combobox } from './combobox.ts';
import type { tokenChoices } from './token-choices.ts';
import { type Asset, fieldText } from '../ui/assets.ts';
import { spinner } from './view.ts';
import { WalletPicker } from './wallet-picker.ts';

/** Percent of the price that the amount itself takes. */
const HIGH_IMPACT = 3;
const SEVERE_IMPACT = 10;
/** Percent, above which a limit invites others to use it. */
const HIGH_SLIPPAGE = 5;

export class SwapForm {
  readonly #pickers: { [S in Side]?: Combobox<Asset> } = {};
  /** Loaded with the first list that opens. */
  #tokenChoices: typeof tokenChoices | undefined;
  readonly #payer: WalletPicker;
  readonly #receiver: WalletPicker;

  constructor(private readonly source: SwapSource) {
    this.#payer = new WalletPicker(source.host, 'wallet');
    this.#receiver = new WalletPicker(source.host, 'destination');
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

  render(): TemplateResult {
    const { fields } = this;
    if (this.source.unreachable && fields.pairs === undefined) return this.#unreachable();
    if (fields.pairs?.length === 0 && fields.wallet) {
      const chain = CHAIN_NAMES[fields.wallet.secretType];
      return html`${this.#wallet()}${this.#alert('', msg('No exchange on this network'), msg(str`Nothing can be swapped on ${chain} here.`))}`;
    }
    const low = fields.errors.has('from') || fields.shortError(this.source.rate);
    return html`${this.#wallet()}<div class="swapstack">${this.#side('from')}<button
        type="button"
        class="swapdir ${low ? 'low' : ''}"
        aria-label=${msg('Swap direction')}
        ?disabled=${fields.to === undefined}
        @click=${() => this.#update(() => fields.turn())}
      >${icon(iconSwap())}</button>${this.#side('to')}</div>
      ${this.#rates()}${this.#destination()}${this.#slippage()}${this.totals(this.source.rate)}`;
  }

  #alert(
    look: '' | 'caution' | 'danger',
    title: string,
    text: unknown,
    action: unknown = nothing,
  ): TemplateResult {
    const mark = look === 'danger' ? iconDanger() : look ? iconCaution() : iconInfo();
    return html`<div class="alert ${look}" role=${look === 'danger' ? 'alert' : nothing}>${icon(mark)}<div class="grow"><b>${title}</b><p>${text}</p>${action}</div></div>`;
  }

  #unreachable(): TemplateResult {
    const again = () => this.source.loadPairs(this.fields.wallet!);
    return html`${this.#wallet()}${this.#alert('caution', msg('The exchanges could not be reached'), msg('The network did not answer. Try again in a moment.'), html`<button type="button" part="button" class="btn secondary mini" @click=${again}>${msg('Try again')}</button>`)}`;
  }

  #badge(asset: Asset | undefined): TemplateResult | typeof nothing {
    if (!asset) return nothing;
    return asset.address ? tokenBadge(asset.symbol) : chainBadge(this.fields.wallet!.secretType, 'm');
  }

  #note(field: Field, error = this.fields.errors.get(field)): TemplateResult {
    return html`<div id="${field}-note">${error ? html`<p class="err">${icon(iconDanger(), 's')}<span>${error}</span></p>` : nothing}</div>`;
  }

  #side(side: Side): TemplateResult {
    const { fields } = this;
    const { host, rate } = this.source;
    const asset = fields.asset(side);
    const exact = fields.exact === side;
    const symbol = asset?.symbol ?? '…';
    const isSell = side === 'from';
    const other = rate && !exact ? otherAmount(rate) : undefined;
    const shown = exact
      ? fields.value
      : other
        ? fieldText(formatAmount(rounded(other, isSell ? 'up' : 'down').raw, other.decimals))
        : '';
    const error = fields.errors.get(side) ?? (isSell ? fields.shortError(rate) : undefined);
    const label = isSell ? msg(str`Sell token: ${symbol}`) : msg(str`Buy token: ${symbol}`);
    const picker = this.#pickers[side];
    const items = fields.choices(side);
    const have = asset?.raw != null && asset.decimals !== null ? rowAmount(asset as Figure) : undefined;
    const id = `${side}-tokens`;
    const pick = async () => {
      const [{ Combobox }, choices] = await Promise.all([
        import('./combobox.ts'),
        import('./token-choices.ts'),
      ]);
      this.#tokenChoices = choices.tokenChoices;
      await (this.#pickers[side] ??= new Combobox<Asset>(host, id)).show();
    };
    const max = () =>
      this.#update(() => {
        fields.orderType = 'SELL';
        fields.value = fieldText(fields.maxSpendable ?? '');
        fields.errors.clear();
      });
    return html`<div class="field">
      <label class="label" for=${side}>${isSell ? msg('Sell') : msg('Buy')}</label>
      <div class="amount ${exact ? '' : 'read'} ${error ? 'invalid' : ''}">
        <div class="top">
          <input
            id=${side}
            class=${this.source.watch.busy && !exact ? 'waiting' : ''}
            inputmode="decimal"
            dir="ltr"
            placeholder="0"
            autocomplete="off"
            aria-describedby="${side}-note"
            aria-invalid=${error ? 'true' : nothing}
            .value=${shown}
            @input=${(event: Event) => this.#typed(side, event)}
          />
          <button
            type="button"
            class="token"
            aria-haspopup="listbox"
            aria-controls=${id}
            aria-expanded=${String(!!picker?.open)}
            @click=${pick}
          ><span class="sr">${label}</span><span class="line" aria-hidden="true">${this.#badge(asset)}<span class="name trunc">${symbol}</span></span>${icon(iconChevronDown(), 's')}</button>
        </div>
        <div class="sub">${have === undefined ? nothing : html`<span class="num">${isSell ? msg(html`${have} available`) : msg(html`${have} held`)}</span>${isSell ? html`<button type="button" class="btn text mini" @click=${max}>${msg('Max')}</button>` : nothing}`}</div>
      </div>
      ${
        picker && this.#tokenChoices
          ? picker.render(
              this.#tokenChoices({
                label: isSell ? msg('Sell token') : msg('Buy token'),
                items,
                selected: fields[side],
                badge: (each) => this.#badge(each) as TemplateResult,
                choose: (address) => {
                  if (!items.some((each) => (each.address ?? '') === address)) this.source.add(address);
                  fields.choose(side, address);
                },
              }),
            )
          : nothing
      }${this.#note(side, error)}${
        isSell && exact && fields.reserve && fields.value && fields.amount === fields.maxSpendable
          ? html`<p class="help">${msg(str`Max leaves ${fieldText(fields.reserve)} ${symbol} for the fees.`)}</p>`
          : nothing
      }
    </div>`;
  }

  #rates(): TemplateResult | typeof nothing {
    const { fields } = this;
    const { watch } = this.source;
    const { rates, error, stale } = watch;
    if (!fields.amount) return html`<p class="sm muted hint">${msg('Enter an amount to see rates.')}</p>`;
    const failed = error
      ? error.code === 'node.unreachable' || error.code.startsWith('frame.')
        ? this.#alert('caution', msg('No new rates'), msg('The network did not answer. It is asked again.'))
        : this.#alert('danger', msg('No rates'), error.shortMessage)
      : nothing;
    if (!rates) {
      return html`${failed}${watch.busy ? html`<p class="line sm muted">${spinner('accent')}<span>${msg('Asking the exchanges…')}</span></p>` : nothing}`;
    }
    const { exchangeRates, bestRate, noRates = [] } = rates;
    if (!bestRate) {
      const [only] = noRates;
      const why = noRates.length === 1 && only ? only.message : msg('Try a smaller amount or another token.');
      return html`${failed}${this.#alert('danger', msg('No exchange can do this swap'), why)}`;
    }
    const { age } = watch;
    const sorted = [...exchangeRates].sort((a, b) => behind(a, bestRate) - behind(b, bestRate));
    return html`${failed}<div class=${stale ? 'waiting' : ''} role="group" aria-labelledby="rates-label" aria-busy=${String(stale)}>
      <div class="sect"><span class="grow" id="rates-label">${msg('Exchange rates')}</span><span class="age num">${age ? msg(str`${age} s old`) : msg('Up to date')}</span></div>
      <div class="card rates">${sorted.map((rate) => this.#rateRow(rate, bestRate))}</div>
    </div>${this.#impact(this.source.rate)}`;
  }

  #rateRow(rate: ExchangeRate, best: ExchangeRate): TemplateResult {
    const { raw, decimals, side } = otherAmount(rate);
    const { exchange, fee } = rate;
    const amount = amountLabel(
      raw,
      decimals,
      this.fields.asset(side)?.symbol ?? '',
      side === 'to' ? 'down' : 'up',
    );
    const gap = behind(rate, best);
    const choose = () => this.#update(() => (this.fields.chosen = exchange));
    return html`<label class="rate"><input
        type="radio"
        class="check"
        name="exchange"
        aria-label="${exchange}, ${amount}"
        .checked=${this.source.rate?.exchange === exchange}
        @change=${choose}
      /><span class="row-main"><span class="name"><span class="strong">${exchange}</span>${rate.exchange === best.exchange ? html`<span class="tag">${msg('Best')}</span>` : nothing}</span><span class="sm muted">${msg(str`Fee ${fee}%`)}${this.#via(rate)}</span></span
      ><span class="num"><span class="strong">${amountText(amount)}</span>${gap ? html`<span class="sm faint"><bdi dir="ltr">${side === 'to' ? '−' : '+'}${gap}%</bdi></span>` : nothing}</span></label>`;
  }

  /** Tokens on the way that have a name here. */
  #via({ route = [] }: ExchangeRate): string {
    const names = route.slice(1, -1).map((address) => this.fields.assetOf(address)?.symbol ?? '');
    return names.length ? ` · ${msg(str`via ${names.join(', ')}`)}` : '';
  }

  #impact(rate: ExchangeRate | undefined): TemplateResult | typeof nothing {
    const impact = rate?.priceImpact ?? 0;
    if (impact < HIGH_IMPACT) return nothing;
    const text = msg('The amount is large for what the exchange holds. A smaller one gets a better price.');
    return impact < SEVERE_IMPACT
      ? this.#alert('caution', msg(str`Your swap moves the price by ${impact}%`), text)
      : this.#alert('danger', msg(str`Your swap loses ${impact}% to its own size`), text);
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
      }${this.#note('slippage', error ?? fields.errors.get('slippage'))}${
        ppm !== undefined && ppm > BigInt(HIGH_SLIPPAGE) * 10_000n
          ? html`<p class="help warn">${icon(iconCaution(), 's')}<span>${msg('A wide limit lets others profit from your swap.')}</span></p>`
          : nothing
      }</div>`;
  }

  totals(rate: ExchangeRate | undefined): TemplateResult | typeof nothing {
    const { fields } = this;
    const [from, to] = [fields.asset('from'), fields.asset('to')];
    if (!rate || !from || !to || fields.ppm === undefined) return nothing;
    const { priceImpact = 0 } = rate;
    const limit = fields.limit(rate);
    const [term, amount] =
      rate.orderType === 'SELL'
        ? [msg('You get at least'), amountLabel(limit, rate.outputDecimals!, to.symbol, 'down')]
        : [msg('You pay at most'), amountLabel(limit, rate.inputDecimals!, from.symbol, 'up')];
    const look = priceImpact < HIGH_IMPACT ? '' : priceImpact < SEVERE_IMPACT ? 'warn' : 'bad';
    return html`<dl class="kv"><div><dt>${term}</dt><dd>${amountText(amount)}</dd></div
      ><div><dt>${msg('Price impact')}</dt><dd class=${look}>${priceImpact < 0.01 ? msg('below 0.01%') : `${priceImpact}%`}</dd></div
      ><div><dt>${msg('Network fee')}</dt><dd class="muted">${this.#fee()}</dd></div
      ><div><dt>${msg('Rate')}</dt><dd>${amountText(priceLabel(rate, from.symbol, to.symbol))}</dd></div></dl>`;
  }

  /** How much it is shows only once the wallet has made the transaction. */
  #fee(): string {
    const symbol = this.fields.balance?.gasSymbol;
    return symbol ? msg(str`In ${symbol}, shown at approval`) : msg('Shown at approval');
  }

  #wallet(): TemplateResult | typeof nothing {
    const { wallets } = this.source;
    if (wallets.length < 2) return nothing;
    return this.#payer.render(msg('Wallet'), wallets, this.fields.wallet, (wallet) =>
      this.source.choose(wallet),
    );
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
