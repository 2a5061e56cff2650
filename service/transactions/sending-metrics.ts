/** Metrics of transactions that are signed but that no node has yet. */
import { sql } from 'kysely';
import type { Registry } from 'prom-client';
import type { Database } from '../database/database.ts';
import { gaugeWaiting } from '../http/waiting-gauges.ts';

export function gaugeUnsent(register: Registry, db: Database): void {
  gaugeWaiting(
    register,
    db,
    // By the index of open transactions.
    sql`select count(*)::integer as count, coalesce(extract(epoch from now() - min(created_at)), 0)::float8 as oldest
      from transactions where next_check_at is not null and state = 'signed'`,
    {
      count: { name: 'transactions_unsent', help: 'Signed transactions that no node is known to have.' },
      oldest: { name: 'transactions_oldest_unsent_age_seconds', help: 'Age of the oldest of them.' },
    },
  );
}
