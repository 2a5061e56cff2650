/**
 * The count of wrong PINs, which is what keeps a PIN from being guessed.
 *
 * Every try takes a number, on disk, before anybody knows whether its PIN is right; a right one clears the tries up to its own number.
 * So tries that run at the same time, in any number of processes, count exactly, and one that a crash cuts off counts as wrong. Time is
 * the database's. Whoever can put back an older copy of the database takes the count back with it.
 */
import { type ExpressionBuilder, sql } from 'kysely';
import { type PinWeakness, pinWeakness } from '../../src/api/weak-pin.ts';
import { ConnectError, RequestInvalidError } from '../../src/errors.ts';
import type { Database } from '../database/database.ts';
import type { Schema } from '../database/schema.ts';

/** Minutes of lock after the 5th, 6th … wrong PIN; the 10th locks for good. */
const LADDER = [15, 30, 60, 120, 240];
const FREE = 4;
const HARD = FREE + LADDER.length + 1;

export interface Attempts {
  /** Wrong tries, with those under way. */
  wrong: number;
  /** Seconds; null when there is no lock, or one for good. */
  wait: number | null;
}

export interface Attempt extends Attempts {
  number: number;
}

/** Only the recovery code opens it. */
export function isLockedForGood({ wrong }: Attempts): boolean {
  return wrong >= HARD;
}

export function checkPin(pin: string, path = 'pincode'): void {
  if (!/^[0-9]{4,6}$/.test(pin)) throw new RequestInvalidError([{ path, message: 'must be 4 to 6 digits' }]);
}

const EASY: Record<PinWeakness, string> = {
  common: 'it is one of those that are tried first',
  repeated: 'digits repeat',
  sequence: 'the digits are in order',
  year: 'it is a year',
};

/** One that is about to be set. */
export function checkNewPin(pin: string, path: string): void {
  checkPin(pin, path);
  const weakness = pinWeakness(pin);
  if (weakness)
    throw new RequestInvalidError([
      { path, message: `is easy to guess: ${EASY[weakness]}. Choose another one` },
    ]);
}

/** Columns of `pins` that answer `Attempts`. */
export function attemptColumns(_is: ExpressionBuilder<Schema, 'pins'>) {
  return [
    sql<number>`tries - cleared`.as('wrong'),
    sql<number | null>`ceil(extract(epoch from locked_until - clock_timestamp()))::integer`.as('wait'),
  ] as const;
}

/** A transaction of its own. Throws `pincode.locked` when no try is allowed now. */
export async function countAttempt(db: Database, pinId: string): Promise<Attempt> {
  const counted = await db
    .updateTable('pins')
    .set({
      tries: sql`tries + 1`,
      // Null outside of the ladder.
      locked_until: sql`clock_timestamp()
        + make_interval(mins => (${LADDER}::integer[])[tries + 1 - cleared - ${FREE}::integer])`,
    })
    .where('id', '=', pinId)
    .where(sql<boolean>`tries - cleared < ${HARD}`)
    .where(sql<boolean>`(locked_until is null or locked_until <= clock_timestamp())`)
    .returning('tries as number')
    .returning(attemptColumns)
    .executeTakeFirst();
  if (counted) return counted;
  throw lockOf(await readAttempts(db, pinId)) ?? locked(1);
}

export function readAttempts(db: Database, pinId: string): Promise<Attempts> {
  return db.selectFrom('pins').select(attemptColumns).where('id', '=', pinId).executeTakeFirstOrThrow();
}

/** The try of that number had the right PIN. */
export async function clearAttempts(db: Database, pinId: string, { number }: Attempt): Promise<void> {
  await db
    .updateTable('pins')
    .set({
      cleared: sql`greatest(cleared, ${number}::integer)`,
      locked_until: sql`case when tries - greatest(cleared, ${number}::integer) > ${FREE} then locked_until end`,
    })
    .where('id', '=', pinId)
    .execute();
}

/** `pincode.locked`, when they lock. */
export function lockOf(attempts: Attempts): ConnectError | undefined {
  const { wait } = attempts;
  if (isLockedForGood(attempts))
    return new ConnectError('pincode.locked', 'Too many wrong PINs. The recovery code sets a new one.', {
      hard: true,
    });
  return wait !== null && wait > 0 ? locked(wait) : undefined;
}

/** What the caller hears about a wrong PIN. */
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
