/** Nonces of an account. Nodes list no transactions by account, so those that are missing are only counted. */
import { readNextNonce } from '../../../src/chains/aeternity/node.ts';
import type { Comparer } from '../missing.ts';

export const compareAeternity: Comparer = async (node) => async (address, known) => {
  const next = await readNextNonce(node, address);
  const own = known
    // One that no node had at the time of the back-up may have been refused since, and its nonce used by another.
    .filter(({ state, claims }) => state !== 'refused' && state !== 'signed' && claims.nonce !== undefined)
    .map(({ claims }) => claims.nonce!);
  // The first nonce is 1.
  return { count: Math.max(0, next - (Math.max(0, ...own) + 1)), transactions: [] };
};
