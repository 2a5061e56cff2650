/** What the service reads of a chain's blocks. A node is not trusted to answer a number, or the block that was asked for. */
import type { Node } from '../../../src/chains/terms.ts';
import type { Network } from '../../../src/chains/network.ts';

export interface Block {
  number: number;
  hash: string;
  parent: string;
  /** Milliseconds since the epoch. */
  time: number;
}

/** A transfer of a coin or token, as a block has it. */
export interface Transfer {
  hash: string;
  /** Its place in the transaction: the same in whichever block that is, and unique among its transfers to the recipient. */
  place: string;
  /** As `keyOf` writes it, as are the next two. Undefined if several sent it together, or if the chain does not say. */
  sender: string | undefined;
  recipient: string;
  /** Undefined for the coin. */
  token: string | undefined;
  amount: bigint;
  /** A contract says that it paid these coins, which no transaction shows: they may not have got there. */
  told?: true;
}

export interface BlockTransfers {
  block: Block;
  /** Without transfers of zero and those that are known to have failed. */
  transfers: Transfer[];
}

export interface BlockReader {
  /** Milliseconds between two reads of the newest block. */
  everyMs: number;
  /** By how many milliseconds the time in a block may be too early. */
  clockMs: number;
  /** The canonical form of the address of an account or token, for comparing. */
  keyOf(address: string): string;
  /** The address of a key, in the form that people read. */
  addressOf(key: string, network: Network): string;
  /** Undefined when the node does not have the block. */
  readBlock(node: Node, at: number | 'latest'): Promise<Block | undefined>;
  /** Transfers of the coin and of listed tokens, and what `payers` pay: contracts whose events tell of coins. Undefined when the node does not have the whole block. */
  readTransfers(node: Node, number: number, payers?: readonly string[]): Promise<BlockTransfers | undefined>;
  /**
   * The transfers that succeeded and come from somebody else. Undefined if the node does not have the block any more.
   */
  carriedOut(
    node: Node,
    block: Block,
    transfers: readonly Transfer[],
  ): Promise<readonly Transfer[] | undefined>;
}

/** Numbers the transfers of one coin or token to one recipient within a transaction. */
export function placesIn(): (transfer: Pick<Transfer, 'hash' | 'recipient' | 'token'>) => string {
  const counts = new Map<string, number>();
  return ({ hash, recipient, token = 'coin' }) => {
    const key = `${hash} ${recipient} ${token}`;
    const count = counts.get(key) ?? 0;
    counts.set(key, count + 1);
    return `${token}:${count}`;
  };
}

/** Each transaction once: a node that repeats one must not make two deposits of it. */
export function once<T extends { hash: string }>(transactions: readonly T[]): T[] {
  return [...new Map(transactions.map((one) => [one.hash, one])).values()];
}

/** `settled` of a chain whose blocks show what succeeded. */
export const fromOthers: BlockReader['carriedOut'] = async (_node, _block, transfers) =>
  transfers.filter(({ sender, recipient }) => sender !== recipient);
