/**
 * Stripe Checkout on Stripe's own page, through the official SDK. No answer of Stripe's is passed on unread. A session that can also be
 * paid by wallet has our page, which leads to Stripe's.
 */
import Stripe from 'stripe';
import { inAccount } from '../../../database/account-scope.ts';
import type { Area } from '../../../service.ts';
import { cancelSession } from '../../sessions/expiry.ts';
import { redirectOf } from '../../sessions/session-errors.ts';
import { follow, withSession } from '../../sessions/transitions.ts';
import { servePageCalls } from '../../page/page-calls.ts';
import type { Outcome, PaymentProvider } from '../../sessions/payment-provider.ts';
import { readPageSession } from '../../sessions/read-session.ts';
import type { OpenedProvider, ProviderParts } from '../provider-definition.ts';
import { stripeAmount } from './stripe-amounts.ts';
import { asStripe, isRefusal } from './stripe-errors.ts';
import { outcomeOf, SESSION_KEY, StripeSession } from './stripe-objects.ts';
import { stripeRefunds } from './stripe-refunds.ts';
import type { StripeSettings } from './stripe-settings.ts';
import { serveStripeWebhook } from './stripe-webhook.ts';

/** The SDK tries again with the same idempotency key where that is safe. */
const RETRIES = 2;
/** Stripe refuses a session that ends sooner than half an hour from now by its own clock. */
const SLACK_MS = 60_000;

function clientOf({ secretKey, apiUrl, timeoutMs }: StripeSettings): Stripe {
  const api = apiUrl === undefined ? undefined : new URL(apiUrl);
  return new Stripe(secretKey, {
    maxNetworkRetries: RETRIES,
    timeout: timeoutMs,
    telemetry: false,
    ...(api
      ? {
          protocol: api.protocol === 'http:' ? 'http' : 'https',
          host: api.hostname,
          port: api.port || (api.protocol === 'http:' ? 80 : 443),
        }
      : {}),
  });
}

export function stripeCheckout({ url }: ProviderParts, settings: StripeSettings): OpenedProvider {
  const { secretKey, webhookSecret, accounts } = settings;
  const livemode = /^[rs]k_live_/.test(secretKey);
  const stripe = clientOf(settings);

  const payments: PaymentProvider = {
    name: 'stripe',
    livemode,
    paysOnOwnPage: false,

    async open({ id, pageId, applicationId, lineItems, currency, customerId, expiresAt, ownPage }) {
      const account = accounts[applicationId];
      const metadata = { [SESSION_KEY]: id, ...(customerId === null ? {} : { customer: customerId }) };
      const made = await asStripe(() =>
        stripe.checkout.sessions.create(
          {
            mode: 'payment',
            allowed_payment_method_types: ['card'],
            line_items: lineItems.map(({ price_data, quantity }, index) => ({
              price_data: {
                currency: currency.toLowerCase(),
                unit_amount: stripeAmount(
                  price_data.unit_amount,
                  currency,
                  `line_items.${index}.price_data.unit_amount`,
                ),
                product_data: { name: price_data.product_data.name },
              },
              quantity,
            })),
            // Customers return through the service: so the session is up to date before the shop reads it, and we learn who went back.
            success_url: `${url()}/pay/${pageId}/done`,
            cancel_url: ownPage ?? `${url()}/pay/${pageId}/cancelled`,
            client_reference_id: id,
            expires_at: Math.ceil((expiresAt.getTime() + SLACK_MS) / 1000),
            metadata,
            payment_intent_data: {
              metadata,
              ...(account ? { on_behalf_of: account, transfer_data: { destination: account } } : {}),
            },
          },
          { idempotencyKey: id },
        ),
      );
      const session = StripeSession.parse(made);
      return {
        url: session.url!,
        providerSession: session.id,
        expiresAt: new Date(session.expires_at * 1000),
      };
    },

    async close({ provider_session: id }): Promise<Outcome> {
      try {
        return outcomeOf(StripeSession.parse(await asStripe(() => stripe.checkout.sessions.expire(id!))));
      } catch (error) {
        // It is no longer open there.
        if (!isRefusal(error)) throw error;
        return look(id!);
      }
    },

    refund: stripeRefunds(stripe, accounts),

    async loginLink(applicationId) {
      const account = accounts[applicationId];
      if (!account) return `https://dashboard.stripe.com/${livemode ? '' : 'test/'}payments`;
      return (await asStripe(() => stripe.accounts.createLoginLink(account))).url;
    },
  };

  const area: Area = (app, service) => {
    const { db, config } = service;
    serveStripeWebhook(app, { db, stripe, secret: webhookSecret });
    if (config.frameUrl) servePageCalls(app, service);

    app.get<{ Params: { page: string } }>('/pay/:page/done', async ({ params }, reply) => {
      const row = await readPageSession(db, params.page, payments.name);
      const outcome = row.status === 'open' ? await look(row.provider_session!) : undefined;
      const now = outcome
        ? await inAccount(row.application_id, () =>
            withSession(db, 'id', row.id, (tx, found) => follow(tx, found!, outcome)),
          )
        : row;
      return reply.redirect(now.status === 'open' ? now.url : redirectOf(now), 303);
    });

    app.get<{ Params: { page: string } }>('/pay/:page/cancelled', async ({ params, log }, reply) => {
      const row = await readPageSession(db, params.page, payments.name);
      if (row.status !== 'open') return reply.redirect(redirectOf(row), 303);
      try {
        const cancelled = await inAccount(row.application_id, () => cancelSession(db, payments, row));
        return await reply.redirect(redirectOf(cancelled), 303);
      } catch (error) {
        // The customer need not wait for Stripe: the sweep tries again.
        log.warn({ err: error, session: row.id }, 'a checkout session could not be ended at once');
        return reply.redirect(redirectOf(row), 303);
      }
    });
  };

  async function look(id: string): Promise<Outcome> {
    return outcomeOf(StripeSession.parse(await asStripe(() => stripe.checkout.sessions.retrieve(id))));
  }

  return { payments, area };
}
