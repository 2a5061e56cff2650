/** Ends sessions: those whose time is over, whose customer went back, or that their shop ends. */
import type { FastifyBaseLogger } from 'fastify';
import { sql } from 'kysely';
import { Repeated } from '../../concurrency/repeated.ts';
import { acrossAccounts, inAccount } from '../../database/account-scope.ts';
import type { Database } from '../../database/database.ts';
import type { SessionRow } from '../../database/schema.ts';
import type { Service } from '../../service.ts';
import type { PaymentProvider } from './payment-provider.ts';
import { notOpen, requireNonePending } from './session-errors.ts';
import { follow, isOver, withSession } from './transitions.ts';

const EVERY_MS = 15_000;
const BATCH = 50;
/** Received events are remembered for longer than a provider keeps sending them. */
const REMEMBERED_DAYS = 30;

/** Returns the session as it is afterwards: it may have been paid at the last moment. Throws `checkout.provider.unreachable`. */
async function endSession(db: Database, provider: PaymentProvider, session: SessionRow): Promise<SessionRow> {
  // It was created with another provider, through which nobody can pay any more.
  const outcome =
    session.provider === provider.name ? await provider.close(session) : ({ status: 'expired' } as const);
  return withSession(db, 'id', session.id, (tx, now) => follow(tx, now!, outcome));
}

/**
 * The same because its customer went back, or its shop ended it. That is recorded first, because the provider may report the end before it
 * answers. Throws `checkout.payment.pending` as well.
 */
async function endEarly(
  db: Database,
  provider: PaymentProvider,
  session: SessionRow,
  withdrawn: boolean,
): Promise<SessionRow> {
  const marked = await db
    .updateTable('checkout_sessions')
    .set({ cancelled_at: new Date(), withdrawn })
    .where('id', '=', session.id)
    .where('status', '=', 'open')
    .where('wallet_pending', '=', false)
    .returningAll()
    .executeTakeFirst();
  if (marked) return endSession(db, provider, marked);
  const now = await withSession(db, 'id', session.id, (_tx, current) => Promise.resolve(current!));
  requireNonePending(now);
  return now;
}

/** The customer went back. Throws `checkout.payment.pending`, `checkout.provider.unreachable`. */
export function cancelSession(
  db: Database,
  provider: PaymentProvider,
  session: SessionRow,
): Promise<SessionRow> {
  return endEarly(db, provider, session, false);
}

/**
 * The shop ends an open session; an expired one is left as it is. Throws `checkout.session.complete`, also if it was paid at the last
 * moment, `checkout.payment.pending`, and `checkout.provider.unreachable`, after which it is ended later.
 */
export async function withdrawSession(
  db: Database,
  provider: PaymentProvider,
  session: SessionRow,
): Promise<SessionRow> {
  const now = session.status === 'open' ? await endEarly(db, provider, session, true) : session;
  if (now.status !== 'expired') throw notOpen(now);
  return now;
}

/** Expires a session whose time is over, whether or not the sweep has reached it. */
export async function upToDate(
  db: Database,
  provider: PaymentProvider,
  session: SessionRow,
): Promise<SessionRow> {
  return isOver(session) ? endSession(db, provider, session) : session;
}

/** When a session is due, as in the index; `least` ignores nulls. */
const DUE = sql<Date>`least(expires_at, cancelled_at)`;

async function due(db: Database, after: SessionRow | undefined): Promise<SessionRow[]> {
  let query = db
    .selectFrom('checkout_sessions')
    .selectAll()
    .where('status', '=', 'open')
    .where(DUE, '<=', new Date())
    .where((is) =>
      is.or([
        is('cancelled_at', 'is not', null),
        is('held_until', 'is', null),
        is('held_until', '<=', new Date()),
      ]),
    );
  if (after) {
    const { expires_at, cancelled_at, id } = after;
    query = query.where(
      sql<boolean>`(${DUE}, id) > (least(${expires_at}::timestamptz, ${cancelled_at}::timestamptz), ${id})`,
    );
  }
  const page = query.orderBy(DUE).orderBy('id').limit(BATCH);
  return acrossAccounts('due-sessions', () => page.execute());
}

/** One round over every session whose time is over. Several processes may do it at once. */
export async function sweep(
  db: Database,
  provider: PaymentProvider,
  log: Pick<FastifyBaseLogger, 'warn'>,
  isStopped: () => boolean = () => false,
): Promise<void> {
  for (let sessions = await due(db, undefined); sessions.length; sessions = await due(db, sessions.at(-1)))
    for (const session of sessions) {
      if (isStopped()) return;
      await inAccount(session.application_id, () => endSession(db, provider, session)).catch(
        (error: unknown) =>
          log.warn({ err: error, session: session.id }, 'a checkout session could not be ended'),
      );
    }
  await db
    .deleteFrom('provider_events')
    .where('received_at', '<', new Date(Date.now() - REMEMBERED_DAYS * 86_400_000))
    .execute();
}

/** Sweeps until it is stopped. */
export function sweepOften(
  { db, payments, clock }: Pick<Service, 'db' | 'payments' | 'clock'>,
  log: FastifyBaseLogger,
): Repeated {
  const round = async (isStopped: () => boolean): Promise<void> => {
    await clock.doubt();
    await sweep(db, payments, log, isStopped);
  };
  return new Repeated(
    (isStopped) =>
      round(isStopped).catch((error: unknown) =>
        log.warn({ err: error }, 'checkout sessions could not be swept'),
      ),
    EVERY_MS,
  );
}
