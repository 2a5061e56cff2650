/** What a test's failure says, and whether its file may pass when it is repeated. Pure, so that its rules have tests. */

/** A failed test, or a file that ended early. */
export interface Failure {
  file: string;
  /** Absent if the file itself failed. */
  test?: string | undefined;
  why: string;
  /** Class of the error, if a test threw one; `cancelled`, if it did not run. */
  type?: string | undefined;
}

/** Files that attack the wallet. */
export const HOSTILE = /^test\/e2e\/hostile\/(.+)\.test\.ts$/;

/** Whether it waited too long for something, which a busy machine can cause: it compared nothing that was wrong. */
export function isLate({ type, why }: Failure): boolean {
  if (type === 'AssertionError') return false;
  return type === 'TimeoutError' || /^timed out after \d+ s waiting for /.test(why);
}

/** Because something around it failed, which has a failure of its own. */
const isCancelled = ({ type }: Failure): boolean => type === 'cancelled';

/**
 * Whether a file with these failures counts as passed if it passes when it is repeated. An attack that succeeds once is a way to steal, so
 * files of attacks are forgiven only waits.
 */
export function isForgivable(file: string, failures: Failure[]): boolean {
  if (!HOSTILE.test(file)) return true;
  const own = failures.filter((failure) => failure.file === file && !isCancelled(failure));
  return own.length > 0 && own.every(isLate);
}

/** Whether the wallet withstood an attack; `late` says neither, because the test waited in vain or did not run. */
export type Outcome = 'held' | 'late' | 'lost';

export function outcomeOf(failure: Failure | undefined): Outcome {
  if (!failure) return 'held';
  return isLate(failure) || isCancelled(failure) ? 'late' : 'lost';
}

/** The outcome of several runs. What was lost once stays lost. */
export function lastUnlessLost(before: Outcome | undefined, now: Outcome): Outcome {
  return before === 'lost' ? before : now;
}
