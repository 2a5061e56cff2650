/** What the demo needs of a local network. Each chain's file starts one. */
import type { Network } from '../../src/chains/network.ts';
import type { Anvil } from './anvil.ts';

export interface LocalNetwork {
  /** The entry of `networks.json`; its secret type names the chain. */
  network: Network;
  /** Assets of the faucet, by the name used in requests; the coin first. */
  assets: readonly string[];
  /** Addresses of the test contracts, by asset. */
  contracts: Readonly<Record<string, string>>;
  /** Transfers to `address`. Resolves with the transaction hash once it is in a block. */
  give(asset: string, address: string): Promise<string>;
  /** Token id of a gift, for NFTs. */
  ticketOf?(transactionHash: string): Promise<string | undefined>;
  /** While true, the node cuts every connection. */
  down: boolean;
  close(): Promise<void>;
}

export interface LocalNetworkOptions {
  /** 0 takes any free port. */
  port: number;
  /** For Ethereum: a running anvil without blocks, to use instead of its own. */
  anvil?: Anvil | undefined;
  /** Another network of the chain, with a chain id, genesis or network id of its own. Ethereum has none: tests start anvil for that. */
  second?: boolean | undefined;
}

/** The entry of a chain's second network, whose nodes the starter fills in. */
export function secondOf<N extends Pick<Network, 'id' | 'name'>>(network: N): N {
  const { id, name } = network;
  return { ...network, id: id.replace('local', 'second'), name: name.replace('Local', 'Second') };
}
