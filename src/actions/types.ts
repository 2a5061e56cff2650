/** The host API. `createConnect` in `connect.ts` of this folder makes it; every method is one file beside it. */
import type { NonFungible } from '../api/non-fungible.ts';
import type { Profile } from '../api/profile.ts';
import type { CreateSwap, ExchangeRates, RatesQuery, SwapOutcome, TradingPair } from '../api/swap.ts';
import type { NativeBalance, TokenBalance, Wallet } from '../api/wallet.ts';
import type { SignatureOf, TransactionState } from '../chains/chain.ts';
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
import type { AssetPrices } from '../prices/asset-prices.ts';
import type { Announced, EthereumProvider, ProviderChain } from '../provider/types.ts';

export type { CallOptions } from '../channel/host-call.ts';

export interface ConnectOptions {
  /** Base URL of the frame's origin, where `connect.js` and `frame/` are served: `https://connect.example`. */
  frame?: string;
  /** Registrable domain that host page and frame share, when they are on different host names of it. */
  site?: string;
  surface?: 'auto' | 'iframe' | 'popup';
  /** Language of the wallet and of the page's dialog around it, unless the user chose another; else that of the page. */
  locale?: string;
  /** ISO 4217: what amounts are worth is shown in it, where the wallet has prices. Else the currency of `locale`, or of the browser's language. */
  currency?: string;
  theme?: 'auto' | 'light' | 'dark';
  /**
   * Answers the user's access token of the wallet service, so that their wallets there are listed with those of the browser. Called
   * when the wallet needs one; `expired`: the previous one has expired. It may take 15 seconds. A token goes to the wallet's
   * frame only, which keeps it in memory.
   */
  getAccessToken?: GetAccessToken;
  /**
   * Announces the wallet to the page's own code by EIP-6963, so that dApps list it among the wallets of the browser: `true`, or with
   * another chain, name or picture.
   */
  announce?: boolean | Announced;
  /** `off`: only wallets of ours are offered, not those of others that the browser has. */
  external?: 'off' | 'on';
}

export type GetAccessToken = (hint: { expired: boolean }) => string | Promise<string>;

/** `walletId`: on the network of this linked wallet; without it, on the first of the chain. */
export type SwapQuery = RatesQuery & { walletId?: string };

/** Who swapped what, where. */
export type SwapSides = Pick<
  CreateSwap,
  'walletId' | 'destinationWalletId' | 'fromToken' | 'toToken' | 'exchange'
>;

/** Typed data (EIP-712), as `eth_signTypedData_v4` takes it. A bigint stands for its digits. */
export interface TypedData {
  types: Readonly<Record<string, readonly { name: string; type: string }[]>>;
  primaryType: string;
  domain: Readonly<Record<string, unknown>>;
  message: Readonly<Record<string, unknown>>;
}

/** Spec 4.4 "Sign". */
export type SignParams = Signing<SignatureRequest>;
type Signing<T> = T extends { type: infer Type; data: string }
  ? Omit<T, 'data' | 'prefix' | 'hash' | 'annex'> &
      (Type extends `${string}_TYPED_DATA`
        ? {
            /** The object, or its JSON text. */
            data: string | TypedData;
          }
        : {
            /** `0x` hex; of a message or a certificate the UTF-8 bytes of its text. */
            data: string;
          }) &
      (T extends { prefix?: boolean | null | undefined }
        ? { prefix?: boolean | undefined; hash?: boolean | undefined }
        : unknown)
  : never;

export interface Connect {
  /** Of `secretTypes`, or all; on `network`, an id of `networks.json`, or on any. */
  linkWallets(
    params?: {
      secretTypes?: SecretType[];
      network?: string;
      /** `off`: wallets of others that the browser has are not offered. */
      external?: 'off' | 'on' | undefined;
    },
    options?: CallOptions,
  ): Promise<Wallet[]>;
  manageWallets(params: { chain: SecretType }, options?: CallOptions): Promise<Wallet>;
  /**
   * The user chooses one of the recipients that their wallet knows, for a transfer from this linked wallet: its address. The page learns
   * nothing else, and `user.rejected` if the user closes the list.
   */
  chooseRecipient(params: { walletId: string }, options?: CallOptions): Promise<string>;
  transfer(params: TransferParams, options?: CallOptions): Promise<TransactionResult>;
  execute(request: TransactionRequest, options?: CallOptions): Promise<TransactionResult>;
  executeAll(requests: readonly TransactionRequest[], options?: CallOptions): Promise<TransactionResult[]>;
  sign<Type extends SignParams['type']>(
    params: SignParams & { type: Type },
    options?: CallOptions,
  ): Promise<SignResult<SignatureOf<Type>>>;
  build(body: BuildBody, options?: CallOptions): Promise<NativeTransaction>;
  /** Wallets linked to this page, from the page's own record; needs no vault. */
  wallets(): Promise<Wallet[]>;
  wallet(id: string, options?: CallOptions): Promise<Wallet>;
  balance(id: string, options?: CallOptions): Promise<NativeBalance>;
  tokenBalances(id: string, options?: CallOptions): Promise<TokenBalance[]>;
  tokenBalance(id: string, token: string, options?: CallOptions): Promise<TokenBalance>;
  /** The most that a transfer of the coin can send now, as `value` of `transfer` takes it: `'0.2478'`. `to` can change the fee. */
  maxSpendable(id: string, to?: string, options?: CallOptions): Promise<string>;
  /**
   * Non-fungible tokens (ERC-721) of an ETHEREUM wallet: those in the given contracts, else in those that the network lists. Of a
   * browser wallet a token has a description only where it lies in its contract.
   */
  nonFungibles(id: string, contracts?: readonly string[], options?: CallOptions): Promise<NonFungible[]>;
  /**
   * What the coins and the listed tokens of a linked wallet's network are worth, for people to read; null where the wallet has no source of
   * prices. In `currency` (ISO 4217), or that of `ConnectOptions`. Prices older than an hour are left out.
   */
  prices(walletId: string, currency?: string, options?: CallOptions): Promise<AssetPrices | null>;
  /** What can be swapped for what on the network of a linked wallet; an empty `tokenAddress` is the coin. */
  swapPairs(walletId: string, options?: CallOptions): Promise<TradingPair[]>;
  /** What every exchange gives for an amount (`SELL`), or takes for it (`BUY`). `bestRate` is one of them. */
  swapRates(query: SwapQuery, options?: CallOptions): Promise<ExchangeRates>;
  /**
   * The native requests that carry a swap out, for `executeAll`: approvals where the allowance is short, then the swap. It is good for
   * 20 minutes. The price is asked again: one that moved past the slippage is `swap.<dex>.get-price.failed`.
   */
  createSwap(body: CreateSwap, options?: CallOptions): Promise<NativeTransaction[]>;
  /**
   * What a swap took and gave in the end, by the logs of its transaction: null before it is confirmed. The second argument is what the swap
   * was created with.
   */
  swapOutcome(hash: string, swap: SwapSides, options?: CallOptions): Promise<SwapOutcome | null>;
  unlink(walletId: string, options?: CallOptions): Promise<void>;
  /**
   * Requests of this page whose answer nobody has taken: after a reload or a crash, or because the element that asked was removed.
   * The caller takes all answers, or those for which `take` returns true; the wallet then no longer keeps them. This page
   * keeps them, so that each of its parts can ask.
   */
  pending(take?: (pending: Pending) => boolean): Promise<Pending[]>;
  /**
   * Called when such an answer arrives unasked, from a window that outlived the reload. A listener that answers `false` has not
   * taken it. Returns the undo.
   */
  onPending(listener: (pending: Pending) => unknown): () => void;
  /** Opens the wallet at such a request and answers what it answers. Needs a user gesture. */
  resume(requestId: string, options?: CallOptions): Promise<unknown>;
  /**
   * Called when the wallet tells that its user sped up or cancelled a transaction of this page, after the request was answered: whenever
   * the wallet is open to this page. `transactionStatus` of both hashes says which one a block took. Returns the undo.
   */
  onReplaced(listener: (replaced: Replaced) => unknown): () => void;
  transactionStatus(hash: string, secretType: SecretType, options?: CallOptions): Promise<TransactionState>;
  /** A page about a transaction on the network of a linked wallet; null where the network has no explorer. */
  transactionUrl(hash: string, walletId: string, options?: CallOptions): Promise<string | null>;
  /** Rejects everything that is open and removes every surface. */
  destroy(): void;
  /**
   * Calls back when the record of linked wallets changes, here or in another tab, and when a transaction of this page changes their
   * balances. Returns the undo.
   */
  onWallets(listener: (wallets: Wallet[]) => void): () => void;
  /**
   * Loads the payload schemas of a chain ahead of its first request. With them a bad request is refused before anything opens; where the
   * wallet opens as a window, which cannot wait for them, that only works after this. Without a chain it loads what every first request takes.
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
  /** As in `ConnectOptions`; may be set later, which counts from the next time that the wallet opens. */
  getAccessToken?: GetAccessToken | undefined;
}
