/**
 * All waits of the tests. A deadline is against hanging only: a machine ten times slower than ours still passes, and in a green run a
 * deadline costs nothing. `npm run lint` refuses `setTimeout`, `waitForTimeout` and literal time-outs elsewhere in `test/`.
 */

/** In a page, what `scripts/bundled-tests.ts` puts there. */
const { TEST_DEADLINE } = (globalThis.process?.env ?? globalThis) as { TEST_DEADLINE?: string };

/** Seconds that a test waits for anything at most; the environment variable `TEST_DEADLINE` overrides it. */
const SECONDS = Number(TEST_DEADLINE || 120);

/** The same in milliseconds: for Playwright, `fetch` and processes. */
export const DEADLINE_MS = SECONDS * 1000;

// Taken at once: some tests replace the page's own.
const setTimer = globalThis.setTimeout.bind(globalThis);
const clearTimer = globalThis.clearTimeout.bind(globalThis);
const now = performance.now.bind(performance);

/** How often `poll` looks, in milliseconds. */
const LOOK_MS = 20;

/**
 * Lets real time pass: before a test shows that something did not happen, or between the steps of somebody who is not in a hurry. Never
 * instead of `poll`.
 */
export function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => void setTimer(resolve, milliseconds));
}

/** Each wait shows the runner that its file does not hang: see `node-reporter.mjs`. */
function showProgress(what: string): void {
  (globalThis as { showTestProgress?: (what: string) => void }).showTestProgress?.(what);
}

/** Rejects if `promise` has not settled in time, naming what was awaited. */
export function within<T>(promise: Promise<T>, what: string): Promise<T> {
  showProgress(what);
  return limited(promise, what);
}

async function limited<T>(promise: Promise<T>, what: string): Promise<T> {
  let timer: ReturnType<typeof setTimer> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimer(
      () => reject(new Error(`timed out after ${SECONDS} s waiting for ${what}`)),
      DEADLINE_MS,
    );
  });
  return Promise.race([promise, late]).finally(() => clearTimer(timer));
}

/** Looks until `look` returns a value other than `undefined` and `false`, and returns it. */
export async function poll<T>(
  look: () => T | false | undefined | Promise<T | false | undefined>,
  what: string,
): Promise<T> {
  showProgress(what);
  const end = now() + DEADLINE_MS;
  for (;;) {
    const value = await limited(Promise.resolve(look()), what);
    if (value !== undefined && value !== false) return value;
    if (now() > end) throw new Error(`timed out after ${SECONDS} s waiting for ${what}`);
    await pause(LOOK_MS);
  }
}
