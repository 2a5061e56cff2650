/** Delays between attempts. */

const S = 1000;
const M = 60 * S;
const H = 60 * M;

/** After the first failure, the second, and so on: three days in all. */
const DELAYS = [5 * S, 30 * S, 2 * M, 10 * M, 30 * M, H, 2 * H, 4 * H, 8 * H, 12 * H, 20 * H, 24 * H];
/** Share of each delay, in both directions: deliveries that failed together must not return together. */
const JITTER = 0.2;
/** A receiver may ask for a longer pause, but not for so long that the event is stale. */
const LONGEST_WAIT = 6 * H;

/** Milliseconds to wait after the n-th failure; undefined when there is no further attempt. */
export function nextDelay(
  failures: number,
  retryAfter: number | undefined,
  random: () => number = Math.random,
): number | undefined {
  const usual = DELAYS[failures - 1];
  if (usual === undefined) return undefined;
  const pause = Math.min(retryAfter ?? 0, LONGEST_WAIT);
  const jittered = usual * (1 + JITTER * (2 * random() - 1));
  return Math.round(pause > jittered ? pause * (1 + JITTER * random()) : jittered);
}

/** The milliseconds of a `Retry-After` header (RFC 9110 section 10.2.3); undefined when it is not valid. */
export function readRetryAfter(text: string | null, now: number): number | undefined {
  if (text === null) return undefined;
  if (/^\d{1,9}$/.test(text)) return Number(text) * S;
  const at = /^\w{3}, /.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(at) ? undefined : Math.max(0, at - now);
}
