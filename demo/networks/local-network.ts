/** What the demo needs of each local network it starts. One file a chain makes one. */
import type { Network } from '../../src/chains/network.ts';
import type { Anvil } from './anvil.ts';

export interface LocalNetwork {
  /** The entry of `networks.json`; its secret type names the chain. */
  network: Network;
  /** What the faucet gives, by the name a request asks for; the coin first. */
  assets: readonly string[];
  /** Addresses of the contracts to play with, by asset. */
  contracts: Readonly<Record<string, string>>;
  /** A real transfer to `address`. Answers the transaction hash once it is in a block. */
  give(asset: string, address: string): Promise<string>;
  /** Number of the token that a gift was, where each is one of a kind. */
  ticketOf?(transactionHash: string): Promise<string | undefined>;
  /** A node that is down cuts every connection. */
  down: boolean;
  close(): Promise<void>;
}

export interface LocalNetworkOptions {
  /** 0 takes any free port. */
  port: number;
  /** Of Ethereum: an anvil without a block that runs already, instead of one of its own. */
  anvil?: Anvil | undefined;
}
