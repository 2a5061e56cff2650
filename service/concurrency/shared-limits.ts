/**
 * Limits per minute, or any other time, shared by all processes. A process takes a share of a limit from the database and hands it out itself, so that most
 * requests need no query; exact counting takes one at a time. The limit is never exceeded, but what a process has taken and not used, at
 * most a fortieth, is lost to the others for the rest of that time.
 */
import { hash } from 'node:crypto';
import { sql } from 'kysely';
import type { Database } from '../database/database.ts';

const WINDOW_S = 60;
const SHARES = 40;
/** Keys whose shares are remembered. */
const KEPT = 50_000;

interface Share {
  /** Negative: the limit is used up. */
  left: number;
  /** End of the key's time, in milliseconds of the local clock. */
  until: number;
}

export interface Grant {
  allowed: boolean;
  /** Milliseconds until the key's time ends. */
  ttl: number;
}

export class SharedLimits {
  readonly #db: Database;
  readonly #now: () => number;
  /** Used-up ones too, so that a refusal needs no query. */
  readonly #shares = new Map<string, Share>();
  readonly #queries = new Map<string, Promise<void>>();
  readonly #waiting = new Map<string, number>();
  #swept: number;

  /** `now`: milliseconds of any clock. */
  constructor(db: Database, now: () => number = () => performance.now()) {
    this.#db = db;
    this.#now = now;
    this.#swept = now();
  }

  /**
   * Takes one of `limit` for the key, in a minute or in as many `seconds`, which begin with its first request. `exact`: leaves no unused
   * share with this process. Without the database nothing is limited: requests then fail for want of it anyway.
   */
  async take(key: string, limit: number, { exact = false, seconds = WINDOW_S } = {}): Promise<Grant> {
    const own = this.#fromShare(key);
    if (own) return own;
    this.#waiting.set(key, (this.#waiting.get(key) ?? 0) + 1);
    try {
      for (;;) {
        // At least as many as wait for it: exact counting leaves none unused.
        const share = exact ? 1 : Math.floor(limit / SHARES);
        await this.#fetch(key, limit, Math.max(share, this.#waiting.get(key)!), seconds);
        const grant = this.#fromShare(key);
        if (grant) return grant;
      }
    } catch {
      return { allowed: true, ttl: 0 };
    } finally {
      const others = this.#waiting.get(key)! - 1;
      if (others > 0) this.#waiting.set(key, others);
      else this.#waiting.delete(key);
    }
  }

  /** Undefined if a new share is needed. */
  #fromShare(key: string): Grant | undefined {
    const share = this.#shares.get(key);
    const ttl = share ? share.until - this.#now() : 0;
    if (!share || ttl <= 0 || share.left === 0) return undefined;
    if (share.left > 0) share.left--;
    return { allowed: share.left >= 0, ttl };
  }

  /** One query at a time for each key. */
  #fetch(key: string, limit: number, count: number, seconds: number): Promise<void> {
    const query = this.#queries.get(key);
    if (query) return query;
    const asking = this.#ask(key, limit, count, seconds).finally(() => this.#queries.delete(key));
    this.#queries.set(key, asking);
    return asking;
  }

  async #ask(key: string, limit: number, count: number, window: number): Promise<void> {
    const { rows } = await sql<{ taken: string; seconds: number }>`
      insert into rate_counters as c (key, started_at, taken, seconds)
      values (${hash('sha256', key, 'base64url')}, clock_timestamp(), ${count}, ${window})
      on conflict (key) do update set
        taken = excluded.taken + case when c.started_at > clock_timestamp() - make_interval(secs => ${window}) then c.taken else 0 end,
        started_at = case when c.started_at > clock_timestamp() - make_interval(secs => ${window}) then c.started_at else excluded.started_at end
      returning taken, extract(epoch from started_at - clock_timestamp())::float8 + ${window} as seconds`.execute(
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

  /** Deletes the counters of past times now and then. */
  #sweep(): void {
    if (this.#now() - this.#swept < WINDOW_S * 1000) return;
    this.#swept = this.#now();
    const over = sql`delete from rate_counters where started_at < now() - make_interval(secs => 2 * seconds)`;
    over.execute(this.#db).catch(() => {});
  }
}
