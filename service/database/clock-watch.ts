/**
 * Whether this machine's clock agrees with the database's, by which tokens, proofs and sessions of all processes are compared. A process
 * whose clock is wrong would accept what has expired, a proof that was used yesterday included, and end what has not: so it does nothing
 * until the clock is right again.
 */
import { sql } from 'kysely';
import type { Database } from './database.ts';
import { clocksApart } from './outage.ts';

/** Used proofs are remembered for long enough that clocks may differ by this much in either direction. */
const MAX_MS = 30_000;
const EVERY_MS = 10_000;

interface Clocks {
  /** Milliseconds since 1970. */
  now: () => number;
  /** Milliseconds of a clock that nobody sets. */
  steady: () => number;
}

const CLOCKS: Clocks = { now: () => Date.now(), steady: () => performance.now() };

export class ClockWatch {
  readonly #db: Database;
  readonly #clocks: Clocks;
  /** Of the last comparison: when it was, this clock beside the steady one, and how far it was ahead of the database's. */
  #last: { at: number; offset: number; ahead: number } | undefined;
  #checking: Promise<number> | undefined;

  constructor(db: Database, clocks: Clocks = CLOCKS) {
    this.#db = db;
    this.#clocks = clocks;
  }

  /** Milliseconds that this machine's clock is ahead of the database's. */
  check(): Promise<number> {
    this.#checking ??= this.#compare().finally(() => (this.#checking = undefined));
    return this.#checking;
  }

  /** Undefined while the clock is known to be right, which costs nothing. Else resolves when it is, or rejects with `service.unreachable`. */
  doubt(): Promise<void> | undefined {
    const { now, steady } = this.#clocks;
    const last = this.#last;
    if (!last || isApart(last.ahead + now() - steady() - last.offset)) return this.#require();
    // In the background: clocks drift slowly, and a jump is seen without asking.
    if (steady() - last.at > EVERY_MS) this.check().catch(() => {});
    return undefined;
  }

  async #require(): Promise<void> {
    if (isApart(await this.check())) throw clocksApart();
  }

  async #compare(): Promise<number> {
    const { now, steady } = this.#clocks;
    const before = steady();
    const { rows } = await sql<{
      now: string;
    }>`select extract(epoch from clock_timestamp()) * 1000 as now`.execute(this.#db);
    const at = steady();
    const offset = now() - at;
    // It was read somewhere between the two.
    const ahead = offset + (before + at) / 2 - Number(rows[0]!.now);
    this.#last = { at, offset, ahead };
    return ahead;
  }
}

export function isApart(ahead: number): boolean {
  return Math.abs(ahead) > MAX_MS;
}
