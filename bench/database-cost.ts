/** What work costs the service's PostgreSQL: CPU of all its processes, WAL and storage, for each transaction of a wallet. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import type { BenchService } from './service-process.ts';

/** Clock ticks a second in `/proc`, on every Linux that Node runs on. */
const TICKS = 100;

/** CPU seconds of PostgreSQL so far: of its processes, and of those that have ended. NaN where there is no `/proc`. */
function cpuSeconds({ folder }: BenchService): number {
  const postmaster = readFileSync(join(folder, 'data/postgres/postmaster.pid'), 'utf8').split('\n')[0]!;
  let ticks = 0;
  let pids: string[];
  try {
    pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  } catch {
    return Number.NaN;
  }
  for (const pid of pids) {
    let fields: string[];
    try {
      const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
      fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    } catch {
      continue;
    }
    const [parent, user, system, childUser, childSystem] = [1, 11, 12, 13, 14].map((at) => fields[at]!);
    if (pid === postmaster) ticks += Number(user) + Number(system) + Number(childUser) + Number(childSystem);
    else if (parent === postmaster) ticks += Number(user) + Number(system);
  }
  return ticks / TICKS;
}

async function walAt({ db }: BenchService): Promise<number> {
  const { rows } = await sql<{ at: string }>`select pg_current_wal_lsn() - '0/0'::pg_lsn as at`.execute(db);
  return Number(rows[0]!.at);
}

/** `work` resolves with the number of transactions that it made. */
export async function databaseCost(
  service: BenchService,
  work: () => Promise<number>,
): Promise<{ cpuSeconds: number; walBytes: number; transactionBytes: number }> {
  const [cpu, wal] = [cpuSeconds(service), await walAt(service)];
  const count = await work();
  const { rows } = await sql<{ bytes: string; count: string }>`select
    pg_total_relation_size('transactions') + pg_total_relation_size('request_keys') as bytes,
    (select count(*) from transactions) as count`.execute(service.db);
  return {
    cpuSeconds: (cpuSeconds(service) - cpu) / count,
    walBytes: ((await walAt(service)) - wal) / count,
    transactionBytes: Number(rows[0]!.bytes) / Number(rows[0]!.count),
  };
}
