/** An application's receivers: of events of payments, or of wallets. */
import { randomBytes, randomUUID } from 'node:crypto';
import type { Selectable, Transaction } from 'kysely';
import type { WalletEventType } from '../../src/api/wallet-event.ts';
import type { CreatedWebhook, ListedWebhook } from '../../src/api/webhook.ts';
import { ConnectError } from '../../src/base/errors.ts';
import type { Database } from '../database/database.ts';
import type { Schema, Webhooks } from '../database/schema.ts';
import type { Service } from '../service.ts';
import { type Page, type PageQuery, readPage } from '../http/paging.ts';
import { checkHeaderName, checkReceiver } from './receiver-fields.ts';
import { type Credentials, sealSecrets } from './secrets.ts';

/** Limit for each application, and for either kind: every event makes a delivery for each receiver. */
const MAX_RECEIVERS = 20;

/** `own-wallets`: those that get no events of users' wallets. */
export type ReceiverKind = 'payments' | 'wallets' | 'own-wallets';

export type ReceiverRow = Pick<
  Selectable<Webhooks>,
  'id' | 'url' | 'type' | 'created_at' | 'disabled_at' | 'events' | 'all_wallets'
>;
const COLUMNS = ['id', 'url', 'type', 'created_at', 'disabled_at', 'events', 'all_wallets'] as const;

export interface NewReceiver {
  url: string;
  authenticationMethod: Credentials;
  /** Absent for a receiver of payment events. */
  wallets?: { events: WalletEventType[]; all: boolean };
}

/** Written in the same database transaction, as its last part. */
export type Beside = (tx: Transaction<Schema>, id: string) => Promise<void>;

function webhookUnknown(): ConnectError {
  return new ConnectError('request.not-found', 'There is no such webhook, or it is not yours.');
}

/** Fields that receivers of both kinds have. */
export function describeReceiver({ id, url, type, created_at, disabled_at }: ReceiverRow) {
  return {
    id,
    url,
    authenticationMethod: { type },
    createdAt: created_at.toISOString(),
    disabledAt: disabled_at?.toISOString() ?? null,
  } satisfies Omit<ListedWebhook, 'application'>;
}

function receiversOf(db: Database, applicationId: string, kind: ReceiverKind) {
  const receivers = db
    .selectFrom('webhooks')
    .where('application_id', '=', applicationId)
    .where('events', kind === 'payments' ? 'is' : 'is not', null);
  return kind === 'own-wallets' ? receivers.where('all_wallets', '=', false) : receivers;
}

export async function createReceiver(
  { db, keys, outbound }: Pick<Service, 'db' | 'keys' | 'outbound'>,
  applicationId: string,
  { url, authenticationMethod: credentials, wallets }: NewReceiver,
  beside: Beside = async () => {},
): Promise<Omit<CreatedWebhook, 'application'>> {
  if (credentials.type === 'API_KEY') checkHeaderName(credentials.headerName);
  await checkReceiver(outbound, url);
  const id = `wh_${randomUUID()}`;
  const signingSecret = `whsec_${randomBytes(32).toString('base64')}`;
  const sealed = await sealSecrets(keys, id, { credentials, signingSecret });
  await db.transaction().execute(async (tx) => {
    // Concurrent registrations wait for each other.
    await tx.selectFrom('accounts').select('id').where('id', '=', applicationId).forNoKeyUpdate().execute();
    const { count } = await receiversOf(tx, applicationId, wallets ? 'wallets' : 'payments')
      .select((is) => is.fn.countAll<string>().as('count'))
      .executeTakeFirstOrThrow();
    if (Number(count) >= MAX_RECEIVERS)
      throw new ConnectError('request.conflict', `There are ${MAX_RECEIVERS} webhooks. Delete one first.`);
    await tx
      .insertInto('webhooks')
      .values({
        id,
        application_id: applicationId,
        url,
        type: credentials.type,
        disabled_at: null,
        ...(wallets && { events: wallets.events, all_wallets: wallets.all }),
        ...sealed,
      })
      .execute();
    await beside(tx, id);
  });
  return { id, url, authenticationMethod: { type: credentials.type }, signingSecret };
}

/** Lists an application's receivers, oldest first. */
export async function listReceivers(
  db: Database,
  applicationId: string,
  kind: ReceiverKind,
  query: PageQuery,
): Promise<Page<ReceiverRow>> {
  const order = { at: 'created_at', id: 'id', first: 'oldest' } as const;
  const receivers = receiversOf(db, applicationId, kind).select(COLUMNS);
  return readPage(['webhooks', kind, applicationId], query, receivers, order);
}

/** Throws `request.not-found`. */
export async function readReceiver(
  db: Database,
  applicationId: string,
  kind: ReceiverKind,
  id: string,
): Promise<ReceiverRow> {
  const row = await receiversOf(db, applicationId, kind)
    .select(COLUMNS)
    .where('id', '=', id)
    .executeTakeFirst();
  if (!row) throw webhookUnknown();
  return row;
}

/** Throws `request.not-found`. */
export async function deleteReceiver(
  db: Database,
  applicationId: string,
  kind: ReceiverKind,
  id: string,
  beside: Beside = async () => {},
): Promise<void> {
  await db.transaction().execute(async (tx) => {
    // While the row is locked, no event makes a delivery for it.
    const row = await receiversOf(tx, applicationId, kind)
      .select('id')
      .where('id', '=', id)
      .forUpdate()
      .executeTakeFirst();
    if (!row) throw webhookUnknown();
    await tx.deleteFrom('deliveries').where('webhook_id', '=', id).execute();
    await tx.deleteFrom('webhooks').where('id', '=', id).execute();
    await beside(tx, id);
  });
}
