/** An example of each error for the reference: the one that a caller may get, with the `details` of its code. */
import { STATUS_CODES } from 'node:http';
import type { Problem } from '../../src/api/problem.ts';
import type { Route } from '../../src/api/route.ts';
import type { OAuthError } from '../../src/api/token.ts';
import { CODES } from './codes.ts';

const OF_TOKENS = [
  'token.missing',
  'token.expired',
  'token.invalid',
  'token.scope',
  'identity-provider.unreachable',
];
const OF_BODIES = ['request.media-type', 'request.too-large'];
const OF_ALL = ['request.rate-limited', 'service.unreachable', 'internal.error'];

/** Besides its own errors, what a call may answer because it takes a token or a body, and what every call may. */
export function commonErrors({ scopes, clientSecret, body, file }: Route): string[] {
  return [
    ...(scopes ? OF_TOKENS : []),
    ...(clientSecret ? ['token.invalid'] : []),
    ...(body || file !== undefined ? OF_BODIES : []),
    ...OF_ALL,
  ];
}

const REDIRECT = { redirect: 'https://shop.example/cart' };

/** What `details` has, where a code has some. */
const DETAILS: Readonly<Record<string, Record<string, unknown>>> = {
  'token.scope': { scopes: ['sign:wallets'] },
  'request.rate-limited': { retryAfter: 12 },
  'service.unreachable': { retryAfter: 2 },
  'request.method-not-allowed': { methods: ['GET', 'HEAD', 'OPTIONS'] },
  'device.proof.invalid': { now: 1_769_850_312 },
  'passkey.invalid': { check: 'challenge' },
  'pincode.wrong': { attemptsLeft: 4 },
  'pincode.locked': { retryAfter: 60 },
  'policy.refused': { rule: 'per-day', policy: 'wallet:5f0c6b1e-9c1f-4c39-8a52-0d4d7a1f2b11' },
  'transaction.insufficient-funds': { need: '250063000000000000', have: '150063000000000000' },
  'transaction.refused': { reason: 'execution reverted' },
  'node.unreachable': {
    transactionHash: '0x9fc76417374aa880d4449a1f7f31ec597f00b1f6f3dd2d66f4c9c6c445836d8b',
  },
  'wallet.session.limit': { reason: 'amount', left: '100000000000000000' },
  'checkout.session.complete': REDIRECT,
  'checkout.session.expired': REDIRECT,
  'checkout.refund.refused': { reason: 'amount', refundable: 1999 },
  'checkout.wallet.no-price': { reason: 'unreachable' },
};

/** `reference`: URL of the page that explains the codes. */
export function problemExample(code: string, reference: string): Problem {
  const { status, meaning } = CODES[code]!;
  const details = DETAILS[code];
  return {
    type: `${reference}#${code}`,
    title: STATUS_CODES[status]!,
    status,
    detail: meaning.replaceAll('`', ''),
    instance: '2c1743a3-91d5-4c3e-8c6b-5b2b7a0e9f14',
    code,
    ...(code === 'request.invalid'
      ? { issues: [{ path: 'pincode', message: 'must be 4 to 6 digits as text' }] }
      : {}),
    ...(details ? { details } : {}),
  };
}

/** Of the token endpoint (RFC 6749 section 5.2). */
export const OAUTH_EXAMPLES: Readonly<Record<string, OAuthError>> = {
  invalid_client: {
    error: 'invalid_client',
    error_description: 'The client is unknown, its secret is wrong, or it was revoked.',
  },
  invalid_request: {
    error: 'invalid_request',
    error_description: 'client_id and client_secret are required.',
  },
  invalid_scope: {
    error: 'invalid_scope',
    error_description: 'The client does not have one of these scopes.',
  },
  temporarily_unavailable: {
    error: 'temporarily_unavailable',
    error_description: 'Too many requests.',
  },
};
