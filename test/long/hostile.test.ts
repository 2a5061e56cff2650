/** What the other commands try once per guard, in dialog and window, and in every form. */
import { test } from 'node:test';
import { runEveryVariant } from './every-variant.ts';

const GUARDS = [
  'calls',
  'channel.rest',
  'hurry',
  'networks.rest',
  'order',
  'page',
  'passkey.rest',
  'recipients',
  'replaced',
  'simulation',
  'surface.rest',
  'swaps.rest',
  'typed',
  'words',
];

test('every attack, in dialog and window, in every form', () =>
  runEveryVariant(GUARDS.map((name) => `hostile/${name}`)));
