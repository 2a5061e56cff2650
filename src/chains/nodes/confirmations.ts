/** When the word "confirmed" is used: at the network's confirmations. */
import type { Mined, Receipt, TransactionState } from '../chain.ts';
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
