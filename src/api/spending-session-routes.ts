/** Spending without the PIN, for a few minutes and within limits. */
import * as z from 'zod/mini';
import { Nothing } from './account.ts';
import { PageQuery } from './paging.ts';
import type { Route } from './route.ts';
import {
  OpenedSpendingSession,
  OpenSpendingSession,
  SpendingSession,
  SpendingSessionParams,
} from './spending-session.ts';
import { WalletParams } from './wallet-requests.ts';

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
