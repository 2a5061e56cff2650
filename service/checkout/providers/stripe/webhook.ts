/**
 * `POST /stripe-webhook`: what Stripe tells of its sessions. It may tell it twice, late, and in any order: an event counts once, and a
 * session only goes forward.
 */
import type { FastifyInstance } from 'fastify';
import Stripe from 'stripe';
import { RequestInvalidError } from '../../../../src/errors.ts';
import type { Database } from '../../../database/database.ts';
import type { SessionRow } from '../../../database/schema.ts';
import { arrive, decline, follow, withSession } from '../../sessions/transitions.ts';
import { outcomeOf, SESSION_KEY, StripePaymentIntent, StripeSession } from './objects.ts';

const BODY_BYTES = 1_048_576;

interface Receiver {
  db: Database;
  stripe: Stripe;
  /** `whsec_…` of the endpoint. */
  secret: string;
}

export function serveStripeWebhook(app: FastifyInstance, receiver: Receiver): void {
  void app.register(async (scope) => {
    // The signature is over the bytes as they came.
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
        await consume(receiver.db, event);
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
      { path: 'Stripe-Signature', message: 'does not fit the body, or is too old' },
    ]);
  }
}

/** A session that is not ours is somebody else's at the same account: nothing to do. */
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
          // It was paid since: that one attempt went wrong before is of no use to anybody, and would look like the news.
          if (session.status === 'open') await decline(tx, session, reasonOf(intent));
        });
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
