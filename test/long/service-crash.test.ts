/** Kills of the service at random moments under load. */
import { test } from 'node:test';
import { crash } from './service-crash-setup.ts';

const RUNS = Number(process.env['CRASHES'] ?? 50);

test(`${RUNS} kills: nothing acknowledged is lost or duplicated, every restart is clean`, () => crash(RUNS));
