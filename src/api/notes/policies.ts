import { AT, CLIENT, HASH, type RouteNotes, SHOP, WALLET } from './samples.ts';

const COLLEAGUE = '4c1f6e0d-1e52-4a9e-8a66-1a6f3f0f7d10';
const params = { of: 'wallet', id: WALLET };
const policy = {
  limits: [{ secretType: 'ETHEREUM', perTransaction: '1', perDay: '10' }],
  recipients: [{ secretType: 'ETHEREUM', address: SHOP }],
  fourEyes: { above: [{ secretType: 'ETHEREUM', amount: '0.5' }], approvers: [COLLEAGUE] },
};
const STORED = { of: 'wallet', id: WALLET, policy, since: AT, writtenBy: CLIENT, earlier: [] };
const HELD_ID = '0a4d55a8-d778-4022-9f70-1977d8c5bb94';
const HELD = {
  id: HELD_ID,
  walletId: WALLET,
  clientId: CLIENT,
  draft: '{…}',
  draftHash: HASH.slice(2),
  createdAt: AT,
  expiresAt: '2026-02-01T09:05:12.345Z',
  approvedBy: [],
};

export const POLICY_NOTES = {
  listPolicies: {
    sdk: 'policies.list',
    errors: ['request.invalid'],
    query: { limit: '100' },
    answer: [STORED],
  },
  readPolicy: {
    sdk: 'policies.read',
    errors: ['request.invalid', 'request.not-found'],
    params,
    answer: STORED,
  },
  putPolicy: {
    sdk: 'policies.set',
    errors: ['request.invalid', 'request.not-found', 'request.conflict'],
    params,
    body: policy,
    answer: STORED,
  },
  withdrawPolicy: {
    sdk: 'policies.withdraw',
    errors: ['request.invalid', 'request.not-found', 'request.conflict'],
    params,
    answer: STORED,
  },
  listHeldTransactions: {
    sdk: 'approvals.list',
    errors: ['request.invalid'],
    query: { limit: '100' },
    answer: [HELD],
  },
  approveTransaction: {
    sdk: 'approvals.approve',
    errors: ['request.invalid', 'request.not-found', 'request.conflict', 'policy.refused'],
    params: { id: HELD_ID },
    body: { draftHash: HELD.draftHash },
    answer: { ...HELD, approvedBy: [COLLEAGUE] },
  },
} satisfies RouteNotes;
