/** An application's receivers. */
import { randomBytes, randomUUID } from 'node:crypto';
import type { Selectable } from 'kysely';
import type { CreatedWebhook, CreateWebhook, ListedWebhook } from '../../../src/api/webhook.ts';
import { ConnectError } from '../../../src/errors.ts';
import type { Database } from '../../database/database.ts';
import type { Webhooks } from '../../database/schema.ts';
import type { Service } from '../../service.ts';
import { type Page, type PageQuery, readPage } from '../../http/paging.ts';
import { checkHeaderName, checkReceiver } from './receiver-fields.ts';
import { sealSecrets } from './secrets.ts';

/** Limit for each application: every event makes a delivery for each receiver. */
const MAX_RECEIVERS = 20;

type Row = Pick<Selectable<Webhooks>, 'id' | 'url' | 'type' | 'created_at' | 'disabled_at'>;
const COLUMNS = ['id', 'url', 'type', 'created_at', 'disabled_at'] as const;

function webhookUnknown(): ConnectError {
  return new ConnectError('request.not-found', 'There is no such webhook, or it is not yours.');
}

function describe({ id, url, type, created_at, disabled_at }: Row): ListedWebhook {
  return {
    id,
    url,
    application: 'PAY',
    authenticationMethod: { type },
    createdAt: created_at.toISOString(),
    disabledAt: disabled_at?.toISOString() ?? null,
  };
}

export async function createReceiver(
  { db, keys, outbound }: Pick<Service, 'db' | 'keys' | 'outbound'>,
  applicationId: string,
  { url, application, authenticationMethod: credentials }: CreateWebhook,
): Promise<CreatedWebhook> {
  if (credentials.type === 'API_KEY') checkHeaderName(credentials.headerName);
  await checkReceiver(outbound, url);
  const id = `wh_${randomUUID()}`;
  const signingSecret = `whsec_${randomBytes(32).toString('base64')}`;
  const sealed = await sealSecrets(keys, id, { credentials, signingSecret });
  await db.transaction().execute(async (tx) => {
    // Concurrent registrations wait for each other.
    await tx.selectFrom('accounts').select('id').where('id', '=', applicationId).forNoKeyUpdate().execute();
    const { count } = await tx
      .selectFrom('webhooks')
      .select((is) => is.fn.countAll<string>().as('count'))
      .where('application_id', '=', applicationId)
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
        ...sealed,
      })
      .execute();
  });
  return { id, url, application, authenticationMethod: { type: credentials.type }, signingSecret };
}

/** Oldest first. */
export async function listReceivers(
  db: Database,
  applicationId: string,
  query: PageQuery,
): Promise<Page<ListedWebhook>> {
  const receivers = db.selectFrom('webhooks').select(COLUMNS).where('application_id', '=', applicationId);
  const order = { at: 'created_at', id: 'id', first: 'oldest' } as const;
  const { rows, next } = await readPage(['webhooks', applicationId], query, receivers, order);
  return { rows: rows.map(describe), next };
}

/** Throws `request.not-found`. */
export async function readReceiver(db: Database, applicationId: string, id: string): Promise<ListedWebhook> {
  const row = await db
    .selectFrom('webhooks')
    .select(COLUMNS)
    .where('id', '=', id)
    .where('application_id', '=', applicationId)
    .executeTakeFirst();
  if (!row) throw webhookUnknown();
  return describe(row);
}

/** Throws `request.not-found`. */
export async function deleteReceiver(db: Database, applicationId: string, id: string): Promise<void> {
  await db.transaction().execute(async (tx) => {
    // While the row is locked, no event makes a delivery for it.
    const found = await tx
      .selectFrom('webhooks')
      .select('id')
      .where('id', '=', id)
      .where('application_id', '=', applicationId)
      .forUpdate()
      .executeTakeFirst();
    if (!found) throw webhookUnknown();
    await tx.deleteFrom('deliveries').where('webhook_id', '=', id).execute();
    await tx.deleteFrom('webhooks').where('id', '=', id).execute();
  });
}
