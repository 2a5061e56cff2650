/**
 * Spending sessions: after one correct PIN, a token opens a wallet's data key for some minutes, so that not every transaction costs a hash.
 *
 * The data key is wrapped once more, by HKDF of three parts that are useless alone: the token, the master key, and a share in the
 * database. Only the token's hash is stored, and no process keeps a key. What a session may spend is counted in the database transaction
 * that stores what was signed. A changed PIN ends a session by itself, because the session remembers the wrap of the PIN that opened it.
 */
import { createHash, randomBytes, randomUUID, timingSafeEqual } from 'node:crypto';
import { sql, type Transaction } from 'kysely';
import { ConnectError } from '../../src/base/errors.ts';
import { acrossAccounts } from '../database/account-scope.ts';
import type { Database } from '../database/database.ts';
import type { Schema, WalletRow } from '../database/schema.ts';
import { type Page, type PageQuery, readPage } from '../http/paging.ts';
import { type KeyProvider, UnknownKeyVersion } from '../keys/key-provider.ts';
import { seal, unseal, wrappingKey } from '../keys/sealing.ts';
import { archived, decryptFailed } from './wallet-errors.ts';

export const SESSION_SECONDS = 300;
/** How far the clocks of two processes may be apart. */
const SKEW_SECONDS = 60;

/** Smallest units by asset: the token's address as `assetOf` writes it, empty for the coin. */
export type Amounts = ReadonlyMap<string, bigint>;

export interface SessionTerms {
  limits: Amounts;
  /** How many transactions. */
  transactions: number;
}

/** The application that opens a session, and alone may use it. */
export interface SessionClient {
  applicationId: string;
  /** The client secret behind its token, where it has one here. */
  secretId: string | undefined;
}

export interface NewSpendingSession {
  client: SessionClient;
  terms: SessionTerms;
  /** Runs in the same database transaction. */
  beside?: (tx: Transaction<Schema>, session: SpendingSession) => Promise<void>;
}

/** Opens the wallet's key. */
export interface SessionSecret {
  wallet: Pick<WalletRow, 'id' | 'secret_type' | 'address'>;
  /** Overwrite it after use. */
  dataKey: Buffer;
  privateKey: Buffer;
}

export interface SpendingSession {
  id: string;
  walletId: string;
  client: SessionClient;
  createdAt: Date;
  expiresAt: Date;
  terms: SessionTerms;
  used: SessionTerms;
}

/** Hex addresses are the same in any case. */
export function assetOf(token: string): string {
  return token.startsWith('0x') ? token.toLowerCase() : token;
}

/** The same error for every reason, so that nobody without the token learns anything. */
export function sessionEnded(cause?: unknown): ConnectError {
  return new ConnectError(
    'wallet.session.ended',
    'The wallet has no such spending session, or it has ended: it expired, was deleted, or the PIN has changed. Open another one.',
    {},
    { cause },
  );
}

/** Whether the client that opened the session, or that secret of it, was revoked. Applications of other issuers have no client here. */
const WAS_REVOKED = sql<boolean>`exists (
  select from clients c where c.id = s.application_id and (c.revoked_at is not null or s.secret_id is not null and not exists (
    select from client_secrets v where v.id = s.secret_id and v.client_id = c.id and v.revoked_at is null)))`;

/** Whether it has not expired and its PIN has not changed. */
function isOpen(now: number) {
  // If the clock was set back, a session would otherwise last longer than it may.
  const latest = now + (SESSION_SECONDS + SKEW_SECONDS) * 1000;
  return sql<boolean>`(s.pin_mark = sha256(p.by_pin) and s.expires_at > ${new Date(now)}
    and s.expires_at <= ${new Date(latest)})`;
}

export class SpendingSessions {
  readonly #db: Database;
  readonly #keys: KeyProvider;
  readonly #now: () => number;

  /** `now`: milliseconds since 1970. */
  constructor(db: Database, keys: KeyProvider, now: () => number = Date.now) {
    this.#db = db;
    this.#keys = keys;
    this.#now = now;
  }

  /** `byPin`: the wrap that the PIN opened. The token is returned once. Throws `wallet.archived`. */
  async open(
    walletId: string,
    { dataKey, byPin }: { dataKey: Buffer; byPin: Buffer },
    { client, terms, beside }: NewSpendingSession,
  ): Promise<{ session: SpendingSession; token: string }> {
    const id = randomUUID();
    const [secret, share] = [randomBytes(32), randomBytes(32)];
    const token = `cbss_${id}_${secret.toString('base64url')}`;
    const version = await this.#keys.current();
    const now = this.#now();
    const session: SpendingSession = {
      id,
      walletId,
      client,
      createdAt: new Date(now),
      expiresAt: new Date(now + SESSION_SECONDS * 1000),
      terms,
      used: { limits: new Map([...terms.limits.keys()].map((asset) => [asset, 0n])), transactions: 0 },
    };
    const wrapping = await this.#wrappingKey(id, { secret, share, version });
    const sealed = seal(wrapping, label(id, walletId), dataKey);
    wrapping.fill(0);
    await this.#db.transaction().execute(async (tx) => {
      // Held until the commit: archiving ends the sessions that it finds.
      const wallet = await tx
        .selectFrom('wallets')
        .select('archived_at')
        .where('id', '=', walletId)
        .forShare()
        .executeTakeFirstOrThrow();
      if (wallet.archived_at) throw archived();
      await tx
        .insertInto('wallet_sessions')
        .values({
          id,
          wallet_id: walletId,
          application_id: client.applicationId,
          secret_id: client.secretId ?? null,
          token_hash: hashOf(token),
          share,
          master_version: version,
          data_key: sealed,
          pin_mark: hashOf(byPin),
          transactions: terms.transactions,
          created_at: session.createdAt,
          expires_at: session.expiresAt,
        })
        .execute();
      await tx
        .insertInto('wallet_session_limits')
        .values(
          [...terms.limits].map(([asset, amount]) => ({
            session_id: id,
            owner_id: client.applicationId,
            asset,
            amount: String(amount),
          })),
        )
        .execute();
      await beside?.(tx, session);
    });
    return { session, token };
  }

  /**
   * The session of a token, and the wallet's data key: overwrite it after use. Call it in the wallet's spending lock. Throws
   * `wallet.session.ended` and `wallet.archived`.
   */
  async use(
    db: Database,
    { walletId, token, applicationId }: { walletId: string; token: string; applicationId: string },
  ): Promise<{ session: SpendingSession; secret: SessionSecret }> {
    const [, id, secret] = /^cbss_([0-9a-f-]{36})_([\w-]{43})$/.exec(token) ?? [];
    if (!id || !secret) throw sessionEnded();
    const row = await this.#openRows(db, walletId)
      .where('s.id', '=', id)
      .innerJoin('wallets as w', 'w.id', 's.wallet_id')
      .select(['s.token_hash', 's.share', 's.master_version', 's.data_key'])
      .select(['k.private_key', 'w.secret_type', 'w.address', 'w.archived_at'])
      .select(WAS_REVOKED.as('revoked'))
      .executeTakeFirst();
    if (!row || !timingSafeEqual(row.token_hash, hashOf(token))) throw sessionEnded();
    if (row.application_id !== applicationId || row.revoked) throw sessionEnded();
    if (row.archived_at) throw archived();
    const wrapping = await this.#wrappingKey(id, {
      secret: Buffer.from(secret, 'base64url'),
      share: row.share,
      version: row.master_version,
    }).catch((error: unknown) => {
      // The operator has removed the version of the master key, which ends the session, too.
      throw error instanceof UnknownKeyVersion ? sessionEnded(error) : decryptFailed(error);
    });
    const dataKey = unseal(wrapping, label(id, walletId), row.data_key);
    wrapping.fill(0);
    if (!dataKey) throw decryptFailed();
    const { secret_type, address } = row;
    const wallet = { id: walletId, secret_type, address };
    return { session: sessionOf(row), secret: { wallet, dataKey, privateKey: row.private_key } };
  }

  /**
   * Counts a transaction, in the database transaction that stores it. Throws `wallet.session.ended` if the session has ended since it was
   * read: meanwhile the node was asked, which can take longer than changing a PIN or revoking a client.
   */
  async count(tx: Database, id: string, amounts: Amounts): Promise<void> {
    const [assets, raws] = [[...amounts.keys()], [...amounts.values()].map(String)];
    const { rows } = await sql<{ transactions: number; limits: number }>`
      with counted as (
        update wallet_sessions as s set used = s.used + 1 from wallet_secrets as k, pins as p
        where s.id = ${id} and s.used < s.transactions and k.wallet_id = s.wallet_id and p.id = k.pin_id
          and ${isOpen(this.#now())} and not ${WAS_REVOKED}
        returning s.id
      ), taken as (
        update wallet_session_limits as l set used = used + spent.raw
        from unnest(${assets}::text[], ${raws}::numeric[]) as spent (asset, raw)
        where l.session_id = ${id} and l.asset = spent.asset and used + spent.raw <= amount
        returning l.asset
      )
      select (select count(*) from counted)::int as transactions, (select count(*) from taken)::int as limits`.execute(
      tx,
    );
    const [{ transactions, limits } = { transactions: 0, limits: 0 }] = rows;
    if (transactions !== 1 || limits !== amounts.size) throw sessionEnded();
  }

  /** A wallet's sessions that can still be used, oldest first. */
  async list(walletId: string, query: PageQuery): Promise<Page<SpendingSession>> {
    const order = { at: 's.created_at', id: 's.id', first: 'oldest' } as const;
    const open = this.#openRows(this.#db, walletId);
    const { rows, next } = await readPage(['sessions', walletId], query, open, order);
    return { rows: rows.map(sessionOf), next };
  }

  /** False if there was none. */
  async end(db: Database, walletId: string, id: string): Promise<boolean> {
    const { numDeletedRows } = await db
      .deleteFrom('wallet_sessions')
      .where('wallet_id', '=', walletId)
      .where('id', '=', id)
      .executeTakeFirst();
    return numDeletedRows > 0n;
  }

  /** Sessions that have not expired and whose PIN has not changed. */
  #openRows(db: Database, walletId: string) {
    return db
      .selectFrom('wallet_sessions as s')
      .innerJoin('wallet_secrets as k', 'k.wallet_id', 's.wallet_id')
      .innerJoin('pins as p', 'p.id', 'k.pin_id')
      .select(['s.id', 's.wallet_id', 's.application_id', 's.secret_id', 's.created_at', 's.expires_at'])
      .select(['s.transactions', 's.used'])
      .select((of) =>
        of
          .selectFrom('wallet_session_limits as l')
          .whereRef('l.session_id', '=', 's.id')
          // As text: JSON's numbers would not be exact.
          .select(
            sql<Limit[]>`json_agg(json_build_array(asset, amount::text, used::text) order by asset)`.as(
              'limits',
            ),
          )
          .as('limits'),
      )
      .where('s.wallet_id', '=', walletId)
      .where(isOpen(this.#now()));
  }

  /** Overwrites the secret. */
  async #wrappingKey(
    id: string,
    { secret, share, version }: { secret: Buffer; share: Buffer; version: number },
  ): Promise<Buffer> {
    const master = await this.#keys.mac(`session:${id}`, version);
    const key = wrappingKey([secret, master, share], 'carabiner spending session');
    secret.fill(0);
    return key;
  }

  /** Deletes sessions that can no longer be used, so that their part of a key is not kept longer than needed. */
  async sweep(): Promise<void> {
    const over = new Date(this.#now() - SKEW_SECONDS * 1000);
    const ended = sql`delete from wallet_sessions s using wallet_secrets k, pins p
      where k.wallet_id = s.wallet_id and p.id = k.pin_id
        and (s.expires_at < ${over} or s.pin_mark <> sha256(p.by_pin))`;
    await acrossAccounts('spending-sessions', () => ended.execute(this.#db));
  }
}

type Limit = [asset: string, amount: string, used: string];

function sessionOf(row: {
  id: string;
  wallet_id: string;
  application_id: string;
  secret_id: string | null;
  created_at: Date;
  expires_at: Date;
  transactions: number;
  used: number;
  limits: Limit[] | null;
}): SpendingSession {
  const limits = row.limits ?? [];
  return {
    id: row.id,
    walletId: row.wallet_id,
    client: { applicationId: row.application_id, secretId: row.secret_id ?? undefined },
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    terms: {
      limits: new Map(limits.map(([asset, amount]) => [asset, BigInt(amount)])),
      transactions: row.transactions,
    },
    used: {
      limits: new Map(limits.map(([asset, , used]) => [asset, BigInt(used)])),
      transactions: row.used,
    },
  };
}

function hashOf(secret: string | Buffer): Buffer {
  return createHash('sha256').update(secret).digest();
}

function label(id: string, walletId: string): string {
  return `data key of ${walletId} by session ${id}`;
}
