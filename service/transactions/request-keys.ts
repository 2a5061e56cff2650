/**
 * `Idempotency-Key`: what an account asked for under a key, and the transaction that was signed or the checkout session made for it. A
 * request that made neither leaves its key free, so that it can be put right and sent again.
 */
import { createHash } from 'node:crypto';
import { ConnectError } from '../../src/errors.ts';
import { canonical } from '../../src/canonical.ts';
import { conflict } from '../custody/failures.ts';
import type { Database } from '../database/database.ts';
import type { TransactionRow } from '../database/schema.ts';
import { MAX_DEPTH } from '../http/json-body.ts';

export interface Asked {
  accountId: string;
  /** Undefined where the caller gave none. */
  key: string | undefined;
  /** See `fingerprintOf`. */
  fingerprint: Buffer;
}

/** SHA-256. The order of fields does not matter. `request` is without its PIN: few PINs are possible, so that a hash would tell it. */
export function fingerprintOf(operation: string, request: object): Buffer {
  return createHash('sha256')
    .update(`${operation} ${canonical(request, MAX_DEPTH)}`)
    .digest();
}

/** The transaction of an earlier request; undefined for a new one. Throws `request.conflict` when the key was another request's. */
export async function findAnswered(db: Database, asked: Asked): Promise<TransactionRow | undefined> {
  if (asked.key === undefined) return undefined;
  const found = await db
    .selectFrom('request_keys')
    .leftJoin('transactions', 'transactions.id', 'request_keys.transaction_id')
    .selectAll('transactions')
    .select('request_keys.fingerprint')
    .where('account_id', '=', asked.accountId)
    .where('key', '=', asked.key)
    .executeTakeFirst();
  if (!found) return undefined;
  const { fingerprint, ...transaction } = found;
  if (!fingerprint.equals(asked.fingerprint)) throw otherRequest();
  return transaction.id === null ? undefined : (transaction as TransactionRow);
}

/** The checkout session of an earlier request; undefined for a new one. Throws `request.conflict` when the key was another request's. */
export async function findSessionId(db: Database, asked: Asked): Promise<string | undefined> {
  const found = await db
    .selectFrom('request_keys')
    .select(['fingerprint', 'session_id'])
    .where('account_id', '=', asked.accountId)
    .where('key', '=', asked.key!)
    .executeTakeFirst();
  if (!found) return undefined;
  if (!found.fingerprint.equals(asked.fingerprint)) throw otherRequest();
  return found.session_id ?? undefined;
}

/** Takes the key for a checkout session. Throws `request.conflict` when another request was faster. */
export async function takeSessionKey(tx: Database, asked: Asked, sessionId: string): Promise<void> {
  const { accountId: account_id, key, fingerprint } = asked;
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('request_keys')
    .values({ account_id, key: key!, fingerprint, session_id: sessionId, transaction_id: null })
    .onConflict((is) => is.doNothing())
    .executeTakeFirst();
  if (numInsertedOrUpdatedRows !== 1n) throw otherRequest();
}

/** Takes the key, for a transaction or for what is the same each time. Throws `request.conflict` when another request was faster. */
export async function takeKey(db: Database, asked: Asked, transactionId: string | null): Promise<void> {
  const { accountId: account_id, key, fingerprint } = asked;
  if (key === undefined) return;
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('request_keys')
    .values({ account_id, key, fingerprint, transaction_id: transactionId })
    .onConflict((is) => is.doNothing())
    .executeTakeFirst();
  if (numInsertedOrUpdatedRows === 1n) return;
  if (transactionId !== null) throw otherRequest();
  await findAnswered(db, asked);
}

function otherRequest(): ConnectError {
  return conflict('The Idempotency-Key was used with another request.');
}
