/** The fields of `<transfer-dialog>`, and the balances, tokens and checks of the chosen wallet. */
import { html, nothing, type TemplateResult } from 'lit';
import { holderMark } from '../../ui/address.ts';
import type { NativeBalance, Wallet } from '../../api/wallet.ts';
import { CHAIN_NAMES } from '../../chains/secret-type.ts';
import { fieldText, type Figure, isLong, nativeText, rowAmount } from '../../ui/amount-text.ts';
import { chainBadge, tokenBadge } from '../../ui/chain-badge.ts';
import { icon, iconChevronDown, iconDanger } from '../../ui/icons.ts';
import { msg, str } from '../../base/localize.ts';
import { type Asset, coinOf, tokenOf } from '../../ui/assets.ts';
import { ignore } from '../connect-element.ts';
import type { Combobox } from '../../ui/combobox.ts';
import type * as Asides from './transfer-asides.ts';
import type { FiatAmount } from './transfer-fiat.ts';
import type { TransferDialog } from './transfer-dialog.ts';
import { BareFields, type Field } from '../../ui/transfer-fields.ts';
import type { PageNetwork } from '../page-network.ts';
import { walletLines } from '../../ui/parts.ts';
import type { Place } from '../worth.ts';

/** Fields that the page has set are shown read-only. */
export class TransferForm {
  readonly fields: BareFields;
  /** Id of the network that the user or a payment code chose, if it is not the wallet's default one. */
  network: string | undefined;
  /** Set once loaded, if the page has set a network. */
  pageNetwork: PageNetwork | undefined;
  /** By `#key`; null if not yet known or unavailable. */
  readonly #balances = new Map<string, NativeBalance | null>();
  #tokens: Asset[] = [];
  /** Created when first opened. */
  #from: Combobox<Wallet> | undefined;
  #token: Combobox<Asset> | undefined;
  #asides: typeof Asides | undefined;
  /** The page's network when the wallet was chosen. */
  #page: string | undefined;
  /** Set while the amount is typed in the user's currency. */
  fiat: FiatAmount | undefined;

  constructor(readonly host: TransferDialog) {
    this.fields = Object.assign(new BareFields(), this.#given);
  }

  /** Undefined until the page's record has been read. */
  get #wallets(): Wallet[] | undefined {
    const type = this.host.secretType?.toUpperCase();
    const { pageNetwork } = this;
    return this.host.linked?.filter(
      (each) => (!type || each.secretType === type) && (pageNetwork?.has(each) ?? true),
    );
  }

  /** Where a wallet sends from in this form; without a network, its default one. */
  placeOf({ id }: Wallet): Place {
    return { id, network: this.host.network || (id === this.fields.wallet?.id ? this.network : undefined) };
  }

  /** The options of what is read of a wallet there. */
  optionsOf(wallet: Wallet): { network?: string } {
    const { network } = this.placeOf(wallet);
    return network ? { network } : {};
  }

  #key(wallet: Wallet): string {
    const { id, network } = this.placeOf(wallet);
    return `${id} ${network}`;
  }

  get #given(): Record<Field, string> {
    const { to, value, data } = this.host;
    return { to: to ?? '', value: fieldText(String(value ?? '')), data: data ?? '' };
  }

  /** Whether the fields differ from what the page gave. */
  get edited(): boolean {
    return (['to', 'value', 'data'] as const).some((field) => this.fields[field] !== this.#given[field]);
  }

  /** Before each update: takes over the wallet that the page or the user has chosen, or a default. */
  follow(): void {
    const wallets = this.#wallets;
    const { walletId } = this.host;
    const id = walletId ?? this.fields.wallet?.id;
    const wallet =
      wallets?.find((each) => each.id === id) ??
      (walletId ? undefined : (wallets?.find(({ primary }) => primary) ?? wallets?.[0]));
    const { network } = this.host;
    if (wallet?.id === this.fields.wallet?.id && network === this.#page) return;
    this.#page = network;
    this.choose(wallet);
  }

  /** `network`: an id, unless it is the wallet's default one. */
  choose(wallet: Wallet | undefined, network?: string): void {
    const { fields, host } = this;
    fields.wallet = wallet;
    this.network = network;
    fields.errors.clear();
    this.#tokens = [];
    this.fiat = undefined;
    if (!wallet) return;
    const { id, secretType } = wallet;
    const { current, tokenAddress } = host;
    const key = this.#key(wallet);
    const on = this.optionsOf(wallet);
    fields.recipient = undefined;
    fields.asset = tokenAddress
      ? { address: tokenAddress, symbol: msg('Token'), decimals: null, raw: null }
      : coinOf(secretType, this.#balances.get(key));
    /** Drops answers that arrive after another wallet or network was chosen. */
    const isSame = (asked: string) => fields.wallet && this.#key(fields.wallet) === asked;
    const then = <T>(promise: Promise<T>, change: (value: T) => void) =>
      promise.then((value) => {
        if (isSame(key)) change(value);
        host.requestUpdate();
      }, ignore);
    current.preload(secretType).catch(ignore);
    then(
      import('../../ui/recipient-check.ts').then(({ recipientCheck }) => recipientCheck(secretType)),
      (recipient) => {
        fields.recipient = recipient;
        if (fields.to) fields.check('to');
      },
    );
    for (const each of this.#wallets ?? []) {
      const its = this.#key(each);
      if (this.#balances.has(its)) continue;
      this.#balances.set(its, null);
      current.balance(each.id, this.optionsOf(each)).then((balance) => {
        this.#balances.set(its, balance.available ? balance : null);
        if (isSame(its) && !fields.asset?.address)
          fields.asset = coinOf(each.secretType, this.#balances.get(its));
        host.requestUpdate();
      }, ignore);
    }
    if (tokenAddress)
      then(current.tokenBalance(id, tokenAddress, on), (token) => (fields.asset = tokenOf(token)));
    else
      then(current.tokenBalances(id, on), (tokens) => {
        this.#tokens = tokens.filter(({ transferable }) => transferable).map(tokenOf);
      });
  }

  /** `asides`: once loaded. */
  render(asides: typeof Asides | undefined): TemplateResult {
    if (asides) this.#asides = asides;
    const { fields } = this;
    if (asides && !fields.checks) {
      fields.checks = asides.transferChecks;
      if (fields.to && fields.recipient) fields.check('to');
    }
    return html`${this.#sender()}${asides?.networkRow(this)}${this.#recipient(asides)}${this.#amount()}${asides ? asides.advanced(this, !!this.host.data) : fields.dataForm && html`<i class="late"></i>`}`;
  }

  #sender(): TemplateResult {
    const { wallet } = this.fields;
    const wallets = this.#wallets ?? [];
    const fixed = !!this.host.walletId || wallets.length < 2;
    const selected = wallets.findIndex(({ id }) => id === wallet?.id);
    const pick = async () => {
      const make = await this.list();
      return (this.#from ??= make<Wallet>('from')).show(selected);
    };
    return html`<div class="field">
      <span class="label" id="from-label">${msg('From')}</span>
      <div part="input" class="picker ${fixed ? 'fixed' : ''}">
        ${wallet ? chainBadge(wallet.secretType) : nothing}
        <button
          type="button"
          class="row-main"
          aria-labelledby="from-label from-wallet"
          aria-describedby="from-balance"
          aria-haspopup="listbox"
          aria-controls="from"
          aria-expanded=${String(!!this.#from?.open)}
          ?disabled=${fixed}
          @click=${pick}
        ><span id="from-wallet">${wallet ? walletLines(wallet.alias, wallet.address) : '…'}</span></button>
        <span class="balance" id="from-balance">${wallet ? this.balance(wallet) : nothing}</span>
        ${fixed ? nothing : icon(iconChevronDown())}
      </div>
      ${this.#asides && this.#from?.render(this.#asides.walletChoices(this, wallets))}
    </div>`;
  }

  /** What makes a list by its id. */
  async list(): Promise<<T>(id: string) => Combobox<T>> {
    const [asides, { Combobox }] = await Promise.all([
      import('./transfer-asides.ts'),
      import('../../ui/combobox.ts'),
    ]);
    this.#asides ??= asides;
    return (id) => new Combobox(this.host, id);
  }

  /** Includes who holds the wallet's key if that is not only this browser. */
  balance(wallet: Wallet): TemplateResult {
    const balance = this.#balances.get(this.#key(wallet));
    return html`<span class="sr">${CHAIN_NAMES[wallet.secretType]}</span>${balance ? html`<span class="num sm strong"> ${nativeText(balance)}</span>${this.#asides?.balanceWorth(this, wallet, balance)}` : nothing}${holderMark(wallet)}`;
  }

  chooseAsset(asset: Asset): void {
    const { fields } = this;
    fields.asset = asset;
    this.fiat = undefined;
    if (fields.value) fields.check('value');
  }

  /** The error of a field, or `help`; the field's `aria-describedby` refers to it. */
  note(field: Field, help: unknown = nothing): TemplateResult {
    const error = this.fields.errors.get(field);
    return html`<div id="${field}-note">${error ? html`<p class="err">${icon(iconDanger(), 's')}<span>${error}</span></p>` : help}</div>`;
  }

  typed(field: Field, event: Event): void {
    const { fields } = this;
    const text = (event.target as HTMLInputElement).value;
    fields[field] = field === 'value' && this.fiat ? this.fiat.typed(text) : text;
    // A field with an error is checked at every change, so that the error goes as soon as it is corrected.
    if (fields.errors.has(field)) fields.check(field);
    this.host.requestUpdate();
  }

  left(field: Field): void {
    if (this.fields[field]) this.fields.check(field);
    if (field === 'to') void this.#asides?.readTyped(this);
    this.host.requestUpdate();
  }

  #recipient(asides: typeof Asides | undefined): TemplateResult {
    const { fields } = this;
    return html`<div class="field">
      <label class="label" for="to">${msg('Recipient')}</label>
      <input
        id="to"
        part="input"
        class="input ${fields.to && !/[@.]/.test(fields.to) ? 'mono' : ''}"
        dir=${fields.to ? 'ltr' : nothing}
        placeholder=${msg('Address, name or e-mail')}
        autocomplete="off"
        autocapitalize="off"
        spellcheck="false"
        aria-describedby="to-note"
        aria-invalid=${fields.errors.has('to') ? 'true' : nothing}
        ?readonly=${!!this.host.to}
        .value=${fields.to}
        @input=${(event: Event) => this.typed('to', event)}
        @blur=${() => this.left('to')}
      />${asides?.tools(this)}${this.note('to', asides?.recipientHelp(this))}
    </div>`;
  }

  #amount(): TemplateResult {
    const { fields } = this;
    const { asset } = fields;
    const fixed = this.#given.value !== '';
    const amount = this.fiat?.text ?? fields.value;
    const have = asset && asset.raw !== null && asset.decimals !== null;
    const assets = [
      ...(fields.wallet
        ? [coinOf(fields.wallet.secretType, this.#balances.get(this.#key(fields.wallet)))]
        : []),
      ...this.#tokens,
    ];
    const selected = assets.findIndex(({ address }) => address === asset?.address);
    const pick = async () => {
      const make = await this.list();
      return (this.#token ??= make<Asset>('token')).show(selected);
    };
    const fillMax = () => {
      fields.value = fieldText(fields.maxSpendable ?? '');
      fields.check('value');
    };
    const max = () => {
      this.fiat = undefined;
      fillMax();
      this.host.requestUpdate();
      void this.#asides?.askMaxSpendable(this, fillMax);
    };
    return html`<div class="field">
      <label class="label" for="value">${msg('Amount')}</label>
      <div part="input" class="amount ${fields.errors.has('value') ? 'invalid' : ''}">
        <div class="top">${this.fiat?.sign}
          <input
            id="value"
            class=${isLong(amount) ? 'long' : ''}
            inputmode="decimal"
            dir="ltr"
            placeholder="0"
            autocomplete="off"
            aria-describedby="value-note"
            aria-invalid=${fields.errors.has('value') ? 'true' : nothing}
            ?readonly=${fixed}
            .value=${amount}
            @input=${(event: Event) => this.typed('value', event)}
            @blur=${() => this.left('value')}
          />
          <button
            type="button"
            class="token"
            aria-label=${msg(str`Token: ${asset?.symbol ?? ''}`)}
            aria-haspopup="listbox"
            aria-controls="token"
            aria-expanded=${String(!!this.#token?.open)}
            ?disabled=${assets.length < 2 || !!this.host.tokenAddress}
            @click=${pick}
          >${this.badge(asset)}<span class="name trunc">${asset?.symbol ?? ''}</span>${assets.length < 2 || this.host.tokenAddress ? nothing : icon(iconChevronDown(), 's')}</button>
        </div>
        <div class="sub">${this.#asides?.amountWorth(this, fixed)}${have ? html`<span class="num">${msg(html`${rowAmount(asset as Figure)} available`)}</span>` : nothing}${fixed ? nothing : html`<span class="parts">${have ? html`${this.#asides?.parts(this)}<button type="button" class="btn text mini" @click=${max}>${msg('Max')}</button>` : nothing}</span>`}</div>
      </div>
      ${this.#asides && this.#token?.render(this.#asides.assetChoices(this, assets))}
      ${this.note('value', this.#asides?.amountHelp(this))}
    </div>`;
  }

  badge(asset: Asset | undefined): TemplateResult | typeof nothing {
    if (!asset || !this.fields.wallet) return nothing;
    return asset.address ? tokenBadge(asset.symbol) : chainBadge(this.fields.wallet.secretType, 'm');
  }
}
