/** What the other commands try in one place, or once of its kind, in dialog and window, and in every form. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { run } from '../../scripts/command.ts';
import { DEADLINE_MS } from '../waiting.ts';

const FILES = [
  ...['calls', 'hurry', 'order', 'page', 'recipients', 'replaced', 'simulation', 'typed', 'words'].map(
    (name) => `hostile/${name}`,
  ),
  ...['channel', 'networks', 'passkey', 'surface', 'swaps'].map((name) => `hostile/${name}.rest`),
  'access.rest',
  'ages.rest',
  'checkout.rest',
  'copy.rest',
  'external.rest',
  'first-run.rest',
  'first-transfer',
  'passkey',
  'provider',
  'recovery.rest',
  'reference.long',
  'refusals.rest',
  'service-wallets.rest',
  'surface.rest',
  'swap',
  'typed-data.rest',
  'wallet-payment.rest',
];

test('every attempt, in dialog and window, in every form', async () => {
  const { code, timedOut } = await run(
    'node',
    ['--import', 'tsx', 'scripts/test.ts', 'e2e', ...FILES.map((name) => `test/e2e/${name}.test.ts`)],
    { timeout: 18 * DEADLINE_MS, env: { EVERY_VARIANT: 'yes' } },
  );
  assert.ok(!timedOut, 'in time');
  assert.equal(code, 0);
});
