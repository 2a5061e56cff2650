/** Detects arrivals at an address while its QR code is on screen. */
import type { Chain } from '../../chains/chain.ts';
import type { Node } from '../../chains/terms.ts';
import type { Amount } from '../../chains/coin.ts';
import { coinOf, gasCoinOf } from '../../chains/secret-type.ts';
import { partlyRead } from '../../chains/nodes/balances.ts';
import type { TokenBalance } from '../../api/wallet.ts';
import type { Clock } from '../../base/clock.ts';

const AGAIN = 8_000;
const SOON = 3_000;

/** All coins and listed tokens of the address, by contract; the coin under ''. */
async function balances(chain: Chain, address: string, node: Node): Promise<Map<string, Amount>> {
  const [coin, gasCoin] = [coinOf(node.network), gasCoinOf(node.network)];
  const { tokens } = node.network;
  const [own, listed] = await Promise.all([
    chain.balance(address, node),
    tokens.length ? chain.tokenBalances(address, tokens, node).catch(readPart) : [],
  ]);
  const amounts = new Map<string, Amount>([['', { ...coin, raw: BigInt(own.rawBalance) }]]);
  for (const { tokenAddress, rawBalance } of listed) {
    const token = tokens.find(({ address: one }) => one.toLowerCase() === tokenAddress.toLowerCase());
    // VTHO is generated continuously.
    if (!token || token.symbol === gasCoin.symbol) continue;
    const { symbol, decimals } = token;
    amounts.set(token.address, { token: token.address, symbol, decimals, raw: BigInt(rawBalance) });
  }
  return amounts;
}

/** A token without an answer keeps its previous balance. */
function readPart(error: unknown): TokenBalance[] {
  try {
    return partlyRead(error).balances;
  } catch {
    return [];
  }
}

interface Held {
  /** At the last poll. */
  seen: Amount;
  /** Only amounts above this are reported. */
  level: bigint;
}

/**
 * Calls `arrived` with what arrives; ignores what leaves. Polls every 8 seconds while the document is visible, and sooner after a change,
 * until stopped. Two consecutive polls must agree: of several nodes behind one URL, one may lag by some blocks.
 */
export function watchIncoming(
  { chain, node, address, clock }: { chain: Chain; node: Node; address: string; clock: Clock },
  arrived: (amount: Amount) => void,
): () => void {
  const held = new Map<string, Held>();
  let cancelSoon = (): void => {};
  let asking = false;
  let over = false;
  const look = async (): Promise<void> => {
    if (asking || over || document.hidden) return;
    asking = true;
    try {
      const now = await balances(chain, address, node);
      if (over) return;
      let changed = false;
      // A token missing from this poll keeps its previous balance.
      for (const [key, seen] of now) {
        const { seen: before = seen, level: known = seen.raw } = held.get(key) ?? {};
        const level = within(known, before.raw, seen.raw);
        held.set(key, { seen, level });
        if (level > known) arrived({ ...seen, raw: level - known });
        changed ||= seen.raw !== before.raw;
      }
      if (changed) {
        cancelSoon();
        cancelSoon = clock.after(SOON, () => void look());
      }
    } catch {
      // The next poll retries.
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
    cancelSoon();
    document.removeEventListener('visibilitychange', onVisible);
  };
}

/** `level`, clamped to the range between the two. */
function within(level: bigint, one: bigint, other: bigint): bigint {
  const [low, high] = one < other ? [one, other] : [other, one];
  return level < low ? low : level > high ? high : level;
}
