/**
 * Passkeys of users' master PINs. An account that has one needs its answer to every request that spends, signs, exports or changes a PIN:
 * a device with the user's token and PIN is no longer enough. The answer is bound to the exact request, and valid for two minutes.
 */
import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { type AskedOfPasskey, PasskeyAnswer, passkeyText } from '../../src/api/passkey.ts';
import { ConnectError, RequestInvalidError } from '../../src/base/errors.ts';
import type { Database } from '../database/database.ts';
import { checkAssertion, type Credential, invalidPasskey, type RelyingParty } from './webauthn.ts';

const ANSWER_MS = 120_000;
/** How far the clock of a device may be ahead. */
const SKEW_MS = 5000;
const SWEEP_MS = 60_000;

export interface StoredPasskey {
  credentialId: Buffer;
  salt: Buffer;
  transports: string[];
  createdAt: Date;
}

export interface NewPasskey extends Credential {
  salt: Buffer;
  transports: readonly string[];
  /** The PIN's key, wrapped by the passkey's secret. */
  byPasskey: Buffer;
}

/** A request whose `passkey` field is not checked yet. */
export interface PasskeyRequest extends Omit<AskedOfPasskey, 'nonce' | 'at' | 'body'> {
  body: unknown;
}

export function challengeOf(asked: AskedOfPasskey): Buffer {
  return createHash('sha256').update(passkeyText(asked)).digest();
}

export class Passkeys {
  readonly #db: Database;
  readonly #party: () => RelyingParty | undefined;
  readonly #now: () => number;
  #sweptAt = 0;

  /** `now`: milliseconds since 1970. */
  constructor(db: Database, party: () => RelyingParty | undefined, now: () => number = Date.now) {
    this.#db = db;
    this.#party = party;
    this.#now = now;
  }

  /** Throws `request.conflict` if the service has no frame. */
  get party(): RelyingParty {
    const party = this.#party();
    if (party) return party;
    throw new ConnectError(
      'request.conflict',
      'This service has no frame to use a passkey in: the operator has to set FRAME_URL.',
    );
  }

  async read(accountId: string): Promise<StoredPasskey | undefined> {
    const row = await this.#db
      .selectFrom('passkeys')
      .select(['credential_id', 'salt', 'transports', 'created_at'])
      .where('account_id', '=', accountId)
      .executeTakeFirst();
    return (
      row && {
        credentialId: row.credential_id,
        salt: row.salt,
        transports: row.transports,
        createdAt: row.created_at,
      }
    );
  }

  /** False if there is one already. */
  async add(tx: Database, accountId: string, made: NewPasskey): Promise<boolean> {
    const { numInsertedOrUpdatedRows } = await tx
      .insertInto('passkeys')
      .values({
        account_id: accountId,
        credential_id: made.id,
        public_key: made.publicKey,
        counter: made.counter,
        salt: made.salt,
        transports: [...made.transports],
        by_passkey: made.byPasskey,
      })
      .onConflict((is) => is.doNothing())
      .executeTakeFirst();
    return numInsertedOrUpdatedRows === 1n;
  }

  /** False if there was none. */
  async remove(tx: Database, accountId: string): Promise<boolean> {
    const { numDeletedRows } = await tx
      .deleteFrom('passkeys')
      .where('account_id', '=', accountId)
      .executeTakeFirst();
    return numDeletedRows > 0n;
  }

  /**
   * Checks the answer in the body if the account has a passkey, and returns its secret. Throws `passkey.required` without an answer, unless it
   * is `optional`, and `passkey.invalid`. An answer can be used once, except with an `Idempotency-Key`, which
   * is part of the challenge and keeps a repeat from doing anything twice.
   */
  async require(
    accountId: string,
    request: PasskeyRequest,
    { optional = false }: { optional?: boolean } = {},
  ): Promise<{ secret: Buffer | undefined } | undefined> {
    const { passkey: given, ...body } = Object(request.body) as Record<string, unknown>;
    const row = await this.#db
      .selectFrom('passkeys')
      .select(['credential_id', 'public_key'])
      .where('account_id', '=', accountId)
      .executeTakeFirst();
    if (!row) {
      if (given === undefined) return undefined;
      throw new ConnectError('request.conflict', 'The account has no passkey. Leave the field passkey out.');
    }
    if (given === undefined) {
      if (optional) return undefined;
      throw new ConnectError(
        'passkey.required',
        'The account has a passkey, and the request needs its answer in the field passkey.',
      );
    }
    const { success, data, error } = PasskeyAnswer.safeParse(given);
    if (!success)
      throw new RequestInvalidError(
        error.issues.map(({ path, message }) => ({ path: ['passkey', ...path].join('.'), message })),
      );
    const bytes = (text: string): Buffer => Buffer.from(text, 'base64url');
    const { nonce, at } = data;
    if (!bytes(data.credentialId).equals(row.credential_id)) throw invalidPasskey('credential');
    this.checkTime(at);
    const challenge = challengeOf({ ...request, body, nonce, at });
    const counter = checkAssertion(
      {
        clientDataJSON: bytes(data.clientDataJSON),
        authenticatorData: bytes(data.authenticatorData),
        signature: bytes(data.signature),
      },
      { challenge, party: this.party, publicKey: row.public_key },
    );
    await this.#use(accountId, { challenge, counter, repeatable: request.key !== '' });
    return { secret: data.secret === undefined ? undefined : bytes(data.secret) };
  }

  /** Throws `passkey.invalid` for an answer, or a new credential, that is too old or from the future. */
  checkTime(at: number): void {
    const age = this.#now() - at;
    if (age > ANSWER_MS || age < -SKEW_MS) throw invalidPasskey('time');
  }

  async #use(
    accountId: string,
    { challenge, counter, repeatable }: { challenge: Buffer; counter: number; repeatable: boolean },
  ): Promise<void> {
    await this.#sweep();
    await this.#db.transaction().execute(async (tx) => {
      const { numInsertedOrUpdatedRows } = await tx
        .insertInto('passkey_answers')
        .values({ challenge, expires_at: new Date(this.#now() + 2 * ANSWER_MS) })
        .onConflict((is) => is.doNothing())
        .executeTakeFirst();
      if (numInsertedOrUpdatedRows !== 1n) {
        if (repeatable) return;
        throw invalidPasskey('used');
      }
      // Synced passkeys have no counter. For one that counts, a lower number means that there is a copy of it.
      const { numUpdatedRows } = await tx
        .updateTable('passkeys')
        .set({ counter })
        .where('account_id', '=', accountId)
        .where(sql<boolean>`(counter < ${counter} or (counter = 0 and ${counter} = 0))`)
        .executeTakeFirst();
      if (numUpdatedRows !== 1n) throw invalidPasskey('counter');
    });
  }

  async #sweep(): Promise<void> {
    const now = this.#now();
    if (now - this.#sweptAt < SWEEP_MS) return;
    this.#sweptAt = now;
    await this.#db.deleteFrom('passkey_answers').where('expires_at', '<', new Date(now)).execute();
  }
}
