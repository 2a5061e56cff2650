/** The devices that may spend for an account. A token alone never does: the host page holds it, too. */
import { type Page, type PageQuery, readPage } from '../http/paging.ts';
import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { ConnectError } from '../../src/base/errors.ts';
import type { Database } from '../database/database.ts';
import {
  invalidProof,
  PROOF_SECONDS,
  type Proof,
  type ProvenRequest,
  readProof,
  SKEW_SECONDS,
} from './dpop.ts';

export async function isEnrolled(db: Database, accountId: string, thumbprint: string): Promise<boolean> {
  const row = await db
    .selectFrom('devices')
    .select('thumbprint')
    .where('account_id', '=', accountId)
    .where('thumbprint', '=', thumbprint)
    .executeTakeFirst();
  return row !== undefined;
}

/** Enrolling again does nothing. */
export async function enrol(db: Database, accountId: string, thumbprint: string): Promise<void> {
  await db
    .insertInto('devices')
    .values({ account_id: accountId, thumbprint })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

export function unknownDevice(): ConnectError {
  return new ConnectError(
    'device.unknown',
    'This device is not enrolled for the account. Enrol it with the PIN and the recovery code.',
  );
}

const SWEEP_MS = 60_000;

/** A used proof is remembered for longer than any process may accept it, whatever its clock. */
const REMEMBERED_SECONDS = 2 * (PROOF_SECONDS + SKEW_SECONDS);

export interface EnrolledDevice {
  /** Thumbprint of its key. */
  id: string;
  createdAt: Date;
}

export class Devices {
  readonly #db: Database;
  #sweptAt = 0;

  constructor(db: Database) {
    this.#db = db;
  }

  /**
   * Uses up the request's proof and returns the device's thumbprint. Throws `device.proof.invalid`, and `device.unknown` for a device
   * that is not enrolled for the account.
   */
  async require(accountId: string, request: ProvenRequest, now?: Date): Promise<string> {
    const proof = await readProof(request, now);
    if (!(await isEnrolled(this.#db, accountId, proof.thumbprint))) throw unknownDevice();
    await this.#use(proof);
    return proof.thumbprint;
  }

  /** The same for a request that works without a proof, too: undefined for a device that is not enrolled. */
  async recognise(accountId: string, request: ProvenRequest, now?: Date): Promise<string | undefined> {
    const thumbprint = await this.introduce(request, now);
    return (await isEnrolled(this.#db, accountId, thumbprint)) ? thumbprint : undefined;
  }

  /** Checks that the caller holds the key that is about to be enrolled, and returns its thumbprint. */
  async introduce(request: ProvenRequest, now?: Date): Promise<string> {
    const proof = await readProof(request, now);
    await this.#use(proof);
    return proof.thumbprint;
  }

  has(accountId: string, thumbprint: string): Promise<boolean> {
    return isEnrolled(this.#db, accountId, thumbprint);
  }

  /** Undefined unless it is enrolled. */
  async read(accountId: string, thumbprint: string): Promise<EnrolledDevice | undefined> {
    return this.#db
      .selectFrom('devices')
      .select(['thumbprint as id', 'created_at as createdAt'])
      .where('account_id', '=', accountId)
      .where('thumbprint', '=', thumbprint)
      .executeTakeFirst();
  }

  /** Lists an account's devices, oldest first. */
  async list(accountId: string, query: PageQuery): Promise<Page<EnrolledDevice>> {
    const devices = this.#db
      .selectFrom('devices')
      .select(['thumbprint as id', 'created_at as createdAt'])
      .where('account_id', '=', accountId);
    const order = { at: 'created_at', id: 'thumbprint', first: 'oldest' } as const;
    return readPage(['devices', accountId], query, devices, order);
  }

  /** False if there was none. */
  async remove(accountId: string, thumbprint: string): Promise<boolean> {
    const { numDeletedRows } = await this.#db
      .deleteFrom('devices')
      .where('account_id', '=', accountId)
      .where('thumbprint', '=', thumbprint)
      .executeTakeFirst();
    return numDeletedRows > 0n;
  }

  /** Refuses a proof that was used before, in any process. */
  async #use({ thumbprint, id }: Proof): Promise<void> {
    const { numInsertedOrUpdatedRows } = await this.#db
      .insertInto('device_proofs')
      .values({
        thumbprint,
        proof: createHash('sha256').update(id).digest(),
        expires_at: sql<Date>`clock_timestamp() + make_interval(secs => ${REMEMBERED_SECONDS})`,
      })
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirst();
    if (numInsertedOrUpdatedRows === 0n) throw invalidProof();
    if (Date.now() - this.#sweptAt < SWEEP_MS) return;
    this.#sweptAt = Date.now();
    await this.#db
      .deleteFrom('device_proofs')
      .where('expires_at', '<', sql<Date>`clock_timestamp()`)
      .execute();
  }
}
