/**
 * PINs and the count of wrong ones. A four-digit PIN has 10,000 values: this count protects it from being
 * guessed at the keyboard, and argon2id plus a device key that scripts cannot read protect it in a copied
 * database.
 */
import { ConnectError, RequestInvalidError } from '../base/errors.ts';
import { settled, type Database } from './database.ts';
import { Attempts } from './records.ts';

/** Minutes of lock after the 5th, 6th … wrong PIN; the 10th locks for good. */
const LADDER = [15, 30, 60, 120, 240] as const;
const FREE = 4;
const HARD = FREE + LADDER.length + 1;

export function checkPin(pin: string, path = 'pincode'): void {
  if (!/^[0-9]{4,6}$/.test(pin)) throw new RequestInvalidError([{ path, message: 'must be 4 to 6 digits' }]);
}

/** When PINs are accepted again, in epoch milliseconds: Infinity for the hard lock, null if they are now. */
export function lockedUntil({ wrong, at }: Attempts, now: number): number | null {
  if (wrong <= FREE) return null;
  if (wrong >= HARD) return Infinity;
  const until = at + LADDER[wrong - FREE - 1]! * 60_000;
  return now < until ? until : null;
}

export async function readAttempts(tx: IDBTransaction): Promise<Attempts> {
  const record: unknown = await settled(tx.objectStore('vault').get('attempts'));
  return record === undefined ? { wrong: 0, at: 0 } : Attempts.parse(record);
}

/**
 * Counts an attempt as wrong, on disk, before it is known whether it is. Throws `pincode.locked` if none is
 * allowed now. `at` is monotonic, so that a clock set back before the last try does not shorten the lock that
 * this try may start.
 */
export function countAttempt(db: Database, now: number): Promise<{ before: Attempts; counted: Attempts }> {
  return db.write(['vault'], async (tx) => {
    const before = await readAttempts(tx);
    const until = lockedUntil(before, now);
    if (until !== null) throw locked(until, now);
    const counted = { wrong: before.wrong + 1, at: Math.max(now, before.at) };
    await settled(tx.objectStore('vault').put(counted, 'attempts'));
    return { before, counted };
  });
}

/** Takes an attempt back whose PIN could not be tried at all (no memory, no worker). */
export function refundAttempt(
  db: Database,
  { before, counted }: { before: Attempts; counted: Attempts },
): Promise<void> {
  return db.write(['vault'], async (tx) => {
    const latest = await readAttempts(tx);
    if (latest.wrong === counted.wrong && latest.at === counted.at)
      await settled(tx.objectStore('vault').put(before, 'attempts'));
  });
}

/** Called in the transaction that has identified the user by the right PIN or the phrase. */
export async function resetAttempts(tx: IDBTransaction): Promise<void> {
  const { at } = await readAttempts(tx);
  await settled(tx.objectStore('vault').put({ wrong: 0, at } satisfies Attempts, 'attempts'));
}

/** The error for a wrong PIN. */
export function wrongPin(attempts: Attempts, now: number): ConnectError {
  const until = lockedUntil(attempts, now);
  if (until !== null) return locked(until, now);
  const attemptsLeft = FREE + 1 - attempts.wrong;
  return new ConnectError('pincode.wrong', `Wrong PIN. Attempts left: ${attemptsLeft}.`, { attemptsLeft });
}

function locked(until: number, now: number): ConnectError {
  if (until === Infinity)
    return new ConnectError(
      'pincode.locked',
      'Too many wrong PINs. Restore the wallet with its recovery phrase.',
      { hard: true },
    );
  const retryAfter = Math.ceil((until - now) / 1000);
  return new ConnectError('pincode.locked', `Too many wrong PINs. Try again in ${retryAfter} s.`, {
    retryAfter,
  });
}
