/** Spending sessions: what an application may spend from one of its wallets without the PIN, for a few minutes. */
import * as z from 'zod/mini';
import { Nothing } from './account.ts';
import { PageQuery } from './paging.ts';
import type { Route } from './route.ts';
import { line, Pincode, WalletId } from './text.ts';
import { WalletParams } from './wallet-requests.ts';

const limit = {
  /** Contract address; absent for the coin, whose limit also counts fees. */
  token: z.optional(line(128)),
  /** In smallest units, for all transactions of the session together. */
  amount: z
    .string()
    .check(z.regex(/^[1-9]\d{0,77}$/, 'must be a whole number of smallest units as text, at least 1')),
};

export const OpenSpendingSession = z.strictObject({
  pincode: Pincode,
  /** Assets that are not listed cannot be spent. */
  limits: z.array(z.strictObject(limit)).check(z.minLength(1), z.maxLength(20)),
  /** How many transactions. */
  transactions: z.int().check(z.minimum(1), z.maximum(10_000)),
});
export type OpenSpendingSession = z.infer<typeof OpenSpendingSession>;

export const SpendingSession = z.object({
  id: z.string(),
  /** ISO 8601. */
  createdAt: z.string(),
  expiresAt: z.string(),
  transactions: z.int(),
  /** How many of them were signed. */
  transactionsUsed: z.int(),
  limits: z.array(z.object({ ...limit, used: z.string() })),
});
export type SpendingSession = z.infer<typeof SpendingSession>;

export const OpenedSpendingSession = z.extend(SpendingSession, {
  /** `session` of execute, in place of `pincode`. Shown once; only its hash is stored. */
  token: z.string(),
});
export type OpenedSpendingSession = z.infer<typeof OpenedSpendingSession>;

export const SpendingSessionParams = z.strictObject({ id: WalletId, sessionId: line(64) });

/** Returned only once. */
export const SpendingToken = z
  .string()
  .check(z.regex(/^cbss_[0-9a-f-]{36}_[\w-]{43}$/, 'must be the token of a spending session'));

export const openSpendingSession = {
  method: 'POST',
  path: '/api/wallets/{id}/sessions',
  summary: 'Open a spending session. Its token replaces the PIN for five minutes.',
  area: 'Spending sessions',
  scopes: ['sign:wallets'],
  application: true,
  params: WalletParams,
  body: OpenSpendingSession,
  status: 201,
  answer: OpenedSpendingSession,
} as const satisfies Route;

export const listSpendingSessions = {
  method: 'GET',
  path: '/api/wallets/{id}/sessions',
  summary: "List a wallet's open spending sessions with what they have used, oldest first.",
  area: 'Spending sessions',
  scopes: ['sign:wallets'],
  application: true,
  params: WalletParams,
  query: PageQuery,
  status: 200,
  answer: z.array(SpendingSession),
} as const satisfies Route;

export const endSpendingSession = {
  method: 'DELETE',
  path: '/api/wallets/{id}/sessions/{sessionId}',
  summary: 'End a spending session.',
  area: 'Spending sessions',
  scopes: ['sign:wallets'],
  application: true,
  params: SpendingSessionParams,
  status: 200,
  answer: Nothing,
} as const satisfies Route;
