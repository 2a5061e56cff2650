/**
 * The service stops waiting for a node, an identity provider or its database after a few seconds. On a busy machine that would happen to
 * ones that do answer. So in tests these limits are the deadline; a test of such a limit sets it, or has a stand-in run out of it.
 */
import { DEADLINE_MS } from '../waiting.ts';

/** Runs as text in other processes, too: it must not use anything from outside. */
function stretch(least: number): void {
  const timeout = AbortSignal.timeout.bind(AbortSignal);
  AbortSignal.timeout = (milliseconds) => timeout(Math.max(milliseconds, least));
  const timer = globalThis.setTimeout;
  // `Limit` of src/base/clock.ts.
  const stretched = (work: (...args: unknown[]) => void, milliseconds?: number, ...args: unknown[]) =>
    timer(work, args[0] === 'limit' ? Math.max(milliseconds ?? 0, least) : milliseconds, ...args);
  globalThis.setTimeout = Object.defineProperties(
    stretched,
    Object.getOwnPropertyDescriptors(timer),
  ) as never;
}

stretch(DEADLINE_MS);

/** Arguments of Node for a process with the same limits. */
export const PATIENT = [
  '--import',
  `data:text/javascript,${encodeURIComponent(`(${String(stretch)})(${DEADLINE_MS})`)}`,
];

/** For a limit that is meant to run out, because a stand-in never answers. What does answer must not have it. */
export const HASTY_MS = 50;
