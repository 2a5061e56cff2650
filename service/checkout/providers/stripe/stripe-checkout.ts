/**
 * Stripe Checkout on Stripe's own page, through the official SDK. No answer of Stripe's is passed on unread. A session that can also be
 * paid by wallet has our page, which leads to Stripe's.
 */
import type { FastifyInstance } from 'fastify';
import Stripe from 'stripe';
import { inAccount } from '../../../database/account-scope.ts';
import type { Database } from '../../../database/database.ts';
import type { SessionRow } from '../../../database/schema.ts';
import type { Area } from '../../../service.ts';
import { cancelSession } from '../../sessions/expiry.ts';
import { redirectOf } from '../../sessions/session-errors.ts';
import { follow, withSession } from '../../sessions/transitions.ts';
import { servePageCalls } from '../../page/page-calls.ts';
import type { NewSession, OpenedSession, Outcome, PaymentProvider } from '../../sessions/payment-provider.ts';
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
  const stripe = clientOf(settings);
  const payments = new StripePayments(stripe, settings, url);
  const area: Area = (app, service) => {
    serveStripeWebhook(app, { db: service.db, stripe, secret: settings.webhookSecret });
    if (service.config.frameUrl) servePageCalls(app, service);
    serveReturns(app, service.db, payments);
  };
  return { payments, area };
}

class StripePayments implements PaymentProvider {
  readonly name = 'stripe';
  readonly livemode: boolean;
  readonly paysOnOwnPage = false;
  readonly refund: PaymentProvider['refund'];
  readonly #stripe: Stripe;
  readonly #accounts: StripeSettings['accounts'];
  /** The URL of the service. */
  readonly #url: () => string;

  constructor(stripe: Stripe, { secretKey, accounts }: StripeSettings, url: () => string) {
    this.#stripe = stripe;
    this.#accounts = accounts;
    this.#url = url;
    this.livemode = /^[rs]k_live_/.test(secretKey);
    this.refund = stripeRefunds(stripe, accounts);
  }

  async open(newSession: NewSession): Promise<OpenedSession> {
    const session = StripeSession.parse(
      await asStripe(() =>
        this.#stripe.checkout.sessions.create(this.#paramsOf(newSession), { idempotencyKey: newSession.id }),
      ),
    );
    return {
      url: session.url!,
      providerSession: session.id,
      expiresAt: new Date(session.expires_at * 1000),
    };
  }

  #paramsOf(newSession: NewSession): Stripe.Checkout.SessionCreateParams {
    const { id, pageId, applicationId, lineItems, currency, customerId, expiresAt, ownPage } = newSession;
    const account = this.#accounts[applicationId];
    const metadata = { [SESSION_KEY]: id, ...(customerId === null ? {} : { customer: customerId }) };
    return {
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
      success_url: `${this.#url()}/pay/${pageId}/done`,
      cancel_url: ownPage ?? `${this.#url()}/pay/${pageId}/cancelled`,
      client_reference_id: id,
      expires_at: Math.ceil((expiresAt.getTime() + SLACK_MS) / 1000),
      metadata,
      payment_intent_data: {
        metadata,
        ...(account ? { on_behalf_of: account, transfer_data: { destination: account } } : {}),
      },
    };
  }

  async close({ provider_session: id }: SessionRow): Promise<Outcome> {
    try {
      return outcomeOf(StripeSession.parse(await asStripe(() => this.#stripe.checkout.sessions.expire(id!))));
    } catch (error) {
      // It is no longer open there.
      if (!isRefusal(error)) throw error;
      return this.look(id!);
    }
  }

  /** `id`: the session's at Stripe. */
  async look(id: string): Promise<Outcome> {
    return outcomeOf(StripeSession.parse(await asStripe(() => this.#stripe.checkout.sessions.retrieve(id))));
  }

  async loginLink(applicationId: string): Promise<string> {
    const account = this.#accounts[applicationId];
    if (!account) return `https://dashboard.stripe.com/${this.livemode ? '' : 'test/'}payments`;
    return (await asStripe(() => this.#stripe.accounts.createLoginLink(account))).url;
  }
}

/** Where customers come back to from Stripe's page. */
function serveReturns(app: FastifyInstance, db: Database, payments: StripePayments): void {
  app.get<{ Params: { page: string } }>('/pay/:page/done', async ({ params }, reply) => {
    const row = await readPageSession(db, params.page, payments.name);
    const outcome = row.status === 'open' ? await payments.look(row.provider_session!) : undefined;
    const now = outcome
      ? await inAccount(row.application_id, () =>
          withSession(db, 'id', row.id, (tx, current) => follow(tx, current!, outcome)),
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
}
