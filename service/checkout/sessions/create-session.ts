/** Makes sessions. */
import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { amountOf, type CreateSession } from '../../../src/api/checkout.ts';
import { ConnectError } from '../../../src/base/errors.ts';
import { inAccount } from '../../database/account-scope.ts';
import { batchedInsert } from '../../database/batched-insert.ts';
import type { Database } from '../../database/database.ts';
import type { SessionRow } from '../../database/schema.ts';
import { type KeyedRequest, findSessionId, takeSessionKey } from '../../idempotency/request-keys.ts';
import type { PaymentProvider } from './payment-provider.ts';
import { readSession } from './read-session.ts';

export interface SessionRequest {
  applicationId: string;
  body: CreateSession;
  keyedRequest: KeyedRequest;
  /** How long the customer has. */
  minutes: number;
  /** Base URL of the service, where the receipt is. */
  serviceUrl: string;
  /** URL of our own page, for sessions that are paid there although the provider has a page; undefined for the others. */
  ownPage?: (session: UnopenedSession) => Promise<string | undefined>;
}

/** What is known of a session before its provider has opened it. */
export type UnopenedSession = Pick<
  SessionRow,
  'page_id' | 'application_id' | 'livemode' | 'currency' | 'amount_total'
>;

/** A repeated `Idempotency-Key` returns the earlier session. Throws `request.conflict`, `checkout.provider.*`. */
export async function createSession(
  db: Database,
  store: StoreSession,
  provider: PaymentProvider,
  request: SessionRequest,
): Promise<SessionRow> {
  const { keyedRequest } = request;
  if (keyedRequest.key === undefined) return insert(db, store, provider, request);
  const earlier = await findKeyed(db, keyedRequest);
  if (earlier) return earlier;
  try {
    return await insert(db, store, provider, request);
  } catch (error) {
    // A concurrent copy of the request was faster.
    const other = error instanceof ConnectError && error.code === 'request.conflict';
    const made = other && (await findKeyed(db, keyedRequest));
    if (made) return made;
    throw error;
  }
}

async function insert(
  db: Database,
  store: StoreSession,
  provider: PaymentProvider,
  { applicationId, body, keyedRequest, minutes, serviceUrl, ownPage: ownPageOf }: SessionRequest,
): Promise<SessionRow> {
  const id = `cs_${provider.livemode ? 'live' : 'test'}_${randomBytes(32).toString('base64url')}`;
  const pageId = randomBytes(32).toString('base64url');
  const createdAt = new Date();
  const { currency } = body.line_items[0]!.price_data;
  const customerId = body.customer?.id ?? null;
  const amountTotal = amountOf(body.line_items);
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
  const session: NewSession = {
    id,
    page_id: pageId,
    application_id: applicationId,
    provider: provider.name,
    provider_session: providerSession,
    livemode: provider.livemode,
    url: ownPage ?? url,
    provider_url: ownPage !== undefined && ownPage !== url ? url : null,
    line_items: body.line_items,
    currency,
    amount_subtotal: String(amountTotal),
    amount_total: String(amountTotal),
    customer_id: customerId,
    success_url: body.success_url,
    cancel_url: body.cancel_url,
    status: 'open',
    payment_status: 'unpaid',
    created_at: createdAt,
    expires_at: expiresAt,
    client_reference_id: body.client_reference_id ?? null,
    metadata: body.metadata ?? null,
    receipt_url: `${serviceUrl}/pay/${pageId}?receipt`,
  };
  if (keyedRequest.key === undefined) await store(applicationId, session);
  else
    await db.transaction().execute(async (tx) => {
      await insertSessions(tx, [session]);
      await takeSessionKey(tx, keyedRequest, id);
    });
  // Not read back: to send and parse 33 columns takes longer than to store them.
  return { ...session, ...UNTOUCHED };
}

/** The defaults of the columns that a new session leaves to the database. */
const UNTOUCHED = {
  payment_intent: null,
  customer_details: null,
  sequence: 0,
  completed_at: null,
  paid_at: null,
  cancelled_at: null,
  held_until: null,
  wallet_pending: false,
  withdrawn: false,
  refunded: 'none',
  wallet_payment: null,
} as const satisfies Partial<SessionRow>;

type NewSession = Omit<SessionRow, keyof typeof UNTOUCHED>;

export type StoreSession = (account: string, session: NewSession) => Promise<void>;

/** Stores sessions that are created at the same time together. */
export function sessionStore(db: Database): StoreSession {
  return batchedInsert((account, sessions) => inAccount(account, () => insertSessions(db, sessions)));
}

/** One text for any number of rows, so that it is prepared. */
async function insertSessions(db: Database, sessions: NewSession[]): Promise<void> {
  const columns = sql.join(Object.keys(sessions[0]!).map((name) => sql.ref(name)));
  const rows = JSON.stringify(sessions);
  await sql`insert into checkout_sessions (${columns})
    select ${columns} from jsonb_populate_recordset(null::checkout_sessions, ${rows}::jsonb)`.execute(db);
}

async function findKeyed(db: Database, keyedRequest: KeyedRequest): Promise<SessionRow | undefined> {
  const id = await findSessionId(db, keyedRequest);
  return id === undefined ? undefined : readSession(db, keyedRequest.accountId, id);
}
