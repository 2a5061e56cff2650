/**
 * The fields of Stripe's objects that are read here. The API sends them in the SDK's version, and webhooks in the version of the
 * endpoint, so these are only fields that all versions share.
 */
import * as z from 'zod';
import type { CustomerDetails } from '../../../../src/api/checkout.ts';
import type { Outcome, RefundOutcome } from '../../sessions/payment-provider.ts';

/** Our session's id in the metadata of Stripe's sessions and payment intents. */
export const SESSION_KEY = 'carabiner_session';

/** Our refund's id in the metadata of Stripe's. */
export const REFUND_KEY = 'carabiner_refund';

const Text = z.string().nullish();
/** An id, or the expanded object that has it. */
const Reference = z.union([z.string(), z.object({ id: z.string() }).transform(({ id }) => id)]).nullish();

export const StripeSession = z.object({
  id: z.string(),
  object: z.literal('checkout.session'),
  status: z.enum(['open', 'complete', 'expired']).nullable(),
  payment_status: z.enum(['paid', 'unpaid', 'no_payment_required']),
  payment_intent: Reference,
  expires_at: z.int(),
  url: Text,
  customer_details: z
    .object({
      address: z
        .object({ city: Text, country: Text, line1: Text, line2: Text, postal_code: Text, state: Text })
        .nullish(),
      email: Text,
      name: Text,
      phone: Text,
      tax_exempt: Text,
      tax_ids: z.array(z.object({ type: z.string(), value: Text })).nullish(),
    })
    .nullish(),
});
export type StripeSession = z.infer<typeof StripeSession>;

export const StripePaymentIntent = z.object({
  id: z.string(),
  object: z.literal('payment_intent'),
  metadata: z.record(z.string(), z.string()),
  last_payment_error: z.object({ code: Text, decline_code: Text }).nullish(),
});
export type StripePaymentIntent = z.infer<typeof StripePaymentIntent>;

export const StripeRefund = z.object({
  id: z.string(),
  object: z.literal('refund'),
  status: z.string().nullable(),
  failure_reason: Text,
  metadata: z.record(z.string(), z.string()).nullable(),
});
export type StripeRefund = z.infer<typeof StripeRefund>;

const REFUND_STATES: Readonly<Record<string, RefundOutcome['state']>> = {
  succeeded: 'succeeded',
  failed: 'failed',
  canceled: 'failed',
};

export function refundOutcomeOf({ id, status, failure_reason }: StripeRefund): RefundOutcome {
  return {
    state: REFUND_STATES[status ?? ''] ?? 'pending',
    providerRefund: id,
    reason: failure_reason ?? (status === 'canceled' ? status : null),
  };
}

function customerOf({ customer_details: given }: StripeSession): CustomerDetails {
  const { city, country, line1, line2, postal_code, state } = given?.address ?? {};
  return {
    address: {
      city: city ?? null,
      country: country ?? null,
      line1: line1 ?? null,
      line2: line2 ?? null,
      postal_code: postal_code ?? null,
      state: state ?? null,
    },
    email: given?.email ?? null,
    name: given?.name ?? null,
    phone: given?.phone ?? null,
    tax_exempt: given?.tax_exempt ?? 'none',
    tax_ids: given?.tax_ids ?? [],
  };
}

export function outcomeOf(session: StripeSession): Outcome {
  if (session.status !== 'complete') return { status: session.status ?? 'open' };
  return {
    status: 'complete',
    // A session with nothing to pay counts as paid.
    paid: session.payment_status !== 'unpaid',
    paymentIntent: session.payment_intent ?? null,
    customerDetails: customerOf(session),
  };
}
