/** Transactions in blocks of VeChain. */
import { restOf } from '../../../src/chains/nodes/rest.ts';
import { effectOfCall } from '../missing.ts';
import { compareByBlocks } from './by-blocks.ts';

/** Three weeks. */
const MOST_BLOCKS = 200_000;

interface Block {
  number: number;
  /** Seconds. */
  timestamp: number;
  transactions: {
    id: string;
    origin: string;
    clauses: { to: string | null; value: string; data: string }[];
  }[];
}

export const compareVechain = compareByBlocks(async (node, at) => {
  const revision = at === 'latest' ? 'best' : at;
  const block = await restOf(node).get<Block>(`/blocks/${revision}?expanded=true`);
  return {
    number: block.number,
    time: block.timestamp * 1000,
    transactions: block.transactions.map(({ id, origin, clauses }) => ({
      hash: id,
      account: origin,
      effects: clauses.map((clause) => effectOfCall({ ...clause, value: BigInt(clause.value) })),
    })),
  };
}, MOST_BLOCKS);
