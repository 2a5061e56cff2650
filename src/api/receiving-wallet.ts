/** The wallets that get an application's payments by wallet, and the transfers that arrived there. */
import * as z from 'zod/mini';
import { paging } from './paging.ts';
import { ADDRESS_CHAINS, KEY_CHAINS, RECEIVING_CHAINS } from './secret-type.ts';
import { line } from './text.ts';

/** Confirmations that may be asked for. */
export const MAX_CONFIRMATIONS = 1000;
/** Receiving wallets of one application. */
export const MAX_RECEIVING_WALLETS = 20;
/** Percent. */
export const MAX_TOLERANCE = 5;

/** Percent of the price that may be missing where it is certain for which session a payment is; absent: 0. */
const Tolerance = z.optional(z.number().check(z.minimum(0), z.maximum(MAX_TOLERANCE), z.multipleOf(0.01)));

/** More confirmations for totals above an amount, in whole units of the session's currency: 1000 is 1,000 euros, dollars or yen. */
export const ConfirmationsAbove = z
  .array(
    z.strictObject({
      amount: z.int().check(z.minimum(0), z.maximum(999_999_999_999)),
      confirmations: z.int().check(z.minimum(1), z.maximum(MAX_CONFIRMATIONS)),
    }),
  )
  .check(z.maxLength(10));
export type ConfirmationsAbove = z.infer<typeof ConfirmationsAbove>;

export const PutReceivingWallet = z.strictObject({
  secretType: z.enum(ADDRESS_CHAINS),
  /** Id in `networks.json`; absent for the first of the chain that has nodes. */
  network: z.optional(line(64)),
  /** Contract of a listed token; absent for the coin. */
  tokenAddress: z.optional(line(128)),
  /** Who gets the money. The service does not have its key, and does not need it. */
  address: line(128),
  /** Blocks to wait for, its own included; absent: 1 on test networks, else 3 key blocks on Aeternity, 20 on Tron, 12 on others. */
  confirmations: z.optional(z.int().check(z.minimum(1), z.maximum(MAX_CONFIRMATIONS))),
  /** Absent: none. */
  confirmationsAbove: z.optional(ConfirmationsAbove),
  tolerance: Tolerance,
});
export type PutReceivingWallet = z.infer<typeof PutReceivingWallet>;

/** All of them that have an address, in the order in which customers see them: those that are not in the list are removed. Those with a key stay. */
export const PutReceivingWallets = z.strictObject({
  wallets: z.array(PutReceivingWallet).check(z.maxLength(MAX_RECEIVING_WALLETS)),
});
export type PutReceivingWallets = z.infer<typeof PutReceivingWallets>;

/** The most unpaid addresses in a row that a key may give; absent: `DEFAULT_MAX_GAP`. */
const MaxGap = z.int().check(z.minimum(1), z.maximum(100_000));
export const DEFAULT_MAX_GAP = 200;

export const PutReceivingKey = z.strictObject({
  secretType: z.enum(KEY_CHAINS),
  /** Id in `networks.json`; absent for the first of the chain that has nodes. */
  network: z.optional(line(64)),
  /** A descriptor `wpkh([…]xpub…/0/*)#…`, or the extended public key of a native segwit account. No private key is taken. */
  key: line(512),
  /** The first receiving address that the wallet shows. Required where the key does not say for which addresses it is. */
  firstAddress: z.optional(line(128)),
  /** Blocks to wait for, its own included; absent: 1 on test networks, else 1 on Bitcoin and 3 on Litecoin. */
  confirmations: z.optional(z.int().check(z.minimum(1), z.maximum(MAX_CONFIRMATIONS))),
  /** Absent: none where `confirmations` is set or on test networks; else 2, 4 and 6 on Bitcoin above 1000, 10000 and 100000, on Litecoin 6 and 12 above 1000 and 10000. */
  confirmationsAbove: z.optional(ConfirmationsAbove),
  tolerance: Tolerance,
  maxGap: z.optional(MaxGap),
});
export type PutReceivingKey = z.infer<typeof PutReceivingKey>;

/** Its id, as `key` of the receiving wallet has it. */
export const ReceivingKeyParams = z.strictObject({ id: line(64) });

/** A key of which every session gets an address of its own. It is never returned. */
export const ReceivingKey = z.object({
  id: z.string(),
  /** Of the master key if the descriptor names it, else of the key itself: 8 hex digits, as wallets show it. */
  fingerprint: z.string(),
  /** The first two receiving addresses: compare them with those that the wallet shows. */
  addresses: z.array(z.string()),
  /** Of the addresses that were given to sessions, counted from 0; null before the first. */
  highestIndex: z.nullable(z.int()),
  /** The highest one that was paid; null before the first. */
  lastPaidIndex: z.nullable(z.int()),
  /** How many addresses were given since the last one that was paid. */
  unpaid: z.int(),
  /** What the wallet's gap limit must be at least, so that it sees every payment. */
  walletGapLimit: z.int(),
  /** `unpaid` comes near the gap limit of 20 that wallets have unless it is raised. */
  gapWarning: z.boolean(),
  /** With as many unpaid, the coin is not offered until one is paid. */
  maxGap: z.int(),
});
export type ReceivingKey = z.infer<typeof ReceivingKey>;

export const ReceivingWallet = z.object({
  secretType: z.enum(RECEIVING_CHAINS),
  network: z.string(),
  /** The token's contract, in checksum form; null for the coin. */
  tokenAddress: z.nullable(z.string()),
  /** With a key its first receiving address; sessions get others. */
  address: z.string(),
  confirmations: z.int(),
  /** What larger totals need; the highest that fits counts. */
  confirmationsAbove: ConfirmationsAbove,
  /** Percent of the price that may be missing. */
  tolerance: z.number(),
  /** Present on the chains where every session has an address of its own. */
  key: z.optional(ReceivingKey),
  /** ISO 8601: when this wallet was set. */
  createdAt: z.string(),
});
export type ReceivingWallet = z.infer<typeof ReceivingWallet>;

export const ReceivingWallets = z.object({ wallets: z.array(ReceivingWallet) });
export type ReceivingWallets = z.infer<typeof ReceivingWallets>;

export const RECEIVED_STATES = ['pending', 'paid', 'unassigned'] as const;

/** Why a transfer that arrived did not pay for anything. */
export const UNASSIGNED_REASONS = [
  /** No quote has this amount: more or less was sent than requested, or it has nothing to do with a payment page. */
  'amount',
  /** It arrived after the end of the quote, and after the extra time for payments in progress. */
  'late',
  /** Its session was already paid, by card or by another transaction. */
  'complete',
  /** Its transaction already paid another session, and a transaction pays only one. */
  'shared',
  /** Its session had expired, or its customer had gone back to the shop. */
  'expired',
] as const;

/** A transfer to a receiving wallet that the service saw while it waited for payments. */
export const ReceivedPayment = z.object({
  id: z.string(),
  /** `pending`: it waits for confirmations. `unassigned`: it paid for nothing, and the shop has to settle it with its customer. */
  state: z.enum(RECEIVED_STATES),
  /** Why it is unassigned; null if it is assigned. */
  reason: z.nullable(z.enum(UNASSIGNED_REASONS)),
  /**
   * Id of the checkout session that it is for, as far as is known. With the reason `amount` it is merely the one whose page reported the
   * transaction, or that its sender wrote into it: anybody can do both.
   */
  sessionId: z.nullable(z.string()),
  network: z.string(),
  tokenAddress: z.nullable(z.string()),
  symbol: z.string(),
  /** Decimals of coins or tokens: `0.0125`. */
  amount: z.string(),
  /** Null on Bitcoin and Litecoin if several sent it together, or its inputs do not say who. */
  from: z.nullable(z.string()),
  to: z.string(),
  transactionHash: z.string(),
  /** ISO 8601: when the service saw it. */
  seenAt: z.string(),
});
export type ReceivedPayment = z.infer<typeof ReceivedPayment>;

/** Newest first. */
export const ReceivedQuery = z.strictObject({
  state: z.optional(z.enum(RECEIVED_STATES)),
  /** Id of a checkout session. */
  session: z.optional(line(128)),
  /** Id of the payment after which the list begins; pages are read by `cursor`. */
  before: z.optional(line(64)),
  ...paging,
});
export type ReceivedQuery = z.infer<typeof ReceivedQuery>;
