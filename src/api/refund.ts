/** Refunds of checkout sessions: by card through the payment provider, or in coins or tokens from a wallet of the shop. */
import * as z from 'zod/mini';
import { MAX_AMOUNT } from './checkout.ts';
import { paging } from './paging.ts';
import { SpendingToken } from './spending-session.ts';
import { line, Pincode, WalletId } from './text.ts';

export const REFUND_STATES = ['pending', 'succeeded', 'failed'] as const;

/** Minor units of a card payment. */
const MinorUnits = z.int().check(z.minimum(1), z.maximum(MAX_AMOUNT));
/** Decimals of the coin or token that was paid. */
const Coins = z
  .string()
  .check(z.regex(/^\d{1,78}(?:\.\d{1,77})?$/, 'must be a decimal number such as 0.0125'));

export const CreateRefund = z.strictObject({
  /** Absent: everything that is not refunded yet. */
  amount: z.optional(
    z.nullable(
      z.union([MinorUnits, Coins], {
        error:
          'must be whole minor units for a card payment, or a decimal number as text for a payment by wallet',
      }),
    ),
  ),
  /** The shop's own note. */
  note: z.optional(z.nullable(line(256))),
  // What follows is for payments by wallet.
  /** Id of a payment of the session in `GET /checkout/wallet-payments`; absent: the one that paid it. */
  payment: z.optional(z.nullable(line(64))),
  /** Where the money goes; never the payment's sender by default, which may be an exchange. */
  to: z.optional(z.nullable(line(128))),
  /** Id of a link by which the customer gave an address: `to` must be the same, in full, and the link is used up. */
  link: z.optional(z.nullable(line(64))),
  /** The shop's wallet that sends it. */
  walletId: z.optional(z.nullable(WalletId)),
  pincode: z.optional(z.nullable(Pincode)),
  /** Token of a spending session, in place of `pincode`. */
  session: z.optional(z.nullable(SpendingToken)),
});
export type CreateRefund = z.infer<typeof CreateRefund>;

const Text = z.nullable(z.string());

export const Refund = z.object({
  id: z.string(),
  object: z.literal('refund'),
  /** Epoch seconds. */
  created: z.int(),
  /** Id of the checkout session. */
  session: z.string(),
  /** Id of the refunded payment. */
  payment: z.string(),
  method: z.enum(['card', 'wallet']),
  /** `failed`: the customer did not get the money. */
  status: z.enum(REFUND_STATES),
  /** Why it failed; null otherwise. */
  failure_reason: Text,
  note: Text,
  /** Minor units; null for a refund from a wallet. */
  amount: z.nullable(z.int()),
  /** Lower case; null for a refund from a wallet. */
  currency: Text,
  /** Null for a refund by card. */
  wallet: z.nullable(
    z.object({
      /** Decimals of the coin or token: `0.0125`. */
      amount: z.string(),
      symbol: z.string(),
      network: z.string(),
      token_address: Text,
      to: z.string(),
      transaction_hash: z.string(),
    }),
  ),
});
export type Refund = z.infer<typeof Refund>;

export const RefundParams = z.strictObject({ sessionId: line(128), refundId: line(64) });

/** Newest first. */
export const RefundsQuery = z.strictObject({
  status: z.optional(z.enum(REFUND_STATES)),
  ...paging,
});
export type RefundsQuery = z.infer<typeof RefundsQuery>;
