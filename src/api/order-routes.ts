/** Estimates, batches, and replacing pending transactions. */
import { Estimate } from './history.ts';
import {
  BatchRequest,
  BatchResult,
  EstimateRequest,
  ReplaceParams,
  ReplaceRequest,
  ReplaceResult,
} from './orders.ts';
import type { Route } from './route.ts';

export const estimateTransaction = {
  method: 'POST',
  path: '/api/transactions/estimate',
  summary: 'Estimate what a native transaction request would cost, and whether it would be executed.',
  area: 'Transactions',
  scopes: ['save:transaction', 'sign:wallets'],
  body: EstimateRequest,
  status: 200,
  answer: Estimate,
} as const satisfies Route;

export const executeBatch = {
  method: 'POST',
  path: '/api/transactions/batch',
  summary: "Sign up to 100 of a wallet's native transaction requests with one PIN check, and send them.",
  area: 'Transactions',
  scopes: ['sign:wallets'],
  proof: 'enrolled',
  passkey: 'required',
  body: BatchRequest,
  idempotencyKey: 'required',
  status: 200,
  answer: BatchResult,
} as const satisfies Route;

export const speedUpTransaction = {
  method: 'POST',
  path: '/api/transactions/{hash}/speed-up',
  summary: 'Send a pending transaction again, with a higher fee.',
  area: 'Transactions',
  scopes: ['sign:wallets'],
  proof: 'enrolled',
  passkey: 'required',
  params: ReplaceParams,
  body: ReplaceRequest,
  idempotencyKey: true,
  status: 200,
  answer: ReplaceResult,
} as const satisfies Route;

export const cancelTransaction = {
  method: 'POST',
  path: '/api/transactions/{hash}/cancel',
  summary: 'Replace a pending transaction by a transfer to the wallet itself.',
  area: 'Transactions',
  scopes: ['sign:wallets'],
  proof: 'enrolled',
  passkey: 'required',
  params: ReplaceParams,
  body: ReplaceRequest,
  idempotencyKey: true,
  status: 200,
  answer: ReplaceResult,
} as const satisfies Route;
