/** Work on long lists that does not block other requests. */
import { setImmediate as nextTurn, setTimeout as rest } from 'node:timers/promises';
import { BURST } from '../concurrency/turns.ts';

/** How many items are worked on at a time. */
export const SLICE = 5;

/**
 * What `work` makes of each slice of the list. Other requests get their turn between two. After a burst of work it rests for as long: a long
 * list takes at most half of the process, so that other requests hardly wait.
 */
export async function inSlices<Item, Result>(
  list: Item[],
  work: (slice: Item[]) => Result,
): Promise<Result[]> {
  const results: Result[] = [];
  let since = performance.now();
  for (let at = 0; at < list.length; at += SLICE) {
    if (at > 0) {
      if (performance.now() - since < BURST) await nextTurn();
      else {
        await rest(BURST);
        since = performance.now();
      }
    }
    results.push(work(list.slice(at, at + SLICE)));
  }
  return results;
}
