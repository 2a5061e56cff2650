/**
 * `Idempotency-Key`: what an account requested with a key, and the transaction, checkout session or refund that resulted. A request that
 * made none leaves its key free, so that it can be corrected and sent again.
 */
import { createHash } from 'node:crypto';
import { ConnectError } from '../../src/base/errors.ts';
import { canonical } from '../../src/base/canonical.ts';
import type { Database } from '../database/database.ts';
import type { RefundRow, TransactionRow } from '../database/schema.ts';
import { MAX_DEPTH } from '../http/bodies.ts';

export interface KeyedRequest {
  accountId: string;
  /** Undefined when the caller gave none. */
  key: string | undefined;
  fingerprint: Fingerprint;
}

/**
 * SHA-256 of a request; neither the order of its fields matters, nor whether one is null or left out. Leave the PIN out of `request`: there
 * are so few that the hash would reveal it.
 */
export class Fingerprint {
  readonly digest: Buffer;
  readonly #operation: string;
  readonly #request: object;

  constructor(operation: string, request: object) {
    this.#operation = operation;
    this.#request = request;
    this.digest = this.#hash(withoutNulls(request));
  }

  /** Keys are kept forever, and those of 0.2.0 and before are of requests with their nulls. */
  isThatOf(digest: Buffer): boolean {
    return digest.equals(this.digest) || digest.equals(this.#hash(this.#request));
  }

  #hash(request: unknown): Buffer {
    return createHash('sha256')
      .update(`${this.#operation} ${canonical(request, MAX_DEPTH)}`)
      .digest();
  }
}

/** Without the fields that are null, at any depth. A null in a list has a place, and stays. */
function withoutNulls(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(withoutNulls);
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, field]) => field !== null)
      .map(([name, field]) => [name, withoutNulls(field)]),
  );
}

/** The transaction of an earlier request; undefined for a new one. Throws `request.conflict` when the key belongs to another request. */
export async function findAnswered(
  db: Database,
  keyedRequest: KeyedRequest,
): Promise<TransactionRow | undefined> {
  if (keyedRequest.key === undefined) return undefined;
  const row = await db
    .selectFrom('request_keys')
    .leftJoin('transactions', 'transactions.id', 'request_keys.transaction_id')
    .selectAll('transactions')
    .select('request_keys.fingerprint')
    .where('account_id', '=', keyedRequest.accountId)
    .where('key', '=', keyedRequest.key)
    .executeTakeFirst();
  if (!row) return undefined;
  const { fingerprint, ...transaction } = row;
  if (!keyedRequest.fingerprint.isThatOf(fingerprint)) throw otherRequest();
  return transaction.id === null ? undefined : (transaction as TransactionRow);
}

/** The checkout session of an earlier request; undefined for a new one. Throws `request.conflict` when the key belongs to another request. */
export async function findSessionId(db: Database, keyedRequest: KeyedRequest): Promise<string | undefined> {
  const row = await db
    .selectFrom('request_keys')
    .select(['fingerprint', 'session_id'])
    .where('account_id', '=', keyedRequest.accountId)
    .where('key', '=', keyedRequest.key!)
    .executeTakeFirst();
  if (!row) return undefined;
  if (!keyedRequest.fingerprint.isThatOf(row.fingerprint)) throw otherRequest();
  return row.session_id ?? undefined;
}

/**
 * What refund a request with this key made; by its transaction, if the key does not note it yet. Undefined for a new one. Throws
 * `request.conflict` when the key belongs to another request.
 */
export async function findRefund(db: Database, keyedRequest: KeyedRequest): Promise<RefundRow | undefined> {
  const row = await db
    .selectFrom('request_keys as key')
    .leftJoin('refunds', (join) =>
      join.on((is) =>
        is.or([
          is('refunds.id', '=', is.ref('key.refund_id')),
          is('refunds.transaction_id', '=', is.ref('key.transaction_id')),
        ]),
      ),
    )
    .selectAll('refunds')
    .select('key.fingerprint')
    .where('key.account_id', '=', keyedRequest.accountId)
    .where('key.key', '=', keyedRequest.key!)
    .executeTakeFirst();
  if (!row) return undefined;
  const { fingerprint, ...refund } = row;
  if (!keyedRequest.fingerprint.isThatOf(fingerprint)) throw otherRequest();
  return refund.id === null ? undefined : (refund as RefundRow);
}

/**
 * Notes the refund for which the key was taken: the transaction of one from a wallet may be replaced later. Call it in the transaction that
 * took the key.
 */
export async function noteRefund(
  tx: Database,
  { accountId, key }: KeyedRequest,
  refundId: string,
): Promise<void> {
  await tx
    .updateTable('request_keys')
    .set({ refund_id: refundId })
    .where('account_id', '=', accountId)
    .where('key', '=', key!)
    .execute();
}

/** Takes the key for a checkout session. Throws `request.conflict` when another request was faster. */
export function takeSessionKey(tx: Database, keyedRequest: KeyedRequest, sessionId: string): Promise<void> {
  return takeFor(tx, keyedRequest, { session_id: sessionId });
}

/** As `takeSessionKey`, for a refund by card. */
export function takeRefundKey(tx: Database, keyedRequest: KeyedRequest, refundId: string): Promise<void> {
  return takeFor(tx, keyedRequest, { refund_id: refundId });
}

async function takeFor(
  tx: Database,
  { accountId: account_id, key, fingerprint }: KeyedRequest,
  what: { session_id: string } | { refund_id: string },
): Promise<void> {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('request_keys')
    .values({ account_id, key: key!, fingerprint: fingerprint.digest, transaction_id: null, ...what })
    .onConflict((is) => is.doNothing())
    .executeTakeFirst();
  if (numInsertedOrUpdatedRows !== 1n) throw otherRequest();
}

/**
 * Takes the key for a transaction, or for a request whose answer is always the same. Throws `request.conflict` when another request was
 * faster.
 */
export async function takeKey(
  db: Database,
  keyedRequest: KeyedRequest,
  transactionId: string | null,
): Promise<void> {
  const { accountId: account_id, key, fingerprint } = keyedRequest;
  if (key === undefined) return;
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('request_keys')
    .values({ account_id, key, fingerprint: fingerprint.digest, transaction_id: transactionId })
    .onConflict((is) => is.doNothing())
    .executeTakeFirst();
  if (numInsertedOrUpdatedRows === 1n) return;
  if (transactionId !== null) throw otherRequest();
  await findAnswered(db, keyedRequest);
}

function otherRequest(): ConnectError {
  return new ConnectError('request.conflict', 'The Idempotency-Key was used with another request.');
}
