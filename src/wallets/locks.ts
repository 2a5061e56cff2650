/** Runs work one at a time: across all tabs of this origin by Web Locks, or within this page in browsers without them. */
const tails = new Map<string, Promise<unknown>>();

export function exclusive<T>(
  name: string,
  work: () => Promise<T>,
  locks: LockManager | null = navigator.locks ?? null,
): Promise<T> {
  if (locks) return locks.request(name, work) as Promise<T>;
  const result = (tails.get(name) ?? Promise.resolve()).then(work);
  const tail: Promise<unknown> = result
    .catch(() => undefined)
    .then(() => tails.get(name) === tail && tails.delete(name));
  tails.set(name, tail);
  return result;
}
