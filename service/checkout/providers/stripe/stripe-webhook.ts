/**
 * `POST /stripe-webhook`: events of Stripe's sessions. They may come twice, late, and in any order: each counts once, and a
 * session only moves forward.
 */
import type { FastifyInstance } from 'fastify';
import Stripe from 'stripe';
import { RequestInvalidError } from '../../../../src/base/errors.ts';
import { acrossAccounts } from '../../../database/account-scope.ts';
import type { Database } from '../../../database/database.ts';
import type { SessionRow } from '../../../database/schema.ts';
import { followRefund } from '../../refunds/settle-refund.ts';
import { arrive, decline, follow, withSession } from '../../sessions/transitions.ts';
import {
  outcomeOf,
  REFUND_KEY,
  refundOutcomeOf,
  SESSION_KEY,
  StripePaymentIntent,
  StripeRefund,
  StripeSession,
} from './stripe-objects.ts';

const BODY_BYTES = 1_048_576;

interface Receiver {
  db: Database;
  stripe: Stripe;
  /** Signing secret of the endpoint, `whsec_…`. */
  secret: string;
}

export function serveStripeWebhook(app: FastifyInstance, receiver: Receiver): void {
  void app.register(async (scope) => {
    // The signature covers the raw bytes.
    scope.removeContentTypeParser('application/json');
    scope.addContentTypeParser(
      'application/json',
      { parseAs: 'buffer', bodyLimit: BODY_BYTES },
      (_request, body, done) => done(null, body),
    );
    scope.post(
      '/stripe-webhook',
      { config: { rateLimit: false }, bodyLimit: BODY_BYTES },
      async (request, reply) => {
        const event = await verified(receiver, request.body, request.headers['stripe-signature']);
        await acrossAccounts('provider-event', () => consume(receiver.db, event));
        return reply.type('application/json').serializer(JSON.stringify).send({ received: true });
      },
    );
  });
}

async function verified(
  { stripe, secret }: Receiver,
  body: unknown,
  signature: unknown,
): Promise<Stripe.Event> {
  try {
    return await stripe.webhooks.constructEventAsync(
      Buffer.isBuffer(body) ? body : '',
      typeof signature === 'string' ? signature : '',
      secret,
    );
  } catch {
    throw new RequestInvalidError([
      { path: 'Stripe-Signature', message: 'does not match the body, or is too old' },
    ]);
  }
}

/** Sessions that are not ours are ignored: the account may be used elsewhere, too. */
async function consume(db: Database, { id, type, data }: Stripe.Event): Promise<void> {
  switch (type) {
    case 'checkout.session.completed':
    case 'checkout.session.async_payment_succeeded':
    case 'checkout.session.async_payment_failed':
    case 'checkout.session.expired': {
      const object = StripeSession.parse(data.object);
      await once(db, id, 'provider_session', object.id, (tx, session) =>
        followSession(tx, session, object, type),
      );
      break;
    }
    case 'payment_intent.payment_failed': {
      const intent = StripePaymentIntent.parse(data.object);
      const ours = intent.metadata[SESSION_KEY];
      if (ours !== undefined)
        await once(db, id, 'id', ours, async (tx, session) => {
          // Once it is paid, an earlier failure would only look like the latest news.
          if (session.status === 'open') await decline(tx, session, reasonOf(intent));
        });
      break;
    }
    case 'refund.updated':
    case 'refund.failed': {
      const refund = StripeRefund.parse(data.object);
      const { [SESSION_KEY]: session, [REFUND_KEY]: ours } = refund.metadata ?? {};
      if (session !== undefined && ours !== undefined)
        await once(db, id, 'id', session, (tx, row) => followRefund(tx, row, ours, refundOutcomeOf(refund)));
      break;
    }
  }
}

function reasonOf({ last_payment_error: error }: StripePaymentIntent): string {
  return error?.decline_code ?? error?.code ?? 'generic_decline';
}

async function once(
  db: Database,
  eventId: string,
  column: 'id' | 'provider_session',
  value: string,
  work: (tx: Database, session: SessionRow) => Promise<unknown>,
): Promise<void> {
  await withSession(db, column, value, async (tx, session) => {
    if (session?.provider !== 'stripe') return;
    const { numInsertedOrUpdatedRows } = await tx
      .insertInto('provider_events')
      .values({ id: eventId })
      .onConflict((is) => is.doNothing())
      .executeTakeFirst();
    if (numInsertedOrUpdatedRows === 1n) await work(tx, session);
  });
}

async function followSession(
  tx: Database,
  session: SessionRow,
  object: StripeSession,
  type: string,
): Promise<void> {
  const isUnderWay = session.status === 'complete' && session.payment_status === 'unpaid';
  if (isUnderWay && object.payment_status === 'paid') await arrive(tx, session);
  else if (type === 'checkout.session.async_payment_failed') {
    const now = await follow(tx, session, outcomeOf(object));
    if (now.payment_status === 'unpaid') await decline(tx, now, 'processing_error');
  } else await follow(tx, session, outcomeOf(object));
}
