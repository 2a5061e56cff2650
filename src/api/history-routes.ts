/** What wallets sent and received. */
import * as z from 'zod/mini';
import {
  HistoryEntry,
  HistoryQuery,
  TransactionDetails,
  TransactionParams,
  TransactionQuery,
} from './history.ts';
import type { Route } from './route.ts';
import { WalletParams } from './wallet-requests.ts';

export const listTransactions = {
  method: 'GET',
  path: '/api/wallets/{id}/transactions',
  summary: 'List what the service has signed for a wallet, and incoming transfers, newest first.',
  area: 'Transactions',
  scopes: ['view:wallets', 'use:all-wallets'],
  params: WalletParams,
  query: HistoryQuery,
  status: 200,
  answer: z.array(HistoryEntry),
} as const satisfies Route;

export const readTransaction = {
  method: 'GET',
  path: '/api/transactions/{hash}',
  summary: "Read a transaction that the caller's wallets sent or received.",
  area: 'Transactions',
  scopes: ['view:wallets', 'use:all-wallets'],
  params: TransactionParams,
  query: TransactionQuery,
  status: 200,
  answer: TransactionDetails,
} as const satisfies Route;
