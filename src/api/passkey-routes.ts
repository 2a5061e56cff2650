/** The passkey of a user's master PIN. */
import { Nothing } from './account.ts';
import { AddPasskey, PasskeyState, RemovePasskey } from './passkey.ts';
import type { Route } from './route.ts';

export const readPasskey = {
  method: 'GET',
  path: '/api/passkey',
  summary: "Read the account's passkey.",
  area: 'PINs and devices',
  scopes: ['sign:wallets'],
  proof: 'new',
  status: 200,
  answer: PasskeyState,
} as const satisfies Route;

export const addPasskey = {
  method: 'POST',
  path: '/api/passkey',
  summary: 'Add a passkey, with the master PIN. From then on nothing is signed without it.',
  area: 'PINs and devices',
  scopes: ['sign:wallets'],
  proof: 'enrolled',
  body: AddPasskey,
  status: 201,
  answer: PasskeyState,
} as const satisfies Route;

export const removePasskey = {
  method: 'POST',
  path: '/api/passkey/remove',
  summary: 'Remove the passkey, with the passkey itself or the recovery code.',
  area: 'PINs and devices',
  scopes: ['sign:wallets'],
  proof: 'enrolled',
  passkey: 'optional',
  body: RemovePasskey,
  status: 200,
  answer: Nothing,
} as const satisfies Route;
