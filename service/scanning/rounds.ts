/**
 * Reads chains, round by round. Any number of processes may do so in parallel: a cursor belongs to one at a time, and what is recorded
 * does not depend on which one it is.
 */
import type { FastifyBaseLogger } from 'fastify';
import { acrossAccounts } from '../database/account-scope.ts';
import type { ClockWatch } from '../database/clock-watch.ts';
import type { Database } from '../database/database.ts';
import { type Cursors, type LeasedCursor, LostLease } from './cursors.ts';

export interface RoundTimes {
  /** The longest pause while its nodes do not answer. */
  backoffMs: number;
  /** Between checks for cursors that are due. */
  tickMs: number;
  /** After a crash another process takes over within this time. */
  leaseMs: number;
}

export interface Rounds<Row extends LeasedCursor> {
  db: Database;
  clock: ClockWatch;
  cursors: Cursors<Row>;
  log: Pick<FastifyBaseLogger, 'error' | 'warn'>;
  times: RoundTimes;
  /** Cursors that this process moves at a time. */
  concurrent: number;
  /** What is read, as the log names it. */
  subject: string;
  /** Names a cursor in the log. */
  about(cursor: Row): object;
  /** Reads on. `done`: nothing more can be read now; the next round is `everyMs` later. */
  read(cursor: Row, isStopped: () => boolean): Promise<{ everyMs: number; done: boolean }>;
  /** Whether anybody still wants to know. */
  isWanted(cursor: Row): Promise<boolean>;
  /** Called once a minute. */
  sweep(): Promise<void>;
}

/** The pause after a first failure. */
const PAUSE_MS = 5_000;
const SWEEP_MS = 60_000;
/** Pause while the database does not answer. */
const TROUBLE_MS = 10_000;

/** Reads the cursors of one table until it is stopped. */
export class Watcher<Row extends LeasedCursor> {
  readonly #rounds: Rounds<Row>;
  /** Rounds under way: a chain with slow nodes must not hold up the others. */
  readonly #visits = new Set<Promise<void>>();
  #timer: NodeJS.Timeout | undefined;
  #ticking = Promise.resolve();
  #sweptAt = 0;
  #stopped = false;

  constructor(rounds: Rounds<Row>) {
    this.#rounds = rounds;
    this.#tick();
  }

  /** Starts a round at once. */
  wake(): void {
    if (this.#timer) this.#tick();
  }

  /** Finishes the block that is being read. */
  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#timer);
    await this.#ticking;
    await Promise.all(this.#visits);
  }

  #tick(): void {
    const { log, times, subject } = this.#rounds;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#ticking = acrossAccounts('chain-reading', () => this.#visitDue())
      .then(() => times.tickMs)
      .catch((error: unknown) => {
        log.error({ err: error }, `${subject} could not be read`);
        return TROUBLE_MS;
      })
      .then((wait) => {
        if (!this.#stopped) this.#timer = setTimeout(() => this.#tick(), wait);
      });
  }

  async #visitDue(): Promise<void> {
    const { db, clock, cursors, times, concurrent } = this.#rounds;
    await clock.doubt();
    if (Date.now() - this.#sweptAt > SWEEP_MS) {
      await this.#rounds.sweep();
      this.#sweptAt = Date.now();
    }
    const limit = concurrent - this.#visits.size;
    const due = limit > 0 ? await cursors.claim(db, { leaseMs: times.leaseMs, limit }) : [];
    for (const cursor of due) {
      const visiting = visit(this.#rounds, cursor, () => this.#stopped).finally(() =>
        this.#visits.delete(visiting),
      );
      this.#visits.add(visiting);
    }
  }
}

/** One round on a cursor. Never throws: failures are retried with growing pauses. */
async function visit<Row extends LeasedCursor>(
  { db, cursors, log, times, subject, about, read, isWanted }: Rounds<Row>,
  cursor: Row,
  isStopped: () => boolean,
): Promise<void> {
  try {
    const { everyMs, done } = await read(cursor, isStopped);
    if (done && !(await isWanted(cursor)) && (await cursors.close(db, cursor))) return;
    await cursors.release(db, cursor, Date.now() + (done ? everyMs : 0), 0);
  } catch (error) {
    if (error instanceof LostLease)
      return void log.warn(about(cursor), 'a chain took longer to read than its lease');
    const failures = cursor.failures + 1;
    // Logged only when the trouble begins.
    if (failures === 1)
      log.warn({ err: error, ...about(cursor) }, `${subject} could not be read from a network`);
    const wait = Math.min(times.backoffMs, PAUSE_MS * 2 ** Math.min(failures, 20));
    await cursors.release(db, cursor, Date.now() + wait, failures).catch(() => {});
  }
}
