/**
 * Refunds at Stripe. Its idempotency keys are valid for a day, but a refund may be requested again after weeks: so every call after the
 * first looks for the refund by our id in its metadata before it makes one.
 */
import type Stripe from 'stripe';
import type { PaymentProvider, ProviderRefund } from '../../sessions/payment-provider.ts';
import { stripeAmount } from './stripe-amounts.ts';
import { asStripe } from './stripe-errors.ts';
import { REFUND_KEY, refundOutcomeOf, SESSION_KEY, StripeRefund } from './stripe-objects.ts';

export function stripeRefunds(
  stripe: Stripe,
  accounts: Readonly<Record<string, string>>,
): PaymentProvider['refund'] {
  async function made({ id, session, providerRefund, first }: ProviderRefund) {
    if (first) return undefined;
    if (providerRefund !== null) return asStripe(() => stripe.refunds.retrieve(providerRefund));
    const all = await asStripe(() =>
      stripe.refunds
        .list({ payment_intent: session.payment_intent!, limit: 100 })
        .autoPagingToArray({ limit: 10_000 }),
    );
    return all.find(({ metadata }) => metadata?.[REFUND_KEY] === id);
  }

  function make({ id, session, amount }: ProviderRefund) {
    return asStripe(() =>
      stripe.refunds.create(
        {
          payment_intent: session.payment_intent!,
          amount: stripeAmount(amount, session.currency, 'amount'),
          metadata: { [REFUND_KEY]: id, [SESSION_KEY]: session.id },
          // The account that was paid refunds it, not the platform.
          ...(accounts[session.application_id] ? { reverse_transfer: true } : {}),
        },
        { idempotencyKey: id },
      ),
    );
  }

  return async (refund) => refundOutcomeOf(StripeRefund.parse((await made(refund)) ?? (await make(refund))));
}
