/** The holdings of this browser's wallets, of one or of all of them, with Send, Receive and their activity. */
import { networksOf } from '../../chains/nodes/networks.ts';
import { msg } from '../../base/localize.ts';
import type { Network } from '../../chains/network.ts';
import { NO_CURRENCY } from '../../prices/no-currency.ts';
import type { Prices } from '../../prices/prices.ts';
import type { HeldWallet, Vault } from '../../wallets/types.ts';
import type { Frame } from '../frame.ts';
import { keepsStorage } from '../ui/backup-reminder.ts';
import type { OpenOptions } from '../ui/screen.ts';
import type { Story } from './activity-flow.ts';
import { type Contents, EveryContents, WalletContents } from './portfolio-contents.ts';
import type { PortfolioEvents, PortfolioView } from './portfolio-view.ts';
import type { Priced } from './token-list.ts';
import { siteName } from '../shell/origin.ts';
import { networksByWallet } from '../shell/site-wallets.ts';

/** Refresh interval of prices, in milliseconds. */
const AGAIN = 60_000;

/** What is shown at first on the wallet's own page: all wallets, or the only one. */
type Home = 'all' | 'alone';

/** Whether something can be swapped on a network: on an exchange of its own, or on one between chains. */
function isTraded({ networks: { crossChain = [] } }: Frame, { id, exchanges }: Network): boolean {
  const between = crossChain as readonly ({ assets?: readonly { network: string }[] } | null)[];
  return !!exchanges?.length || between.some((entry) => entry?.assets?.some(({ network }) => network === id));
}

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
    trades: (network: Network) => isTraded(frame, network),
    home: home !== undefined,
  });
  const prices = watchPrices(frame, pricesOf(frame), view);
  if (home) await readHome(vault, view);
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

async function readHome(vault: Vault, view: PortfolioView): Promise<void> {
  const [unsaved, kept, sites] = await Promise.all([vault.unsaved(), keepsStorage(), vault.servedSites()]);
  Object.assign(view, { unsaved: [...unsaved.values()], kept, servedAt: sites.map(siteName) });
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
  #unfollow: (() => void) | undefined;
  #isOver = false;

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
    /** After Settings, during which the view takes presses already. */
    let refresh: Promise<void> | undefined;
    for (;;) {
      const answer = this.#frame.stage
        .open(view, this.#options)
        .next(
          'cbf-send',
          'cbf-receive',
          'cbf-swap',
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
      const [{ type, detail }] = await Promise.all([answer, refresh]);
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
        case 'cbf-swap':
          await this.#swap(detail.network);
          break;
        case 'cbf-retry':
          this.#prices.load();
          void this.#contents.read();
          break;
        case 'cbf-settings-closed':
          this.#prices.load();
          if (view.home) refresh = readHome(this.#vault, view);
          break;
        case 'cbf-activity':
          this.#follow();
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
    this.#isOver = true;
    this.#close();
  }

  /** Follows the activity of what is shown from now on. */
  #follow(): void {
    const wallets = this.#wallet ? [this.#wallet] : this.#wallets;
    const contents = this.#contents;
    void import('./activity-flow.ts').then(
      ({ followActivity }) => {
        if (this.#isOver || this.#contents !== contents) return;
        const show = (story: Story): void => void (this.#view.story = story);
        this.#unfollow ??= followActivity(this.#frame, this.#vault, wallets, show);
      },
      // Failed to load: the next press of its tab retries.
      () => {},
    );
  }

  #close(): void {
    this.#contents.stop();
    this.#unfollow?.();
    this.#unfollow = undefined;
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
    const network = await this.#choose([...senders.keys()], msg('Send'));
    return network && senders.get(network);
  }

  async #choose(networks: readonly Network[], heading: string): Promise<Network | undefined> {
    const { chooseNetwork } = await import('../set-up/choose-network-flow.ts');
    return chooseNetwork(this.#frame, networks, this.#options, heading);
  }

  /** `networkId`: the network on screen. In the form, the user can choose any other. */
  async #swap(networkId: string | undefined): Promise<void> {
    const { swap } = await import('./swap-flow.ts');
    const wallets = this.#wallet ? [this.#wallet] : this.#wallets;
    const payers = new Map<Network, HeldWallet>();
    for (const wallet of wallets)
      for (const network of networksOf(this.#frame.networks, wallet))
        if (this.#view.trades(network) && !payers.has(network)) payers.set(network, wallet);
    const places = [...payers.keys()];
    const network = places.find(({ id }) => id === networkId) ?? places[0];
    if (!network) return;
    const { trades } = this.#view;
    await swap(this.#frame, this.#vault, payers.get(network)!, this.#options, { network, trades });
    void this.#contents.read();
  }

  async #receive(): Promise<void> {
    const { receive } = await import('./receive-flow.ts');
    await receive(this.#frame, this.#vault, this.#wallet ?? this.#wallets[0]!, this.#options);
    void this.#contents.read();
  }

  async #openEntry(key: string): Promise<void> {
    const { keyOf, openEntry } = await import('./activity-flow.ts');
    const { entries, names } = this.#view.story!;
    const entry = entries.find((one) => keyOf(one) === key);
    if (entry?.wallet) await openEntry(this.#frame, this.#vault, entry.wallet, entry, names, this.#options);
    void this.#contents.read();
  }

  async #search(): Promise<void> {
    const { activity } = await import('./activity-flow.ts');
    await activity(this.#frame, this.#vault, this.#wallet ?? this.#wallets[0]!, this.#options, true);
    void this.#contents.read();
  }

  #switchTo(wallet: HeldWallet | undefined): void {
    this.#wallet = wallet;
    this.#close();
    this.#view.start();
    // Not awaited: a press meanwhile must not be lost.
    this.#contents = this.#open(wallet);
  }

  #open(wallet: HeldWallet | undefined): Contents {
    const view = this.#view;
    Object.assign(view, { all: !wallet, story: undefined });
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
