/**
 * Limits per minute that count across all processes. A process takes a share of a limit from the database and gives it out by itself, so that
 * most requests need no query; what has to count exactly takes one at a time. Never is more given out than the limit. What a process took
 * and did not use is lost to the others for the rest of the minute: a fortieth for each.
 */
import { hash } from 'node:crypto';
import { sql } from 'kysely';
import type { Database } from '../database/database.ts';

const WINDOW_S = 60;
const SHARES = 40;
/** Keys with a share at a time. */
const KEPT = 50_000;

interface Share {
  /** Negative: no process has any left. */
  left: number;
  /** Milliseconds of the clock here: when the key's minute is over. */
  until: number;
}

export interface Taken {
  allowed: boolean;
  /** Milliseconds until the key's minute is over. */
  ttl: number;
}

export class SharedLimits {
  readonly #db: Database;
  readonly #now: () => number;
  /** Those with nothing left are kept, too: whoever is refused costs no query. */
  readonly #shares = new Map<string, Share>();
  readonly #asked = new Map<string, Promise<void>>();
  readonly #waiting = new Map<string, number>();
  #swept: number;

  /** `now`: milliseconds of any clock. */
  constructor(db: Database, now: () => number = () => performance.now()) {
    this.#db = db;
    this.#now = now;
    this.#swept = now();
  }

  /**
   * Takes one of `limit` a minute for the key; its minute begins with its first request. `exact`: no other process has a share of it left.
   * Without the database nothing is limited: requests fail for that, and not for this.
   */
  async take(key: string, limit: number, { exact = false } = {}): Promise<Taken> {
    const own = this.#fromShare(key);
    if (own) return own;
    this.#waiting.set(key, (this.#waiting.get(key) ?? 0) + 1);
    try {
      for (;;) {
        // As many as wait for it: what counts exactly leaves nothing over.
        const share = exact ? 1 : Math.floor(limit / SHARES);
        await this.#fetch(key, limit, Math.max(share, this.#waiting.get(key)!));
        const taken = this.#fromShare(key);
        if (taken) return taken;
      }
    } catch {
      return { allowed: true, ttl: 0 };
    } finally {
      const others = this.#waiting.get(key)! - 1;
      if (others > 0) this.#waiting.set(key, others);
      else this.#waiting.delete(key);
    }
  }

  /** Undefined where the database has to be asked. */
  #fromShare(key: string): Taken | undefined {
    const share = this.#shares.get(key);
    const ttl = share ? share.until - this.#now() : 0;
    if (!share || ttl <= 0 || share.left === 0) return undefined;
    if (share.left > 0) share.left--;
    return { allowed: share.left >= 0, ttl };
  }

  /** One question at a time for each key. */
  #fetch(key: string, limit: number, count: number): Promise<void> {
    const asked = this.#asked.get(key);
    if (asked) return asked;
    const asking = this.#ask(key, limit, count).finally(() => this.#asked.delete(key));
    this.#asked.set(key, asking);
    return asking;
  }

  async #ask(key: string, limit: number, count: number): Promise<void> {
    const { rows } = await sql<{ taken: string; seconds: number }>`
      insert into rate_counters as c (key, started_at, taken)
      values (${hash('sha256', key, 'base64url')}, clock_timestamp(), ${count})
      on conflict (key) do update set
        taken = excluded.taken + case when c.started_at > clock_timestamp() - make_interval(secs => ${WINDOW_S}) then c.taken else 0 end,
        started_at = case when c.started_at > clock_timestamp() - make_interval(secs => ${WINDOW_S}) then c.started_at else excluded.started_at end
      returning taken, extract(epoch from started_at - clock_timestamp())::float8 + ${WINDOW_S} as seconds`.execute(
      this.#db,
    );
    const { taken, seconds } = rows[0]!;
    const granted = Math.min(count, limit - (Number(taken) - count));
    if (this.#shares.size >= KEPT) this.#shares.clear();
    this.#shares.set(key, {
      left: granted > 0 ? granted : -1,
      until: this.#now() + Math.max(1, seconds * 1000),
    });
    this.#sweep();
  }

  /** Counters of minutes that are over are deleted now and then. */
  #sweep(): void {
    if (this.#now() - this.#swept < WINDOW_S * 1000) return;
    this.#swept = this.#now();
    const over = sql`delete from rate_counters where started_at < now() - make_interval(secs => ${2 * WINDOW_S})`;
    over.execute(this.#db).catch(() => {});
  }
}
