/**
 * Limits of the product would end what a busy machine merely takes long for: an iframe that is silent for twenty seconds, a node that does
 * not answer in eight. In the tests' browser profiles, and in this process, they last as long as the tests wait for anything. All other
 * waits (polls, dwell, animations) are as users have them. A test of a limit takes an impatient profile.
 */
import type { BrowserContext } from 'playwright-core';
import { DEADLINE_MS } from '../waiting.ts';

/** Runs in a page before its scripts. */
function bePatient(deadline: number): void {
  const { setTimeout: later } = globalThis;
  const limit = AbortSignal.timeout.bind(AbortSignal);
  AbortSignal.timeout = () => limit(deadline);
  // See `Limit` in `src/base/clock.ts`.
  globalThis.setTimeout = ((work: () => void, wait?: number, ...given: unknown[]) =>
    later(work, given[0] === 'limit' ? deadline : wait, ...given)) as typeof globalThis.setTimeout;
}

/** For the pages and windows that open in this profile from now on. */
export async function patient(context: BrowserContext): Promise<void> {
  await context.addInitScript(bePatient, DEADLINE_MS);
}

/** The servers and chains that run in this process ask each other for as long as it takes. */
export function patientHere(): void {
  const limit = AbortSignal.timeout.bind(AbortSignal);
  AbortSignal.timeout = () => limit(DEADLINE_MS);
}
