/** The form of `<swap-panel>`. */
import { html, nothing, type TemplateResult } from 'lit';
import { formatAmount } from '../../base/amount.ts';
import { msg, str } from '../../base/localize.ts';
import { CHAIN_NAMES } from '../../chains/secret-type.ts';
import { fieldText, type Figure, isLong, rounded, rowAmount } from '../../ui/amount-text.ts';
import type { Asset } from '../../ui/assets.ts';
import { chainBadge, tokenBadge } from '../../ui/chain-badge.ts';
import { icon, iconCaution, iconChevronDown, iconDanger, iconInfo, iconSwap } from '../../ui/icons.ts';
import type { Combobox } from '../combobox.ts';
import { WalletPicker } from '../wallet-picker.ts';
import { type Field, otherAmount, type Side, type SwapFields } from './swap-fields.ts';
import type { SwapSource } from './swap-source.ts';
import type { tokenChoices } from './token-choices.ts';

export class SwapForm {
  readonly #pickers: { [S in Side]?: Combobox<Asset> } = {};
  /** Loaded when the first list opens. */
  #tokenChoices: typeof tokenChoices | undefined;
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

  render(): TemplateResult {
    const { fields } = this;
    if (this.source.unreachable && fields.pairs === undefined) return this.#unreachable();
    if (fields.pairs?.length === 0 && fields.wallet) {
      const chain = CHAIN_NAMES[fields.wallet.secretType];
      return html`${this.#wallet()}${alert('', msg('No exchange on this network'), msg(str`Nothing can be swapped on ${chain} here.`))}`;
    }
    const low = fields.errors.has('from') || fields.shortError(this.source.rate);
    return html`${this.#wallet()}<div class="swapstack">${this.#side('from')}<button
        type="button"
        class="swapdir ${low ? 'low' : ''}"
        aria-label=${msg('Swap direction')}
        ?disabled=${fields.to === undefined}
        @click=${() => this.#update(() => fields.turn())}
      >${icon(iconSwap())}</button>${this.#side('to')}</div>
      ${fields.amount ? this.source.offers?.render() : html`<p class="sm muted hint">${msg('Enter an amount to see rates.')}</p>`}`;
  }

  #unreachable(): TemplateResult {
    const again = () => this.source.loadPairs(this.fields.wallet!);
    return html`${this.#wallet()}${alert('caution', msg('The exchanges could not be reached'), msg('The network did not answer. Try again in a moment.'), html`<button type="button" part="button" class="btn secondary mini" @click=${again}>${msg('Try again')}</button>`)}`;
  }

  #badge(asset: Asset | undefined): TemplateResult | typeof nothing {
    if (!asset) return nothing;
    return asset.address ? tokenBadge(asset.symbol) : chainBadge(this.fields.wallet!.secretType, 'm');
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
        import('../combobox.ts'),
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
            class="${this.source.watch.busy && !exact ? 'waiting' : ''} ${isLong(shown) ? 'long' : ''}"
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
        <div class="sub">${this.source.offers?.worth(side)}${have === undefined ? nothing : html`<span class="num">${isSell ? msg(html`${have} available`) : msg(html`${have} held`)}</span>${isSell ? html`<button type="button" class="btn text mini" @click=${max}>${msg('Max')}</button>` : nothing}`}</div>
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
      }${note(fields, side, error)}${
        isSell && exact && fields.reserve && fields.value && fields.amount === fields.maxSpendable
          ? html`<p class="help">${msg(str`Max leaves ${fieldText(fields.reserve)} ${symbol} for the fees.`)}</p>`
          : nothing
      }
    </div>`;
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
  return html`<div class="alert ${look}" role=${look === 'danger' ? 'alert' : nothing}>${icon(mark)}<div class="grow"><b>${title}</b><p>${text}</p>${action}</div></div>`;
}

/** The error of a field, whose `aria-describedby` refers to it. */
export function note(
  { errors }: SwapFields,
  field: Field,
  error: string | undefined = errors.get(field),
): TemplateResult {
  return html`<div id="${field}-note">${error ? html`<p class="err">${icon(iconDanger(), 's')}<span>${error}</span></p>` : nothing}</div>`;
}
