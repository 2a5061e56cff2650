/** A linked wallet as an EIP-1193 provider (https://eips.ethereum.org/EIPS/eip-1193). */
import type { CallOptions } from '../channel/host-call.ts';
import type { ParamsOf, Pending, RpcAnswer, SignResult, TransactionResult } from '../channel/messages.ts';
import type { SecretType } from '../chains/secret-type.ts';
import type { TransactionRequest } from '../chains/requests.ts';
import type { Wallet } from '../api/wallet.ts';

export type ProviderChain = 'ETHEREUM' | 'GOCHAIN';

export interface ProviderRequest {
  readonly method: string;
  readonly params?: readonly unknown[] | object | undefined;
}

/** What listeners are called with. There are no subscriptions, so there is no `message` yet. */
export interface ProviderEvents {
  connect: { chainId: string };
  /** An error with an integer `code`: 1013 while no node answers, 4900 after `connect.destroy()`. */
  disconnect: Error;
  chainChanged: string;
  accountsChanged: string[];
  message: { type: string; data: unknown };
}

// oxlint-disable-next-line typescript/no-explicit-any -- as viem, ethers and web3-onboard declare what they take.
type Answer = any;

export interface EthereumProvider {
  /** Rejects with errors that have an integer `code`; our own code is in `data.code`. */
  request(asked: ProviderRequest): Promise<Answer>;
  on<E extends keyof ProviderEvents>(
    event: E,
    listener: (value: ProviderEvents[E]) => void,
  ): EthereumProvider;
  removeListener<E extends keyof ProviderEvents>(
    event: E,
    listener: (value: ProviderEvents[E]) => void,
  ): EthereumProvider;
}

/** How a provider is announced to the page (https://eips.ethereum.org/EIPS/eip-6963). */
export interface Announced {
  chain?: ProviderChain;
  /** The name under which dApps list it. */
  name?: string;
  /** A square picture as a `data:` URI. */
  icon?: string;
  /** The id by which dApps remember the wallet. Default: the host name of the wallet's origin, reversed. */
  rdns?: string;
}

/** What a provider asks of its connect: the same calls that a page makes, and reads of nodes. */
export interface ProviderHost {
  wallets(): Promise<Wallet[]>;
  onWallets(listener: (wallets: Wallet[]) => void): () => void;
  linkWallets(
    /** `external`: always `off`, because an external wallet has its own provider. */
    params: { secretTypes?: SecretType[]; network?: string; external: 'off' },
    options?: CallOptions,
  ): Promise<Wallet[]>;
  execute(request: TransactionRequest, options?: CallOptions): Promise<TransactionResult>;
  executeAll(requests: readonly TransactionRequest[], options?: CallOptions): Promise<TransactionResult[]>;
  signRaw(
    params: { type: string; walletId: string; data: string; network?: string; unsignedFields?: 'omit' },
    options?: CallOptions,
  ): Promise<SignResult>;
  /** Asks whether the page may go on with its wallets on another network. Rejects with `user.rejected`. */
  useNetwork(params: ParamsOf<'useNetwork'>, options?: CallOptions): Promise<null>;
  unlink(walletId: string): Promise<void>;
  pending(take?: (pending: Pending) => boolean): Promise<Pending[]>;
  /** `network`: an id of `networks.json`. */
  transactionUrl(hash: string, network: string): Promise<string | null>;
  rpc(params: ParamsOf<'rpc'>): Promise<RpcAnswer>;
}
