/** The host API. `createConnect` in `connect.ts` makes it; `engine.ts` has what its methods do. */
import type { NativeBalance, NonFungible, TokenBalance, Wallet } from '../api/wallet.ts';
import type { Profile } from '../api/token.ts';
import type { CreateSwap, ExchangeRates, RatesQuery, SwapOutcome, TradingPair } from '../api/swap.ts';
import type { SignatureOf, TransactionState } from '../chains/terms.ts';
import type { NetworkKind } from '../chains/network.ts';
import type {
  BuildBody,
  NativeTransaction,
  SignatureRequest,
  TransactionRequest,
} from '../chains/requests.ts';
import type { SecretType } from '../chains/secret-type.ts';
import type { CallOptions } from '../channel/host-call.ts';
import type { Pending, Replaced, SignResult, TransactionResult } from '../channel/messages.ts';
import type { TransferParams } from '../channel/ask-schema.ts';
import type { WalletConnectOptions } from '../external/walletconnect-client.ts';
import type { AssetPrices } from '../prices/prices.ts';
import type { Announced, EthereumProvider, ProviderChain } from '../provider/types.ts';

export type { CallOptions } from '../channel/host-call.ts';

export interface ConnectOptions {
  /** Base URL of the frame's origin, where `connect.js` and `frame/` are served: `https://connect.example`. */
  frame?: string;
  /** Registrable domain that host page and frame share, if their host names differ: `example.com`. */
  site?: string;
  /**
   * `auto` (the default): a dialog if the operator lists the page and the browser can guard it, else a window. `popup`: always a window.
   * `redirect`: the page leaves for the wallet and is come back to (docs/embedding.md#without-windows); promises of requests then settle
   * only if that fails, and `pending()`, `onPending()` and the elements have the answer.
   */
  surface?: 'auto' | 'iframe' | 'popup' | 'redirect';
  /**
   * With `redirect`: where the wallet answers, an address of this origin that its `/.well-known/carabiner.json` lists. Default: the page's
   * own, without its query.
   */
  returnTo?: string;
  /**
   * BCP 47 tag: the language of the dialog around the wallet, and of the wallet if the browser has it and its user chose none. Default: the
   * page's.
   */
  locale?: string;
  /** ISO 4217: the currency of values beside amounts. Default: that of `locale`, or of the browser's language. */
  currency?: string;
  /** Theme of the dialog around the wallet. */
  theme?: 'auto' | 'light' | 'dark';
  /**
   * Returns the user's access token for the wallet service, so that their wallets there are listed beside those in the browser. Called
   * when the wallet needs one, with `expired` if the previous one has expired. It may take 15 seconds. The token goes only to the
   * wallet's frame, which keeps it in memory.
   */
  getAccessToken?: GetAccessToken;
  /**
   * Announces the wallet to the page's code by EIP-6963, so that dApps list it among the browser's wallets: `true`, or an object with
   * another chain, name or picture.
   */
  announce?: boolean | Announced;
  /** `off`: only wallets of ours are offered, not those of others that the browser has. */
  external?: 'off' | 'on';
  /** Offers wallets elsewhere, such as on a phone, through WalletConnect 2. */
  walletConnect?: WalletConnectOptions;
}

export type { WalletConnectOptions } from '../external/walletconnect-client.ts';

export type GetAccessToken = (hint: { expired: boolean }) => string | Promise<string>;

/** Options of a call that reads from a network. */
export interface ReadOptions extends CallOptions {
  /**
   * Id in the wallet's `networks.json`, one of `connect.networks(walletId)`; absent: the wallet's default network. Another id is
   * `request.invalid` at `network`.
   */
  network?: string;
}

/** Of `maxSpendable`. */
export interface MaxOptions extends ReadOptions {
  /** The data that goes with the transfer, as in `transfer`: it raises the fee. */
  data?: string;
}

/** A network that wallets of a chain can be on. */
export interface WalletNetwork {
  /** As requests, reads and elements name it: `base`. */
  id: string;
  /** For people: `Base`. */
  name: string;
  kind: NetworkKind;
  /** ETHEREUM and GOCHAIN: the EVM chain id. */
  chainId?: number;
}

/** `walletId`: on the default network of this linked wallet; without it, on the first of the chain. `network`: on this one. */
export type SwapQuery = RatesQuery;

/** The fields of a `CreateSwap` that identify what was swapped, by whom and where. */
export type SwapSides = Pick<
  CreateSwap,
  'walletId' | 'destinationWalletId' | 'fromToken' | 'toToken' | 'exchange' | 'network'
>;

/** Typed data (EIP-712), as `eth_signTypedData_v4` takes it. A bigint stands for its digits. */
export interface TypedData {
  types: Readonly<Record<string, readonly { name: string; type: string }[]>>;
  primaryType: string;
  domain: Readonly<Record<string, unknown>>;
  message: Readonly<Record<string, unknown>>;
}

/** Parameters of `sign`, by `type`. */
export type SignParams = Signing<SignatureRequest>;
type Signing<T> = T extends { type: infer Type; data: string }
  ? Omit<T, 'data' | 'prefix' | 'hash' | 'annex' | 'unsignedFields'> & {
      /** Id of the network; the wallet's default when absent. */
      network?: string | undefined;
    } & (Type extends `${string}_TYPED_DATA`
        ? {
            /** The object, or its JSON text. */
            data: string | TypedData;
            /** Fields and types that are not signed are left out, with a caution, not refused. */
            unsignedFields?: 'omit' | undefined;
          }
        : {
            /** `0x` hex; for a message or a certificate, the UTF-8 bytes of its text. */
            data: string;
          }) &
      (T extends { prefix?: boolean | null | undefined }
        ? { prefix?: boolean | undefined; hash?: boolean | undefined }
        : unknown)
  : never;

/**
 * The host API. Every call rejects with a `ConnectError`, whose `code` says why (docs/errors.md): all of them with `request.invalid` for a bad
 * field and `frame.blocked` if the wallet cannot open; those that show the wallet with `user.rejected` if the user declines or closes it.
 * Call these inside a click, before any `await`: a browser opens a window only then.
 */
export interface Connect {
  /**
   * The user links wallets of `secretTypes` (default: all chains), on `network` (an id of `networks.json`; default: any), and creates one if
   * there is none. What names no network is then on `network`, for this page and until it links with another one. Resolves to the linked
   * ones, and to `[]` if a user without a wallet closes the page's chooser or leaves the set-up. Rejects with `user.rejected` if the user
   * declines, or closes the wallet itself.
   *
   * ```ts
   * const [wallet] = await connect.linkWallets({ secretTypes: ['ETHEREUM'] });
   * ```
   */
  linkWallets(
    params?: {
      secretTypes?: SecretType[];
      network?: string;
      /** `off`: external wallets in the browser are not offered. */
      external?: 'off' | 'on' | undefined;
    },
    options?: CallOptions,
  ): Promise<Wallet[]>;
  /** The user creates, imports or manages wallets of one chain. Resolves to the one that they chose, which is then linked. */
  manageWallets(params: { chain: SecretType }, options?: CallOptions): Promise<Wallet>;
  /**
   * The user chooses a recipient from those that their wallet knows, for a transfer from this linked wallet. Resolves to its address; the page
   * learns nothing else.
   */
  chooseRecipient(params: { walletId: string }, options?: CallOptions): Promise<string>;
  /**
   * Sends coins or, with `tokenAddress`, tokens. `value` is in whole coins or tokens, as exact text. `network` is the id of the network; the
   * wallet's default when absent. Resolves at broadcast; `onProgress` reports `confirmed` later.
   *
   * ```ts
   * await connect.transfer({ walletId, to: '0x71C7…976F', value: '1.5', secretType: 'ETHEREUM', network: 'base' });
   * ```
   */
  transfer(params: TransferParams, options?: CallOptions): Promise<TransactionResult>;
  /**
   * Sends a native request, with amounts in smallest units, or a build body, in whole coins; on its `network`, or the wallet's default.
   * Resolves at broadcast.
   */
  execute(request: TransactionRequest, options?: CallOptions): Promise<TransactionResult>;
  /**
   * Sends several requests, each approved and sent once the previous one is confirmed. If one fails, `details.completed` of the error has
   * those that were sent.
   */
  executeAll(requests: readonly TransactionRequest[], options?: CallOptions): Promise<TransactionResult[]>;
  /** Signs data, a message or a certificate. The result's form depends on `type` (docs/chains.md) and always has `signature`. */
  sign<Type extends SignParams['type']>(
    params: SignParams & { type: Type },
    options?: CallOptions,
  ): Promise<SignResult<SignatureOf<Type>>>;
  /** The native request for a build body, with open fields `null`, for `execute`, on the same `network`. Shows nothing. */
  build(body: BuildBody, options?: CallOptions): Promise<NativeTransaction>;
  /** Wallets linked to this page, from the page's own record; needs no vault. */
  wallets(): Promise<Wallet[]>;
  /**
   * The networks that a linked wallet is on, by its id, its default one first; or those of a chain, in the order of `networks.json`. A wallet
   * of BITCOIN or LITECOIN, and an external one, is on one network; any other on all of its chain, at one address. A wallet of 0.1.0 does not
   * answer this.
   *
   * ```ts
   * const [home, ...others] = await connect.networks(wallet.id); // { id: 'ethereum', name: 'Ethereum', kind: 'mainnet', chainId: 1 }
   * ```
   */
  networks(of: SecretType | Wallet['id'], options?: CallOptions): Promise<WalletNetwork[]>;
  /** A linked wallet with its balance, from the nodes. */
  wallet(id: string, options?: ReadOptions): Promise<Wallet>;
  /**
   * The balance in coins, as numbers and as exact text. `available` is false while no node answers.
   *
   * ```ts
   * const { balance, symbol } = await connect.balance(wallet.id, { network: 'base' });
   * ```
   */
  balance(id: string, options?: ReadOptions): Promise<NativeBalance>;
  /** Balances of all tokens that the network lists. */
  tokenBalances(id: string, options?: ReadOptions): Promise<TokenBalance[]>;
  /** The balance of any token, by its address. */
  tokenBalance(id: string, token: string, options?: ReadOptions): Promise<TokenBalance>;
  /**
   * The maximum amount of the coin that a transfer can send now, in the format of its `value`: `'0.2478'`. `to` can affect the fee, and
   * `options.data` does.
   */
  maxSpendable(id: string, to?: string, options?: MaxOptions): Promise<string>;
  /**
   * Non-fungible tokens (ERC-721) of an ETHEREUM wallet, in the given contracts or, without them, in those that the network lists. With a
   * browser wallet, a token has a description only if that is in its contract.
   */
  nonFungibles(id: string, contracts?: readonly string[], options?: ReadOptions): Promise<NonFungible[]>;
  /**
   * What the coins and listed tokens of a linked wallet's network are worth, for display; null if the wallet has no source of prices. In
   * `currency` (ISO 4217), or that of `ConnectOptions`. Prices older than an hour are left out.
   */
  prices(walletId: string, currency?: string, options?: ReadOptions): Promise<AssetPrices | null>;
  /**
   * What coins and tokens of a linked wallet's network can be swapped for, there and on other chains; an empty `tokenAddress` is the coin.
   */
  swapPairs(walletId: string, options?: ReadOptions): Promise<TradingPair[]>;
  /**
   * What every exchange pays for an amount (`SELL`), or charges for it (`BUY`). `bestRate` is one of them. A rate between two chains has
   * `crossChain`.
   */
  swapRates(query: SwapQuery, options?: CallOptions): Promise<ExchangeRates>;
  /**
   * The native requests that carry out a swap, for `executeAll`: approvals if the allowance is too low, then the swap. They are valid for
   * 20 minutes, or 10 between two chains. The price is checked again: if it has moved past the slippage, that is
   * `swap.<dex>.get-price.failed`. Between two chains, `destinationWalletId` is required: a linked wallet of `toSecretType`.
   */
  createSwap(body: CreateSwap, options?: CallOptions): Promise<NativeTransaction[]>;
  /**
   * What a swap really took and gave, in smallest units, from the logs of its transaction; null before it is confirmed. The second argument
   * is the body that the swap was created with.
   */
  swapOutcome(hash: string, swap: SwapSides, options?: CallOptions): Promise<SwapOutcome | null>;
  /** Unlinks a wallet from this page; the user keeps it. */
  unlink(walletId: string, options?: CallOptions): Promise<void>;
  /**
   * Requests of this page whose answer nobody has taken, after a reload or a crash, or because their element was removed. The call takes
   * all answers, or those for which `take` returns true: the wallet then forgets them, but until a reload this page keeps them for its
   * other parts.
   */
  pending(take?: (pending: Pending) => boolean): Promise<Pending[]>;
  /**
   * Called when such an answer arrives by itself, from a window that outlived the reload. A listener takes it unless it returns `false`.
   * Returns a function that unsubscribes.
   */
  onPending(listener: (pending: Pending) => unknown): () => void;
  /** Opens the wallet at such a request, and resolves or rejects as that does. Call it inside a click. */
  resume(requestId: string, options?: CallOptions): Promise<unknown>;
  /**
   * Called when the wallet, while it is open to this page, reports that its user sped up or cancelled a transaction of this page after the
   * request was answered. `transactionStatus` of both hashes says which one is in a block. Returns a function that unsubscribes.
   */
  onReplaced(listener: (replaced: Replaced) => unknown): () => void;
  /** The status of any transaction, from the nodes of `network`, else of all of the chain: `pending`, `confirmed`, `failed` or `unknown`. */
  transactionStatus(hash: string, secretType: SecretType, options?: ReadOptions): Promise<TransactionState>;
  /** The explorer's page for a transaction on the network of a linked wallet; null if the network has no explorer. */
  transactionUrl(hash: string, walletId: string, options?: ReadOptions): Promise<string | null>;
  /** Rejects all open requests and removes every surface. */
  destroy(): void;
  /**
   * Called when the linked wallets change, here or in another tab, and when a transaction of this page changes their balances. Returns a
   * function that unsubscribes.
   */
  onWallets(listener: (wallets: Wallet[]) => void): () => void;
  /**
   * Loads the payload schemas of a chain before its first request, so that a bad request is refused before anything opens; a window opens
   * within the click and cannot wait for them. Without a chain it loads what every first request takes.
   */
  preload(secretType?: SecretType): Promise<void>;
  /**
   * The linked wallets of a chain as an EIP-1193 provider, for ethers, viem, wagmi and the like. The same object each time.
   *
   * ```ts
   * const signer = await new BrowserProvider(connect.provider({ chain: 'ETHEREUM' })).getSigner();
   * ```
   */
  provider(options?: { chain?: ProviderChain }): EthereumProvider;
  /** The user of the wallet service; without one, a stand-in for this browser: `userId` is `browser`. */
  profile(options?: CallOptions): Promise<Profile>;
  /**
   * The address of the wallet's own page, where its user manages it without a site: for a link, with `rel="noopener"`. Undefined where no
   * wallet can work.
   */
  readonly walletPage?: string | undefined;
  /** As in `ConnectOptions`; a change takes effect the next time the wallet opens. */
  getAccessToken?: GetAccessToken | undefined;
}
