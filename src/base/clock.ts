/**
 * The clock that everything in `src/channel`, `src/frame` and `src/ui` reads and waits by: dwell, silence, polls, freshness. It is a
 * constructor argument, so that tests can move it by hand; no message, parameter or global of the built frame can reach it.
 */
export interface Clock {
  /** Milliseconds since 1970, for times that are stored and compared later. */
  date(): number;
  /** Monotonic milliseconds, for durations. */
  now(): number;
  /** Runs `work` once. Returns a function that cancels it. With `limit`, it gives up what others have not done by then. */
  after(milliseconds: number, work: () => void, limit?: Limit): () => void;
  /** Runs `work` repeatedly. Returns a function that stops it. */
  every(milliseconds: number, work: () => void): () => void;
}

/** Timers carry it, so that a test can tell limits from other waits: a limit must not end because the machine is busy. */
export type Limit = 'limit';

export const systemClock: Clock = {
  date: () => Date.now(),
  now: () => performance.now(),
  after(milliseconds, work, ...limit) {
    const id = setTimeout(work, milliseconds, ...limit);
    return () => clearTimeout(id);
  },
  every(milliseconds, work) {
    const id = setInterval(work, milliseconds);
    return () => clearInterval(id);
  },
};

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
