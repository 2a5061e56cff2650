/** What the frame sends over the port, and the values behind each action. Types only: the host page downloads nothing for it. */
import type { NativeBalance, NonFungible, TokenBalance, Wallet } from '../api/wallet.ts';
import type { Profile } from '../api/token.ts';
import type { ExchangeRates, SwapOutcome, TradingPair } from '../api/swap.ts';
import type { AnySignature, TransactionState } from '../chains/terms.ts';
import type { NativeTransaction } from '../chains/requests.ts';
import type { WireError } from '../base/errors.ts';
import type { AssetPrices } from '../prices/prices.ts';
import type { Action, Ask, Read } from '../base/actions.ts';
import type { AskParams } from './ask-schema.ts';
import type { ReadParams } from './read-schema.ts';

export type Stage = 'approval' | 'signing' | 'broadcast' | 'confirmed' | 'failed';

/** What a page stores of a request: its wallet, and for a transfer also asset, amount and recipient. */
export interface AskedFor {
  walletId?: string;
  secretType?: string;
  to?: string;
  /** Coins or tokens, in decimals. */
  value?: string;
  tokenAddress?: string;
  /** Id of the network, if the request named one. */
  network?: string;
}

/** A request of this site whose answer the page has not acknowledged. */
export interface Pending {
  requestId: string;
  action: Action | 'unknown';
  /**
   * `done`: `result` has the answer. `failed`: `error` has it. `unsent`: signed, but unknown to the network; `connect.resume()` lets
   * the user send or dismiss it. `unknown`: the wallet could not be asked from here; `connect.resume()` opens it.
   */
  state: 'done' | 'failed' | 'unsent' | 'unknown';
  /** What was requested, as far as the page stored it. */
  asked?: AskedFor | undefined;
  result?: unknown;
  error?: WireError | undefined;
}

/** The user sped up or cancelled a transaction of this site by another one. Until a block has one of them, either may win. */
export interface Replaced {
  transactionHash: string;
  /** The hash of the other one. */
  by: string;
  how: 'speed-up' | 'cancel';
}

export interface TransactionResult {
  transactionHash: string;
}

/** The result of `sign`. */
export interface SignResult<Result extends AnySignature = AnySignature> {
  success: true;
  /** By the `type` of the request, as `SignatureOf` says. */
  result: Result;
}

/** The answer of a node, or of the wallet in its place. A node's refusal is an answer too, with the node's own code and message. */
export type RpcAnswer = { result: unknown } | { error: { code: number; message: string; data?: string } };

/** What each action takes. */
export type ParamsOf<A extends Action> = A extends Ask
  ? AskParams<A>
  : A extends Read
    ? ReadParams<A>
    : never;

/** What each action answers. */
export interface Results {
  linkWallets: Wallet[];
  manageWallets: Wallet;
  /** An address. */
  chooseRecipient: string;
  transfer: TransactionResult;
  execute: TransactionResult;
  executeAll: TransactionResult[];
  sign: SignResult;
  resume: unknown;
  useNetwork: null;
  /** Only what the journal knows; ids it has never seen were never approved and are left out. */
  pending: Pending[];
  unlink: null;
  profile: Profile;
  balance: NativeBalance;
  tokenBalances: TokenBalance[];
  maxSpendable: string;
  nonFungibles: NonFungible[];
  transactionStatus: TransactionState;
  transactionUrl: string | null;
  prices: AssetPrices | null;
  build: NativeTransaction;
  swapPairs: TradingPair[];
  swapRates: ExchangeRates;
  createSwap: NativeTransaction[];
  swapOutcome: SwapOutcome | null;
  rpc: RpcAnswer;
}

export type FromFrame =
  | { type: 'progress'; id: string; stage: Stage; transactionHash?: string | undefined }
  | { type: 'result'; id: string; result: unknown }
  | { type: 'error'; id: string; error: WireError }
  /** The wallets linked to this site, sent whenever the vault is readable; the page updates its cache from it. */
  | {
      type: 'wallets';
      wallets: Wallet[];
      /** Network ids of wallets that are not on the first of their chain, by wallet id: the page gives them back when it reads. */
      networks?: Record<string, string> | undefined;
      /** The list says nothing about service wallets: what the page knows of them stays. */
      browserOnly?: boolean | undefined;
    }
  /** Asks for an access token of the wallet service; `expired`: the previous one has expired. */
  | { type: 'token'; id: string; expired: boolean }
  /** Replacements of transactions that this site asked for. */
  | { type: 'replaced'; replaced: Replaced[] }
  /** The wallet's window has the focus, so a request sent to it is in view. */
  | { type: 'front' }
  /** The height of the wallet's contents, in whole pixels, to which a sheet is sized. */
  | { type: 'height'; height: number }
  /** The user pressed "Open in a window" inside an iframe: carry request `id` to a popup. */
  | { type: 'window'; id: string }
  /** The user is done: close the surface. */
  | { type: 'close' };
