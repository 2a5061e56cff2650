/** What a provider's methods share. */
import type { Wallet } from '../api/wallet.ts';
import type { Clock } from '../base/clock.ts';
import type { Kept } from './kept.ts';
import type { Notice, Prompt, ShowNotice } from './prompt.ts';
import type { CustomNode } from './transaction.ts';
import type { ProviderChain, ProviderHost } from './types.ts';

export interface ProviderSettings {
  host: ProviderHost;
  chain: ProviderChain;
  /** Of the wallet's origin. */
  origin: string;
  theme: Notice['theme'];
  clock: Clock;
  /** Aborted by `connect.destroy()`. */
  ended: AbortSignal;
  show?: ShowNotice;
}

export interface EvmNetwork {
  id: string;
  chainId: number;
  name: string;
  /** Set if the page named the node. */
  custom?: CustomNode;
}

export interface Session extends Omit<ProviderSettings, 'show'> {
  kept: Kept;
  ask: Prompt['ask'];
  networks(): Promise<EvmNetwork[]>;
  customNodes(): Promise<boolean>;
  addNetwork(network: CustomNode): void;
  current(): Promise<EvmNetwork>;
  accounts(): Promise<string[]>;
  /** The linked wallet at an address on a network. Throws 4100 if there is none. */
  walletAt(address: unknown, path: string, network: EvmNetwork): Promise<Wallet>;
  /** Sends a read to the network's nodes. */
  read(network: EvmNetwork, method: string, params: readonly unknown[]): Promise<unknown>;
}
