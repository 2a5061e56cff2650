import type { Clock } from '../base/clock.ts';

/** Runs `work` with a signal that aborts after this many milliseconds. */
export async function inTime<T>(
  clock: Clock,
  milliseconds: number,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const patience = new AbortController();
  const stop = clock.after(milliseconds, () => patience.abort(), 'limit');
  try {
    return await work(patience.signal);
  } finally {
    stop();
  }
}
