/** The maximum that a transfer of TRX can send. */
import type { Node } from '../terms.ts';
import { costsOf, requiredOf } from './costs.ts';
import type { Contract } from './draft.ts';
import { bandwidthOf, rawData } from './envelope.ts';
import { readAccount, readParameters, readResources } from './node.ts';

/**
 * All TRX minus what bandwidth, a memo and a new account burn; without a recipient, as if it had no account yet. Bytes
 * that the account's own bandwidth covers are not set aside, unlike in the maximum that the approval shows: a
 * transfer of TRX has no fee limit, and if that bandwidth is used up by then, no node takes the transfer and
 * nothing is burned. Otherwise no wallet could ever be emptied. One round trip.
 */
export async function maxSpendable(
  from: string,
  to: string | undefined,
  node: Node,
  memo = '0x',
): Promise<bigint> {
  const [{ balance }, own, price, target] = await Promise.all([
    readAccount(node, from),
    readResources(node, from),
    readParameters(node),
    to === undefined ? undefined : readAccount(node, to),
  ]);
  const contract: Contract = { kind: 'coin', to: to ?? from, amount: balance };
  const now = Date.now();
  const envelope = {
    from,
    contract,
    refBlockBytes: '0x0000',
    refBlockHash: `0x${'00'.repeat(8)}`,
    expiration: now,
    timestamp: now,
    feeLimit: 0n,
    memo,
  };
  const costs = costsOf({
    contract,
    feeLimit: 0n,
    hasMemo: memo !== '0x',
    bandwidth: bandwidthOf(rawData(envelope)),
    activates: !target?.exists,
    own,
    trial: undefined,
    payer: undefined,
    price,
  });
  const left = balance - requiredOf(costs);
  return left > 0n ? left : 0n;
}
