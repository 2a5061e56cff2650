/** For chains whose accounts have no nonces, and whose nodes list no transactions by account: reads every block since the back-up. */
import type { Node } from '../../../src/chains/terms.ts';
import { type Comparer, MARGIN_MS, type Missing, type MissingTransaction } from '../missing.ts';

const AT_ONCE = 8;

export interface ReadBlock {
  number: number;
  /** Milliseconds since 1970. */
  time: number;
  transactions: readonly (MissingTransaction & { account: string })[];
}

/** `most`: blocks that are read; if there were more since, the chain cannot tell. Accounts are compared without regard to case. */
export function compareByBlocks(
  read: (node: Node, at: number | 'latest') => Promise<ReadBlock>,
  most: number,
): Comparer {
  return async (node, since) => {
    const byAccount = new Map<string, MissingTransaction[]>();
    const take = ({ transactions }: ReadBlock): void => {
      for (const { account, hash, effects } of transactions) {
        const key = account.toLowerCase();
        byAccount.set(key, [...(byAccount.get(key) ?? []), { hash, effects }]);
      }
    };
    const { number: head } = await read(node, 'latest');
    let isWhole = false;
    for (let last = head; !isWhole && head - last < most; last -= AT_ONCE) {
      const numbers = Array.from({ length: AT_ONCE }, (_, at) => last - at).filter((number) => number >= 0);
      const blocks = await Promise.all(numbers.map((number) => read(node, number)));
      blocks.forEach(take);
      isWhole = last < AT_ONCE || blocks.some(({ time }) => time < since - MARGIN_MS);
    }
    return async (address, known): Promise<Missing> => {
      const hashes = new Set(known.map(({ hash }) => hash.toLowerCase()));
      const all = byAccount.get(address.toLowerCase()) ?? [];
      const transactions = all.filter(({ hash }) => !hashes.has(hash.toLowerCase()));
      return isWhole
        ? { count: transactions.length, transactions }
        : { count: null, transactions, why: `there were more than ${most} blocks since` };
    };
  };
}
