/** What the other commands try once per guard, in dialog and window, and in every form. */
import { test } from 'node:test';
import { runEveryVariant } from './every-variant.ts';

const GUARDS = [
  ...['calls', 'hurry', 'order', 'page', 'recipients', 'replaced', 'simulation', 'typed', 'words'],
  ...['channel', 'networks', 'passkey', 'surface', 'swaps'].map((name) => `${name}.rest`),
];

test('every attack, in dialog and window, in every form', () =>
  runEveryVariant(GUARDS.map((name) => `hostile/${name}`)));
