/** A transaction that replaces a pending one. Rare, so loaded on demand. */
import { ConnectError } from '../../base/errors.ts';
import type { Node } from '../terms.ts';
import type { AeternityDraft } from './draft.ts';
import { feeAt } from './spend.ts';
import { available, LIFE, readAll } from './transaction.ts';

/**
 * The same nonce with a higher fee; `cancel` sends 0 to the wallet itself. Nodes keep both, and of one nonce
 * mine the transaction with the higher fee, whatever its size (`int_get_candidate` in aec_tx_pool.erl).
 */
export async function replace(
  draft: AeternityDraft,
  how: 'speed-up' | 'cancel',
  node: Node,
): Promise<AeternityDraft> {
  const { from } = draft;
  const { account, next, waiting, gasPrice, height, network, networkId } = await readAll(from, node);
  if (account.nonce >= draft.nonce)
    throw new ConnectError('transaction.refused', 'The transaction is no longer waiting: it was processed.', {
      reason: 'nonce_too_low',
    });
  // If it expired earlier than the first one, the first would come back to life.
  const ttl = draft.ttl === 0 ? 0 : Math.max(draft.ttl, height + LIFE);
  const spend = how === 'cancel' ? { ...draft, ttl, to: from, amount: 0n, payload: '0x' } : { ...draft, ttl };
  return {
    ...spend,
    network,
    networkId,
    fee: feeAt(gasPrice, spend, draft.fee + draft.fee / 10n + 1n),
    facts: {
      balance: available(account, waiting, draft.nonce),
      minedNonce: account.nonce + 1,
      pendingNonce: next,
      generalized: account.generalized,
      usualFee: feeAt(gasPrice, spend),
      recipient: how === 'cancel' ? { familiar: true, reported: false } : draft.facts.recipient,
    },
  };
}
