/** What the service reads of a chain's blocks. A node is not trusted to answer a number, or the block that was asked for. */
import type { Node } from '../../../src/chains/chain.ts';
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
  /** Where in the transaction: the same in whichever block that is, and no other transfer of it to the recipient has it. */
  place: string;
  /** As `keyOf` writes it, as the next two. Undefined where several sent it together, and where the chain does not say. */
  sender: string | undefined;
  recipient: string;
  /** Undefined for the coin. */
  token: string | undefined;
  amount: bigint;
}

export interface BlockTransfers {
  block: Block;
  /** Without those that are known to have failed, and those of zero. */
  transfers: Transfer[];
}

export interface BlockReader {
  /** Blocks, its own included, after which a transfer on the live network counts; `networks.json` may say another number. */
  confirmations: number;
  /** Pause between two looks at the newest block, in milliseconds. */
  everyMs: number;
  /** How far the time of a block may be behind that of its making, in milliseconds. */
  clockMs: number;
  /** The address of an account or token in the form that is compared: of one, there is only one. */
  keyOf(address: string): string;
  /** The address behind a key, as people read it. */
  addressOf(key: string, network: Network): string;
  /** Undefined when the node does not have the block. */
  readBlock(node: Node, at: number | 'latest'): Promise<Block | undefined>;
  /** Transfers of the coin and of listed tokens. Undefined when the node does not have the whole block. */
  readTransfers(node: Node, number: number): Promise<BlockTransfers | undefined>;
  /**
   * Those of the transfers that were carried out, and come from somebody else. Undefined when the node does not have the block any more.
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

/** Of a chain whose blocks say what was carried out. */
export const fromOthers: BlockReader['carriedOut'] = async (_node, _block, transfers) =>
  transfers.filter(({ sender, recipient }) => sender !== recipient);
