/** What the other commands go through in one place, in dialog and window, and in every form. */
import { test } from 'node:test';
import { runEveryVariant } from './every-variant.ts';

const FLOWS = [
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

test('every flow, in dialog and window, in every form', () => runEveryVariant(FLOWS));
