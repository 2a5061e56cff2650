/**
 * The secrets of a client. To rotate without downtime it creates a second one, switches to it, and revokes the first. What the client owns
 * belongs to its account, whichever secret it uses.
 */
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { sql, type Transaction } from 'kysely';
import type { ClientSecret, CreatedClientSecret } from '../../src/api/client-secret.ts';
import { ConnectError } from '../../src/base/errors.ts';
import { conflict } from '../custody/wallet-errors.ts';
import type { Database } from '../database/database.ts';
import type { Schema } from '../database/schema.ts';
import { type Page, type PageQuery, readPage } from '../http/paging.ts';

/** Secrets of a client that may be valid at the same time. */
const MAX = 2;

export function newSecret(): string {
  return `cbs_${randomBytes(32).toString('base64url')}`;
}

export function hashOf(secret: string): Buffer {
  return createHash('sha256').update(secret).digest();
}

export async function addSecret(
  tx: Database,
  clientId: string,
  secret: string,
): Promise<{ id: string; created_at: Date }> {
  return tx
    .insertInto('client_secrets')
    .values({ id: randomUUID(), client_id: clientId, hash: hashOf(secret) })
    .returning(['id', 'created_at'])
    .executeTakeFirstOrThrow();
}

/** To the minute, so that a busy client does not cause a write for every token. */
export async function noteUse(db: Database, id: string): Promise<void> {
  await db
    .updateTable('client_secrets')
    .set({ last_used_at: sql<Date>`now()` })
    .where('id', '=', id)
    .where(sql<boolean>`coalesce(last_used_at < now() - interval '1 minute', true)`)
    .execute();
}

/** Locks the client: concurrent requests must not create a third secret, nor revoke both. Returns the ids of the valid ones. */
async function validSecrets(tx: Database, clientId: string): Promise<string[]> {
  const client = await tx
    .selectFrom('clients')
    .select('id')
    .where('id', '=', clientId)
    .where('revoked_at', 'is', null)
    .forUpdate()
    .executeTakeFirst();
  if (!client)
    throw new ConnectError(
      'request.not-found',
      'The application has no client with secrets of this service.',
    );
  const rows = await tx
    .selectFrom('client_secrets')
    .select('id')
    .where('client_id', '=', clientId)
    .where('revoked_at', 'is', null)
    .execute();
  return rows.map(({ id }) => id);
}

/** Runs in the same transaction. `secretId`: the secret that was created or revoked. */
export type Beside = (tx: Transaction<Schema>, secretId: string) => Promise<void>;

/** The secret is returned once and not stored. Throws `request.conflict` when there are two, and `request.not-found`. */
export async function createSecret(
  db: Database,
  clientId: string,
  beside: Beside,
): Promise<CreatedClientSecret> {
  return db.transaction().execute(async (tx) => {
    const valid = await validSecrets(tx, clientId);
    if (valid.length >= MAX)
      throw conflict('There are two valid secrets already. First revoke the one that is no longer used.');
    const secret = newSecret();
    const { id, created_at } = await addSecret(tx, clientId, secret);
    await beside(tx, id);
    return { id, secret, createdAt: created_at.toISOString() };
  });
}

/** Lists the oldest first, including revoked ones. */
export async function listSecrets(
  db: Database,
  clientId: string,
  query: PageQuery,
): Promise<Page<ClientSecret>> {
  const secrets = db
    .selectFrom('client_secrets')
    .select(['id', 'created_at', 'last_used_at', 'revoked_at'])
    .where('client_id', '=', clientId);
  const order = { at: 'created_at', id: 'id', first: 'oldest' } as const;
  const { rows, next } = await readPage(['secrets', clientId], query, secrets, order);
  return {
    rows: rows.map(({ id, created_at, last_used_at, revoked_at }) => ({
      id,
      createdAt: created_at.toISOString(),
      lastUsedAt: last_used_at?.toISOString() ?? null,
      revokedAt: revoked_at?.toISOString() ?? null,
    })),
    next,
  };
}

/**
 * Its tokens are refused within a second. Throws `request.not-found`, and `request.conflict` for the last valid one unless `evenLast`:
 * without a valid secret the client cannot create another.
 */
export async function revokeSecret(
  db: Database,
  clientId: string,
  id: string,
  beside: Beside,
  { evenLast = false }: { evenLast?: boolean } = {},
): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const valid = await validSecrets(tx, clientId);
    if (!valid.includes(id))
      throw new ConnectError('request.not-found', 'There is no such valid secret, or it is not yours.');
    if (valid.length === 1 && !evenLast)
      throw conflict('It is the only valid secret. Create another one first.');
    await tx
      .updateTable('client_secrets')
      .set({ revoked_at: sql<Date>`now()` })
      .where('id', '=', id)
      .execute();
    await beside(tx, id);
  });
}
