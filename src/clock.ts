/**
 * The clock that everything in `src/channel`, `src/frame` and `src/ui` reads and waits by: dwell, silence, polls, freshness. It is a
 * constructor argument, so that tests can move it by hand; no message, parameter or global of the built frame can reach it.
 */
export interface Clock {
  /** Milliseconds since 1970, for times that are stored and compared later. */
  date(): number;
  /** Monotonic milliseconds, for durations. */
  now(): number;
  /** Runs `work` once. Returns a function that cancels it. */
  after(milliseconds: number, work: () => void): () => void;
  /** Runs `work` repeatedly. Returns a function that stops it. */
  every(milliseconds: number, work: () => void): () => void;
}

export const systemClock: Clock = {
  date: () => Date.now(),
  now: () => performance.now(),
  after(milliseconds, work) {
    const id = setTimeout(work, milliseconds);
    return () => clearTimeout(id);
  },
  every(milliseconds, work) {
    const id = setInterval(work, milliseconds);
    return () => clearInterval(id);
  },
};
