/**
 * Counts wrong PINs, which is what keeps a PIN from being guessed.
 *
 * Every try is given a number, on disk, before its PIN is checked; a right PIN clears the tries up to its own number.
 * So parallel tries, in any number of processes, are counted exactly, and one that a crash interrupts counts as wrong. Time is
 * the database's. Restoring an older copy of the database restores its count, too.
 */
import { type ExpressionBuilder, sql } from 'kysely';
import { type PinWeakness, pinWeakness } from '../../src/api/weak-pin.ts';
import { ConnectError, RequestInvalidError } from '../../src/base/errors.ts';
import type { Database } from '../database/database.ts';
import type { Schema } from '../database/schema.ts';

/** Minutes of lock after the 5th, 6th … wrong PIN; the 10th locks for good. */
const LADDER = [15, 30, 60, 120, 240];
const FREE = 4;
const HARD = FREE + LADDER.length + 1;

export interface Attempts {
  /** Wrong tries, including those still running. */
  wrong: number;
  /** Seconds; null when there is no lock, or a permanent one. */
  wait: number | null;
  /** A try is running: whether it locks the PIN is not known before it ends. */
  busy: boolean;
}

export interface Attempt extends Attempts {
  number: number;
}

/** Whether the PIN has the lock that only its recovery code lifts. */
export function isLockedForGood({ wrong }: Attempts): boolean {
  return wrong >= HARD;
}

export function checkPin(pin: string, path = 'pincode'): void {
  if (!/^[0-9]{4,6}$/.test(pin)) throw new RequestInvalidError([{ path, message: 'must be 4 to 6 digits' }]);
}

const EASY: Record<PinWeakness, string> = {
  common: 'it is one of the most common',
  repeated: 'digits repeat',
  sequence: 'the digits are in order',
  year: 'it is a year',
};

/** Checks a PIN that is about to be set. */
export function checkNewPin(pin: string, path: string): void {
  checkPin(pin, path);
  const weakness = pinWeakness(pin);
  if (weakness)
    throw new RequestInvalidError([
      { path, message: `is easy to guess: ${EASY[weakness]}. Choose another one` },
    ]);
}

/** Columns of `pins` as `Attempts`. */
export function attemptColumns(_is: ExpressionBuilder<Schema, 'pins'>) {
  return [
    sql<number>`tries - cleared`.as('wrong'),
    sql<number | null>`ceil(extract(epoch from locked_until - clock_timestamp()))::integer`.as('wait'),
    sql<boolean>`coalesce(trying_until > clock_timestamp(), false)`.as('busy'),
  ] as const;
}

/** A process that stops in the middle of a try keeps the others waiting no longer than this. */
const TRY_SECONDS = 10;

/**
 * Begins a try, which `clearAttempts` or `endAttempt` ends. Undefined while another one is running. Commits in a transaction of its own.
 * Throws `pincode.locked` when no try is allowed now.
 */
export async function countAttempt(db: Database, pinId: string): Promise<Attempt | undefined> {
  const counted = await db
    .updateTable('pins')
    .set({
      tries: sql`tries + 1`,
      // Null when this try causes no lock, or a permanent one.
      locked_until: sql`clock_timestamp()
        + make_interval(mins => (${LADDER}::integer[])[tries + 1 - cleared - ${FREE}::integer])`,
      trying_until: sql<Date>`clock_timestamp() + make_interval(secs => ${TRY_SECONDS})`,
    })
    .where('id', '=', pinId)
    .where(sql<boolean>`tries - cleared < ${HARD}`)
    .where(sql<boolean>`(locked_until is null or locked_until <= clock_timestamp())`)
    .where(sql<boolean>`(trying_until is null or trying_until <= clock_timestamp())`)
    .returning('tries as number')
    .returning(attemptColumns)
    .executeTakeFirst();
  if (counted) return counted;
  const attempts = await readAttempts(db, pinId);
  const lock = attempts.busy ? undefined : lockOf(attempts);
  if (lock) throw lock;
  return undefined;
}

/** Ends a try whose PIN was wrong: it stays counted. A later try, begun when this one took too long, is left alone. */
export async function endAttempt(db: Database, pinId: string, { number }: Attempt): Promise<void> {
  await db
    .updateTable('pins')
    .set({ trying_until: null })
    .where('id', '=', pinId)
    .where('tries', '=', number as never)
    .execute();
}

export function readAttempts(db: Database, pinId: string): Promise<Attempts> {
  return db.selectFrom('pins').select(attemptColumns).where('id', '=', pinId).executeTakeFirstOrThrow();
}

/** Records that the try with this number had the right PIN. */
export async function clearAttempts(db: Database, pinId: string, { number }: Attempt): Promise<void> {
  await db
    .updateTable('pins')
    .set({
      cleared: sql`greatest(cleared, ${number}::integer)`,
      locked_until: sql`case when tries - greatest(cleared, ${number}::integer) > ${FREE} then locked_until end`,
      trying_until: sql<Date | null>`case when tries <> ${number}::integer then trying_until end`,
    })
    .where('id', '=', pinId)
    .execute();
}

/** The `pincode.locked` error when the attempts lock the PIN. */
export function lockOf(attempts: Attempts): ConnectError | undefined {
  const { wait } = attempts;
  if (isLockedForGood(attempts))
    return new ConnectError('pincode.locked', 'Too many wrong PINs. The recovery code sets a new one.', {
      hard: true,
    });
  return wait !== null && wait > 0 ? locked(wait) : undefined;
}

/** The error for a wrong PIN. */
export function wrongPin(attempts: Attempts): ConnectError {
  const attemptsLeft = Math.max(0, FREE + 1 - attempts.wrong);
  return (
    lockOf(attempts) ??
    new ConnectError('pincode.wrong', `Wrong PIN. Attempts left: ${attemptsLeft}.`, { attemptsLeft })
  );
}

function locked(retryAfter: number): ConnectError {
  return new ConnectError('pincode.locked', `Too many wrong PINs. Try again in ${retryAfter} s.`, {
    retryAfter,
  });
}
