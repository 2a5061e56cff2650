/** The holdings of this browser's wallets, of one or of all of them, with Send, Receive and their activity. */
import type { NonFungible } from '../../api/wallet.ts';
import type { Chain } from '../../chains/chain.ts';
import type { Network } from '../../chains/network.ts';
import { networksOf } from '../../chains/nodes/networks.ts';
import { msg } from '../../base/localize.ts';
import { leftToRight } from '../../ui/text.ts';
import { NO_CURRENCY } from '../../prices/no-currency.ts';
import type { Prices } from '../../prices/prices.ts';
import type { HeldWallet, Vault } from '../../wallets/types.ts';
import type { Frame } from '../frame.ts';
import { keepsStorage } from '../ui/backup-reminder.ts';
import type { OpenOptions } from '../ui/screen.ts';
import { onEach } from './balances.ts';
import { lookForReceived } from './history-updates.ts';
import type { Entry } from './activity-entries.ts';
import type { Story } from './activity-flow.ts';
import { type Item, itemNames, nameKey, pictureOf, showPictures, showsPictures } from './nfts.ts';
import type { PortfolioEvents, PortfolioView } from './portfolio-view.ts';
import type { Priced } from './token-list.ts';
import { networksByWallet } from '../shell/site-wallets.ts';

/** Refresh interval of prices, in milliseconds. */
const AGAIN = 60_000;

/** What is shown at first on the wallet's own page: all wallets, or the only one. */
type Home = 'all' | 'alone';

/** Resolves with how the user left it. On the wallet's own page that is only for its wallets. */
export async function portfolio(
  frame: Frame,
  vault: Vault,
  first: HeldWallet,
  options: OpenOptions,
  home?: Home,
): Promise<'cbf-back' | 'cbf-close' | 'cbf-manage'> {
  const [{ PortfolioView }, { pricesOf }, all] = await Promise.all([
    import('./portfolio-view.ts'),
    import('../ui/worth.ts'),
    vault.wallets(),
  ]);
  const networks = networksByWallet(frame.networks, all);
  const wallets = all.filter(({ id }) => networks.has(id));
  const isSame = ({ secretType }: HeldWallet): boolean => secretType === first.secretType;
  const view = Object.assign(new PortfolioView(), {
    clock: frame.clock,
    wallets: [...wallets.filter(isSame), ...wallets.filter((one) => !isSame(one))],
    networks,
    home: home !== undefined,
  });
  const prices = watchPrices(frame, pricesOf(frame), view);
  if (home) await readBackUps(vault, view);
  const open = new OpenPortfolio(
    frame,
    vault,
    view,
    { ...options, own: true, settings: true },
    prices,
    home === 'all' ? undefined : first,
  );
  try {
    return await open.run();
  } finally {
    open.stop();
    prices();
  }
}

async function readBackUps(vault: Vault, view: PortfolioView): Promise<void> {
  const [unsaved, kept] = await Promise.all([vault.unsaved(), keepsStorage()]);
  Object.assign(view, { unsaved: [...unsaved.values()], kept });
}

/** The view, until the user leaves it. */
class OpenPortfolio {
  readonly #frame: Frame;
  readonly #vault: Vault;
  readonly #view: PortfolioView;
  readonly #options: OpenOptions;
  readonly #prices: { load(): void };
  /** Those that can be chosen. */
  readonly #wallets: readonly HeldWallet[];
  /** Undefined: all of them. */
  #wallet: HeldWallet | undefined;
  #contents: Contents;

  constructor(
    frame: Frame,
    vault: Vault,
    view: PortfolioView,
    options: OpenOptions,
    prices: { load(): void },
    wallet: HeldWallet | undefined,
  ) {
    this.#frame = frame;
    this.#vault = vault;
    this.#view = view;
    this.#options = options;
    this.#prices = prices;
    this.#wallets = view.wallets as readonly HeldWallet[];
    this.#wallet = wallet;
    this.#contents = this.#open(wallet);
  }

  async run(): Promise<'cbf-back' | 'cbf-close' | 'cbf-manage'> {
    const view = this.#view;
    for (;;) {
      const { type, detail } = await this.#frame.stage
        .open(view, this.#options)
        .next(
          'cbf-send',
          'cbf-receive',
          'cbf-retry',
          'cbf-wallet',
          'cbf-nfts',
          'cbf-pictures',
          'cbf-activity',
          'cbf-entry',
          'cbf-search',
          'cbf-settings-closed',
          'cbf-manage',
          'cbf-back',
          'cbf-close',
        );
      switch (type) {
        case 'cbf-back':
          if (view.home) break;
          return type;
        case 'cbf-manage':
        case 'cbf-close':
          return type;
        case 'cbf-send':
          await this.#send(detail);
          break;
        case 'cbf-receive':
          await this.#receive();
          break;
        case 'cbf-retry':
          this.#prices.load();
          void this.#contents.read();
          break;
        case 'cbf-settings-closed':
          this.#prices.load();
          if (view.home) await readBackUps(this.#vault, view);
          break;
        case 'cbf-activity':
          this.#contents.follow();
          break;
        case 'cbf-entry':
          await this.#openEntry(detail.id);
          break;
        case 'cbf-search':
          await this.#search();
          break;
        case 'cbf-nfts':
          this.#contents.readItems();
          break;
        case 'cbf-pictures':
          this.#contents.showPictures(detail.show);
          break;
        case 'cbf-wallet':
          this.#switchTo(this.#wallets.find(({ id }) => id === detail.id));
      }
    }
  }

  stop(): void {
    this.#contents.stop();
  }

  async #send(what: PortfolioEvents['cbf-send']): Promise<void> {
    const wallet =
      this.#wallet ?? this.#wallets.find(({ id }) => id === what.wallet) ?? (await this.#chooseSender());
    if (!wallet) return;
    const { send } = await import('./send-flow.ts');
    await send(this.#frame, this.#vault, wallet, this.#options, what);
    void this.#contents.read();
  }

  /** The first wallet of the chain that the user chooses: in the form, the others of that chain can be. Undefined on Back. */
  async #chooseSender(): Promise<HeldWallet | undefined> {
    const firsts = [...new Map(this.#wallets.toReversed().map((one) => [one.secretType, one])).values()];
    const senders = new Map(
      firsts.toReversed().map((one) => [networksOf(this.#frame.networks, one)[0]!, one]),
    );
    const { chooseNetwork } = await import('../set-up/choose-network-flow.ts');
    const network = await chooseNetwork(this.#frame, [...senders.keys()], this.#options, msg('Send'));
    return network && senders.get(network);
  }

  async #receive(): Promise<void> {
    const { receive } = await import('./receive-flow.ts');
    await receive(this.#frame, this.#vault, this.#wallet ?? this.#wallets[0]!, this.#options);
    void this.#contents.read();
  }

  async #openEntry(entryId: string): Promise<void> {
    const { openEntry } = await import('./activity-flow.ts');
    const { entries, names } = this.#view.story!;
    const entry = entries.find(({ id }) => id === entryId);
    const wallet = entry && this.#contents.walletOf(entry);
    if (wallet) await openEntry(this.#frame, this.#vault, wallet, entry, names, this.#options);
    void this.#contents.read();
  }

  async #search(): Promise<void> {
    const { activity } = await import('./activity-flow.ts');
    await activity(this.#frame, this.#vault, this.#wallet ?? this.#wallets[0]!, this.#options, true);
    void this.#contents.read();
  }

  #switchTo(wallet: HeldWallet | undefined): void {
    this.#wallet = wallet;
    this.#contents.stop();
    this.#view.start();
    // Not awaited: a press meanwhile must not be lost.
    this.#contents = this.#open(wallet);
  }

  #open(wallet: HeldWallet | undefined): Contents {
    const view = this.#view;
    view.all = !wallet;
    const contents = wallet
      ? new WalletContents(this.#frame, this.#vault, wallet, view)
      : new EveryContents(this.#frame, this.#vault, this.#wallets, view);
    void contents.read();
    return contents;
  }
}

/** Queries the price source once a minute while the view is open. */
function watchPrices(
  { clock }: Frame,
  prices: Prices | undefined,
  view: PortfolioView,
): (() => void) & { load(): void } {
  let over = false;
  const draw = (): void => {
    if (over || !prices) return;
    const { currency } = prices;
    const worth: Priced['worth'] = (network, amount) => prices.worth(network, amount);
    view.prices = currency === NO_CURRENCY ? undefined : { currency, worth };
  };
  const load = (): void => void prices?.load().then(draw);
  draw();
  load();
  const cancel = prices ? clock.every(AGAIN, load) : () => {};
  return Object.assign(
    () => {
      over = true;
      cancel();
    },
    { load },
  );
}

interface Parts {
  chain: Chain;
  holdings: typeof import('./holdings.ts');
}

/** What is drawn of wallets. */
type Sheet = Pick<
  PortfolioView,
  'wallet' | 'ownNetworks' | 'holdings' | 'items' | 'lost' | 'story' | 'pictures' | 'source'
>;

/** What the view shows: clears it, and fills it. */
interface Contents {
  /** Rereads what is on screen. Resolves once it is there. */
  read(): Promise<unknown>;
  readItems(): void;
  showPictures(show: boolean): void;
  /** Follows the activity from now on. */
  follow(): void;
  /** Whose entry it is. */
  walletOf(entry: Entry): HeldWallet | undefined;
  stop(): void;
}

/** What one wallet has, read from the nodes of all its networks. */
class WalletContents implements Contents {
  readonly #frame: Frame;
  readonly #vault: Vault;
  readonly #wallet: HeldWallet;
  readonly #view: Sheet;
  readonly #networks: readonly Network[];
  /** Of pictures and names. */
  readonly #source: string | undefined;
  #parts: Promise<Parts> | undefined;
  #over = false;
  #turn = 0;
  #itemTurn = 0;
  /** By network id. */
  readonly #items = new Map<string, readonly NonFungible[]>();
  /** By network id and `nameKey`. */
  readonly #names = new Map<string, ReadonlyMap<string, string>>();
  #unfollow: (() => void) | undefined;

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
      story: undefined,
      pictures: showsPictures(wallet.id),
      source: this.#source === undefined ? '' : new URL(this.#source).host,
    });
  }

  read(): Promise<void> {
    const turn = ++this.#turn;
    if (this.#view.items) this.readItems();
    return onEach(this.#networks, (network) => this.#readHoldings(network, turn));
  }

  walletOf(): HeldWallet {
    return this.#wallet;
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

  follow(): void {
    void import('./activity-flow.ts').then(
      ({ followActivity }) => {
        if (this.#over) return;
        const show = (story: Story): void => void (this.#view.story = story);
        this.#unfollow ??= followActivity(this.#frame, this.#vault, [this.#wallet], show);
      },
      // Failed to load: the next press of its tab retries.
      () => {},
    );
  }

  stop(): void {
    this.#over = true;
    this.#unfollow?.();
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
class EveryContents implements Contents {
  readonly #view: Sheet;
  readonly #networks: readonly Network[];
  readonly #parts: readonly { wallet: HeldWallet; sheet: Sheet; contents: WalletContents }[];
  #isDrawn = true;
  #over = false;
  readonly #walletByEntry = new Map<Entry, HeldWallet>();

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
      story: undefined,
    });
  }

  read(): Promise<void> {
    return onEach(this.#parts, ({ contents }) => contents.read());
  }

  readItems(): void {}

  showPictures(): void {}

  follow(): void {
    for (const { contents } of this.#parts) contents.follow();
  }

  walletOf(entry: Entry): HeldWallet | undefined {
    return this.#walletByEntry.get(entry);
  }

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
        if (this.#over) return;
        this.#drawHoldings(together);
        this.#drawStory();
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

  #drawStory(): void {
    const stories = this.#parts.flatMap(({ wallet, sheet: { story } }) => (story ? [{ wallet, story }] : []));
    if (!stories.length || stories.length < this.#parts.length) return;
    this.#walletByEntry.clear();
    for (const { wallet, story } of stories)
      for (const entry of story.entries) this.#walletByEntry.set(entry, wallet);
    this.#view.story = {
      entries: [...this.#walletByEntry.keys()].sort((one, other) => other.at - one.at),
      names: new Map(stories.flatMap(({ story }) => [...story.names])),
      now: Math.max(...stories.map(({ story }) => story.now)),
      networks: this.#networks,
    };
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
