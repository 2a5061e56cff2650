/**
 * A signed order: what a payment by wallet is for, and whom it pays, vouched for by the service. It travels as a JWS (RFC 7515, compact)
 * from the service through the payment page to the wallet, which shows the merchant's name and the order only if the signature is valid.
 */
import * as z from 'zod/mini';
import { SecretTypeSchema } from './secret-type.ts';
import { line } from './text.ts';

/** `typ` of its header; `alg` is ES256 and `kid` one of the issuer's key set. No token of another kind can pass for it. */
export const ORDER_TYPE = 'checkout-payment+jwt';

export const SignedOrder = z.object({
  /** URL of the issuer's realm; its keys are at `/protocol/openid-connect/certs` below. */
  iss: z.string(),
  /** Epoch seconds. The price is valid until then. */
  exp: z.int(),
  /** Id of the quote. */
  jti: line(64),
  /** Id of the checkout session. */
  session: line(128),
  /** Id of the merchant's account. */
  account: line(128),
  /** The merchant's name as the operator of the service verified it; never what the merchant calls itself. */
  merchant: line(128),
  /** Origins that may ask for the payment: the payment page's, and those that the operator registered for the account. */
  origins: z.array(z.string().check(z.maxLength(300))).check(z.maxLength(20)),
  secretType: SecretTypeSchema,
  /** Id in `networks.json`. */
  network: line(64),
  /** The chain id of EVM networks. */
  chainId: z.nullable(z.int()),
  /** Contract in checksum form; null for the coin. */
  token: z.nullable(z.string()),
  /** Who is paid, in checksum form. */
  to: z.string(),
  /** Smallest units, digits. */
  amount: z.string().check(z.regex(/^[1-9]\d{0,77}$/)),
  /** Minor units of the currency: the order's total. */
  total: z.int().check(z.minimum(0)),
  /** ISO 4217, capital letters. */
  currency: z.string().check(z.regex(/^[A-Z]{3}$/)),
  /** The merchant's own number of the order; `session` if it has none. */
  reference: line(128),
  /** The number of items. */
  items: z.int(),
});
export type SignedOrder = z.infer<typeof SignedOrder>;
