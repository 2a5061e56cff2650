/** Kills of the service at random moments between payment and delivery. */
import { test } from 'node:test';
import { checkoutCrash } from './checkout-crash-setup.ts';

const RUNS = Number(process.env['CRASHES'] ?? 50);

test(`${RUNS} kills: every event arrives under one id, and none is spurious`, () => checkoutCrash(RUNS));
