/** What payments ask of a chain's nodes. A node is not trusted to answer a number, or the block that was asked for. */
import type { Node } from '../../../../src/chains/terms.ts';
import type { Block, BlockReader } from '../../../scanning/chains/block-reader.ts';

/** A transfer in a block. Transfers of zero are left out: anybody can make a token report one. */
export interface ChainTransfer {
  hash: string;
  /** Its place among the logs; negative for coins. */
  logIndex: number;
  block: number;
  blockHash: string;
  /** In checksum form. */
  sender: string;
  to: string;
  amount: bigint;
  /** The session that its sender wrote into it, which is a claim of the sender alone. */
  session?: string;
}

/** A payment of one coin or token to one address. */
export interface ExpectedTransfer {
  /** Empty for the coin. */
  token: string;
  address: string;
  amount: bigint;
}

/**
 * The state of a transaction that a page reported. `waiting`: it is in no block yet, and may pay. `mined`: it is in a block, and the
 * transfers read from that block are what it does; `sends` says whether any of them goes to the address. `other` and `amount`: it cannot
 * pay, because it sends elsewhere or another amount.
 */
export type TransactionState =
  | { state: 'unknown' | 'failed' | 'other' | 'amount' | 'waiting' }
  | { state: 'mined'; block: number; sends: boolean };

export interface ChainReader extends Pick<BlockReader, 'readBlock'> {
  /** What comes now is in no block that can be read yet, but in the next one: only what came before the newest block has been read. */
  isSealed?: true;
  /** Dust that is for no session is not listed: there, anybody sends it to everybody, so that addresses are copied from lists. */
  ignoresDust?: true;
  /** A block with the transfers in it to the addresses. Undefined when the node does not have all of it. */
  blockTransfers(
    node: Node,
    number: number,
    token: string,
    addresses: readonly string[],
  ): Promise<{ block: Block; transfers: ChainTransfer[] } | undefined>;
  /** Transfers of a token in a range of blocks; absent if the chain has no such query. Throws `RpcError` if the range is too long. */
  tokenTransfers?(
    node: Node,
    token: string,
    addresses: readonly string[],
    range: { from: number; to: number },
  ): Promise<ChainTransfer[]>;
  /** The block of the chain that has a transfer now, with the same effect. Undefined when none has it any more. */
  locate(
    node: Node,
    transfer: { hash: string; logIndex: number; seenIn?: { block: number; blockHash: string } },
    expected: ExpectedTransfer,
  ): Promise<{ block: number; blockHash: string; logIndex: number } | undefined>;
  /** Whether the block is never replaced any more. Absent on chains that know of no such thing: confirmations decide alone. */
  isFinal?(node: Node, block: { number: number; hash: string }): Promise<boolean>;
  transactionState(node: Node, hash: string, expected: ExpectedTransfer): Promise<TransactionState>;
}
