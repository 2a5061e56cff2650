/**
 * `npm test` runs the core of some files, and `npm run test:rest` what is left of them. Both are written in one module, so that they share
 * what they set up: `x.test.ts` and `x.rest.test.ts` import it, and a test says which of them it belongs to.
 */
import { describe } from 'node:test';
import { test } from '../groups.ts';
import { EVERY_CHAIN, EVERY_VARIANT } from './variants.ts';

const isAll = EVERY_CHAIN || EVERY_VARIANT;
/** The core has not run before in this process. */
export const IS_REST = !isAll && /\.rest\.test\.[jt]s$/.test(process.argv[1] ?? '');

const none = (): Promise<void> => Promise.resolve();
const only = <T extends typeof test | typeof describe>(run: T, runs: boolean): T =>
  runs ? run : (none as T);

export const core = only(test, !IS_REST);
export const rest = only(test, IS_REST || isAll);
/** Only in `npm run test:long hostile variants`: the same on another surface or in another form, or what unit tests show without a browser. */
export const variant = only(test, EVERY_VARIANT);
/** Only in `npm run test:long chains`. */
export const onEveryChain = only(test, EVERY_CHAIN);
/** A group, of which everything is in the core. */
export const describeCore = only(describe, !IS_REST);
/** A group, of which everything is in the rest. */
export const describeRest = only(describe, IS_REST || isAll);
export const describeVariants = only(describe, EVERY_VARIANT);
