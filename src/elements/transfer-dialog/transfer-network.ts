/** The network that `<transfer-dialog>` sends on, where the wallet is on several and the page has not set one. Loaded once the form is on screen. */
import { html, nothing, type TemplateResult } from 'lit';
import type { WalletNetwork } from '../../actions/types.ts';
import type { NativeBalance, TokenBalance, Wallet } from '../../api/wallet.ts';
import { msg } from '../../base/localize.ts';
import { fieldText, type Figure, rowAmount } from '../../ui/amount-text.ts';
import { type Asset, coinOf, tokenOf } from '../../ui/assets.ts';
import { chainBadge } from '../../ui/chain-badge.ts';
import { icon, iconChevronDown } from '../../ui/icons.ts';
import type { Combobox } from '../../ui/combobox.ts';
import { ignore } from '../connect-element.ts';
import type { PageNetwork } from '../page-network.ts';
import type { BareFields } from '../../ui/transfer-fields.ts';
import type { TransferDialog } from './transfer-dialog.ts';

/** What it needs of the form. */
interface Form {
  readonly host: TransferDialog;
  readonly fields: BareFields;
  /** Id of the chosen network, if it is not the wallet's default one. */
  network: string | undefined;
  pageNetwork: PageNetwork | undefined;
  choose(wallet: Wallet | undefined, network?: string): void;
  /** What makes a list by its id. */
  list(): Promise<<T>(id: string) => Combobox<T>>;
}

/** A network, with what the form sends of it in the wallet. */
interface Holding extends WalletNetwork {
  /** Undefined until it is read, or while no node answers. */
  asset?: Asset;
}

class NetworkChoice {
  /** Created when first opened. */
  list: Combobox<Holding> | undefined;
  /** Of the chosen wallet, its default one first; empty until they are read. */
  #all: Holding[] = [];
  #wallet: Wallet | undefined;
  /** Whether the user or a payment code has chosen. */
  #isChosen = false;

  constructor(private readonly form: Form) {}

  /** Before each drawing: reads the networks of a wallet that has just been chosen. */
  follow(): void {
    const { wallet } = this.form.fields;
    if (wallet?.id === this.#wallet?.id) return;
    this.#wallet = wallet;
    this.#all = [];
    this.#isChosen = false;
    if (wallet) this.#read(wallet).catch(ignore);
  }

  /** Those with something to send come first, in the order of the wallet otherwise. */
  get items(): readonly Holding[] {
    return [...this.#all].sort((a, b) => Number(holds(b)) - Number(holds(a)));
  }

  get current(): Holding | undefined {
    const { network } = this.form;
    return this.#all.find(({ id }) => id === network) ?? this.#all[0];
  }

  choose(id: string): void {
    this.#isChosen = true;
    this.#set(id);
  }

  #set(id: string): void {
    const { form } = this;
    if (id === this.current?.id) return;
    form.choose(form.fields.wallet, id === this.#all[0]?.id ? undefined : id);
    form.host.requestUpdate();
  }

  async #read(wallet: Wallet): Promise<void> {
    const { host } = this.form;
    const networks = await host.current.networks(wallet.id);
    if (this.#wallet !== wallet || networks.length < 2) return;
    this.#all = networks;
    host.requestUpdate();
    await Promise.all(
      networks.map(async ({ id }, index) => {
        const asset = await this.#assetOn(wallet, id).catch(ignore);
        if (this.#wallet === wallet && asset) this.#all[index] = { ...this.#all[index]!, asset };
      }),
    );
    if (this.#wallet !== wallet) return;
    this.#suggest();
    host.requestUpdate();
  }

  async #assetOn({ id, secretType }: Wallet, network: string): Promise<Asset> {
    const { current, tokenAddress } = this.form.host;
    const balance: NativeBalance | TokenBalance = tokenAddress
      ? await current.tokenBalance(id, tokenAddress, { network })
      : await current.balance(id, { network });
    return 'tokenAddress' in balance
      ? tokenOf(balance)
      : coinOf(secretType, balance.available ? balance : null);
  }

  /**
   * Where the default network has nothing to send, takes the first that has, as long as nobody has chosen one or typed an amount. Never one of
   * another kind: what a test network has is not money.
   */
  #suggest(): void {
    const { fields, host } = this.form;
    const [home] = this.#all;
    const first = this.items.find(({ kind }) => kind === home?.kind);
    const isUntouched = fields.value === fieldText(String(host.value ?? ''));
    if (first && holds(first) && isUntouched && !this.#isChosen) this.#set(first.id);
  }
}

function holds({ asset }: Holding): boolean {
  return !!asset?.raw;
}

const choices = new WeakMap<Form, NetworkChoice>();

function choiceOf(form: Form): NetworkChoice {
  const choice = choices.get(form) ?? new NetworkChoice(form);
  choices.set(form, choice);
  return choice;
}

/** The network that a payment code names. */
export function chooseNetwork(form: Form, id: string): void {
  if (!form.host.network) choiceOf(form).choose(id);
}

/** A row like From. */
export function networkRow(form: Form): TemplateResult | typeof nothing {
  const { host, fields } = form;
  if (host.network) {
    followPage(form);
    return nothing;
  }
  const choice = choiceOf(form);
  choice.follow();
  const { current, items, list } = choice;
  if (!current || !fields.wallet) return nothing;
  const { secretType } = fields.wallet;
  const pick = async () => {
    const make = await form.list();
    await (choice.list ??= make<Holding>('network')).show(items.findIndex(({ id }) => id === current.id));
  };
  return html`<div class="field">
    <span class="label" id="network-label">${msg('Network')}</span>
    <div part="input" class="picker">
      <button
        type="button"
        class="row-main"
        aria-labelledby="network-label network-name"
        aria-haspopup="listbox"
        aria-controls="network"
        aria-expanded=${String(!!list?.open)}
        @click=${pick}
      ><span id="network-name" class="strong trunc">${current.name}</span></button>
      ${icon(iconChevronDown())}
    </div>
    ${list?.render({
      label: msg('Network'),
      items,
      isSelected: ({ id }) => id === current.id,
      text: ({ name }) => name,
      row: (each) =>
        html`${chainBadge(secretType)}<span class="row-main strong trunc">${each.name}</span><span class="num sm muted">${amountOf(each)}</span>`,
      choose: ({ id }) => choice.choose(id),
    })}
  </div>`;
}

function amountOf({ asset }: Holding): unknown {
  return asset && asset.raw !== null && asset.decimals !== null
    ? html`${rowAmount(asset as Figure)} ${asset.symbol}`
    : nothing;
}

let pageNetwork: typeof PageNetwork | undefined;

/** Few pages set a network. */
function followPage(form: Form): void {
  const { host } = form;
  if (pageNetwork) {
    form.pageNetwork ??= new pageNetwork(host, 'transfer');
    form.pageNetwork.follow(chainOf(form));
  } else
    import('../page-network.ts').then((loaded) => {
      pageNetwork = loaded.PageNetwork;
      host.requestUpdate();
    }, ignore);
}

const chainOf = ({ host: { secretType } }: Form) =>
  secretType?.toUpperCase() as Wallet['secretType'] | undefined;
