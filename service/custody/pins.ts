/**
 * PINs and the keys that they open.
 *
 * Each PIN has a random key of its own, wrapped by HKDF of two parts: argon2id of the PIN, and a share. The share is in the database,
 * encrypted under a key from `KeyProvider.mac(pin's id, version)`. So PIN, database and master key are useless alone, and a new master key
 * needs only the share re-encrypted, which needs nobody's PIN. A recovery code or a passkey's secret opens the same key in place of the
 * PIN. The key opens the data keys of the wallets that the PIN is for, so a new PIN touches one row.
 */
import { randomBytes } from 'node:crypto';
import type { Insertable } from 'kysely';
import type { Database } from '../database/database.ts';
import type { Pins as PinsTable } from '../database/schema.ts';
import type { KeyProvider } from '../keys/key-provider.ts';
import { attemptColumns, checkNewPin, checkPin, isLockedForGood } from './attempts.ts';
import { type Cost, COST } from './pin-hash.ts';
import { PinOpener, type PinProof, type PinRow, type PinSemaphores, readPin } from './pin-opener.ts';
import { openByCode, wrap, wrapByCode } from './pin-wraps.ts';
import { newRecoveryCode } from './recovery-code.ts';
import { Shares } from './shares.ts';
import { conflict, encryptFailed } from './wallet-errors.ts';

export interface PinSettings extends PinSemaphores {
  /** Cost for new PINs; an existing one is opened at the cost stored with it. */
  cost?: Cost;
  /** Receives messages about failures that did not fail the operation. */
  warn?: (message: string) => void;
  /** Milliseconds since 1970, by which spending sessions end. */
  now?: () => number;
}

export interface MadePin {
  row: Omit<Insertable<PinsTable>, 'owner_id'>;
  /** Overwrite it after use. */
  key: Buffer;
  /** Shown once. */
  recoveryCode: string;
}

export interface PinState {
  /** Consecutive wrong tries, including those still running. */
  wrong: number;
  /** Seconds; null when a try is allowed now, or never again. */
  retryAfter: number | null;
  hardLocked: boolean;
  changedAt: Date;
}

export class Pins {
  readonly #db: Database;
  readonly #shares: Shares;
  readonly #cost: Cost;
  readonly #opener: PinOpener;

  constructor(db: Database, keys: KeyProvider, settings: PinSettings = {}) {
    this.#db = db;
    this.#shares = new Shares(db, keys, settings.warn);
    this.#cost = settings.cost ?? COST;
    this.#opener = new PinOpener(db, this.#shares, settings);
  }

  async has(id: string): Promise<boolean> {
    const row = await this.#db.selectFrom('pins').select('id').where('id', '=', id).executeTakeFirst();
    return row !== undefined;
  }

  /** A new PIN with a new key; the caller stores the row. */
  async make(id: string, pin: string, path = 'pincode'): Promise<MadePin> {
    checkNewPin(pin, path);
    const share = randomBytes(32);
    const code = newRecoveryCode();
    const key = randomBytes(32);
    try {
      const row = {
        id,
        ...(await this.#shares.seal(id, share)),
        ...(await this.#wrapByPin(id, pin, share, key)),
        by_recovery_code: wrapByCode(id, code.bytes, share, key),
      };
      return { row, key, recoveryCode: code.text };
    } catch (error) {
      key.fill(0);
      throw encryptFailed(error);
    } finally {
      share.fill(0);
      code.bytes.fill(0);
    }
  }

  /**
   * The PIN's key; overwrite it after use. The try is counted before the PIN is hashed. Throws `pincode.wrong` (`details.attemptsLeft`),
   * `pincode.locked` (`details.retryAfter` in seconds, or `hard`), `wallet.secret.*`, `wallet.decrypt.internal-error`.
   */
  async open(id: string, pin: PinProof): Promise<Buffer> {
    const { key } = await this.openMarked(id, pin);
    return key;
  }

  /** As `open`, with the wrap that the PIN opened: another PIN has another one. */
  async openMarked(id: string, pin: PinProof): Promise<{ key: Buffer; byPin: Buffer }> {
    return this.#withPin(id, pin, (key, _share, { by_pin: byPin }) =>
      Promise.resolve({ key: Buffer.from(key), byPin }),
    );
  }

  /** Sets another PIN for the same key. The recovery code stays valid. */
  async change(id: string, current: PinProof, next: string): Promise<void> {
    checkNewPin(next, 'next');
    await this.#withPin(id, current, async (key, share, row) => {
      const wrapped = await this.#wrapByPin(id, next, share, key).catch((error: unknown) => {
        throw encryptFailed(error);
      });
      await replace(this.#db, row, { ...wrapped, changed_at: new Date() });
    });
  }

  /** Returns a new recovery code to someone who knows the PIN. */
  async renewRecoveryCode(id: string, pin: PinProof): Promise<string> {
    const fresh = newRecoveryCode();
    try {
      await this.#withPin(id, pin, (key, share, row) =>
        replace(this.#db, row, { by_recovery_code: wrapByCode(id, fresh.bytes, share, key) }),
      );
      return fresh.text;
    } finally {
      fresh.bytes.fill(0);
    }
  }

  /**
   * Sets a new PIN by recovery code and lifts every lock; `beside` runs in the same transaction. Returns the next recovery code: the one
   * that was given is used up.
   */
  async recover(
    id: string,
    code: string,
    next: string,
    beside?: (tx: Database) => Promise<void>,
  ): Promise<string> {
    checkNewPin(next, 'next');
    const row = await readPin(this.#db, id);
    const share = await this.#shares.open(row);
    const key = openByCode(row, code, share);
    const fresh = newRecoveryCode();
    try {
      const wrapped = await this.#wrapByPin(id, next, share, key).catch((error: unknown) => {
        throw encryptFailed(error);
      });
      const columns = {
        ...wrapped,
        by_recovery_code: wrapByCode(id, fresh.bytes, share, key),
        cleared: row.tries,
        locked_until: null,
        changed_at: new Date(),
      };
      await this.#db.transaction().execute(async (tx) => {
        await replace(tx, row, columns);
        await beside?.(tx);
      });
      return fresh.text;
    } finally {
      key.fill(0);
      share.fill(0);
      fresh.bytes.fill(0);
    }
  }

  /** Wraps the PIN's key by the secret of a passkey, which is overwritten. */
  wrapByPasskey(id: string, pin: string, secret: Buffer): Promise<Buffer> {
    return this.#withPin(id, pin, (key, share) => Promise.resolve(wrap(key, id, 'passkey', [secret, share])));
  }

  /** The code stays valid. Throws `request.invalid` at `recoveryCode`. */
  async checkRecoveryCode(id: string, code: string): Promise<void> {
    const row = await readPin(this.#db, id);
    const share = await this.#shares.open(row);
    try {
      openByCode(row, code, share).fill(0);
    } finally {
      share.fill(0);
    }
  }

  /**
   * Checks PIN and recovery code, both of which a further device needs. The code comes first, so that nobody without it can use up the tries
   * of the PIN. Throws as `open` does, and `request.invalid` at `recoveryCode`.
   */
  async checkBoth(id: string, pin: PinProof, code: string): Promise<void> {
    if (typeof pin === 'string') checkPin(pin);
    await this.checkRecoveryCode(id, code);
    await this.#withPin(id, pin, () => Promise.resolve());
  }

  async state(id: string): Promise<PinState | undefined> {
    const row = await this.#db
      .selectFrom('pins')
      .select(['created_at', 'changed_at'])
      .select(attemptColumns)
      .where('id', '=', id)
      .executeTakeFirst();
    if (!row) return undefined;
    const { wrong, wait, created_at, changed_at } = row;
    const hardLocked = isLockedForGood(row);
    return {
      wrong,
      retryAfter: !hardLocked && wait !== null && wait > 0 ? wait : null,
      hardLocked,
      changedAt: changed_at ?? created_at,
    };
  }

  /** See `Shares.rewrap`. */
  rewrap(): Promise<{ rewrapped: number; failed: string[] }> {
    return this.#shares.rewrap();
  }

  async #withPin<T>(
    id: string,
    pin: PinProof,
    work: (key: Buffer, share: Buffer, row: PinRow) => Promise<T>,
  ): Promise<T> {
    if (typeof pin === 'string') checkPin(pin);
    const { row, share, key } = await (typeof pin === 'string'
      ? this.#opener.byPin(id, pin)
      : this.#opener.byPasskey(id, pin.passkey));
    try {
      await this.#shares.renew(row, share);
      return await work(key, share, row);
    } finally {
      key.fill(0);
      share.fill(0);
    }
  }

  async #wrapByPin(id: string, pin: string, share: Buffer, key: Buffer) {
    const salt = randomBytes(16);
    const hash = await this.#opener.hash(pin, salt, this.#cost);
    return { salt, cost: JSON.stringify(this.#cost), by_pin: wrap(key, id, 'PIN', [hash, share]) };
  }
}

/** Writes only if the row is still as it was read: of two changes at once, one gets a conflict. */
async function replace(db: Database, row: PinRow, columns: Partial<Insertable<PinsTable>>): Promise<void> {
  const { numUpdatedRows } = await db
    .updateTable('pins')
    .set(columns)
    .where('id', '=', row.id)
    .where('by_pin', '=', row.by_pin)
    .where('by_recovery_code', '=', row.by_recovery_code)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) throw conflict('Another request changed the PIN at the same time.');
}
