/** Milliseconds of work at a time. */
const BURST = 5;

/** What `work` makes of each entry, in order. Hundreds of clauses take a while, so others, such as a service's requests, get their turns. */
export async function inTurns<Entry, Result>(
  entries: readonly Entry[],
  work: (entry: Entry) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  let since = performance.now();
  for (const entry of entries) {
    results.push(await work(entry));
    if (performance.now() - since < BURST) continue;
    await new Promise((resolve) => void setTimeout(resolve));
    since = performance.now();
  }
  return results;
}
