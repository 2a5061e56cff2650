/** The memo of a swap, made here of what the user approves, and never taken from a node. */
import { chainOf, memoName, NotAvailable, type Pools, resolveAsset } from './assets.ts';
import { readMemo } from './read-memo.ts';

export interface MemoOrder {
  /** THORChain's full name of what is bought. */
  to: string;
  recipient: string;
  /** The least output, in hundred-millionths. */
  limit: bigint;
}

/**
 * Without affiliates, and without an address for refunds, which a data output has no room for: they go to the sender. Throws `NotAvailable` if
 * it has more than `bytes`, or would be read as anything else than the order.
 */
export function writeMemo({ to, recipient, limit }: MemoOrder, pools: Pools, bytes: number): string {
  const name = memoName(to, pools);
  const chain = chainOf(to);
  if (!name || !chain) throw new NotAvailable('pool', `There is no pool of ${to}.`);
  const memo = `=:${name}:${recipient}:${limit}`;
  if (memo.length > bytes)
    throw new NotAvailable('memo', `Its order has ${memo.length} bytes, of ${bytes} at most.`);
  const order = readMemo(memo);
  const isRead =
    order &&
    !('unreadable' in order) &&
    resolveAsset(order.asset, pools) === to &&
    order.recipient === recipient &&
    order.limit === limit &&
    limit > 0n &&
    !order.refundTo &&
    !order.streaming &&
    order.affiliates.length === 0;
  if (!isRead) throw new NotAvailable('memo', 'THORChain would read something else than the order.');
  return memo;
}
