/** The transactions of all accounts in the blocks since a back-up: accounts have no nonces, and nodes list no transactions by account. */
import { restOf } from '../../../src/chains/nodes/rest.ts';
import { type Comparer, effectOfCall, MARGIN_MS, type MissingTransaction } from '../missing.ts';

/** Three weeks; a block every 10 s. */
const MOST_BLOCKS = 200_000;
const AT_ONCE = 8;

interface Block {
  number: number;
  timestamp: number;
  transactions: {
    id: string;
    origin: string;
    clauses: { to: string | null; value: string; data: string }[];
  }[];
}

export const compareVechain: Comparer = async (node, since) => {
  const rest = restOf(node);
  const read = (revision: number | string): Promise<Block> =>
    rest.get<Block>(`/blocks/${revision}?expanded=true`);
  const byOrigin = new Map<string, MissingTransaction[]>();
  const take = ({ transactions }: Block): void => {
    for (const { id, origin, clauses } of transactions) {
      const account = origin.toLowerCase();
      const effects = clauses.map((clause) => effectOfCall({ ...clause, value: BigInt(clause.value) }));
      byOrigin.set(account, [...(byOrigin.get(account) ?? []), { hash: id, effects }]);
    }
  };
  const best = await read('best');
  let isWhole = false;
  for (let last = best.number; !isWhole && last >= 0 && best.number - last < MOST_BLOCKS; last -= AT_ONCE) {
    const numbers = Array.from({ length: AT_ONCE }, (_, at) => last - at).filter((number) => number >= 0);
    const blocks = await Promise.all(numbers.map(read));
    blocks.forEach(take);
    isWhole = numbers.at(-1) === 0 || blocks.some(({ timestamp }) => timestamp * 1000 < since - MARGIN_MS);
  }
  return (address, known) => {
    const hashes = new Set(known.map(({ hash }) => hash.toLowerCase()));
    const all = byOrigin.get(address.toLowerCase()) ?? [];
    const transactions = all.filter(({ hash }) => !hashes.has(hash.toLowerCase()));
    const why = 'the back-up is too old to read all blocks since';
    return Promise.resolve(
      isWhole ? { count: transactions.length, transactions } : { count: null, transactions, why },
    );
  };
};
