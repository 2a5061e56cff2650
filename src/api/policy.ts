/** Spending policies of clients and wallets, and approvals by a second client. `docs/policies.md` says what each rule means. */
import * as z from 'zod/mini';
import { paging } from './paging.ts';
import type { Route } from './route.ts';
import { SecretTypeSchema } from './secret-type.ts';
import { line, NetworkId, WalletId } from './text.ts';

const MANY = 1000;

/** Where an entry holds: a network, or with `network` absent the default network of each wallet. */
const place = { secretType: SecretTypeSchema, network: z.optional(NetworkId) };

/** A coin, or a token with the decimals in which its amounts are given. */
const asset = {
  ...place,
  /** Contract, or the id of a TRC-10 token. */
  token: z.optional(line(128)),
  /** Decimals of the token. Those of a coin are known. */
  decimals: z.optional(z.int().check(z.gte(0), z.lte(255))),
};

/** Decimal text. */
const Amount = line(340);

const Recipient = z.strictObject({ ...place, address: line(128) });

const Calls = z.strictObject({
  ...place,
  contract: line(128),
  /** `deposit(uint256)`, or the selector in hex. */
  functions: z.array(line(512)).check(z.minLength(1), z.maxLength(MANY)),
});

const CLOCK = /^(?:[01]\d|2[0-3]):[0-5]\d$|^24:00$/;
const Moment = z.string().check(z.regex(CLOCK, 'must be a time such as 08:00, up to 24:00'));
export const DAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;

export const Policy = z.strictObject({
  limits: z.optional(
    z
      .array(z.strictObject({ ...asset, perTransaction: z.optional(Amount), perDay: z.optional(Amount) }))
      .check(z.maxLength(MANY)),
  ),
  recipients: z.optional(z.array(Recipient).check(z.maxLength(MANY))),
  calls: z.optional(z.array(Calls).check(z.maxLength(MANY))),
  hours: z.optional(
    z.strictObject({
      /** `Europe/Zurich`. */
      timeZone: line(64),
      windows: z
        .array(
          z.strictObject({
            /** Every day when absent. */
            days: z.optional(z.array(z.enum(DAYS)).check(z.minLength(1))),
            from: Moment,
            to: Moment,
          }),
        )
        .check(z.minLength(1), z.maxLength(100)),
    }),
  ),
  fourEyes: z.optional(
    z.strictObject({
      above: z.array(z.strictObject({ ...asset, amount: Amount })).check(z.minLength(1), z.maxLength(MANY)),
      /** Ids of clients, of which one is enough. */
      approvers: z.array(line(64)).check(z.minLength(1), z.maxLength(100)),
    }),
  ),
  signatures: z.optional(
    z.strictObject({
      messages: z.optional(z.boolean()),
      certificates: z.optional(z.boolean()),
      typedData: z.optional(
        z
          .array(z.strictObject({ ...place, contract: line(128), primaryType: line(64) }))
          .check(z.maxLength(MANY)),
      ),
    }),
  ),
  keyExport: z.optional(z.boolean()),
});
export type Policy = z.infer<typeof Policy>;

export const SUBJECT_KINDS = ['client', 'wallet'] as const;

/** Whose policy it is. */
export const PolicyParams = z.strictObject({ of: z.enum(SUBJECT_KINDS), id: line(64) });
export type PolicyParams = z.infer<typeof PolicyParams>;

export const PoliciesQuery = z.strictObject({ of: z.optional(z.enum(SUBJECT_KINDS)), ...paging });
export type PoliciesQuery = z.infer<typeof PoliciesQuery>;

export const StoredPolicy = z.object({
  of: z.enum(SUBJECT_KINDS),
  id: z.string(),
  policy: Policy,
  /** ISO 8601. */
  since: z.string(),
  /** Id of the client that set it; `command` if the operator did. */
  writtenBy: z.string(),
  /** Earlier ones that still apply until then: what the newest loosens takes effect when they end. */
  earlier: z.array(z.object({ policy: Policy, since: z.string(), writtenBy: z.string(), until: z.string() })),
});
export type StoredPolicy = z.infer<typeof StoredPolicy>;

export const HeldParams = z.strictObject({ id: line(64) });

export const HeldQuery = z.strictObject({ walletId: z.optional(WalletId), ...paging });
export type HeldQuery = z.infer<typeof HeldQuery>;

/** A transaction that waits for a second client. */
export const HeldTransaction = z.object({
  id: z.string(),
  walletId: z.string(),
  /** The client that requested it. */
  clientId: z.string(),
  /** JSON text of what will be signed; `draftHash` is its SHA-256 in hex. */
  draft: z.string(),
  draftHash: z.string(),
  createdAt: z.string(),
  expiresAt: z.string(),
  /** Ids of the clients that approved it. */
  approvedBy: z.array(z.string()),
});
export type HeldTransaction = z.infer<typeof HeldTransaction>;

export const ApproveTransaction = z.strictObject({
  draftHash: z.string().check(z.regex(/^[0-9a-f]{64}$/, 'must be the 64 hex digits of draftHash')),
});

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
