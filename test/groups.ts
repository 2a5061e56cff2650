/**
 * Groups of tests that need a program of the machine. `describe` with `skip` would not run the function that declares the tests, so that
 * nobody would know how many were skipped: a group declares each of them, and skips them one by one. The tests and hooks in it come from
 * here, too.
 */
import { after as afterAll, before as beforeAll, describe, test as runTest } from 'node:test';

/** Why the tests that are being declared are skipped. */
let lack: string | false = false;

type Work = () => unknown;

/** `missing`: why the tests cannot run here, or false. */
export function group(name: string, missing: string | false, tests: () => void): void {
  // Otherwise its tests would inherit that of `sideBySide`.
  describe(name, { concurrency: 1 }, () => {
    lack = missing;
    tests();
    lack = false;
  });
}

/** Groups that share nothing but the browser: while one waits, another goes on. */
export function sideBySide(what: string, groups: () => void): void {
  describe(what, { concurrency: 2 }, groups);
}

export function test(name: string, work: () => Promise<unknown> | void): Promise<void> {
  return runTest(name, { skip: lack }, work as () => Promise<void>);
}

export function before(work: Work): void {
  if (!lack) beforeAll(async () => void (await work()));
}

export function after(work: Work): void {
  if (!lack) afterAll(async () => void (await work()));
}
