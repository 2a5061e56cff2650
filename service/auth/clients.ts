/** Applications with secrets issued here (`client-secrets.ts`). */
import { randomBytes, randomUUID, timingSafeEqual } from 'node:crypto';
import type { Transaction } from 'kysely';
import { SCOPES, type Scope } from '../../src/api/scopes.ts';
import type { Database } from '../database/database.ts';
import type { Schema } from '../database/schema.ts';
import { OWN_CLIENTS } from './accounts.ts';
import { addSecret, hashOf, newSecret, noteUse } from './client-secrets.ts';

export interface Client {
  id: string;
  name: string;
  scopes: string[];
  createdAt: Date;
  revokedAt: Date | null;
  /** Null until the operator has verified it. */
  merchant: string | null;
  origins: string[];
  /** Null until the operator has chosen them. */
  networks: string[] | null;
}

/** Compared with when the client id is unknown, so that this takes as long as a wrong secret. */
const UNKNOWN_SECRET = hashOf(randomBytes(32).toString('hex'));

export function readScopes(text: string): Scope[] {
  const names = [...new Set(text.split(/[\s,]+/).filter(Boolean))];
  const unknown = names.filter((name) => !(SCOPES as readonly string[]).includes(name));
  if (unknown.length)
    throw new Error(`There is no scope ${unknown.join(', ')}. There are: ${SCOPES.join(', ')}.`);
  checkTogether(names);
  return names as Scope[];
}

/** Scopes that use keys: `whitelabel` exports those of an application's own wallets, which no policy limits then. */
const OF_SPENDERS: readonly string[] = ['sign:wallets', 'whitelabel'] satisfies Scope[];

/** Whoever may spend must not decide how much. Undefined unless the scopes are those of both. */
export function spendingScope(scopes: Iterable<string>): string | undefined {
  const all = [...scopes];
  return all.includes('manage:policies') ? all.find((scope) => OF_SPENDERS.includes(scope)) : undefined;
}

function checkTogether(scopes: readonly string[]): void {
  const other = spendingScope(scopes);
  if (other !== undefined)
    throw new Error(
      `No client may have both manage:policies and ${other}: whoever may spend must not decide how much.`,
    );
}

/** The secret is returned once and not stored. `beside` runs in the same transaction. */
export async function createClient(
  db: Database,
  {
    name,
    scopes,
    networks,
  }: { name: string; scopes: readonly Scope[]; networks?: readonly string[] | undefined },
  beside?: (tx: Transaction<Schema>, id: string) => Promise<void>,
): Promise<{ id: string; secret: string }> {
  checkTogether(scopes);
  const id = randomUUID();
  const secret = newSecret();
  await db.transaction().execute(async (tx) => {
    await tx
      .insertInto('accounts')
      .values({ id, issuer: OWN_CLIENTS, subject: id, application: true })
      .execute();
    await tx
      .insertInto('clients')
      .values({ id, name, scopes: [...scopes], ...(networks && { networks: [...networks] }) })
      .execute();
    await addSecret(tx, id, secret);
    await beside?.(tx, id);
  });
  return { id, secret };
}

export async function listClients(db: Database): Promise<Client[]> {
  const rows = await db
    .selectFrom('clients')
    .select(['id', 'name', 'scopes', 'created_at', 'revoked_at', 'merchant', 'origins', 'networks'])
    .orderBy('created_at')
    .orderBy('id')
    .execute();
  return rows.map(({ id, name, scopes, created_at, revoked_at, merchant, origins, networks }) => ({
    id,
    name,
    scopes,
    createdAt: created_at,
    revokedAt: revoked_at,
    merchant,
    origins,
    networks,
  }));
}

/**
 * Records that the operator has verified who the client is: payments to it show this name, and pages of these origins may request them,
 * too. With null the name is withdrawn. False when there is no such client.
 */
export async function verifyMerchant(
  db: Database,
  id: string,
  { merchant, origins }: { merchant: string | null; origins: readonly string[] },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('clients')
    .set({ merchant, origins: [...origins] })
    .where('id', '=', id)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/**
 * Sets the networks on which wallets may be used through the client, besides their default networks. Null: none is chosen, as with a new
 * client. False when there is no such client.
 */
export async function setNetworks(
  db: Database,
  id: string,
  networks: readonly string[] | null,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('clients')
    .set({ networks: networks && [...networks] })
    .where('id', '=', id)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Undefined if the operator has chosen none, and for an application of another issuer. */
export async function networksOfClient(db: Database, id: string): Promise<string[] | undefined> {
  const client = await db.selectFrom('clients').select('networks').where('id', '=', id).executeTakeFirst();
  return client?.networks ?? undefined;
}

/** All scopes of the client, of which a token may have fewer. None for an application of another issuer. */
export async function scopesOfClient(db: Database, id: string): Promise<string[]> {
  const client = await db.selectFrom('clients').select('scopes').where('id', '=', id).executeTakeFirst();
  return client?.scopes ?? [];
}

/** The client gets no more tokens, and within a second none of its own or of its users is accepted. False when there is no such client. */
export async function revokeClient(db: Database, id: string): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('clients')
    .set((is) => ({ revoked_at: is.fn.coalesce('revoked_at', is.val(new Date())) }))
    .where('id', '=', id)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Undefined for a wrong secret, an unknown client or a revoked one. */
export async function checkSecret(
  db: Database,
  id: string,
  secret: string,
): Promise<{ id: string; scopes: string[]; secretId: string } | undefined> {
  // Text in the database has none.
  if (id.includes('\0')) return undefined;
  const secrets = await db
    .selectFrom('clients')
    .innerJoin('client_secrets as secret', 'secret.client_id', 'clients.id')
    .select(['clients.id', 'scopes', 'secret.id as secretId', 'hash'])
    .where('clients.id', '=', id)
    .where('clients.revoked_at', 'is', null)
    .where('secret.revoked_at', 'is', null)
    .execute();
  const hash = hashOf(secret);
  // As many comparisons for every client.
  const compared = [secrets[0], secrets[1]].filter((each) =>
    timingSafeEqual(each?.hash ?? UNKNOWN_SECRET, hash),
  );
  const match = compared.find((each) => each !== undefined);
  if (!match) return undefined;
  await noteUse(db, match.secretId);
  const { id: client, scopes, secretId } = match;
  return { id: client, scopes, secretId };
}

/** With `secretId`: and that secret is valid. */
export async function isActive(db: Database, id: string, secretId?: string): Promise<boolean> {
  const active = db.selectFrom('clients').select('id').where('id', '=', id).where('revoked_at', 'is', null);
  const row = await (secretId === undefined
    ? active
    : active.where(({ exists, selectFrom }) =>
        exists(
          selectFrom('client_secrets')
            .select('id')
            .where('id', '=', secretId)
            .where('client_id', '=', id)
            .where('revoked_at', 'is', null),
        ),
      )
  ).executeTakeFirst();
  return row !== undefined;
}

const REMEMBERED_MS = 1000;
const REMEMBERED = 10_000;

/** Active clients, cached for a second: every call checks, and most need nothing else from the database. */
export class ActiveClients {
  readonly #db: Database;
  readonly #until = new Map<string, number>();

  constructor(db: Database) {
    this.#db = db;
  }

  /** `secretId`: of the secret that got the token; tokens of users have none. */
  async has(id: string, secretId: string | undefined): Promise<boolean> {
    const now = performance.now();
    const key = `${id} ${secretId ?? ''}`;
    if ((this.#until.get(key) ?? 0) > now) return true;
    if (!(await isActive(this.#db, id, secretId))) return false;
    if (this.#until.size >= REMEMBERED) this.#until.clear();
    this.#until.set(key, now + REMEMBERED_MS);
    return true;
  }
}
