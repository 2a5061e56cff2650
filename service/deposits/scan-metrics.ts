/** How far the search for deposits is behind, and whether it fails. The same in every process of the service. */
import { sql } from 'kysely';
import { Gauge, type Registry } from 'prom-client';
import type { Database } from '../database/database.ts';
import { readInTime } from '../http/waiting-gauges.ts';

interface Lag {
  network: string;
  /** Null before the first block. */
  blocks: number | null;
  seconds: number | null;
  /** How many rounds in a row have failed. */
  failures: number;
}

const GAUGES = {
  blocks: {
    name: 'deposit_scan_lag_blocks',
    help: 'Blocks between the newest that a node reported and the newest that was searched for deposits, by network.',
  },
  seconds: {
    name: 'deposit_scan_block_age_seconds',
    help: 'Age of the newest block that was searched for deposits, by network.',
  },
  failures: {
    name: 'deposit_scan_failures',
    help: 'Searches for deposits that failed since the last that succeeded, by network.',
  },
} as const;

export function gaugeScans(register: Registry, db: Database): void {
  const query = sql<Lag>`select network, greatest(0, head - position)::float8 as blocks,
    extract(epoch from now() - block_time)::float8 as seconds, failures
    from scan_cursors where next_look_at is not null`;
  // One query for all gauges of a scrape.
  let look: Promise<Lag[] | undefined> | undefined;
  for (const field of ['blocks', 'seconds', 'failures'] as const)
    new Gauge({
      ...GAUGES[field],
      labelNames: ['network'],
      registers: [register],
      async collect() {
        look ??= readInTime(db, query).finally(() => (look = undefined));
        const lags = await look;
        this.reset();
        for (const lag of lags ?? []) {
          const value = lag[field];
          if (value !== null) this.set({ network: lag.network }, value);
        }
      },
    });
}
