/** Metrics of deliveries. Counters are those of this process; the gauges are the same in every process of the service. */
import { sql } from 'kysely';
import { Counter, Gauge, type Registry } from 'prom-client';
import type { Database } from '../../database/database.ts';

export interface DeliveryCounts {
  attempt(result: 'delivered' | 'failed'): void;
  givenUp(deliveries: number): void;
}

export const NO_COUNTS: DeliveryCounts = { attempt: () => {}, givenUp: () => {} };

/** Metrics matter most while the database is in trouble: after this time they come without the gauges. */
const PATIENCE_MS = 2000;

interface Waiting {
  count: number;
  /** Seconds since the oldest event happened; 0 when nothing waits. */
  oldest: number;
}

async function readWaiting(db: Database): Promise<Waiting | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), PATIENCE_MS);
  });
  const asked = sql<Waiting>`select count(*)::integer as count,
      coalesce(extract(epoch from now() - min(created_at)), 0)::float8 as oldest
    from deliveries where state = 'waiting'`
    .execute(db)
    .then(
      ({ rows }) => rows[0],
      () => undefined,
    );
  return Promise.race([asked, late]).finally(() => clearTimeout(timer));
}

export function countDeliveries(register: Registry, db: Database): DeliveryCounts {
  const registers = [register];
  const attempts = new Counter({
    name: 'webhook_delivery_attempts_total',
    help: 'Requests to receivers of events, by result.',
    labelNames: ['result'],
    registers,
  });
  for (const result of ['delivered', 'failed']) attempts.inc({ result }, 0);
  const givenUp = new Counter({
    name: 'webhook_deliveries_given_up_total',
    help: 'Deliveries that were given up; they are sent again only on request.',
    registers,
  });
  // One query for both gauges of a scrape.
  let look: Promise<Waiting | undefined> | undefined;
  const gauge = (name: string, help: string, value: (waiting: Waiting) => number): void => {
    new Gauge({
      name,
      help,
      registers,
      async collect() {
        look ??= readWaiting(db).finally(() => (look = undefined));
        const waiting = await look;
        if (waiting) this.set(value(waiting));
        else this.remove();
      },
    });
  };
  gauge('webhook_deliveries_waiting', 'Deliveries that wait to be sent or retried.', ({ count }) => count);
  gauge(
    'webhook_deliveries_oldest_waiting_age_seconds',
    'Age of the oldest event that waits to be delivered.',
    ({ oldest }) => oldest,
  );
  return {
    attempt: (result) => attempts.inc({ result }),
    givenUp: (deliveries) => givenUp.inc(deliveries),
  };
}
