/** What signed transactions use, for a wallet whose nodes may not know all of them yet. */

/** What no other transaction of the wallet may use. */
export interface Claims {
  /** In the account's order; on EVM chains of this chain id, which a request can choose. */
  nonce?: number | undefined;
  chainId?: number | undefined;
  /** Of the coin, at most: value and fee. */
  cost?: bigint | undefined;
  /** `txid:vout` */
  coins?: readonly string[] | undefined;
  /** The next nonce according to the node when it was asked: it knows of none from there on. */
  nodeNext?: number | undefined;
}

/** The first nonce from `next` on that none of them takes. */
export function freeNonce(next: number, taken: readonly Claims[]): number {
  const used = new Set(taken.map(({ nonce }) => nonce));
  let free = next;
  while (used.has(free)) free++;
  return free;
}

/**
 * What they will still take from a balance that includes nonces below `mined`; `own` is about to replace the
 * one it conflicts with.
 */
export function owed(taken: readonly Claims[], mined: number, own: number): bigint {
  const costs = new Map<number, bigint>();
  for (const { nonce = -1, cost = 0n } of taken)
    if (nonce >= mined && nonce !== own && cost > (costs.get(nonce) ?? 0n)) costs.set(nonce, cost);
  return [...costs.values()].reduce((sum, cost) => sum + cost, 0n);
}
