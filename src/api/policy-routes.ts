/** Spending policies, and approvals by a second client. */
import * as z from 'zod/mini';
import {
  ApproveTransaction,
  HeldParams,
  HeldQuery,
  HeldTransaction,
  PoliciesQuery,
  Policy,
  PolicyParams,
  StoredPolicy,
} from './policy.ts';
import type { Route } from './route.ts';

const area = 'Policies';

export const listPolicies = {
  method: 'GET',
  path: '/api/policies',
  summary: 'List the policies of clients and wallets, oldest first.',
  area,
  scopes: ['manage:policies'],
  query: PoliciesQuery,
  status: 200,
  answer: z.array(StoredPolicy),
} as const satisfies Route;

export const readPolicy = {
  method: 'GET',
  path: '/api/policies/{of}/{id}',
  summary: 'Read the policy of a client or a wallet, and earlier ones that still apply.',
  area,
  scopes: ['manage:policies'],
  params: PolicyParams,
  status: 200,
  answer: StoredPolicy,
} as const satisfies Route;

export const putPolicy = {
  method: 'PUT',
  path: '/api/policies/{of}/{id}',
  summary: 'Set a policy. Tighter limits apply at once, looser ones after a delay.',
  area,
  scopes: ['manage:policies'],
  params: PolicyParams,
  body: Policy,
  status: 200,
  answer: StoredPolicy,
} as const satisfies Route;

export const withdrawPolicy = {
  method: 'POST',
  path: '/api/policies/{of}/{id}/withdrawals',
  summary: 'Withdraw the newest policy, which restores the one before it.',
  area,
  scopes: ['manage:policies'],
  params: PolicyParams,
  status: 200,
  answer: StoredPolicy,
} as const satisfies Route;

export const listHeldTransactions = {
  method: 'GET',
  path: '/api/approvals',
  summary: "List the transactions that wait for the caller's approval, oldest first.",
  area,
  scopes: ['approve:transactions'],
  query: HeldQuery,
  status: 200,
  answer: z.array(HeldTransaction),
} as const satisfies Route;

export const approveTransaction = {
  method: 'POST',
  path: '/api/transactions/{id}/approvals',
  summary: 'Approve a transaction that another client requested, by the hash of its draft.',
  area,
  scopes: ['approve:transactions'],
  params: HeldParams,
  body: ApproveTransaction,
  status: 201,
  answer: HeldTransaction,
} as const satisfies Route;
