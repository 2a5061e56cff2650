/** The holdings of this browser's wallets, one wallet at a time, with Send, Receive and its activity. */
import type { NonFungible } from '../../api/wallet.ts';
import type { Chain } from '../../chains/chain.ts';
import type { Node } from '../../chains/terms.ts';
import type { Network } from '../../chains/network.ts';
import { leftToRight } from '../../ui/text.ts';
import { NO_CURRENCY } from '../../prices/no-currency.ts';
import type { Prices } from '../../prices/prices.ts';
import type { HeldWallet, Vault } from '../../wallets/types.ts';
import type { Frame } from '../frame.ts';
import type { OpenOptions } from '../ui/screen.ts';
import type { Held, Holdings } from './holdings.ts';
import { type Item, itemNames, nameKey, pictureOf, showPictures, showsPictures } from './nfts.ts';
import type { PortfolioEvents, PortfolioView } from './portfolio-view.ts';
import type { Story } from './activity-flow.ts';
import { lookForReceived } from './history-updates.ts';
import { networksByWallet } from '../shell/site-wallets.ts';

/** Refresh interval of prices, in milliseconds. */
const AGAIN = 60_000;

/** Resolves with how the user left it. */
export async function portfolio(
  frame: Frame,
  vault: Vault,
  first: HeldWallet,
  options: OpenOptions,
): Promise<'cbf-back' | 'cbf-close'> {
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
  });
  const prices = watchPrices(frame, pricesOf(frame), view);
  const open = new OpenPortfolio(
    frame,
    vault,
    view,
    { ...options, own: true, settings: true },
    prices,
    first,
  );
  try {
    return await open.run(wallets);
  } finally {
    open.stop();
    prices();
  }
}

/** The view, until the user leaves it. */
class OpenPortfolio {
  readonly #frame: Frame;
  readonly #vault: Vault;
  readonly #view: PortfolioView;
  readonly #options: OpenOptions;
  readonly #prices: { load(): void };
  #wallet: HeldWallet;
  #contents: WalletContents;

  constructor(
    frame: Frame,
    vault: Vault,
    view: PortfolioView,
    options: OpenOptions,
    prices: { load(): void },
    wallet: HeldWallet,
  ) {
    this.#frame = frame;
    this.#vault = vault;
    this.#view = view;
    this.#options = options;
    this.#prices = prices;
    this.#wallet = wallet;
    this.#contents = this.#open(wallet);
  }

  async run(wallets: readonly HeldWallet[]): Promise<'cbf-back' | 'cbf-close'> {
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
          'cbf-settings-closed',
          'cbf-back',
          'cbf-close',
        );
      switch (type) {
        case 'cbf-back':
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
          this.#contents.read();
          break;
        case 'cbf-settings-closed':
          this.#prices.load();
          break;
        case 'cbf-activity':
          this.#contents.follow();
          break;
        case 'cbf-entry':
          await this.#openEntry(detail.id);
          break;
        case 'cbf-nfts':
          this.#contents.readItems();
          break;
        case 'cbf-pictures':
          view.pictures = detail.show;
          showPictures(this.#wallet.id, detail.show);
          this.#contents.readNames();
          break;
        case 'cbf-wallet':
          this.#switchTo(wallets.find(({ id }) => id === detail.id)!);
      }
    }
  }

  stop(): void {
    this.#contents.stop();
  }

  async #send(what: PortfolioEvents['cbf-send']): Promise<void> {
    const { send } = await import('./send-flow.ts');
    await send(this.#frame, this.#vault, this.#wallet, this.#options, what);
    this.#contents.read();
  }

  async #receive(): Promise<void> {
    const { receive } = await import('./receive-flow.ts');
    await receive(this.#frame, this.#vault, this.#wallet, this.#options);
    this.#contents.read();
  }

  async #openEntry(entryId: string): Promise<void> {
    const { openEntry } = await import('./activity-flow.ts');
    const { entries, names } = this.#view.story!;
    const entry = entries.find(({ id }) => id === entryId);
    if (entry) await openEntry(this.#frame, this.#vault, this.#wallet, entry, names, this.#options);
    this.#contents.read();
  }

  #switchTo(wallet: HeldWallet): void {
    this.#wallet = wallet;
    this.#contents.stop();
    this.#view.start();
    // Not awaited: a press meanwhile must not be lost.
    this.#contents = this.#open(wallet);
  }

  #open(wallet: HeldWallet): WalletContents {
    const contents = new WalletContents(this.#frame, this.#vault, wallet, this.#view);
    contents.read();
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
    const network = (): Network => view.networks.get(view.wallet.id)!;
    view.prices =
      currency === NO_CURRENCY ? undefined : { currency, worth: (amount) => prices.worth(network(), amount) };
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
  node: Node;
  holdings: typeof import('./holdings.ts');
}

async function loadParts(frame: Frame, { secretType }: HeldWallet, network: Network): Promise<Parts> {
  const [chain, holdings] = await Promise.all([frame.chain(secretType), import('./holdings.ts')]);
  return { chain, node: chain.node(network), holdings };
}

/** Clears the view, and fills it with a wallet's data from the nodes. */
class WalletContents {
  readonly #frame: Frame;
  readonly #vault: Vault;
  readonly #wallet: HeldWallet;
  readonly #view: PortfolioView;
  readonly #network: Network;
  /** Of pictures and names. */
  readonly #source: string | undefined;
  #parts: Promise<Parts> | undefined;
  #over = false;
  #turn = 0;
  #itemTurn = 0;
  #items: readonly NonFungible[] = [];
  readonly #names = new Map<string, string>();
  #unfollow: (() => void) | undefined;

  constructor(frame: Frame, vault: Vault, wallet: HeldWallet, view: PortfolioView) {
    this.#frame = frame;
    this.#vault = vault;
    this.#wallet = wallet;
    this.#view = view;
    this.#network = view.networks.get(wallet.id)!;
    this.#source = frame.networks.pictures;
    Object.assign(view, {
      wallet,
      holdings: undefined,
      items: undefined,
      story: undefined,
      lost: false,
      pictures: showsPictures(wallet.id),
      source: this.#source === undefined ? '' : new URL(this.#source).host,
    });
  }

  /** Rereads what is on screen. */
  read(): void {
    void this.#readHoldings();
    if (this.#view.items || this.#view.lost) this.readItems();
  }

  readItems(): void {
    void this.#listItems();
  }

  /** Loads the items' names, if the user has asked for pictures. */
  readNames(): void {
    void this.#listNames();
  }

  /** Follows the wallet's activity from now on. */
  follow(): void {
    void import('./activity-flow.ts').then(
      ({ followActivity }) => {
        if (this.#over) return;
        const show = (story: Story): void => void (this.#view.story = story);
        this.#unfollow ??= followActivity(this.#frame, this.#vault, this.#wallet, show);
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
    return (this.#parts ??= loadParts(this.#frame, this.#wallet, this.#network).catch((error) => {
      this.#parts = undefined;
      throw error;
    }));
  }

  async #usedTokens(): Promise<string[]> {
    const { id } = this.#wallet;
    const [{ holdings }, received, records] = await Promise.all([
      this.#load(),
      this.#vault.history().then((history) => history.received(id)),
      this.#vault.activity.list(id),
    ]);
    return holdings.usedTokens(received, records, this.#network.id);
  }

  async #readOnce(): Promise<void> {
    if (this.#over) return;
    const view = this.#view;
    const turn = ++this.#turn;
    const [{ chain, node, holdings }, tokens] = await Promise.all([this.#load(), this.#usedTokens()]);
    const now = await holdings.readHoldings(chain, this.#wallet.address, node, tokens);
    if (turn === this.#turn) view.holdings = withEarlier(now, view.holdings?.held ?? []);
  }

  /** Again if an unknown token has arrived. */
  async #readHoldings(): Promise<void> {
    const view = this.#view;
    try {
      const before = (await this.#usedTokens()).length;
      const first = this.#readOnce();
      const turn = this.#turn;
      await Promise.all([first, lookForReceived(this.#frame, this.#vault, this.#wallet)]);
      if (turn === this.#turn && (await this.#usedTokens()).length !== before) await this.#readOnce();
    } catch {
      if (!this.#over) view.holdings = { held: view.holdings?.held ?? [], failed: ['coins', 'tokens'] };
    }
  }

  async #listItems(): Promise<void> {
    const view = this.#view;
    const turn = ++this.#itemTurn;
    view.lost = false;
    try {
      const [{ chain, node }, { listNonFungibles }] = await Promise.all([
        this.#load(),
        import('../reads/non-fungibles.ts'),
      ]);
      const items = await listNonFungibles(this.#frame, chain, node, this.#wallet.address, undefined);
      if (turn !== this.#itemTurn) return;
      this.#items = items;
      this.#drawItems();
      void this.#listNames();
    } catch {
      if (turn === this.#itemTurn && !view.items) view.lost = true;
    }
  }

  async #listNames(): Promise<void> {
    const source = this.#source;
    const unnamed = this.#items.filter((one) => !one.name && !this.#names.has(nameKey(one)));
    if (source === undefined || !this.#view.pictures || !unnamed.length) return;
    const turn = this.#itemTurn;
    const names = await itemNames(source, this.#network.id, unnamed, this.#frame.clock);
    for (const [key, name] of names) this.#names.set(key, name);
    if (turn === this.#itemTurn) this.#drawItems();
  }

  #drawItems(): void {
    this.#view.items = this.#items.map((one) => itemOf(one, this.#names, this.#source, this.#network.id));
  }
}

/** Keeps earlier results for what the node does not answer now. */
function withEarlier(now: Holdings, before: readonly Held[]): Holdings {
  const { held, failed, unread = [] } = now;
  const earlier = before.filter(
    ({ amount, unknown }) =>
      !unknown &&
      (failed.includes(amount.token ? 'tokens' : 'coins') ||
        unread.some(({ address }) => address === amount.token)),
  );
  const isCoin = ({ amount }: Held): boolean => !amount.token;
  const all = [...earlier, ...held];
  return { failed, unread, held: [...all.filter(isCoin), ...all.filter((one) => !isCoin(one))] };
}

function itemOf(
  one: NonFungible,
  names: ReadonlyMap<string, string>,
  source: string | undefined,
  network: string,
): Item {
  const { tokenId, contract } = one;
  return {
    name: one.name || (names.get(nameKey(one)) ?? ''),
    number: tokenId.length > 12 ? leftToRight(`${tokenId.slice(0, 6)}…${tokenId.slice(-4)}`) : tokenId,
    collection: contract.name || contract.symbol || contract.address,
    picture: pictureOf(one, source, network),
    contract: contract.address,
    tokenId,
  };
}
