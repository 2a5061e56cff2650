/** What wallets sent and received, and what sending would cost. */
import * as z from 'zod/mini';
import { paging } from './paging.ts';
import { SecretTypeSchema } from './secret-type.ts';
import { line, WalletId } from './text.ts';

const Status = z.enum(['pending', 'confirmed', 'failed', 'unknown']);

/** An amount of a coin or token. */
export const Money = z.object({
  /** Decimal digits, every one of them: `0.25`. Null where nobody who is trusted says how many decimals the token has. */
  value: z.nullable(z.string()),
  /** Smallest units. */
  raw: z.string(),
  decimals: z.nullable(z.number()),
  /** Null of a token that `networks.json` does not list. */
  symbol: z.nullable(z.string()),
  /** Absent for coins. */
  tokenAddress: z.optional(z.string()),
});
export type Money = z.infer<typeof Money>;

const Kind = z.enum(['transfer', 'approval', 'call', 'creation']);

/** One of several transfers or calls in a transaction. */
const Part = z.object({
  kind: Kind,
  /** Null for the creation of a contract. */
  to: z.nullable(z.string()),
  amount: Money,
});

export const HistoryQuery = z.strictObject({
  /** `out`, also when absent: what the service signed. `in`: what arrived, as far as a node tells. `all`: both. */
  direction: z.optional(z.enum(['out', 'in', 'all'])),
  ...paging,
});
export type HistoryQuery = z.infer<typeof HistoryQuery>;

/** A transaction that the service signed for a wallet, whoever asked for it; or what came to the wallet with one. */
export const HistoryEntry = z.object({
  transactionHash: z.string(),
  secretType: SecretTypeSchema,
  /** Id of its network; `custom` where the request named a node. */
  network: z.string(),
  /** A service of an older version, which lists only what it signed, does not say it. */
  direction: z._default(z.enum(['out', 'in']), 'out'),
  /** As the service knows it: it looks by itself until it is settled. */
  status: Status,
  /** Why it is in no block and will be in none; absent for one that was carried out without effect. */
  reason: z.optional(z.enum(['expired', 'refused', 'replaced'])),
  /** ISO 8601: when it was signed; of what arrived, the time of its block, or when it was first seen while it waits for one. */
  createdAt: z.string(),
  // What follows is absent from transactions that an older version of the service signed.
  /** What it does with `amount`. */
  kind: z.optional(Kind),
  /** Absent where several sent it together, and for new coins of a block. */
  from: z.optional(z.string()),
  to: z.optional(z.nullable(z.string())),
  /** The contract that is called, where `to` is not it. */
  contract: z.optional(z.string()),
  amount: z.optional(Money),
  /** Where there are several; `amount` is then their sum, or 0 of the coin when they differ. */
  parts: z.optional(z.array(Part)),
  /** `maximum` as it was signed; `paid` once a block has it, where the node says. */
  fee: z.optional(z.object({ maximum: Money, paid: z.optional(Money) })),
  nonce: z.optional(z.number()),
  /** Hash of the wallet's transaction whose place it was to take, and of the one that was to take its place. */
  replaces: z.optional(z.string()),
  replacedBy: z.optional(z.string()),
  /** Next to nothing, or of a token that `networks.json` does not list: such gifts are to lead users to a wrong address. */
  dust: z.optional(z.literal(true)),
});
export type HistoryEntry = z.infer<typeof HistoryEntry>;

export const TransactionParams = z.strictObject({ hash: line(128) });
export const TransactionQuery = z.strictObject({ secretType: SecretTypeSchema });

/** A transaction as the caller's wallets have it: one may have sent it, and others received something with it. */
export const TransactionDetails = z.object({
  transactionHash: z.string(),
  secretType: SecretTypeSchema,
  status: Status,
  /** Who sent it first. */
  entries: z.array(z.extend(HistoryEntry, { walletId: WalletId })),
});
export type TransactionDetails = z.infer<typeof TransactionDetails>;

/** A line in the chain's own terms: gas and its price, size, coins spent, energy … */
const Fact = z.object({
  code: z.string(),
  value: z.optional(z.string()),
  amount: z.optional(Money),
});

/** What executing a request would do and cost now. */
export const Estimate = z.object({
  secretType: SecretTypeSchema,
  /** Id of the network; `custom` where the request names a node. */
  network: z.string(),
  kind: Kind,
  from: z.string(),
  to: z.nullable(z.string()),
  amount: Money,
  /** What a block will probably take, and what is signed at most. */
  fee: z.object({ expected: Money, maximum: Money }),
  /** What leaves at most, of the coin. */
  total: Money,
  /** What the wallet has of the coin now, less what its waiting transactions will take. */
  balance: Money,
  nonce: z.optional(z.number()),
  facts: z.array(Fact),
  /** Why executing it would be refused now; null if it would not. */
  refusal: z.nullable(
    z.object({
      /** `transaction.insufficient-funds` or `transaction.refused`. */
      code: z.string(),
      detail: z.string(),
      details: z.record(z.string(), z.unknown()),
    }),
  ),
});
export type Estimate = z.infer<typeof Estimate>;
