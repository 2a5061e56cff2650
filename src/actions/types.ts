/** The host API. `createConnect` in `connect.ts` of this folder makes it; every method is one file beside it. */
import type { NativeBalance, TokenBalance, Wallet } from '../api/wallet.ts';
import type { ChainRequest, TransactionState } from '../chains/chain.ts';
import type { SecretType } from '../chains/secret-type.ts';
import type { Pending, SignResult, Stage, TransactionResult } from '../channel/messages.ts';
import type { SignParams, TransferParams } from '../channel/schema.ts';

export interface ConnectOptions {
  /** Base URL of the frame's origin, where `connect.js` and `frame/` are served: `https://connect.example`. */
  frame?: string;
  /** Registrable domain that host page and frame share, when they are on different host names of it. */
  site?: string;
  surface?: 'auto' | 'iframe' | 'popup';
  locale?: string;
  theme?: 'auto' | 'light' | 'dark';
}

export interface CallOptions {
  /**
   * Aborting rejects with `user.rejected` and closes the approval if it is on screen; nothing was signed then. Once the user has
   * approved it is too late: the call rejects with `frame.unreachable`, and `pending()` finds its answer.
   */
  signal?: AbortSignal;
  /** 8 to 64 of `A-Za-z0-9_-`. The same id with the same request answers the same and signs nothing new. */
  requestId?: string;
  /** Called for each stage of the request. `confirmed` and `failed` come after the promise is settled. */
  onProgress?: (progress: { requestId: string; stage: Stage; transactionHash?: string | undefined }) => void;
  /**
   * Called when the wallet could not open (`popup`, `csp`, `silent`) or asks for a window of its own. Calling `open` inside a user
   * gesture opens it with the same request; `cancel` rejects. Without this handler the call rejects with `frame.blocked`.
   */
  onBlocked?: (blocked: {
    reason: 'popup' | 'csp' | 'silent' | 'window';
    open: () => void;
    cancel: () => void;
  }) => void;
}

export interface Connect {
  linkWallets(params?: { secretTypes?: SecretType[] }, options?: CallOptions): Promise<Wallet[]>;
  manageWallets(params: { chain: SecretType }, options?: CallOptions): Promise<Wallet>;
  transfer(params: TransferParams, options?: CallOptions): Promise<TransactionResult>;
  execute(request: ChainRequest, options?: CallOptions): Promise<TransactionResult>;
  executeAll(requests: ChainRequest[], options?: CallOptions): Promise<TransactionResult[]>;
  sign(params: SignParams, options?: CallOptions): Promise<SignResult>;
  build(body: ChainRequest, options?: CallOptions): Promise<ChainRequest>;
  /** Wallets linked to this page, from the page's own record; needs no vault. */
  wallets(): Promise<Wallet[]>;
  wallet(id: string, options?: CallOptions): Promise<Wallet>;
  balance(id: string, options?: CallOptions): Promise<NativeBalance>;
  tokenBalances(id: string, options?: CallOptions): Promise<TokenBalance[]>;
  tokenBalance(id: string, token: string, options?: CallOptions): Promise<TokenBalance>;
  unlink(walletId: string, options?: CallOptions): Promise<void>;
  /**
   * Requests of this page whose answer was not delivered, after a reload. Answers that arrive are acknowledged; this page keeps them,
   * so that each of its parts can ask.
   */
  pending(): Promise<Pending[]>;
  /** Calls back when such an answer arrives by itself, from a window that outlived the reload. Returns the undo. */
  onPending(listener: (pending: Pending) => void): () => void;
  /** Opens the wallet at such a request and answers what it answers. Needs a user gesture. */
  resume(requestId: string, options?: CallOptions): Promise<unknown>;
  transactionStatus(hash: string, secretType: SecretType, options?: CallOptions): Promise<TransactionState>;
  /** Rejects everything that is open and removes every surface. */
  destroy(): void;
  /**
   * Calls back when the record of linked wallets changes, here or in another tab, and when a transaction of this page changes their
   * balances. Returns the undo.
   */
  onWallets(listener: (wallets: Wallet[]) => void): () => void;
  /**
   * Loads the payload schemas of a chain ahead of its first request. With them a bad request is refused before anything opens; where the
   * wallet opens as a window, which cannot wait for them, it is refused so only then.
   */
  preload(secretType: SecretType): Promise<void>;
}
