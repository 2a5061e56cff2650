/**
 * How far each chain has been read. The one process that moves a cursor leases it, so that a crash costs no more than the rest of the lease.
 */
import { type RawBuilder, sql } from 'kysely';
import type { Database } from '../database/database.ts';
import type { Block } from './chains/block-reader.ts';

export interface LeasedCursor {
  /** Id in `networks.json`. */
  network: string;
  /** The newest block that was read, with its hash: another hash there means that the chain was reorganised. Null: none yet. */
  position: string | null;
  position_hash: string | null;
  /** End of the lease of the process that reads. Its exact value also identifies that process. */
  leased_until: Date | null;
  /** Rounds in a row that have failed. */
  failures: number;
  /** Incremented by whoever wants the chain read, so that a process that is about to stop notices. */
  asked: number;
}

export class LostLease extends Error {
  override name = 'LostLease';
  constructor() {
    super('another process reads the cursor');
  }
}

/** The cursors in a table, whose rows `key` identifies. */
export class Cursors<Row extends LeasedCursor> {
  readonly #table: RawBuilder<unknown>;

  constructor(
    table: 'wallet_lanes' | 'scan_cursors',
    private readonly key: readonly (keyof Row & string)[],
  ) {
    this.#table = sql.table(table);
  }

  /** Leases cursors that are due, the longest overdue first. */
  async claim(db: Database, { leaseMs, limit }: { leaseMs: number; limit: number }): Promise<Row[]> {
    const at = new Date();
    const key = sql.join(this.key.map((name) => sql.ref(name)));
    const same = this.key.map((name) => sql`l.${sql.ref(name)} = due.${sql.ref(name)}`);
    const { rows } = await sql<Row>`
      with due as (
        select ${key} from ${this.#table}
        where next_look_at <= ${at} and (leased_until is null or leased_until <= ${at})
        order by next_look_at limit ${limit} for update skip locked
      )
      update ${this.#table} l set leased_until = ${new Date(at.getTime() + leaseMs)} from due
      where ${sql.join(same, sql` and `)} returning l.*`.execute(db);
    return rows;
  }

  /** Throws `LostLease` when another process has the cursor. */
  async move(
    db: Database,
    cursor: Row,
    { number, hash }: Pick<Block, 'number' | 'hash'>,
    also: Readonly<Record<string, unknown>> = {},
  ): Promise<void> {
    if (!(await this.update(db, cursor, { position: number, position_hash: hash, ...also })))
      throw new LostLease();
    cursor.position = String(number);
    cursor.position_hash = hash;
  }

  /** Extends the lease when half of it is over. Throws `LostLease` when another process has the cursor. */
  async extendLease(db: Database, cursor: Row, leaseMs: number): Promise<void> {
    const now = Date.now();
    if (cursor.leased_until!.getTime() - now > leaseMs / 2) return;
    const until = new Date(now + leaseMs);
    if (!(await this.update(db, cursor, { leased_until: until }))) throw new LostLease();
    cursor.leased_until = until;
  }

  /** Ends the lease. */
  async release(db: Database, cursor: Row, nextLookAt: number, failures: number): Promise<void> {
    await this.update(db, cursor, { leased_until: null, next_look_at: new Date(nextLookAt), failures });
  }

  /** Stops reading, unless somebody asked for it in the meantime: then it returns false. */
  async close(db: Database, cursor: Row): Promise<boolean> {
    const values = { leased_until: null, next_look_at: null, failures: 0 };
    return this.update(db, cursor, values, sql`asked = ${cursor.asked}`);
  }

  /** Only while its lease is ours: another process may have taken it when the lease ended. Returns whether it is. */
  async update(
    db: Database,
    cursor: Row,
    values: Readonly<Record<string, unknown>>,
    only: RawBuilder<unknown> = sql`true`,
  ): Promise<boolean> {
    const set = Object.entries(values).map(([name, value]) => sql`${sql.ref(name)} = ${value}`);
    const ours = this.key.map((name) => sql`${sql.ref(name)} = ${cursor[name]}`);
    const { numAffectedRows } = await sql`update ${this.#table} set ${sql.join(set)}
      where ${sql.join(ours, sql` and `)} and leased_until = ${cursor.leased_until} and ${only}`.execute(db);
    return numAffectedRows === 1n;
  }
}
