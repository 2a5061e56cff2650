/** Work on long lists that does not block other requests. */
import { setImmediate as nextTurn } from 'node:timers/promises';

/** Entries at a time. */
export const SLICE = 5;

/** What `work` makes of each slice of the list. Other requests get their turn between two. */
export async function inSlices<Entry, Result>(
  list: Entry[],
  work: (slice: Entry[]) => Result,
): Promise<Result[]> {
  const results: Result[] = [];
  for (let at = 0; at < list.length; at += SLICE) {
    if (at > 0) await nextTurn();
    results.push(work(list.slice(at, at + SLICE)));
  }
  return results;
}
