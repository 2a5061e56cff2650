/** What the portfolio shows of one wallet, or of all: holdings and NFTs, read from the nodes of all networks. */
import type { NonFungible } from '../../api/wallet.ts';
import type { Chain } from '../../chains/chain.ts';
import type { Network } from '../../chains/network.ts';
import { networksOf } from '../../chains/nodes/networks.ts';
import { leftToRight } from '../../ui/text.ts';
import type { HeldWallet, Vault } from '../../wallets/types.ts';
import type { Frame } from '../frame.ts';
import { onEach } from './balances.ts';
import { lookForReceived } from './history-updates.ts';
import { type Item, itemNames, nameKey, pictureOf, showPictures, showsPictures } from './nfts.ts';
import type { PortfolioView } from './portfolio-view.ts';

interface Parts {
  chain: Chain;
  holdings: typeof import('./holdings.ts');
}

/** What is drawn of wallets. */
type Sheet = Pick<
  PortfolioView,
  'wallet' | 'ownNetworks' | 'holdings' | 'items' | 'lost' | 'pictures' | 'source'
>;

/** What the view shows: clears it, and fills it. */
export interface Contents {
  /** Rereads what is on screen. Resolves once it is there. */
  read(): Promise<unknown>;
  readItems(): void;
  showPictures(show: boolean): void;
  stop(): void;
}

/** What one wallet has, read from the nodes of all its networks. */
export class WalletContents implements Contents {
  readonly #frame: Frame;
  readonly #vault: Vault;
  readonly #wallet: HeldWallet;
  readonly #view: Sheet;
  readonly #networks: readonly Network[];
  /** Of pictures and names. */
  readonly #source: string | undefined;
  #parts: Promise<Parts> | undefined;
  #turn = 0;
  #itemTurn = 0;
  /** By network id. */
  readonly #items = new Map<string, readonly NonFungible[]>();
  /** By network id and `nameKey`. */
  readonly #names = new Map<string, ReadonlyMap<string, string>>();

  constructor(frame: Frame, vault: Vault, wallet: HeldWallet, view: Sheet) {
    this.#frame = frame;
    this.#vault = vault;
    this.#wallet = wallet;
    this.#view = view;
    this.#networks = networksOf(frame.networks, wallet);
    this.#source = frame.networks.pictures;
    Object.assign(view, {
      wallet,
      ownNetworks: this.#networks,
      holdings: new Map(),
      items: undefined,
      lost: new Set(),
      pictures: showsPictures(wallet.id),
      source: this.#source === undefined ? '' : new URL(this.#source).host,
    });
  }

  read(): Promise<void> {
    const turn = ++this.#turn;
    if (this.#view.items) this.readItems();
    return onEach(this.#networks, (network) => this.#readHoldings(network, turn));
  }

  readItems(): void {
    const view = this.#view;
    const turn = ++this.#itemTurn;
    view.items ??= new Map();
    view.lost = new Set();
    void onEach(this.#networks, (network) => this.#listItems(network, turn));
  }

  /** With the items' names. */
  showPictures(show: boolean): void {
    this.#view.pictures = show;
    showPictures(this.#wallet.id, show);
    void onEach(this.#networks, (network) => this.#listNames(network));
  }

  stop(): void {
    this.#turn++;
    this.#itemTurn++;
  }

  #load(): Promise<Parts> {
    return (this.#parts ??= this.#loadParts().catch((error) => {
      this.#parts = undefined;
      throw error;
    }));
  }

  async #loadParts(): Promise<Parts> {
    const [chain, holdings] = await Promise.all([
      this.#frame.chain(this.#wallet.secretType),
      import('./holdings.ts'),
    ]);
    return { chain, holdings };
  }

  /** Contracts of tokens that the wallet received or used there. */
  async #usedTokens({ id }: Network): Promise<string[]> {
    const { id: walletId } = this.#wallet;
    const [{ holdings }, received, records] = await Promise.all([
      this.#load(),
      this.#vault.history().then((history) => history.received(walletId)),
      this.#vault.activity.list(walletId),
    ]);
    const home = this.#networks[0]?.id;
    return holdings.usedTokens(received, records, (network = home) => network === id);
  }

  /** Again if an unknown token has arrived. */
  async #readHoldings(network: Network, turn: number): Promise<void> {
    if (turn !== this.#turn) return;
    const view = this.#view;
    try {
      const before = await this.#usedTokens(network);
      await Promise.all([
        this.#readOnce(network, before, turn),
        lookForReceived(this.#frame, this.#vault, this.#wallet, [network]),
      ]);
      if (turn !== this.#turn) return;
      const now = await this.#usedTokens(network);
      if (now.length !== before.length) await this.#readOnce(network, now, turn);
    } catch {
      if (turn !== this.#turn) return;
      const { held = [] } = view.holdings.get(network.id) ?? {};
      view.holdings = new Map([...view.holdings, [network.id, { held, failed: ['coins', 'tokens'] }]]);
    }
  }

  async #readOnce(network: Network, tokens: readonly string[], turn: number): Promise<void> {
    const view = this.#view;
    const { chain, holdings } = await this.#load();
    if (turn !== this.#turn) return;
    const now = await holdings.readHoldings(chain, this.#wallet.address, chain.node(network), tokens);
    if (turn !== this.#turn) return;
    const { held = [] } = view.holdings.get(network.id) ?? {};
    view.holdings = new Map([...view.holdings, [network.id, holdings.withEarlier(now, held)]]);
  }

  async #listItems(network: Network, turn: number): Promise<void> {
    if (turn !== this.#itemTurn) return;
    const view = this.#view;
    const { id } = network;
    try {
      const [{ chain }, { listNonFungibles }] = await Promise.all([
        this.#load(),
        import('../reads/non-fungibles.ts'),
      ]);
      const node = chain.node(network);
      const items = await listNonFungibles(this.#frame, chain, node, this.#wallet.address, undefined);
      if (turn !== this.#itemTurn) return;
      this.#items.set(id, items);
      this.#drawItems(network);
      void this.#listNames(network);
    } catch {
      if (turn === this.#itemTurn && !view.items?.has(id)) view.lost = new Set([...view.lost, id]);
    }
  }

  async #listNames(network: Network): Promise<void> {
    const source = this.#source;
    const knownNames = this.#names.get(network.id) ?? new Map<string, string>();
    const items = this.#items.get(network.id) ?? [];
    const unnamed = items.filter((one) => !one.name && !knownNames.has(nameKey(one)));
    if (source === undefined || !this.#view.pictures || !unnamed.length) return;
    const turn = this.#itemTurn;
    const names = await itemNames(source, network.id, unnamed, this.#frame.clock);
    this.#names.set(network.id, new Map([...knownNames, ...names]));
    if (turn === this.#itemTurn) this.#drawItems(network);
  }

  #drawItems(network: Network): void {
    const view = this.#view;
    const names = this.#names.get(network.id);
    const items = (this.#items.get(network.id) ?? []).map((one) => itemOf(one, names, this.#source, network));
    view.items = new Map([...(view.items ?? []), [network.id, items]]);
  }
}

/** What all wallets have. NFTs are shown of one wallet at a time. */
export class EveryContents implements Contents {
  readonly #view: Sheet;
  readonly #networks: readonly Network[];
  readonly #parts: readonly { wallet: HeldWallet; sheet: Sheet; contents: WalletContents }[];
  #isDrawn = true;
  #over = false;

  constructor(frame: Frame, vault: Vault, wallets: readonly HeldWallet[], view: Sheet) {
    this.#view = view;
    this.#parts = wallets.map((wallet) => {
      const sheet = watched(() => this.#draw());
      return { wallet, sheet, contents: new WalletContents(frame, vault, wallet, sheet) };
    });
    this.#networks = [...new Set(wallets.flatMap((wallet) => networksOf(frame.networks, wallet)))];
    Object.assign(view, {
      wallet: wallets[0]!,
      ownNetworks: this.#networks,
      holdings: new Map(),
      items: undefined,
      lost: new Set(),
    });
  }

  read(): Promise<void> {
    return onEach(this.#parts, ({ contents }) => contents.read());
  }

  readItems(): void {}

  showPictures(): void {}

  stop(): void {
    this.#over = true;
    for (const { contents } of this.#parts) contents.stop();
  }

  /** Once for all that comes at a time. */
  #draw(): void {
    if (!this.#isDrawn) return;
    this.#isDrawn = false;
    queueMicrotask(() => {
      this.#isDrawn = true;
      void import('./holdings.ts').then(({ together }) => {
        if (!this.#over) this.#drawHoldings(together);
      });
    });
  }

  /** A network is read once that of every wallet on it is. */
  #drawHoldings(together: typeof import('./holdings.ts').together): void {
    this.#view.holdings = new Map(
      this.#networks.flatMap((network) => {
        const on = this.#parts.filter(({ sheet }) => sheet.ownNetworks.includes(network));
        const read = on.flatMap(({ wallet, sheet }) => {
          const holdings = sheet.holdings.get(network.id);
          return holdings ? [{ wallet, ...holdings }] : [];
        });
        return read.length === on.length ? [[network.id, together(read)] as const] : [];
      }),
    );
  }
}

/** Calls `onChange` whenever something is put into it. */
function watched(onChange: () => void): Sheet {
  return new Proxy({} as Sheet, {
    set(sheet, name, value) {
      Reflect.set(sheet, name, value);
      onChange();
      return true;
    },
  });
}

function itemOf(
  one: NonFungible,
  names: ReadonlyMap<string, string> | undefined,
  source: string | undefined,
  network: Network,
): Item {
  const { tokenId, contract } = one;
  return {
    network,
    name: one.name || (names?.get(nameKey(one)) ?? ''),
    number: tokenId.length > 12 ? leftToRight(`${tokenId.slice(0, 6)}…${tokenId.slice(-4)}`) : tokenId,
    collection: contract.name || contract.symbol || contract.address,
    picture: pictureOf(one, source, network.id),
    contract: contract.address,
    tokenId,
  };
}
