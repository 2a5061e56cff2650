/**
 * The maker `stripe`: Stripe Checkout on Stripe's own page, by the official SDK. Nothing of Stripe's is passed on as it is. A session that
 * can be paid by wallet as well is on our page, which leads to Stripe's.
 */
import Stripe from 'stripe';
import { redirectOf } from '../../sessions/failures.ts';
import { cancelSession } from '../../sessions/expiry.ts';
import { follow, withSession } from '../../sessions/transitions.ts';
import { servePayPage } from '../../page/page.ts';
import { pageSession, servePageCalls } from '../../pay/pay.ts';
import type { Outcome, PaymentProvider, ProviderParts } from '../provider.ts';
import { stripeAmount } from './amounts.ts';
import { asStripe, isRefusal } from './failures.ts';
import { outcomeOf, SESSION_KEY, StripeSession } from './objects.ts';
import { serveStripeWebhook } from './webhook.ts';

/** The SDK tries again with the same idempotency key where that is safe. */
const RETRIES = 2;
/** Stripe takes no session that ends sooner than half an hour from its own now. */
const SLACK_MS = 60_000;

function clientOf({ config }: ProviderParts): Stripe {
  const { secretKey, apiUrl, timeoutMs } = config.payments.stripe!;
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

export function stripeProvider(parts: ProviderParts): PaymentProvider {
  const { config, url } = parts;
  const { secretKey, accounts } = config.payments.stripe!;
  const livemode = /^[rs]k_live_/.test(secretKey);
  const stripe = clientOf(parts);

  const provider: PaymentProvider = {
    name: 'stripe',
    livemode,

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
                unit_amount: stripeAmount(price_data.unit_amount, currency, index),
                product_data: { name: price_data.product_data.name },
              },
              quantity,
            })),
            // By way of us: what Stripe did is known before the shop asks, and nobody else tells that the customer went back.
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
        // It is not open there any more.
        if (!isRefusal(error)) throw error;
        return look(id!);
      }
    },

    async loginLink(applicationId) {
      const account = accounts[applicationId];
      if (!account) return `https://dashboard.stripe.com/${livemode ? '' : 'test/'}payments`;
      return (await asStripe(() => stripe.accounts.createLoginLink(account))).url;
    },

    serve(app, service) {
      const { db } = service;
      serveStripeWebhook(app, { db, stripe, secret: config.payments.stripe!.webhookSecret });
      if (config.frameUrl) {
        servePageCalls(app, service);
        servePayPage(app, service);
      }

      app.get<{ Params: { page: string } }>('/pay/:page/done', async ({ params }, reply) => {
        const row = await pageSession(db, params.page, provider.name);
        const outcome = row.status === 'open' ? await look(row.provider_session!) : undefined;
        const now = outcome
          ? await withSession(db, 'id', row.id, (tx, found) => follow(tx, found!, outcome))
          : row;
        return reply.redirect(now.status === 'open' ? now.url : redirectOf(now), 303);
      });

      app.get<{ Params: { page: string } }>('/pay/:page/cancelled', async ({ params, log }, reply) => {
        const row = await pageSession(db, params.page, provider.name);
        if (row.status !== 'open') return reply.redirect(redirectOf(row), 303);
        try {
          return await reply.redirect(redirectOf(await cancelSession(db, provider, row)), 303);
        } catch (error) {
          // The customer need not wait for Stripe: the sweep goes on with it.
          log.warn({ err: error, session: row.id }, 'a checkout session could not be ended at once');
          return reply.redirect(redirectOf(row), 303);
        }
      });
    },
  };

  async function look(id: string): Promise<Outcome> {
    return outcomeOf(StripeSession.parse(await asStripe(() => stripe.checkout.sessions.retrieve(id))));
  }

  return provider;
}
