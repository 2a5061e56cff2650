/** Opens a PIN's key by the PIN, whose tries are counted and hashed in turn, or by the passkey of its account. */
import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Selectable } from 'kysely';
import { ConnectError, RequestInvalidError } from '../../src/base/errors.ts';
import { Queues } from '../concurrency/queues.ts';
import type { Semaphore } from '../concurrency/semaphore.ts';
import type { Database } from '../database/database.ts';
import type { Pins as PinsTable } from '../database/schema.ts';
import {
  attemptColumns,
  type Attempts,
  clearAttempts,
  countAttempt,
  endAttempt,
  lockOf,
  wrongPin,
} from './attempts.ts';
import { Cost, hashPin, hashSemaphore, MAX_WAITING, trySemaphore } from './pin-hash.ts';
import { unwrap } from './pin-wraps.ts';
import type { Shares } from './shares.ts';
import { decryptFailed, secretDamaged, secretMissing } from './wallet-errors.ts';

export type PinRow = Selectable<PinsTable> & Attempts;

/** What opens a PIN's key: the PIN, or the secret of its account's passkey, whose answer to the request was checked. */
export type PinProof = string | { passkey: Buffer };

/** Overwrite key and share after use. */
export interface OpenedPin {
  row: PinRow;
  share: Buffer;
  key: Buffer;
}

export interface PinSemaphores {
  /** For tries and new PINs. */
  semaphore?: Semaphore;
  /** For the part of them that is argon2id. */
  hashes?: Semaphore;
}

/** How long a try waits for those of other processes. */
const WAIT_MS = 30_000;

export async function readPin(db: Database, id: string): Promise<PinRow> {
  const row = await db
    .selectFrom('pins')
    .selectAll()
    .select(attemptColumns)
    .where('id', '=', id)
    .executeTakeFirst()
    .catch((error: unknown) => {
      throw secretDamaged(error);
    });
  if (!row) throw secretMissing();
  return row;
}

export class PinOpener {
  readonly #db: Database;
  readonly #shares: Shares;
  readonly #semaphore: Semaphore;
  readonly #hashes: Semaphore;
  /** Tries in this process, one at a time for each PIN. */
  readonly #tries = new Queues(MAX_WAITING);

  constructor(
    db: Database,
    shares: Shares,
    { semaphore = trySemaphore(), hashes = hashSemaphore() }: PinSemaphores,
  ) {
    this.#db = db;
    this.#shares = shares;
    this.#semaphore = semaphore;
    this.#hashes = hashes;
  }

  /** A try counts as wrong until it is known to be right, so correct PINs tried in parallel would lock each other out. */
  byPin(id: string, pin: string): Promise<OpenedPin> {
    return this.#tries.run(id, () => this.#tryInTurn(id, pin));
  }

  /** A passkey cannot be guessed: no try is counted, and a locked PIN does not lock it. */
  async byPasskey(id: string, secret: Buffer): Promise<OpenedPin> {
    const row = await readPin(this.#db, id);
    const passkey = await this.#db
      .selectFrom('passkeys')
      .select('by_passkey')
      .where('account_id', '=', id)
      .executeTakeFirst();
    if (!passkey)
      throw new RequestInvalidError([
        {
          path: 'pincode',
          message: 'is required: the wallet has a PIN of its own, which no passkey replaces',
        },
      ]);
    const share = await this.#shares.open(row);
    const key = unwrap(passkey.by_passkey, id, 'passkey', [secret, share]);
    if (key) return { row, share, key };
    share.fill(0);
    throw new RequestInvalidError([{ path: 'passkey.secret', message: 'is not that of this passkey' }]);
  }

  /** The hash of a new PIN. */
  hash(pin: string, salt: Uint8Array, cost: Cost): Promise<Buffer> {
    return this.#semaphore.run(() => this.#hash(pin, salt, cost));
  }

  #hash(pin: string, salt: Uint8Array, cost: Cost): Promise<Buffer> {
    return this.#hashes.run(() => hashPin(pin, salt, cost));
  }

  /** Waits for a try in another process, without a place in the queue for hashing. Throws `request.conflict` if it takes too long. */
  async #tryInTurn(id: string, pin: string): Promise<OpenedPin> {
    for (const until = performance.now() + WAIT_MS; performance.now() < until; ) {
      const opened = await this.#semaphore.run(() => this.#try(id, pin));
      if (opened) return opened;
      await sleep(randomInt(20, 80));
    }
    throw new ConnectError('request.conflict', 'Another attempt at this PIN is taking long. Try again.', {
      retryAfter: 5,
    });
  }

  /** Undefined while another process tries the PIN. No database connection is held while argon2 works. */
  async #try(id: string, pin: string): Promise<OpenedPin | undefined> {
    const row = await readPin(this.#db, id);
    const cost = Cost.safeParse(row.cost);
    if (!cost.success) throw secretDamaged(cost.error);
    // Early checks that spare the key provider; `countAttempt` decides.
    if (row.busy) return undefined;
    const lock = lockOf(row);
    if (lock) throw lock;
    const share = await this.#shares.open(row);
    try {
      const attempt = await countAttempt(this.#db, id);
      if (!attempt) {
        share.fill(0);
        return undefined;
      }
      const hash = await this.#hash(pin, row.salt, cost.data).catch((error: unknown) => {
        throw decryptFailed(error);
      });
      const key = unwrap(row.by_pin, id, 'PIN', [hash, share]);
      if (!key) {
        await endAttempt(this.#db, id, attempt);
        throw wrongPin(attempt);
      }
      await clearAttempts(this.#db, id, attempt);
      return { row, share, key };
    } catch (error) {
      share.fill(0);
      throw error;
    }
  }
}
