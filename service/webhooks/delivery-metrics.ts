/** Metrics of deliveries. Counters are those of this process; the gauges are the same in every process of the service. */
import { sql } from 'kysely';
import { Counter, type Registry } from 'prom-client';
import type { Database } from '../database/database.ts';
import { gaugeWaiting } from '../http/waiting-gauges.ts';

export interface DeliveryCounts {
  attempt(result: 'delivered' | 'failed'): void;
  givenUp(deliveries: number): void;
}

export const NO_COUNTS: DeliveryCounts = { attempt: () => {}, givenUp: () => {} };

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
  gaugeWaiting(
    register,
    db,
    sql`select count(*)::integer as count, coalesce(extract(epoch from now() - min(created_at)), 0)::float8 as oldest
      from deliveries where state = 'waiting'`,
    {
      count: { name: 'webhook_deliveries_waiting', help: 'Deliveries that wait to be sent or retried.' },
      oldest: {
        name: 'webhook_deliveries_oldest_waiting_age_seconds',
        help: 'Age of the oldest event that waits to be delivered.',
      },
    },
  );
  return {
    attempt: (result) => attempts.inc({ result }),
    givenUp: (deliveries) => givenUp.inc(deliveries),
  };
}
