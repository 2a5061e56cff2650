/** Building, executing, signing and swapping: docs/service.md#executing-and-signing, docs/swaps.md. */
import * as z from 'zod/mini';
import type { Route } from './route.ts';
import { CreateSwap, ExchangeRates, RatesQuery, TradingPair } from './swap.ts';
import {
  ApprovedRequest,
  ApprovedResult,
  BuildRequest,
  ExecuteRequest,
  NativeRequest,
  SignatureRequest,
  SignatureResult,
  StatusParams,
  StatusQuery,
  TransactionResult,
  TransactionStatus,
} from './transaction.ts';
import { NetworkQuery, WalletParams } from './wallet-requests.ts';

export const buildTransaction = {
  method: 'POST',
  path: '/api/transactions/build',
  summary: "Build the chain's native transaction request for an intent.",
  area: 'Transactions',
  scopes: ['save:transaction', 'sign:wallets'],
  proof: 'optional',
  body: BuildRequest,
  status: 200,
  answer: NativeRequest,
} as const satisfies Route;

export const executeTransaction = {
  method: 'POST',
  path: '/api/transactions/execute',
  summary: 'Sign a native transaction request and send it.',
  area: 'Transactions',
  scopes: ['sign:wallets'],
  proof: 'enrolled',
  passkey: 'required',
  body: ExecuteRequest,
  idempotencyKey: true,
  status: 200,
  answer: TransactionResult,
} as const satisfies Route;

export const executeApproved = {
  method: 'POST',
  path: '/api/transactions/approved',
  summary: 'Sign a transaction exactly as its user approved it, and send it.',
  area: 'Transactions',
  scopes: ['sign:wallets'],
  proof: 'enrolled',
  passkey: 'required',
  body: ApprovedRequest,
  idempotencyKey: true,
  status: 200,
  answer: ApprovedResult,
} as const satisfies Route;

export const readTransactionStatus = {
  method: 'GET',
  path: '/api/transactions/{hash}/status',
  summary: 'Read the status of a transaction.',
  area: 'Transactions',
  scopes: ['view:wallets', 'use:all-wallets'],
  params: StatusParams,
  query: StatusQuery,
  status: 200,
  answer: TransactionStatus,
} as const satisfies Route;

export const createSignature = {
  method: 'POST',
  path: '/api/signatures',
  summary: 'Sign data.',
  area: 'Transactions',
  scopes: ['sign:wallets'],
  proof: 'enrolled',
  passkey: 'required',
  body: SignatureRequest,
  idempotencyKey: true,
  status: 200,
  answer: SignatureResult,
} as const satisfies Route;

export const swapPairs = {
  method: 'GET',
  path: '/api/wallets/{id}/swaps/pairs',
  summary: "List what can be swapped for what on a wallet's network.",
  area: 'Swaps',
  scopes: ['view:wallets', 'use:all-wallets'],
  params: WalletParams,
  query: NetworkQuery,
  status: 200,
  answer: z.array(TradingPair),
} as const satisfies Route;

export const swapRates = {
  method: 'GET',
  path: '/api/swaps/rates',
  summary: 'Get the rate of every exchange for an amount to sell or to buy.',
  area: 'Swaps',
  scopes: ['view:wallets', 'use:all-wallets'],
  query: RatesQuery,
  status: 200,
  answer: ExchangeRates,
} as const satisfies Route;

export const createSwap = {
  method: 'POST',
  path: '/api/wallets/{id}/swaps',
  summary: 'Build the native transaction requests of a swap, in order.',
  area: 'Swaps',
  scopes: ['save:transaction', 'sign:wallets'],
  params: WalletParams,
  body: CreateSwap,
  status: 200,
  answer: z.array(NativeRequest),
} as const satisfies Route;
