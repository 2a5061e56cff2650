/** Batches concurrent reads of single rows into one query. */
import DataLoader from 'dataloader';
import { acrossAccounts } from './account-scope.ts';

/** A larger batch would delay every read in it. */
const MAX_BATCH = 100;

/**
 * Reads one row by its key. All reads that start in one turn of the event loop, while Node reads its sockets, go out as one query. Nothing
 * is cached: each read sees what was written before it. `read` returns the rows that exist, in any order.
 */
export function batchedRead<Row>(
  read: (keys: string[]) => Promise<Row[]>,
  keyOf: (row: Row) => string,
): (key: string) => Promise<Row | undefined> {
  const loader = new DataLoader<string, Row | undefined>(
    async (keys) => {
      const rows = new Map(
        (await acrossAccounts('one-query', () => read([...new Set(keys)]))).map((row) => [keyOf(row), row]),
      );
      return keys.map((key) => rows.get(key));
    },
    { cache: false, maxBatchSize: MAX_BATCH, batchScheduleFn: (send) => setImmediate(send) },
  );
  return (key) => loader.load(key);
}
