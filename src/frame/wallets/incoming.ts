/** Looks whether something arrives at an address, while its code is on screen. */
import type { Amount, Chain, Node } from '../../chains/chain.ts';
import type { Clock } from '../../clock.ts';

const AGAIN = 8_000;

/** Every coin and listed token of the address, by contract, the coin under ''. */
async function balances(chain: Chain, address: string, node: Node): Promise<Map<string, Amount>> {
  const { coin, gasCoin } = chain;
  const { tokens } = node.network;
  const [own, listed] = await Promise.all([
    chain.balance(address, node),
    tokens.length ? chain.tokenBalances(address, tokens, node).catch(() => []) : [],
  ]);
  const found = new Map<string, Amount>([['', { ...coin, raw: BigInt(own.rawBalance) }]]);
  for (const { tokenAddress, rawBalance } of listed) {
    const token = tokens.find(({ address: one }) => one.toLowerCase() === tokenAddress.toLowerCase());
    // VTHO comes by itself, all the time.
    if (!token || token.symbol === gasCoin.symbol) continue;
    const { symbol, decimals } = token;
    found.set(token.address, { token: token.address, symbol, decimals, raw: BigInt(rawBalance) });
  }
  return found;
}

/**
 * Calls `arrived` with what came since the last look. Asks every 8 seconds while the document is visible, until it is stopped; what
 * leaves in the meantime counts for nothing.
 */
export function watchIncoming(
  { chain, node, address, clock }: { chain: Chain; node: Node; address: string; clock: Clock },
  arrived: (amount: Amount) => void,
): () => void {
  let before: ReadonlyMap<string, Amount> | undefined;
  let asking = false;
  let over = false;
  const look = async (): Promise<void> => {
    if (asking || over || document.hidden) return;
    asking = true;
    try {
      const now = await balances(chain, address, node);
      if (over) return;
      const last = before;
      // A token that did not answer this time keeps what it had.
      before = new Map([...(last ?? []), ...now]);
      if (!last) return;
      for (const [key, amount] of now) {
        const had = last.get(key)?.raw;
        if (had !== undefined && amount.raw > had) arrived({ ...amount, raw: amount.raw - had });
      }
    } catch {
      // The next look asks again.
    } finally {
      asking = false;
    }
  };
  void look();
  const stop = clock.every(AGAIN, () => void look());
  const onVisible = (): void => void look();
  document.addEventListener('visibilitychange', onVisible);
  return () => {
    over = true;
    stop();
    document.removeEventListener('visibilitychange', onVisible);
  };
}
