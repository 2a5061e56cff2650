/** Kills of the service between payment and delivery; `test/long` has more of them. */
import { test } from 'node:test';
import { checkoutCrash } from './checkout-crash-setup.ts';

const RUNS = 2;

test(`${RUNS} kills: every event arrives under one id, and none is spurious`, () => checkoutCrash(RUNS));
