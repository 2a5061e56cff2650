/** How many encrypted copies there are. Nothing tells one from another. */
import { sql } from 'kysely';
import { Gauge, type Registry } from 'prom-client';
import type { Database } from '../database/database.ts';
import { readInTime } from '../http/waiting-gauges.ts';

/** Counting a million takes a tenth of a second: not at every scrape. */
const COUNTED_MS = 60_000;

interface Counted {
  kind: string;
  state: string;
  objects: number;
  bytes: number;
}

const GAUGES = {
  objects: {
    name: 'encrypted_copies',
    help: 'Objects of encrypted copies: a vault for each, a slot for each of its passkeys; removed ones are tombstones.',
  },
  bytes: { name: 'encrypted_copy_bytes', help: 'Their bytes.' },
} as const;

export function gaugeCopies(register: Registry, db: Database): void {
  const query = sql<Counted>`select kind, case when removed then 'removed' else 'kept' end as state,
    count(*)::float8 as objects, sum(length(object))::float8 as bytes from copies group by kind, removed`;
  let look: Promise<Counted[] | undefined> | undefined;
  let until = 0;
  const read = (): Promise<Counted[] | undefined> => {
    if (!look || performance.now() >= until) {
      look = readInTime(db, query);
      until = performance.now() + COUNTED_MS;
    }
    return look;
  };
  for (const field of ['objects', 'bytes'] as const)
    new Gauge({
      ...GAUGES[field],
      labelNames: ['kind', 'state'],
      registers: [register],
      async collect() {
        const counts = await read();
        this.reset();
        for (const count of counts ?? []) this.set({ kind: count.kind, state: count.state }, count[field]);
      },
    });
}
