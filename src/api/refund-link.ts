/**
 * Links by which customers say where a refund goes: the shop makes one and sends it, the customer gives an address, and the shop confirms it
 * by making the refund. docs/checkout.md#refunds-by-a-link
 */
import * as z from 'zod/mini';
import { paging } from './paging.ts';
import type { Route } from './route.ts';
import { RECEIVING_CHAINS } from './secret-type.ts';
import { line } from './text.ts';

/** Last part of the path of the customers' page, below `/pay/`; the token follows in the fragment, which no server gets. */
export const REFUND_PAGE = 'refund';

/** 256 bits. */
const Token = z.string().check(z.regex(/^[\w-]{43}$/, 'must be the token of a link'));

const Text = z.nullable(z.string());

/** What goes back: decimals of the coin or token that was paid. */
const Coins = { amount: z.string(), symbol: z.string(), network: z.string(), token_address: Text };

const Amount = z
  .string()
  .check(z.regex(/^\d{1,78}(?:\.\d{1,77})?$/, 'must be a decimal number such as 0.0125'));

export const CreateRefundLink = z.strictObject({
  /** Id of a payment by wallet of the session; absent: the one that paid it. */
  payment: z.optional(z.nullable(line(64))),
  /** Absent: everything that is not refunded yet. */
  amount: z.optional(z.nullable(Amount)),
  /** How long the customer can give an address; 7 if absent. */
  days: z.optional(z.nullable(z.int().check(z.minimum(1), z.maximum(30)))),
});
export type CreateRefundLink = z.infer<typeof CreateRefundLink>;

export const REFUND_LINK_STATES = ['open', 'answered', 'used', 'expired', 'cancelled'] as const;

const link = {
  id: z.string(),
  object: z.literal('refund_link'),
  /** Epoch seconds. */
  created: z.int(),
  expires_at: z.int(),
  /** Id of the checkout session. */
  session: z.string(),
  /** Id of the payment that is to be refunded. */
  payment: z.string(),
  /** `answered`: the customer has given `address`, and the shop has to confirm it. `used`: it made `refund` of it. */
  status: z.enum(REFUND_LINK_STATES),
  ...Coins,
  /** In full, in checksum form. Null until the customer gives it; it never changes afterwards. */
  address: Text,
  refund: Text,
};
export const RefundLink = z.object(link);
export type RefundLink = z.infer<typeof RefundLink>;

/** `url` is shown once: only the hash of its token is stored. */
export const CreatedRefundLink = z.object({ ...link, url: z.string() });
export type CreatedRefundLink = z.infer<typeof CreatedRefundLink>;

const SessionParams = z.strictObject({ sessionId: line(128) });
const LinkParams = z.strictObject({ sessionId: line(128), linkId: line(64) });

export const RefundLinksQuery = z.strictObject(paging);
export type RefundLinksQuery = z.infer<typeof RefundLinksQuery>;

export const ReadRefundRequest = z.strictObject({ token: Token });

/** What the customer's page shows. */
export const RefundRequest = z.object({
  merchant: z.string(),
  branding: z.nullable(z.object({ primaryColor: z.string(), secondaryColor: z.string(), icon: Text })),
  livemode: z.boolean(),
  secretType: z.enum(RECEIVING_CHAINS),
  networkName: z.string(),
  amount: z.string(),
  symbol: z.string(),
  /** Epoch milliseconds. */
  expiresAt: z.int(),
  /** The address that the customer gave, which cannot be changed; null while none is given. */
  address: Text,
  /** The shop has sent the refund there. */
  sent: z.boolean(),
});
export type RefundRequest = z.infer<typeof RefundRequest>;

export const GiveRefundAddress = z.strictObject({ token: Token, address: line(128) });
export type GiveRefundAddress = z.infer<typeof GiveRefundAddress>;

const ofShop = { area: 'Refunds', scopes: ['refund'], application: true } as const;

/** Refused with `checkout.refund.refused` as a refund. */
export const createRefundLink = {
  ...ofShop,
  method: 'POST',
  path: '/checkout/sessions/{sessionId}/refund-links',
  summary: 'Make a link by which the customer says where a refund of a payment by wallet goes.',
  params: SessionParams,
  body: CreateRefundLink,
  status: 201,
  answer: CreatedRefundLink,
} as const satisfies Route;

export const listRefundLinks = {
  ...ofShop,
  method: 'GET',
  path: '/checkout/sessions/{sessionId}/refund-links',
  summary: "List a session's links for refunds, newest first.",
  params: SessionParams,
  query: RefundLinksQuery,
  status: 200,
  answer: z.array(RefundLink),
} as const satisfies Route;

/** `request.not-found` where there is none. */
export const readRefundLink = {
  ...ofShop,
  method: 'GET',
  path: '/checkout/sessions/{sessionId}/refund-links/{linkId}',
  summary: 'Read a link for a refund, with the address that the customer gave.',
  params: LinkParams,
  status: 200,
  answer: RefundLink,
} as const satisfies Route;

/** `request.conflict` once it was used for a refund. Repeated, it changes nothing. */
export const cancelRefundLink = {
  ...ofShop,
  method: 'POST',
  path: '/checkout/sessions/{sessionId}/refund-links/{linkId}/cancel',
  summary: 'Cancel a link for a refund, whether the customer has answered or not.',
  params: LinkParams,
  status: 200,
  answer: RefundLink,
} as const satisfies Route;

/** `request.not-found` for what is no link, and for one that has expired or was cancelled. */
export const readRefundRequest = {
  method: 'POST',
  path: '/pay/refund/read',
  summary: 'Read what the page of a link for a refund shows.',
  area: 'Payment page',
  body: ReadRefundRequest,
  status: 200,
  answer: RefundRequest,
} as const satisfies Route;

/** Taken once: the same address again gets the same answer, another one `request.conflict`. */
export const giveRefundAddress = {
  method: 'POST',
  path: '/pay/refund/address',
  summary: 'Say where a refund goes.',
  area: 'Payment page',
  body: GiveRefundAddress,
  status: 200,
  answer: RefundRequest,
} as const satisfies Route;
