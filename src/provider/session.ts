/** What a provider's methods share: the wallets that are linked to the page, the network that it is on, and the user's attention. */
import type { Wallet } from '../api/wallet.ts';
import type { Clock } from '../base/clock.ts';
import type { Events } from './events.ts';
import { type EvmNetwork, Networks } from './networks.ts';
import { showNotice } from './prompt.ts';
import { addressOf, hexOf } from './params.ts';
import { type Notice, Prompt, type ShowNotice } from './prompt.ts';
import { CODE, ProviderRpcError } from './rpc-error.ts';
import { Store } from './store.ts';
import type { CustomNode } from './transaction.ts';
import type { ProviderChain, ProviderHost } from './types.ts';

export interface ProviderSettings {
  host: ProviderHost;
  chain: ProviderChain;
  /** The wallet's origin. */
  origin: string;
  theme: Notice['theme'];
  clock: Clock;
  /** Aborted by `connect.destroy()`. */
  ended: AbortSignal;
  show?: ShowNotice;
}

export class Session {
  readonly chain: ProviderChain;
  readonly host: ProviderHost;
  readonly clock: Clock;
  readonly store: Store;
  readonly networks: Networks;
  readonly prompt: Prompt;
  readonly #events: Events;

  constructor(settings: ProviderSettings, events: Events) {
    const { chain, host, clock, origin, theme, show = showNotice } = settings;
    this.chain = chain;
    this.host = host;
    this.clock = clock;
    this.store = new Store(`${origin}:${chain}`, clock);
    this.networks = new Networks(chain, host, this.store, events);
    this.prompt = new Prompt(show, theme);
    this.#events = events;
  }

  /** Our wallets only: an external wallet has its own provider. */
  async linked(): Promise<Wallet[]> {
    return (await this.host.wallets()).filter(
      ({ secretType, archived, walletType }) =>
        secretType === this.chain && !archived && walletType !== 'EXTERNAL',
    );
  }

  /** All linked wallets are on every listed network; on one that the page added, those of this browser. */
  async walletsOn({ id, custom }: EvmNetwork): Promise<Wallet[]> {
    const {
      networks: [first],
      portable,
    } = await this.networks.listed();
    return (await this.linked()).filter(({ network = first!.id, walletType }) =>
      custom ? walletType === 'BROWSER' : portable || network === id,
    );
  }

  /** How a request names this network. A wallet of 0.1.0 takes no names: its wallets are on one network. */
  async nameOf({ id, custom }: EvmNetwork): Promise<string | CustomNode | undefined> {
    return custom ?? ((await this.networks.listed()).portable && id);
  }

  /** The linked wallet at an address on a network. Throws 4100 if there is none. */
  async walletAt(address: unknown, path: string, network: EvmNetwork): Promise<Wallet> {
    const wanted = addressOf(address, path).toLowerCase();
    const wallet = (await this.walletsOn(network)).find((each) => each.address.toLowerCase() === wanted);
    if (wallet) return wallet;
    throw new ProviderRpcError(
      CODE.unauthorized,
      `${path} is not an account that is linked to this site on ${network.name}. Call eth_requestAccounts.`,
    );
  }

  /** The network that the page switched to; until then, the first linked wallet's. */
  async current(): Promise<EvmNetwork> {
    const all = await this.networks.all();
    const [wallet] = await this.linked();
    const home = wallet && (wallet.network ?? all[0]!.id);
    const { chosen } = this.networks;
    return all.find(({ id }) => id === chosen) ?? all.find(({ id }) => id === home) ?? all[0]!;
  }

  /** The addresses on the current network. */
  async accounts(): Promise<string[]> {
    const wallets = await this.walletsOn(await this.current());
    return [...new Set(wallets.map(({ address }) => address))];
  }

  /** Asks the user whether the page may use this listed network. Rejects with 4001. */
  async agree(network: EvmNetwork): Promise<void> {
    const from = await this.current();
    if (!this.networks.isUsual(from, network))
      await this.prompt.ask('link', (options) =>
        this.host.useNetwork({ secretType: this.chain, network: network.id }, options),
      );
    this.networks.noteUsed(from, network);
  }

  /** Has the user link a wallet, on this network if the chain has more than one. */
  async link(network?: string): Promise<void> {
    const { networks } = await this.networks.listed();
    const only =
      networks.length > 1 && networks.some(({ id }) => id === network) ? { network: network! } : {};
    await this.prompt.ask('link', (options) =>
      this.host.linkWallets({ secretTypes: [this.chain], ...only, external: 'off' }, options),
    );
    await this.report();
  }

  /** Tells the page what has changed. */
  async report(): Promise<void> {
    const chainId = hexOf((await this.current()).chainId);
    this.#events.report(chainId, await this.accounts());
  }
}
