/**
 * Receipts of paid checkout sessions, for the customer: nothing in them is secret or identifies the customer. Apart from `pay.ts`, because
 * the payment page is smaller without them.
 */
import * as z from 'zod/mini';
import { Email, PayParams } from './pay.ts';
import type { Route } from './route.ts';

const Text = z.nullable(z.string());

const Coins = z.object({
  /** Decimals of coins or tokens: `0.0125`. */
  amount: z.string(),
  symbol: z.string(),
  networkName: z.string(),
  transactionHash: z.string(),
  /** Its page in the network's explorer; null if the network has none. */
  transactionUrl: z.optional(z.nullable(z.string())),
});

export const ReceiptRefund = z.object({
  status: z.enum(['pending', 'succeeded']),
  /** Epoch milliseconds. */
  at: z.int(),
  /** Minor units; null for a refund from a wallet. */
  amount: z.nullable(z.int()),
  coins: z.nullable(Coins),
});

export const Receipt = z.object({
  /** Date of the payment and eight characters: `20261126-7F3K9Q2M`. */
  number: z.string(),
  /** Epoch milliseconds: when it was paid. */
  paidAt: z.int(),
  /** The merchant's name as the operator of the service has verified it, else the application's. */
  merchant: z.string(),
  merchantVerified: z.boolean(),
  /** The shop's `client_reference_id`. */
  reference: Text,
  livemode: z.boolean(),
  lineItems: z.array(z.object({ name: z.string(), quantity: z.int(), unitAmount: z.int(), amount: z.int() })),
  /** ISO 4217, capital letters. */
  currency: z.string(),
  /** Minor units. */
  amountTotal: z.int(),
  /** The card of a payment by card, if the service knows it. */
  card: z.nullable(z.object({ brand: z.string(), last4: z.string() })),
  /** What a payment by wallet sent: one entry, unless the shop accepted several. */
  coins: z.array(Coins),
  /** Newest last; without those that failed. */
  refunds: z.array(ReceiptRefund),
  branding: z.nullable(z.object({ primaryColor: z.string(), secondaryColor: z.string(), icon: Text })),
});
export type Receipt = z.infer<typeof Receipt>;

/** `request.not-found` until the session is paid. */
export const readPayReceipt = {
  method: 'GET',
  path: '/pay/{page}/receipt',
  summary: 'Read what a receipt shows.',
  area: 'Payment page',
  params: PayParams,
  status: 200,
  answer: Receipt,
} as const satisfies Route;

/**
 * Once for a session: `request.conflict` afterwards, unless a mail server refused the address. `request.not-found` until the session is paid,
 * and if the service sends no e-mail. In the language of `Accept-Language`.
 */
export const mailReceipt = {
  method: 'POST',
  path: '/pay/{page}/receipt/mail',
  summary: 'Get the receipt by e-mail.',
  area: 'Payment page',
  params: PayParams,
  body: z.strictObject({ email: Email }),
  status: 200,
  answer: z.object({ state: z.literal('waiting') }),
} as const satisfies Route;
