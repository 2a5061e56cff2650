/** Checkout sessions (docs/checkout.md) and the link to the dashboard. Amounts are whole minor units of the currency. */
import * as z from 'zod/mini';
import { paging } from './paging.ts';
import type { Route } from './route.ts';
import { line, prose } from './text.ts';
import { Time } from './time.ts';

/** Where customers are sent. Its host names the shop, so nobody may read another host out of it than browsers do. */
export const Url = z.string().check(
  z.maxLength(2048),
  z.refine((text) => /^https?:\/\/[^\s\p{Cc}\p{Surrogate}]+$/iu.test(text) && URL.canParse(text), {
    error: 'must be a URL that begins with http:// or https://',
  }),
  z.refine((text) => !/[\\\p{Cf}\p{DI}]|^\w+:\/*[^/?#]*@/u.test(text), {
    error: 'must have no user name, no password, no backslash and no invisible characters',
  }),
);

/** ISO 4217, as `Intl` knows it. */
const CURRENCIES: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'));

/** Minor units: twelve digits. Sums stay exact as numbers. */
export const MAX_AMOUNT = 999_999_999_999;

export const Currency = z.string().check(
  z.refine((code) => CURRENCIES.has(code), {
    error: 'must be an ISO 4217 currency code in capital letters, such as EUR',
  }),
);

const LineItem = z.strictObject({
  price_data: z.strictObject({
    product_data: z.strictObject({ name: line(256) }),
    unit_amount: z.int().check(z.minimum(0), z.maximum(MAX_AMOUNT)),
    currency: Currency,
  }),
  quantity: z._default(z.int().check(z.minimum(1), z.maximum(999_999)), 1),
});

export function amountOf(items: readonly z.infer<typeof LineItem>[]): number {
  return items.reduce((sum, { price_data, quantity }) => sum + price_data.unit_amount * quantity, 0);
}

export const MAX_METADATA = 50;

/** The shop's own notes on a session: text by name. */
export const Metadata = z.record(line(40), prose(500)).check(
  z.refine((notes) => Object.keys(notes).length <= MAX_METADATA, {
    error: `must have at most ${MAX_METADATA} keys`,
  }),
);

/** The shop's own order number. */
const Reference = line(200);

/** All are in one currency. */
export const LineItems = z.array(LineItem).check(
  z.minLength(1),
  z.maxLength(100),
  z.superRefine((items, context) => {
    const { currency } = items[0]?.price_data ?? {};
    for (const [index, { price_data }] of items.entries())
      if (price_data.currency !== currency)
        context.addIssue({
          code: 'custom',
          path: [index, 'price_data', 'currency'],
          message: `must be ${currency}, as the first item has: a session has one currency`,
        });
    if (amountOf(items) > MAX_AMOUNT)
      context.addIssue({ code: 'custom', message: `must add up to at most ${MAX_AMOUNT}` });
  }),
);

export const CreateSession = z.strictObject({
  line_items: LineItems,
  success_url: Url,
  cancel_url: Url,
  mode: z._default(z.literal('payment'), 'payment'),
  customer: z.optional(z.nullable(z.strictObject({ id: z.optional(z.nullable(line(255))) }))),
  client_reference_id: z.optional(z.nullable(Reference)),
  metadata: z.optional(z.nullable(Metadata)),
});
export type CreateSession = z.infer<typeof CreateSession>;

const Text = z.nullable(z.string());
/** A field of the interface that nothing here sets. */
const Unset = z.null();

export const CustomerDetails = z.object({
  address: z.object({
    city: Text,
    /** ISO 3166-1, two letters. */
    country: Text,
    line1: Text,
    line2: Text,
    postal_code: Text,
    state: Text,
  }),
  email: Text,
  name: Text,
  phone: Text,
  tax_exempt: z.string(),
  tax_ids: z.array(z.unknown()),
});
export type CustomerDetails = z.infer<typeof CustomerDetails>;

/** A payment by wallet. Amounts are decimals of the coin or token: `0.0125`. */
export const SessionWalletPayment = z.object({
  /**
   * `paid`: it paid the session. `underpaid`, `overpaid`: transactions of other amounts were reported by the payment page, or name the
   * session, and add up to less than the price, or to at least the price; they pay for nothing unless the shop accepts them. `unassigned`: it was too late, or the session
   * was already paid.
   */
  status: z.enum(['paid', 'underpaid', 'overpaid', 'unassigned']),
  /** Ids in `GET /checkout/wallet-payments`, the newest last. */
  payments: z.array(z.string()),
  network: z.string(),
  token_address: Text,
  symbol: z.string(),
  /** The amount that was quoted. */
  expected: z.string(),
  /** The total received. */
  received: z.string(),
  /** What is missing of `expected`; null if nothing is. */
  missing: Text,
  /** Above `expected`; null if there is none. */
  excess: Text,
  /** Whether no more is missing than the receiving wallet tolerates; absent in sessions of earlier releases. */
  within_tolerance: z.optional(z.boolean()),
  /** The newest transaction's hash. */
  transaction_hash: z.string(),
});
export type SessionWalletPayment = z.infer<typeof SessionWalletPayment>;

export const CheckoutSession = z.object({
  id: z.string(),
  object: z.literal('checkout.session'),
  after_expiration: Unset,
  allow_promotion_codes: Unset,
  amount_subtotal: z.int(),
  amount_total: z.int(),
  automatic_tax: z.object({ enabled: z.boolean(), status: Text }),
  billing_address_collection: Unset,
  cancel_url: z.string(),
  client_reference_id: Text,
  consent: Unset,
  consent_collection: Unset,
  /** Epoch seconds. */
  created: z.int(),
  /** ISO 4217, lower case. */
  currency: z.string(),
  currency_conversion: Unset,
  custom_fields: z.array(z.unknown()),
  custom_text: z.object({ shipping_address: Unset, submit: Unset }),
  /** `customer.id` of the request. */
  customer: Text,
  customer_creation: z.string(),
  /** Null until it is paid. */
  customer_details: z.nullable(CustomerDetails),
  customer_email: Unset,
  /** Epoch seconds. On the service's own page the customer may put it off, up to a day after the session was created. */
  expires_at: z.int(),
  invoice: Unset,
  invoice_creation: z.object({
    enabled: z.boolean(),
    invoice_data: z.object({
      account_tax_ids: Unset,
      custom_fields: Unset,
      description: Unset,
      footer: Unset,
      metadata: z.record(z.string(), z.string()),
      rendering_options: Unset,
    }),
  }),
  livemode: z.boolean(),
  locale: Unset,
  metadata: z.record(z.string(), z.string()),
  mode: z.literal('payment'),
  /** Null until it is paid. */
  payment_intent: Text,
  payment_link: Unset,
  payment_method_collection: z.string(),
  payment_method_options: z.record(z.string(), z.unknown()),
  payment_method_types: z.array(z.string()),
  payment_status: z.enum(['paid', 'unpaid']),
  phone_number_collection: z.object({ enabled: z.boolean() }),
  /** For the customer, once it is paid: number, date, and what was paid. Anybody who has the URL can open it. */
  receipt_url: Text,
  recovered_from: Unset,
  /** How much of the payment was refunded; only refunds that have succeeded count. */
  refunded: z.enum(['none', 'partly', 'fully']),
  setup_intent: Unset,
  shipping_address_collection: Unset,
  shipping_cost: Unset,
  shipping_details: Unset,
  shipping_options: z.array(z.unknown()),
  status: z.enum(['open', 'complete', 'expired']),
  submit_type: Unset,
  subscription: Unset,
  success_url: z.string(),
  total_details: z.object({
    amount_discount: z.int(),
    amount_shipping: z.int(),
    amount_tax: z.int(),
  }),
  /** Where the customer pays; null once the session is complete or has expired. */
  url: Text,
  /** The payment by wallet that paid the session, else the newest one for it; null without one. */
  wallet_payment: z.nullable(SessionWalletPayment),
});
export type CheckoutSession = z.infer<typeof CheckoutSession>;

export const SessionParams = z.strictObject({ sessionId: line(128) });

/** Newest first: sessions that match every field given. */
export const SessionsQuery = z.strictObject({
  status: z.optional(z.enum(['open', 'complete', 'expired'])),
  payment_status: z.optional(z.enum(['paid', 'unpaid'])),
  client_reference_id: z.optional(Reference),
  created_after: z.optional(Time),
  created_before: z.optional(Time),
  ...paging,
});
export type SessionsQuery = z.infer<typeof SessionsQuery>;

export const AcceptPayments = z.strictObject({
  /** Their ids in `GET /checkout/wallet-payments`. */
  payments: z.array(line(64)).check(z.minLength(1), z.maxLength(20)),
});

export const LoginLink = z.object({
  object: z.literal('login_link'),
  /** Epoch seconds. */
  created: z.int(),
  url: z.string(),
});
export type LoginLink = z.infer<typeof LoginLink>;

/** The call that leads to a payment provider's dashboard. Every provider has one; only that of the provider in use answers. */
export function dashboardRoute(provider: string, summary = '') {
  return {
    name: `open${provider.charAt(0).toUpperCase()}${provider.slice(1)}Dashboard`,
    method: 'GET',
    path: `/${provider}-dashboard`,
    summary,
    area: 'Checkout',
    // There its holder reads payments, refunds them, and may change where the money goes.
    scopes: ['checkout'],
    alsoScopes: ['refund', 'receiving-wallet'],
    application: true,
    status: 200,
    answer: LoginLink,
  } as const satisfies Route;
}
