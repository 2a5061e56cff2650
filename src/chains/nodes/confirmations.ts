/** When the word "confirmed" is used: at the network's confirmations. */
import type { Mined, Node, Receipt, TransactionState } from '../terms.ts';
import type { Network } from '../network.ts';
import { CARDS } from '../secret-type.ts';

/** Confirmations that a transaction needs; its own block is the first. */
export function confirmationsOn({
  secretType,
  kind,
  confirmations,
}: Pick<Network, 'secretType' | 'kind' | 'confirmations'>): number {
  return confirmations ?? (kind === 'mainnet' ? CARDS[secretType].confirmations : 1);
}

/** `head`: the newest block that the node told, which may be older than what it says elsewhere; undefined if it told none. */
export function minedIn(block: number, head: number | undefined): Mined {
  return { block, confirmations: Math.max(1, (head ?? block) - block + 1) };
}

/** A transaction whose block could still be removed by a reorganisation is pending. */
export function stateOn(network: Network, { state, mined }: Receipt): TransactionState {
  return mined && mined.confirmations < confirmationsOn(network) ? 'pending' : state;
}

// Whether blocks gave a transaction's place to another one, according to the nodes of its network.

/**
 * Each node is asked by itself, so that what it says is about one chain: one that is some blocks behind another has not seen ours yet. `says`:
 * whether another transaction is in its place, false if ours is in a block, undefined if neither is known. True if a node says so and none
 * has ours.
 */
export async function isOvertakenAt<N>(
  nodes: readonly N[],
  says: (node: N) => Promise<boolean | undefined>,
): Promise<boolean> {
  const said = await Promise.all(nodes.map((node) => says(node).catch(() => undefined)));
  return said.includes(true) && !said.includes(false);
}

/** What chains with nonces are asked. */
export interface NonceReads<N> {
  head(node: N): Promise<number>;
  /** The account's next nonce after this block, at the latest. */
  nextNonce(node: N, block: number): Promise<number>;
  receipt(node: N): Promise<Receipt>;
}

/** Whether a block that has its confirmations gave the nonce to another transaction. */
export async function isNonceOvertaken<N extends Node>(
  nodes: readonly N[],
  nonce: number | undefined,
  { head, nextNonce, receipt }: NonceReads<N>,
): Promise<boolean> {
  if (nonce === undefined) return false;
  return isOvertakenAt(nodes, async (node) => {
    const block = (await head(node)) - confirmationsOn(node.network) + 1;
    if (block < 1) return undefined;
    const next = await nextNonce(node, block);
    // Asked afterwards: the transaction itself may have got into the block that used its nonce.
    const { state } = await receipt(node);
    if (state === 'confirmed' || state === 'failed') return false;
    return next > nonce || undefined;
  });
}
