/**
 * Which test files there are, and which command runs them. One rule: `*.rest.test.ts` is for `npm run test:rest`, `*.long.test.ts` for
 * `npm run test:long suites`, the others for `npm test`.
 */
import { existsSync, statSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import { filesBelow } from '../build.ts';
import { ROOT } from '../command.ts';

/** Suites are folders of `test/`. */
export type SuiteName = 'unit' | 'conformance' | 'service' | 'e2e' | 'nodes' | 'long';

/** `core` is what `npm test` runs, `rest` what `npm run test:rest` does, `long` what `npm run test:long suites` does. */
export type Part = 'core' | 'rest' | 'long' | 'whole';

/** Of a file outside `test/long`. */
function partOf(file: string): Part {
  if (file.endsWith('.rest.test.ts')) return 'rest';
  return file.endsWith('.long.test.ts') ? 'long' : 'core';
}

/** Paths from the project's root, the largest first: a long one that started last would leave the other cores idle. */
export function testFiles(suite: SuiteName, part: Part): string[] {
  const folder = join(ROOT, 'test', suite);
  if (!existsSync(folder)) return [];
  return filesBelow(folder)
    .filter((file) => file.endsWith('.test.ts'))
    .filter((file) => part === 'whole' || part === partOf(file))
    .sort((a, b) => statSync(b).size - statSync(a).size)
    .map((file) => relative(ROOT, file));
}

/** `test/e2e/pin.rest.test.ts` → `pin`. */
export const nameOf = (file: string): string => basename(file).replace(/(\.rest|\.long)?\.test\.ts$/, '');

/** Depend on how the browser handles keys and dialogs, which the headless shell does differently. */
export const needsWholeBrowser = (file: string): boolean => nameOf(file) === 'surfaces';

/** About locks, queues, and killed processes and databases, all on a PostgreSQL that the file starts itself, or about that one. */
const OWN_DATABASE = new Set([
  'backup',
  'checkout-pay',
  'custody-pins',
  'database',
  'execute',
  'execute-approved',
  'hard-days',
  'outage',
  'processes',
  'restore',
  'stop',
  'wallet-payments',
  'wallet-payments-trouble',
  'webhooks',
  'webhooks-failures',
]);

/** The others use the same driver in the same way on one PostgreSQL for all. */
export const needsOwnDatabase = (file: string): boolean => OWN_DATABASE.has(nameOf(file));
