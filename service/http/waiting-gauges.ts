/** Gauges of work that waits in the database. They are the same in every process of the service. */
import type { RawBuilder } from 'kysely';
import { Gauge, type Registry } from 'prom-client';
import type { Limit } from '../../src/base/clock.ts';
import { acrossAccounts } from '../database/account-scope.ts';
import type { Database } from '../database/database.ts';

/** Metrics matter most while the database is in trouble: after this time they are returned without these gauges. */
const PATIENCE_MS = 2000;

export interface Waiting {
  count: number;
  /** Seconds since the oldest began to wait; 0 when nothing waits. */
  oldest: number;
}

interface Named {
  name: string;
  help: string;
}

/** Undefined when the database does not answer in time. */
export async function readInTime<T>(db: Database, query: RawBuilder<T>): Promise<T[] | undefined> {
  let timer: NodeJS.Timeout | number | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), PATIENCE_MS, 'limit' satisfies Limit);
  });
  const rows = acrossAccounts('metrics', () => query.execute(db)).then(
    ({ rows }) => rows,
    () => undefined,
  );
  return Promise.race([rows, late]).finally(() => clearTimeout(timer));
}

export function gaugeWaiting(
  register: Registry,
  db: Database,
  query: RawBuilder<Waiting>,
  gauges: { count: Named; oldest: Named },
): void {
  // One query for both gauges of a scrape.
  let look: Promise<Waiting[] | undefined> | undefined;
  for (const field of ['count', 'oldest'] as const)
    new Gauge({
      ...gauges[field],
      registers: [register],
      async collect() {
        look ??= readInTime(db, query).finally(() => (look = undefined));
        const [waiting] = (await look) ?? [];
        if (waiting) this.set(waiting[field]);
        else this.remove();
      },
    });
}
