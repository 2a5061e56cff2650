/** A wallet that answers as told, through the same interface as the real one. */
import type {
  CallOptions,
  Connect,
  ReadOptions,
  SwapQuery,
  WalletNetwork,
} from '../../../src/actions/types.ts';
import type { CreateSwap, ExchangeRates, SwapOutcome, TradingPair } from '../../../src/api/swap.ts';
import type { NativeBalance, TokenBalance, Wallet } from '../../../src/api/wallet.ts';
import type { TransactionState } from '../../../src/chains/terms.ts';
import type { NativeTransaction } from '../../../src/chains/requests.ts';
import type { SecretType } from '../../../src/chains/secret-type.ts';
import type { Pending, Replaced } from '../../../src/channel/messages.ts';
import type { AssetPrices } from '../../../src/prices/prices.ts';
import { RequestInvalidError, UserRejectedError } from '../../../src/base/errors.ts';

export interface Asked {
  action: string;
  params: unknown;
  options: CallOptions;
  resolve(result: unknown): void;
  reject(error: unknown): void;
}

export function wallet(id: string, alias: string, address: string, more: Partial<Wallet> = {}): Wallet {
  return {
    id,
    alias,
    address,
    walletType: 'BROWSER',
    secretType: 'ETHEREUM',
    createdAt: [2026, 1, 1, 0, 0, 0, 0],
    archived: false,
    description: '',
    primary: false,
    hasCustomPin: false,
    status: 'ACTIVE',
    ...more,
  };
}

export const MAIN = wallet('main', 'Main wallet', '0x71C7656EC7ab88b098defB751B7401B5f6d8976F', {
  primary: true,
});
export const VAULT = wallet('vault', 'Vault', '0x2546BcD3c84621e976D8185a91A922aE77ECEc30');
export const TRAVEL = wallet('travel', 'Travel', '0x4838B106FCe9647Bdf1E7877BF73cE8B0BAD5f97', {
  secretType: 'VECHAIN',
});
export const SAVINGS = wallet('savings', 'Savings', 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4', {
  secretType: 'BITCOIN',
});
export const COLD = wallet('cold', 'Cold storage', 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq', {
  secretType: 'BITCOIN',
});
/** Its key is at the wallet service. */
export const SERVED = wallet('served', 'Rent', '0x90F79bf6EB2c4f870365E785982E1f101E93b906', {
  walletType: 'THREEWAY_SHARED',
});
export const RECIPIENT = '0x8f3Cf7ad23Cd3CaDbD9735AFf958023239c6A063';
export const TOKEN = '0x5FbDB2315678afecb367f032d93F642f64180aa3';

export function ether(
  rawBalance: string,
  secretType: SecretType = 'ETHEREUM',
  symbol = 'ETH',
): NativeBalance {
  return {
    available: true,
    secretType,
    balance: Number(rawBalance) / 1e18,
    gasBalance: 0,
    symbol,
    gasSymbol: symbol,
    rawBalance,
    rawGasBalance: '0',
    decimals: 18,
  };
}

/** ETHEREUM on two networks, and one of GOCHAIN. */
export const TWO_NETWORKS: FakeConnect['chainNetworks'] = {
  ETHEREUM: [
    { id: 'ethereum', name: 'Ethereum', kind: 'mainnet', chainId: 1 },
    { id: 'base', name: 'Base', kind: 'mainnet', chainId: 8453 },
  ],
  GOCHAIN: [{ id: 'gochain', name: 'GoChain', kind: 'mainnet', chainId: 60 }],
};

export class FakeConnect implements Connect {
  linked: Wallet[] = [];
  balances: Record<string, NativeBalance> = {
    main: ether('1284000000000000000'),
    vault: ether('14002100000000000000'),
    travel: ether('240110000000000000000', 'VECHAIN', 'VET'),
  };
  tokens: TokenBalance[] = [];
  answers: Pending[] = [];
  preloaded: (SecretType | undefined)[] = [];
  nonFungibles: Connect['nonFungibles'] = () => Promise.resolve([]);
  maxSpendable: Connect['maxSpendable'] = () => Promise.reject(new UserRejectedError());
  unlinked: string[] = [];
  pairs: TradingPair[] = [];
  rates: (query: SwapQuery) => ExchangeRates = () => ({ exchangeRates: [], bestRate: null });
  requests: (body: CreateSwap) => NativeTransaction[] = () => [];
  /** Every query for rates, and every swap that was built. */
  readonly queries: SwapQuery[] = [];
  readonly bodies: CreateSwap[] = [];
  statuses: Record<string, TransactionState> = {};
  explorer: string | null = 'https://explorer.example/tx/';
  destroyed = false;
  /** Every request, in order; the test answers it. */
  readonly asked: Asked[] = [];
  readonly #listeners = new Set<(wallets: Wallet[]) => void>();
  readonly #orphans = new Set<(pending: Pending) => void>();

  get last(): Asked {
    const last = this.asked.at(-1);
    if (!last) throw new Error('Nothing was asked.');
    return last;
  }

  setWallets(wallets: Wallet[]): void {
    this.linked = wallets;
    for (const listener of this.#listeners) listener(wallets);
  }

  arrive(pending: Pending): void {
    for (const listener of this.#orphans) listener(pending);
  }

  #ask<T>(action: string, params: unknown, options: CallOptions = {}): Promise<T> {
    return new Promise((resolve, reject) => {
      this.asked.push({ action, params, options, resolve: resolve as (result: unknown) => void, reject });
      options.signal?.addEventListener('abort', () => reject(new UserRejectedError()));
    });
  }

  linkWallets: Connect['linkWallets'] = (params = {}, o) => this.#ask('linkWallets', params, o);
  manageWallets: Connect['manageWallets'] = (params, o) => this.#ask('manageWallets', params, o);
  chooseRecipient: Connect['chooseRecipient'] = (params, o) => this.#ask('chooseRecipient', params, o);
  transfer: Connect['transfer'] = (params, o) => this.#ask('transfer', params, o);
  execute: Connect['execute'] = (params, o) => this.#ask('execute', params, o);
  executeAll: Connect['executeAll'] = (params, o) => this.#ask('executeAll', params, o);
  sign: Connect['sign'] = (params, o) => this.#ask('sign', params, o);
  build: Connect['build'] = (params, o) => this.#ask('build', params, o);
  resume: Connect['resume'] = (requestId, o) => this.#ask('resume', requestId, o);
  /** A provider's own request. */
  useNetwork = (params: object, o?: CallOptions) => this.#ask<null>('useNetwork', params, o);
  wallets: Connect['wallets'] = async () => this.linked;
  /** By chain. Wallets are on all of them, the one of their `network` first, else the first. */
  chainNetworks: Partial<Record<SecretType, WalletNetwork[]>> = {};
  networks: Connect['networks'] = async (of) => {
    const home = this.linked.find(({ id }) => id === of);
    const all = this.chainNetworks[home?.secretType ?? (of as SecretType)] ?? [];
    const own = home?.network ? all.find(({ id }) => id === home.network) : all[0];
    return home && own ? [own, ...all.filter((each) => each !== own)] : all;
  };
  /** What was read on a network that it named: `balance main base`. */
  readonly readsElsewhere: string[] = [];
  /** Refuses a network that the wallet is not on, as the engine does. Returns the key of what is there. */
  async #place(name: string, id: string, { network }: ReadOptions = {}): Promise<string> {
    if (network !== undefined) this.readsElsewhere.push(`${name} ${id} ${network}`);
    const all = await this.networks(id);
    if (network !== undefined && !all.some((each) => each.id === network))
      throw new RequestInvalidError([{ path: 'network', message: 'is not a network of this wallet' }]);
    return network === undefined || network === all[0]?.id ? id : `${id} ${network}`;
  }
  wallet: Connect['wallet'] = async (id) => this.linked.find((each) => each.id === id)!;
  /** By wallet id, and for networks that are not its default by `main base`. */
  balance: Connect['balance'] = async (id, options) => {
    const balance = this.balances[await this.#place('balance', id, options)];
    if (!balance) throw new Error('No balance.');
    return balance;
  };
  /** By `main base`, for networks that are not a wallet's default. */
  tokensElsewhere: Record<string, TokenBalance[]> = {};
  async #tokens(name: string, id: string, options?: ReadOptions): Promise<TokenBalance[]> {
    const place = await this.#place(name, id, options);
    return place === id ? this.tokens : (this.tokensElsewhere[place] ?? []);
  }
  tokenBalances: Connect['tokenBalances'] = (id, options) => this.#tokens('tokenBalances', id, options);
  tokenBalance: Connect['tokenBalance'] = async (id, token, options) => {
    const tokens = await this.#tokens('tokenBalance', id, options);
    const balance = tokens.find(({ tokenAddress }) => tokenAddress === token);
    if (balance) return balance;
    throw new RequestInvalidError([{ path: 'token', message: 'is not a token contract on this network' }]);
  };
  unlink: Connect['unlink'] = async (id) => {
    this.unlinked.push(id);
    this.setWallets(this.linked.filter((each) => each.id !== id));
  };
  pending: Connect['pending'] = async () => this.answers;
  onPending: Connect['onPending'] = (listener) => {
    this.#orphans.add(listener);
    return () => this.#orphans.delete(listener);
  };
  readonly #replacedListeners = new Set<Parameters<Connect['onReplaced']>[0]>();
  /** The wallet tells it. */
  replaced(replaced: Replaced): void {
    for (const listener of this.#replacedListeners) listener(replaced);
  }
  onReplaced: Connect['onReplaced'] = (listener) => {
    this.#replacedListeners.add(listener);
    return () => this.#replacedListeners.delete(listener);
  };
  transactionStatus: Connect['transactionStatus'] = async (hash) => this.statuses[hash] ?? 'unknown';
  transactionUrl: Connect['transactionUrl'] = async (hash, id, options) => {
    await this.#place('transactionUrl', id, options);
    return this.explorer && this.explorer + hash;
  };
  swapPairs: Connect['swapPairs'] = async (id, options) => {
    await this.#place('swapPairs', id, options);
    return this.pairs;
  };
  swapRates: Connect['swapRates'] = async (query) => {
    this.queries.push(query);
    return this.rates(query);
  };
  /** By currency, `''` for none named. */
  priceLists: Record<string, AssetPrices> = {};
  readonly pricesAsked: (string | undefined)[] = [];
  prices: Connect['prices'] = async (id, currency, options) => {
    this.pricesAsked.push(currency);
    await this.#place('prices', id, options);
    return this.priceLists[currency ?? ''] ?? null;
  };
  outcome: SwapOutcome | null = null;
  swapOutcome: Connect['swapOutcome'] = async (_hash, { walletId, network }) => {
    await this.#place('swapOutcome', walletId, network == null ? {} : { network });
    return this.outcome;
  };
  createSwap: Connect['createSwap'] = async (body) => {
    this.bodies.push(body);
    return this.requests(body);
  };
  profile: Connect['profile'] = async () => ({
    userId: 'browser',
    hasMasterPin: false,
    username: null,
    email: null,
    firstName: null,
    lastName: null,
  });
  destroy: Connect['destroy'] = () => {
    this.destroyed = true;
  };
  onWallets: Connect['onWallets'] = (listener) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };
  provider: Connect['provider'] = () => {
    throw new Error('No provider.');
  };
  preload: Connect['preload'] = async (secretType) => {
    this.preloaded.push(secretType);
  };
}
