import { css, html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import type { Wallet } from '../../api/wallet.ts';
import type { ConnectError } from '../../base/errors.ts';
import { isLookedUp } from '../../chains/requests/foreign-address.ts';
import type { Amount } from '../../chains/coin.ts';
import { toNumber } from '../../base/amount.ts';
import type { Network } from '../../chains/network.ts';
import { amountParts, isNumber, typedAmount } from '../../ui/typed-amount.ts';
import { alertStyles } from '../../ui/alert.ts';
import { icon, iconChevronDown, iconDanger, iconSwap } from '../../ui/icons.ts';
import { fieldText, type Figure, isLong, rowAmount } from '../../ui/amount-text.ts';
import { type Asset } from '../../ui/assets.ts';
import { chainBadge, tokenBadge } from '../../ui/chain-badge.ts';
import { customElement, property, state } from '../../ui/decorators.ts';
import { fieldStyles } from '../../ui/field-styles.ts';
import { addressStyles } from '../../ui/address.ts';
import { msg, str } from '../../base/localize.ts';
import { TransferFields } from '../../ui/transfer-checks.ts';
import type { UnitPrice } from '../../ui/worth.ts';
import type { KnownRecipient } from '../../wallets/types.ts';
import { blockStyles } from '../approve/drawing/blocks.ts';
import { chainStyles } from '../ui/card-styles.ts';
import { footStyles } from '../ui/foot-styles.ts';
import { head } from '../ui/head.ts';
import { listStyles, networkOptions } from '../ui/rows.ts';
import { FrameView } from '../ui/view.ts';
import type { Balances } from './balances.ts';
import { failureNote } from './failure.ts';
import { explanationStyles, howToAddFunds } from '../ui/explanations.ts';
import { unlessHidden } from '../ui/hidden-balances.ts';
import { rowWords } from './activity-entries.ts';
import { iconPicture, type Item, itemName } from './nfts.ts';
import {
  type NameFound,
  type NameMissed,
  RecipientField,
  type RecipientForm,
  recipientStyles,
} from './recipient-field.ts';
import './wallet-switch.ts';

export interface SendEvents {
  /** Continue, with valid fields and a resolved name. */
  'cbf-continue': null;
  /** Known recipients. */
  'cbf-known': null;
  /** Scan QR code. */
  'cbf-scan': null;
  /** Another wallet to send from. */
  'cbf-wallet': { id: string };
  /** Another network to send on. */
  'cbf-network': { id: string };
  /** Back, Esc. */
  'cbf-back': null;
}

/** The form of the wallet's own Send. */
@customElement('cbf-send')
export class SendView extends FrameView<SendEvents> implements RecipientForm {
  static override styles = [
    FrameView.styles,
    footStyles,
    addressStyles,
    alertStyles,
    blockStyles,
    listStyles,
    chainStyles,
    fieldStyles,
    explanationStyles,
    recipientStyles,
    css`
      .sub > .toggle { flex: 1 1 0; min-inline-size: 0; justify-content: start; padding-inline: 0; }
      .toggle > .num { overflow: hidden; text-overflow: ellipsis; }
      .item { display: flex; align-items: center; gap: var(--_s3); min-block-size: 60px; padding: var(--_s2) var(--_s3); }
      .glyph { display: grid; flex: none; place-items: center; inline-size: 40px; block-size: 40px; border-radius: var(--_r-sm); background: var(--_surface-3); color: var(--_text-3); }
      .unit { font-size: var(--_fs-2xl); font-weight: 600; }
      .amount { padding-block: 6px 8px; padding-inline: var(--_s3) 6px; border: 1px solid var(--_border-strong); border-radius: var(--_r-sm); background: var(--_surface); box-shadow: var(--_shadow-1); }
      .amount:has(input:focus-visible) { outline: 2px solid var(--_focus); outline-offset: -1px; border-color: var(--_focus); }
      .amount.invalid { border-color: var(--_danger); }
      .amount .top, .amount .sub { display: flex; align-items: center; gap: var(--_s2); }
      .amount .sub { flex-wrap: wrap; justify-content: end; gap: 0 var(--_s2); font-size: var(--_fs-sm); color: var(--_text-2); min-block-size: 56px; align-content: end; }
      /* A line of their own, whatever the amounts above. */
      .parts { flex: 0 0 100%; display: flex; justify-content: end; min-block-size: 28px; }
      .amount input { flex: 1 1 0; min-inline-size: 0; min-block-size: 44px; padding: 0; border: 0; outline: none; background: none; font-size: var(--_fs-2xl); font-weight: 600; font-variant-numeric: tabular-nums; letter-spacing: -.02em; }
      .amount:dir(rtl) input { text-align: right; }
      .amount input.long { font-size: max(16px, var(--_fs-lg)); }
      .amount input:focus-visible { outline: none; }
      .token { position: relative; display: inline-flex; flex: none; align-items: center; gap: 6px; min-block-size: 36px; padding-inline: 6px 8px; border: 1px solid var(--_border); border-radius: var(--_r-full); background: var(--_surface-2); font-weight: 600; }
      .token:has(select:enabled):hover { background: var(--_surface-3); }
      .token:has(:focus-visible) { outline: 2px solid var(--_focus); outline-offset: 2px; }
      .token > .name { max-inline-size: 96px; }
      .token select { position: absolute; inset: -5px 0; inline-size: 100%; opacity: 0; cursor: pointer; font-size: var(--_fs-input); }
    `,
  ];

  readonly fields = new TransferFields();
  @property({ attribute: false }) wallet!: Wallet;
  @property({ attribute: false }) network!: Network;
  /** The networks that the wallet is on, to choose from. */
  @property({ attribute: false }) places: readonly Network[] = [];
  /** The wallet's coins on them, by network id, as far as read. */
  @property({ attribute: false }) funds: ReadonlyMap<string, Amount> = new Map();
  /** The chain's wallets, to switch to. */
  @property({ attribute: false }) wallets: readonly Wallet[] = [];
  /** By wallet id. */
  @property({ attribute: false }) networks: ReadonlyMap<string, Network> = new Map();
  /** The wallets' balances on the chosen network, as far as loaded. */
  @property({ attribute: false }) balances: Balances = new Map();
  /** Reads the other wallets' balances, when their list is opened. */
  readBalances: () => void = () => {};
  /** The NFT to send, instead of an amount. */
  @property({ attribute: false }) item: Item | undefined;
  /** The coin, then the tokens that can be sent. */
  @property({ attribute: false }) assets: readonly Asset[] = [];
  /** Why the last attempt was not sent. */
  @property({ attribute: false }) error: ConnectError | undefined;
  /** The maximum of the coin that can be sent, to this address if known. Undefined if the chain cannot tell. */
  maxSpendable: (to: string | undefined) => Promise<string | undefined> = async () => undefined;
  /** Looks a name up in its register. Rejects if no node answers. */
  lookUp: (name: string) => Promise<NameFound | NameMissed> = async () => ({ why: '' });
  /** Fills the form from a payment code. If that fails, resolves with the reason. */
  readCode: (code: string) => Promise<string | undefined> = async () => undefined;
  /** Switches to another of `places`. */
  choose: (network: Network) => void = () => {};
  @property({ attribute: false }) known: readonly KnownRecipient[] = [];
  /** Whether the camera can be requested here. */
  @property({ attribute: false }) camera = false;
  /** The price of one unit of an asset; undefined without a price. */
  @property({ attribute: false }) priceOf: (asset: Asset) => UnitPrice | undefined = () => undefined;
  /** The amount came from the scanned code. */
  @property({ attribute: false }) fromCode = false;

  /** The amount as typed in the user's currency; undefined while coins are typed. */
  @state() private fiat: string | undefined;

  readonly recipient = new RecipientField(this);

  /** Fills the fields from a paste, a scan or the list. */
  fill(to: string, value?: string, asset?: Asset): void {
    const { fields } = this;
    if (this.item) value = asset = undefined;
    if (asset && asset.address !== fields.asset?.address) {
      fields.asset = asset;
      this.fiat = undefined;
      if (fields.value) fields.check('value');
    }
    fields.to = to;
    this.recipient.check();
    if (value !== undefined) {
      fields.value = fieldText(value);
      this.fiat = undefined;
      fields.check('value');
    }
    this.fromCode = value !== undefined;
    this.recipient.changed();
  }

  /** Nothing was entered yet. */
  get isEmpty(): boolean {
    return !this.fields.to && !this.fields.value;
  }

  /** Switches to this wallet and network: its assets follow by `show`, and a name is looked up again there. */
  from(wallet: Wallet, network: Network, coin: Asset, asset = coin): void {
    const { fields } = this;
    if (this.network !== network) this.balances = new Map();
    Object.assign(this, { wallet, network, assets: [coin], error: undefined });
    fields.wallet = wallet;
    // An amount of one token means nothing for another.
    if (fields.asset && fields.asset.address !== asset.address) fields.value = '';
    fields.asset = asset;
    fields.nodeMaximum = undefined;
    fields.errors.clear();
    this.fiat = undefined;
    this.recipient.changed();
  }

  protected override readonly escape = 'cbf-back';

  /** Shows the assets with balances. Keeps the chosen asset: an amount of it may already be typed. */
  show(assets: readonly Asset[]): void {
    const { fields } = this;
    this.assets = assets;
    const [coin] = assets;
    if (coin && coin.raw !== null) {
      const { symbol, decimals, raw } = coin;
      this.balances = new Map([...this.balances, [this.wallet.id, { coin: { symbol, decimals, raw } }]]);
    }
    const { address: chosen = '' } = fields.asset ?? {};
    const same = (address = '') => address.toLowerCase() === chosen.toLowerCase();
    fields.asset = assets.find(({ address }) => same(address)) ?? fields.asset;
    if (fields.value) fields.check('value');
    this.requestUpdate();
  }

  protected override updated(changed: PropertyValues): void {
    super.updated(changed);
    // The options may have changed places below it.
    const select = this.renderRoot.querySelector<HTMLSelectElement>('#network');
    if (select) select.value = this.network.id;
  }

  #typed(event: Event): void {
    const { fields } = this;
    fields.value = (event.target as HTMLInputElement).value;
    // An error disappears as soon as it is corrected.
    if (fields.errors.has('value')) fields.check('value');
    this.error = undefined;
    this.fromCode = false;
    this.fiat = undefined;
    this.requestUpdate();
  }

  #left(): void {
    const { fields } = this;
    if (fields.value) fields.check('value');
    this.requestUpdate();
  }

  async #continue(): Promise<void> {
    const { fields, recipient } = this;
    // The user must see what a code fills in before continuing.
    if (recipient.isCode) return recipient.readCode();
    if (recipient.twin) return;
    const [wrongTo, wrongValue] = [recipient.check(), this.item ? undefined : fields.check('value')];
    let wrong = wrongTo ? 'to' : wrongValue ? 'value' : undefined;
    this.requestUpdate();
    if (!wrong && recipient.isUnresolved) {
      if (!(await recipient.lookedUp()) || recipient.twin) return;
      if (recipient.isUnresolved) wrong = 'to';
    }
    if (wrong) this.renderRoot.querySelector<HTMLElement>(`#${wrong}`)?.focus();
    else this.emit('cbf-continue');
  }

  #max(): void {
    const { fields } = this;
    this.fiat = undefined;
    this.fromCode = false;
    const fill = () => {
      fields.value = fieldText(fields.maxSpendable ?? '');
      fields.check('value');
      this.requestUpdate();
    };
    fill();
    const { asset, to, value } = fields;
    if (!asset || asset.address) return;
    const address = this.recipient.address;
    const recipient =
      address && !fields.recipient?.error(address) && !isLookedUp(address) ? address : undefined;
    void this.maxSpendable(recipient).then(
      (maximum) => {
        if (maximum === undefined || fields.asset !== asset || fields.to !== to || fields.value !== value)
          return;
        fields.nodeMaximum = { asset, to, data: '', value: maximum };
        fill();
      },
      // The estimate with the reserve stays.
      () => {},
    );
  }

  #part(value: string): void {
    this.fiat = undefined;
    this.fromCode = false;
    this.fields.value = value;
    this.fields.check('value');
    this.requestUpdate();
  }

  /** The error of the amount, or `help`. */
  #note(help: unknown): TemplateResult {
    const error = this.fields.errors.get('value');
    return html`<div id="value-note">${error ? html`<p class="err">${icon(iconDanger(), 's')}<span>${error}</span></p>` : help}</div>`;
  }

  #sender(): TemplateResult {
    const { wallet, wallets, networks, balances } = this;
    return html`<div class="field">
      <span class="label">${msg('From')}</span>
      <cbf-wallet-from
        .wallet=${wallet}
        .wallets=${wallets}
        .networks=${networks}
        .balances=${balances}
        @cbf-wallets-opened=${() => this.readBalances()}
      ></cbf-wallet-from>
    </div>`;
  }

  #place(): TemplateResult | typeof nothing {
    const { places, network, funds } = this;
    if (places.length < 2) return nothing;
    const held = ({ id }: Network): string | undefined => {
      const amount = funds.get(id);
      return amount && rowWords(amount);
    };
    return html`<div class="field">
      <label for="network">${msg('Network')}</label>
      <select
        class="input"
        id="network"
        @change=${({ target }: Event) => this.emit('cbf-network', { id: (target as HTMLSelectElement).value })}
      >${networkOptions(places, network.id, held)}</select>
    </div>`;
  }

  #item(item: Item): TemplateResult {
    return html`<div class="field">
      <span class="label">${msg('NFT')}</span>
      <div class="card item"><span class="glyph">${icon(iconPicture())}</span><span class="row-main"><span class="strong trunc">${itemName(item)}</span><span class="sm muted trunc">${item.collection}</span></span></div>
    </div>`;
  }

  #amount(): TemplateResult {
    const { fields, assets } = this;
    const { asset, reserve } = fields;
    const have = asset && asset.raw !== null && asset.decimals !== null;
    const price = asset && this.priceOf(asset);
    const inFiat = price && this.fiat !== undefined;
    const shown = inFiat ? this.fiat! : fields.value;
    const choose = (event: Event) => {
      fields.asset = assets[(event.target as HTMLSelectElement).selectedIndex];
      this.fiat = undefined;
      if (fields.value) fields.check('value');
      this.requestUpdate();
    };
    return html`<div class="field">
      <label for="value">${msg('Amount')}</label>
      <div class="amount ${fields.errors.has('value') ? 'invalid' : ''}">
        <div class="top">
          ${inFiat ? html`<bdi class="unit" dir="ltr">${price.sign}</bdi>` : nothing}
          <input
            id="value"
            class=${isLong(shown) ? 'long' : ''}
            inputmode="decimal"
            dir="ltr"
            placeholder="0"
            autocomplete="off"
            aria-describedby="value-note"
            aria-invalid=${fields.errors.has('value') ? 'true' : 'false'}
            .value=${shown}
            @input=${(event: Event) => (inFiat ? this.#typedFiat(event, price, asset) : this.#typed(event))}
            @change=${() => this.#left()}
          />
          <span class="token">${asset ? this.#badge(asset) : nothing}<span class="name trunc">${asset?.symbol ?? ''}</span>${assets.length > 1 ? icon(iconChevronDown(), 's') : nothing}
            <select
              aria-label=${msg(str`Token: ${asset?.symbol ?? ''}`)}
              ?disabled=${assets.length < 2}
              @change=${choose}
            >
              ${assets.map((each) => html`<option ?selected=${each === asset}>${each.symbol}</option>`)}
            </select></span>
        </div>
        <div class="sub">${price ? this.#toggle(price, asset) : nothing}${
          have
            ? html`<span class="num">${msg(html`${unlessHidden(() => rowAmount(asset as Figure))} available`)}</span>`
            : nothing
        }<span class="parts">${
          have
            ? html`${amountParts(fields, 'quiet', (value) => this.#part(value))}<button
                  type="button"
                  class="btn quiet mini"
                  @click=${() => this.#max()}
                >${msg('Max')}</button>`
            : nothing
        }</span></div>
      </div>
      ${this.#note(
        have && reserve && fields.value && fields.amount === fields.maxSpendable
          ? html`<p class="help">${msg(str`Max leaves ${`${fieldText(reserve)} ${asset.symbol}`} for the fee.`)}</p>`
          : inFiat
            ? html`<p class="help">${msg(str`${`1 ${asset.symbol}`} is ${price.one} at ${price.at}. The amount in ${asset.symbol} is what is sent.`)}</p>`
            : this.fromCode
              ? html`<p class="help">${msg('Amount from the code')}</p>`
              : nothing,
      )}
      ${have && this.#isShort(asset) ? howToAddFunds(this.network, asset.symbol) : nothing}
    </div>`;
  }

  /** There is nothing to send, or less than was typed. */
  #isShort({ raw, decimals }: Asset): boolean {
    const { amount, errors } = this.fields;
    return !raw || (errors.has('value') && isNumber(amount) && Number(amount) > toNumber(raw, decimals ?? 0));
  }

  /** The amount in the other unit, as a button that switches to it. The amount in coins is what counts. */
  #toggle(price: UnitPrice, asset: Asset): TemplateResult {
    const { fields } = this;
    const inFiat = this.fiat !== undefined;
    const change = () => {
      this.fiat = inFiat ? undefined : fields.amount ? price.typed(fields.amount) : '';
      this.renderRoot.querySelector<HTMLElement>('#value')?.focus();
    };
    const other = inFiat
      ? html`<bdi dir="ltr">${isNumber(fields.amount) ? fields.value : '0'} ${asset.symbol}</bdi>`
      : html`<bdi dir="ltr">${price.worth(fields.amount)}</bdi>`;
    return html`<button
      type="button"
      class="btn mini text toggle"
      @click=${change}
    >${icon(iconSwap(), 's')}<span class="sr">${inFiat ? msg(str`Enter ${asset.symbol}`) : price.enter}, </span><span class="num">${other}</span></button>`;
  }

  #typedFiat(event: Event, price: UnitPrice, asset: Asset): void {
    const { fields } = this;
    this.fiat = (event.target as HTMLInputElement).value;
    fields.value = fieldText(price.coins(typedAmount(this.fiat), asset.decimals ?? 0));
    if (fields.errors.has('value')) fields.check('value');
    this.fromCode = false;
    this.error = undefined;
  }

  #badge(asset: Asset): TemplateResult {
    return asset.address ? tokenBadge(asset.symbol) : chainBadge(this.wallet.secretType, 's');
  }

  protected override render(): TemplateResult {
    const why = this.recipient.twin ? msg('Choose a recipient first') : '';
    return this.layout({
      body: html`${head(this, msg('Send'))} ${this.#sender()} ${this.#place()} ${this.recipient.draw((event) => this.emit(event))} ${this.item ? this.#item(this.item) : this.#amount()} ${failureNote(this.error)}`,
      foot: html`<button
        type="button"
        class="btn primary lg block ${why ? 'why' : ''}"
        data-text=${why}
        aria-disabled=${why ? 'true' : 'false'}
        aria-description=${why || nothing}
        @click=${() => void this.#continue()}
      ><span>${msg('Continue')}</span></button>`,
    });
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'cbf-send': SendView;
  }
}
