/** New sessions. */
import { randomBytes } from 'node:crypto';
import type { CreateSession } from '../../../src/api/checkout.ts';
import { ConnectError } from '../../../src/errors.ts';
import type { Database } from '../../database/database.ts';
import { SESSION_COLUMNS } from '../../database/checkout-tables.ts';
import type { SessionRow } from '../../database/schema.ts';
import { type KeyedRequest, findSessionId, takeSessionKey } from '../../idempotency/request-keys.ts';
import type { PaymentProvider } from './payment-provider.ts';
import { readSession } from './read-session.ts';

interface Order {
  applicationId: string;
  body: CreateSession;
  asked: KeyedRequest;
  /** How long the customer has. */
  minutes: number;
  /** Base URL of the service, where the receipt is. */
  serviceUrl: string;
  /** URL of our own page, for sessions that are paid there although the provider has a page; undefined for the others. */
  ownPage?: (session: SessionOrder) => Promise<string | undefined>;
}

/** What is known of a session before its provider has opened it. */
export type SessionOrder = Pick<
  SessionRow,
  'page_id' | 'application_id' | 'livemode' | 'currency' | 'amount_total'
>;

/** A repeated `Idempotency-Key` returns the earlier session. Throws `request.conflict`, `checkout.provider.*`. */
export async function createSession(
  db: Database,
  provider: PaymentProvider,
  order: Order,
): Promise<SessionRow> {
  const { asked } = order;
  if (asked.key === undefined) return insert(db, provider, order);
  const known = await findAsked(db, asked);
  if (known) return known;
  try {
    return await insert(db, provider, order);
  } catch (error) {
    // A concurrent copy of the request was faster.
    const other = error instanceof ConnectError && error.code === 'request.conflict';
    const made = other && (await findAsked(db, asked));
    if (made) return made;
    throw error;
  }
}

async function insert(
  db: Database,
  provider: PaymentProvider,
  { applicationId, body, asked, minutes, serviceUrl, ownPage: ownPageOf }: Order,
): Promise<SessionRow> {
  const id = `cs_${provider.livemode ? 'live' : 'test'}_${randomBytes(32).toString('base64url')}`;
  const pageId = randomBytes(32).toString('base64url');
  const createdAt = new Date();
  const { currency } = body.line_items[0]!.price_data;
  const customerId = body.customer?.id ?? null;
  const amountTotal = body.line_items.reduce(
    (sum, { price_data, quantity }) => sum + price_data.unit_amount * quantity,
    0,
  );
  const ownPage = await ownPageOf?.({
    page_id: pageId,
    application_id: applicationId,
    livemode: provider.livemode,
    currency,
    amount_total: String(amountTotal),
  });
  const { url, providerSession, expiresAt } = await provider.open({
    id,
    pageId,
    applicationId,
    lineItems: body.line_items,
    currency,
    amountTotal,
    customerId,
    successUrl: body.success_url,
    cancelUrl: body.cancel_url,
    expiresAt: new Date(createdAt.getTime() + minutes * 60_000),
    ownPage,
  });
  const store = (on: Database): Promise<SessionRow> =>
    on
      .insertInto('checkout_sessions')
      .values({
        id,
        page_id: pageId,
        application_id: applicationId,
        provider: provider.name,
        provider_session: providerSession,
        livemode: provider.livemode,
        url: ownPage ?? url,
        provider_url: ownPage !== undefined && ownPage !== url ? url : null,
        line_items: JSON.stringify(body.line_items),
        currency,
        amount_subtotal: amountTotal,
        amount_total: amountTotal,
        customer_id: customerId,
        success_url: body.success_url,
        cancel_url: body.cancel_url,
        status: 'open',
        payment_status: 'unpaid',
        created_at: createdAt,
        expires_at: expiresAt,
        client_reference_id: body.client_reference_id ?? null,
        metadata: body.metadata ? JSON.stringify(body.metadata) : null,
        receipt_url: `${serviceUrl}/pay/${pageId}?receipt`,
      })
      .returning(SESSION_COLUMNS)
      .executeTakeFirstOrThrow();
  if (asked.key === undefined) return store(db);
  return db.transaction().execute(async (tx) => {
    const row = await store(tx);
    await takeSessionKey(tx, asked, id);
    return row;
  });
}

async function findAsked(db: Database, asked: KeyedRequest): Promise<SessionRow | undefined> {
  const id = await findSessionId(db, asked);
  return id === undefined ? undefined : readSession(db, asked.accountId, id);
}
