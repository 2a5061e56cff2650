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
import type { PortfolioView } from './portfolio-view.ts';
import { lookForReceived } from './history-updates.ts';
import { networksByWallet } from '../shell/site-wallets.ts';

/** Refresh interval of prices, in milliseconds. */
const AGAIN = 60_000;

/** Resolves with how the user left it. */
export async function portfolio(
  frame: Frame,
  vault: Vault,
  first: HeldWallet,
  asked: OpenOptions,
): Promise<'cbf-back' | 'cbf-close'> {
  const options: OpenOptions = { ...asked, own: true, settings: true };
  const [{ PortfolioView }, { pricesOf }, others] = await Promise.all([
    import('./portfolio-view.ts'),
    import('../ui/worth.ts'),
    vault.wallets(),
  ]);
  const networks = networksByWallet(frame.networks, others);
  const same = others.filter(({ id, secretType }) => networks.has(id) && secretType === first.secretType);
  const rest = others.filter(({ id, secretType }) => networks.has(id) && secretType !== first.secretType);
  const view = Object.assign(new PortfolioView(), {
    clock: frame.clock,
    wallets: [...same, ...rest],
    networks,
  });
  const stop = watchPrices(frame, pricesOf(frame), view);
  let wallet = first;
  let reader = open(frame, vault, wallet, networks.get(wallet.id)!, view);
  try {
    for (;;) {
      const { type, detail } = await frame.stage
        .open(view, options)
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
          await (await import('./send-flow.ts')).send(frame, vault, wallet, options, detail);
          reader.read();
          break;
        case 'cbf-receive':
          await (await import('./receive-flow.ts')).receive(frame, vault, wallet, options);
          reader.read();
          break;
        case 'cbf-retry':
          stop.load();
          reader.read();
          break;
        case 'cbf-settings-closed':
          stop.load();
          break;
        case 'cbf-activity':
          reader.follow();
          break;
        case 'cbf-entry': {
          const { openEntry } = await import('./activity-flow.ts');
          const { entries, names } = view.story!;
          const entry = entries.find(({ id }) => id === detail.id);
          if (entry) await openEntry(frame, vault, wallet, entry, names, options);
          reader.read();
          break;
        }
        case 'cbf-nfts':
          reader.items();
          break;
        case 'cbf-pictures':
          view.pictures = detail.show;
          showPictures(wallet.id, detail.show);
          reader.names();
          break;
        case 'cbf-wallet':
          wallet = others.find(({ id }) => id === detail.id)!;
          reader.stop();
          view.start();
          // Not awaited: a press meanwhile must not be lost.
          reader = open(frame, vault, wallet, networks.get(wallet.id)!, view);
      }
    }
  } finally {
    reader.stop();
    stop();
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

interface Contents {
  /** Rereads what is on screen. */
  read(): void;
  items(): void;
  /** Loads the items' names, if the user has asked for pictures. */
  names(): void;
  /** Follows the wallet's activity from now on. */
  follow(): void;
  stop(): void;
}

/** Clears the view, and fills it with the wallet's data from the nodes. */
function open(
  frame: Frame,
  vault: Vault,
  wallet: HeldWallet,
  network: Network,
  view: PortfolioView,
): Contents {
  const source = frame.networks.pictures;
  Object.assign(view, {
    wallet,
    holdings: undefined,
    items: undefined,
    story: undefined,
    lost: false,
    pictures: showsPictures(wallet.id),
    source: source === undefined ? '' : new URL(source).host,
  });
  let parts: Promise<Parts> | undefined;
  const load = (): Promise<Parts> =>
    (parts ??= loadParts(frame, wallet, network).catch((error) => {
      parts = undefined;
      throw error;
    }));
  let over = false;
  let last = 0;
  let lastItems = 0;
  const usedNow = async (): Promise<string[]> => {
    const [{ holdings }, received, records] = await Promise.all([
      load(),
      vault.history().then((history) => history.received(wallet.id)),
      vault.activity.list(wallet.id),
    ]);
    return holdings.usedTokens(received, records, network.id);
  };
  const readHeld = async (): Promise<void> => {
    if (over) return;
    const turn = ++last;
    const [{ chain, node, holdings }, used] = await Promise.all([load(), usedNow()]);
    const now = await holdings.readHoldings(chain, wallet.address, node, used);
    if (turn === last) view.holdings = withKept(now, view.holdings?.held ?? []);
  };
  /** The same, and again if an unknown token has arrived. */
  const readAll = async (): Promise<void> => {
    try {
      const before = (await usedNow()).length;
      const first = readHeld();
      const turn = last;
      await Promise.all([first, lookForReceived(frame, vault, wallet)]);
      if (turn === last && (await usedNow()).length !== before) await readHeld();
    } catch {
      if (!over) view.holdings = { held: view.holdings?.held ?? [], failed: ['coins', 'tokens'] };
    }
  };
  let found: readonly NonFungible[] = [];
  const names = new Map<string, string>();
  const drawItems = (): void => {
    view.items = found.map((one) => itemOf(one, names, source, network.id));
  };
  const readNames = async (): Promise<void> => {
    const unnamed = found.filter((one) => !one.name && !names.has(nameKey(one)));
    if (source === undefined || !view.pictures || !unnamed.length) return;
    const turn = lastItems;
    for (const [key, name] of await itemNames(source, network.id, unnamed, frame.clock)) names.set(key, name);
    if (turn === lastItems) drawItems();
  };
  const readItems = async (): Promise<void> => {
    const turn = ++lastItems;
    view.lost = false;
    try {
      const [{ chain, node }, { listNonFungibles }] = await Promise.all([
        load(),
        import('../reads/non-fungibles.ts'),
      ]);
      const all = await listNonFungibles(frame, chain, node, wallet.address, undefined);
      if (turn !== lastItems) return;
      found = all;
      drawItems();
      void readNames();
    } catch {
      if (turn === lastItems && !view.items) view.lost = true;
    }
  };
  let unfollow: (() => void) | undefined;
  void readAll();
  return {
    read: () => {
      void readAll();
      if (view.items || view.lost) void readItems();
    },
    items: () => void readItems(),
    names: () => void readNames(),
    follow: () =>
      void import('./activity-flow.ts').then(
        ({ followActivity }) => {
          if (!over) unfollow ??= followActivity(frame, vault, wallet, (story) => (view.story = story));
        },
        // Failed to load: the next press of its tab retries.
        () => {},
      ),
    stop: () => {
      over = true;
      unfollow?.();
      last++;
      lastItems++;
    },
  };
}

/** Keeps earlier results for what the node does not answer now. */
function withKept(now: Holdings, before: readonly Held[]): Holdings {
  const { held, failed, unread = [] } = now;
  const kept = before.filter(
    ({ amount, unknown }) =>
      !unknown &&
      (failed.includes(amount.token ? 'tokens' : 'coins') ||
        unread.some(({ address }) => address === amount.token)),
  );
  const isCoin = ({ amount }: Held): boolean => !amount.token;
  const all = [...kept, ...held];
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
