/** Reads of one row each that come at the same time, asked as one query. */
import DataLoader from 'dataloader';

/** A longer list would hold up everybody on it. */
const MAX_BATCH = 100;

/**
 * Reads one row by its key. What is asked for while Node reads its sockets goes out as one query when it has read them. Nothing is kept:
 * each read sees what was written before it. `read` answers the rows of the keys in any order, without those that there are not.
 */
export function batchedRead<Row>(
  read: (keys: string[]) => Promise<Row[]>,
  keyOf: (row: Row) => string,
): (key: string) => Promise<Row | undefined> {
  const loader = new DataLoader<string, Row | undefined>(
    async (keys) => {
      const rows = new Map((await read([...new Set(keys)])).map((row) => [keyOf(row), row]));
      return keys.map((key) => rows.get(key));
    },
    { cache: false, maxBatchSize: MAX_BATCH, batchScheduleFn: (send) => setImmediate(send) },
  );
  return (key) => loader.load(key);
}
