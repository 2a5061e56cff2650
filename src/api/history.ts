/** What wallets sent and received, and what sending would cost. */
import * as z from 'zod/mini';
import { formatAmount } from '../base/amount.ts';
import type { Amount } from '../chains/coin.ts';
import { paging } from './paging.ts';
import type { Route } from './route.ts';
import { SecretTypeSchema } from './secret-type.ts';
import { line, NetworkId, WalletId } from './text.ts';
import { Time } from './time.ts';
import { WalletParams } from './wallet-requests.ts';

const Status = z.enum(['pending', 'confirmed', 'failed', 'unknown']);

/** An amount of a coin or token. */
export const Money = z.object({
  /** Decimal text with every digit: `0.25`. Null if no trusted source says how many decimals the token has. */
  value: z.nullable(z.string()),
  /** Smallest units. */
  raw: z.string(),
  decimals: z.nullable(z.number()),
  /** Null for a token that `networks.json` does not list, and for the coin of an ETHEREUM or GOCHAIN network that it no longer lists. */
  symbol: z.nullable(z.string()),
  /** Absent for coins. */
  tokenAddress: z.optional(z.string()),
});
export type Money = z.infer<typeof Money>;

/** With the decimals that a chain trusts. */
export function moneyIn({ raw, decimals, symbol, token }: Amount): Money {
  return {
    value: decimals === null ? null : formatAmount(raw, decimals),
    raw: String(raw),
    decimals,
    symbol,
    ...(token === undefined ? {} : { tokenAddress: token }),
  };
}

const Kind = z.enum(['transfer', 'approval', 'call', 'creation']);

/**
 * The block of a transaction that is `pending` because a reorganisation may still remove that block, as it was last looked at: it is
 * `confirmed`, or `failed`, with `needed` confirmations, of which its block is the first. Null in no block, once it is settled, and for
 * incoming transfers. Older versions of the service leave it out.
 */
export const Mining = z._default(
  z.nullable(z.object({ block: z.int(), confirmations: z.int(), needed: z.int() })),
  null,
);

/** One of several transfers or calls in a transaction. */
const Part = z.object({
  kind: Kind,
  /** Null for the creation of a contract. */
  to: z.nullable(z.string()),
  amount: Money,
});

/** What an exchange sent. */
export const SwapPayment = z.object({
  transactionHash: z.string(),
  secretType: SecretTypeSchema,
  /** Id of its network. */
  network: z.string(),
  /** Without the fee for sending it. */
  amount: Money,
});

/** An exchange between chains that a transaction began by sending coins. It ends on another chain, or with a refund. */
export const CrossChainSwap = z.object({
  /** Its name in `networks.json`. */
  exchange: z.string(),
  /**
   * `waiting`: the exchange has not seen the coins. `confirming`: it waits for blocks of their chain. `swapping`. `paying-out`: the output, or a
   * refund, is to be sent. `paid`, `refunded` or `part-refunded`: nothing follows.
   */
  stage: z.enum(['waiting', 'confirming', 'swapping', 'paying-out', 'paid', 'refunded', 'part-refunded']),
  /** While `confirming`, if the exchange tells: how many blocks it has seen, of those that it waits for. */
  confirmations: z.optional(z.object({ seen: z.int(), needed: z.int() })),
  /** What was sent. */
  input: Money,
  /** The chain, and the id of the network, of the output. */
  secretType: SecretTypeSchema,
  network: z.string(),
  recipient: z.string(),
  /** The least that is paid out, in the output's asset; `raw` is `0` for anything. If it would be less, the input comes back. */
  minimum: Money,
  /** About how many seconds it takes from sending. Beyond three times that, it takes longer than usual. */
  estimatedSeconds: z.int(),
  /** What was paid to the recipient, and what came back to the wallet: both at the end only, by transaction. */
  payouts: z.array(SwapPayment),
  refunds: z.array(SwapPayment),
  /**
   * Why something came back. `limit`: less than `minimum` would have been paid. `halted`: the exchange did not trade. `pool`: it did not trade one
   * of the assets. `order`: it did not accept the order. `vault`: its address was no longer in use. Absent for other reasons, until a node of the
   * exchange tells, and if none does within about 12 minutes.
   */
  reason: z.optional(z.enum(['limit', 'halted', 'pool', 'order', 'vault'])),
  /** Of a swap in parts, how many of them came back. Absent until a node of the exchange tells, with `reason`. */
  parts: z.optional(z.object({ returned: z.int(), all: z.int() })),
});
export type CrossChainSwap = z.infer<typeof CrossChainSwap>;

export const HistoryQuery = z.strictObject({
  /** `out`, the default: what the service signed. `in`: incoming transfers, as far as a node reports them. `all`: both. */
  direction: z.optional(z.enum(['out', 'in', 'all'])),
  status: z.optional(Status),
  /** Absent: all networks of the wallet; of those, only the default one's node is asked what has arrived since. */
  network: z.optional(NetworkId),
  /** ISO 8601; compared with `createdAt`. */
  createdAfter: z.optional(Time),
  ...paging,
});
export type HistoryQuery = z.infer<typeof HistoryQuery>;

/** A transaction that the service signed for a wallet, whoever requested it, or a transfer to the wallet. */
export const HistoryEntry = z.object({
  transactionHash: z.string(),
  secretType: SecretTypeSchema,
  /** Id of its network; `custom` if the request named a node. */
  network: z.string(),
  /** Absent from older versions of the service, which list only what they signed. */
  direction: z._default(z.enum(['out', 'in']), 'out'),
  /** As the service knows it. It polls the nodes until the transaction is settled. */
  status: Status,
  mined: Mining,
  /** Why it is in no block and never will be. Absent for a transaction that failed in a block. */
  reason: z.optional(z.enum(['expired', 'refused', 'replaced'])),
  /** ISO 8601: when it was signed. For an incoming transfer the time of its block or, before it has one, when it was first seen. */
  createdAt: z.string(),
  // The fields below are absent from transactions that an older version of the service signed.
  /** What it does with `amount`. */
  kind: z.optional(Kind),
  /** Absent if several senders paid together, and for newly mined coins. */
  from: z.optional(z.string()),
  to: z.optional(z.nullable(z.string())),
  /** The contract that is called, unless that is `to`. */
  contract: z.optional(z.string()),
  amount: z.optional(Money),
  /** If there are several: `amount` is then their sum, or 0 of the coin if their assets differ. */
  parts: z.optional(z.array(Part)),
  /** `maximum` as signed; `paid` once it is mined, if the node reports it. */
  fee: z.optional(z.object({ maximum: Money, paid: z.optional(Money) })),
  nonce: z.optional(z.number()),
  /** Hash of the wallet's transaction that it was meant to replace, and of the one meant to replace it. */
  replaces: z.optional(z.string()),
  replacedBy: z.optional(z.string()),
  /** Hash of the wallet's transaction of a lower nonce that has to be in a block first. */
  blockedBy: z.optional(z.string()),
  /** A tiny amount, or a token that `networks.json` does not list: such gifts are sent to lead users to a wrong address. */
  dust: z.optional(z.literal(true)),
  /** If it began an exchange between chains, and has not failed. */
  swap: z.optional(CrossChainSwap),
});
export type HistoryEntry = z.infer<typeof HistoryEntry>;

export const TransactionParams = z.strictObject({ hash: line(128) });
export const TransactionQuery = z.strictObject({
  secretType: SecretTypeSchema,
  network: z.optional(NetworkId),
});
export type TransactionQuery = z.infer<typeof TransactionQuery>;

/** A transaction as seen by the caller's wallets: one may have sent it, and others may have received something. */
export const TransactionDetails = z.object({
  transactionHash: z.string(),
  secretType: SecretTypeSchema,
  status: Status,
  mined: Mining,
  /** The sender's entry comes first. */
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
  /** Id of the network; `custom` if the request names a node. */
  network: z.string(),
  kind: Kind,
  from: z.string(),
  to: z.nullable(z.string()),
  amount: Money,
  /** What it will probably cost, and the maximum that is signed. */
  fee: z.object({ expected: Money, maximum: Money }),
  /** The maximum that leaves the wallet, in the coin. */
  total: Money,
  /** The wallet's balance of the coin, less what its pending transactions will take. */
  balance: Money,
  nonce: z.optional(z.number()),
  facts: z.array(Fact),
  /** Why executing it now would be refused; null if it would not be. */
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
