/** What is asked of a chain's nodes about payments. A node is not trusted to answer numbers, or the block that was asked for. */
import type { ReceivingChain } from '../../../src/api/receiving-wallet.ts';
import type { Node } from '../../../src/chains/chain.ts';
import { evmReader } from './evm-reader.ts';
import { vechainReader } from './vechain-reader.ts';

export interface Block {
  number: number;
  hash: string;
  parent: string;
  /** Milliseconds since the epoch. */
  time: number;
}

/** A transfer in a block. Of nothing there is none: anybody can make a token say that it moved nothing. */
export interface Seen {
  hash: string;
  /** Its place among the logs; negative of coins. */
  logIndex: number;
  block: number;
  blockHash: string;
  /** In checksum form. */
  sender: string;
  to: string;
  amount: bigint;
}

/** One coin or token to one address. */
export interface Sought {
  /** Empty for the coin. */
  token: string;
  address: string;
  amount: bigint;
}

/**
 * What is known of a transaction that somebody told. `waiting`: it is in no block yet, and may pay. `mined`: the block has it, so the
 * transfers that are read there are what it does; `sends` says whether any of them goes to the address.
 */
export type Told =
  | { state: 'unknown' | 'failed' | 'other' | 'amount' | 'waiting' }
  | { state: 'mined'; block: number; sends: boolean };

export interface ChainReader {
  /** Undefined where the node does not have it. */
  readBlock(node: Node, at: number | 'latest'): Promise<Block | undefined>;
  /** A block, and what its transactions bring to the addresses. Undefined where the node does not have it whole. */
  blockTransfers(
    node: Node,
    number: number,
    token: string,
    addresses: readonly string[],
  ): Promise<{ block: Block; seen: Seen[] } | undefined>;
  /** The same of a token in many blocks, where the chain can. Throws `RpcError` for a range that is too long for the node. */
  tokenTransfers?(
    node: Node,
    token: string,
    addresses: readonly string[],
    range: { from: number; to: number },
  ): Promise<Seen[]>;
  /** Where a transfer that was seen is now: in a block of the chain, with the same effect. Undefined where it is in none. */
  whereIs(
    node: Node,
    seen: { hash: string; logIndex: number },
    sought: Sought,
  ): Promise<{ block: number; blockHash: string; logIndex: number } | undefined>;
  lookAt(node: Node, hash: string, sought: Sought): Promise<Told>;
}

const READERS: Record<ReceivingChain, ChainReader> = {
  ETHEREUM: evmReader,
  GOCHAIN: evmReader,
  VECHAIN: vechainReader,
};

export function readerOf(chain: ReceivingChain): ChainReader {
  return READERS[chain];
}
