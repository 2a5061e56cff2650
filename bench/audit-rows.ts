/**
 * Rows a second that the audit log takes. Its rows are one chain, so all processes write them one after the other: each under a lock that is
 * held from the reading of the last row to the end of the commit.
 */
import { createHmac, randomBytes, randomUUID } from 'node:crypto';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { table } from '../scripts/sizes.ts';
import { audit } from '../service/audit/audit-log.ts';
import { type Database, openDatabase } from '../service/database/database.ts';
import type { KeyProvider } from '../service/keys/key-provider.ts';
import { note } from './figures.ts';
import { median } from './median.ts';

const CONNECTIONS = [1, 4, 16];
const SECONDS = 2;
const TURNS = 3;
/** Rows for the storage of one. */
const COUNTED = 2000;

interface Case {
  name: string;
  /** What the key takes for a MAC, as Vault does in another process or on another machine. */
  keyMs: number;
  /** What a commit takes longer, as if it waited for the disk of a second server. */
  commitMs: number;
}

const CASES: readonly Case[] = [
  { name: 'master key in a file, one database', keyMs: 0, commitMs: 0 },
  { name: 'master key in a file, a commit takes 2 ms longer', keyMs: 0, commitMs: 2 },
  { name: 'master key in Vault, 2 ms away', keyMs: 2, commitMs: 0 },
  { name: 'master key in Vault, 5 ms away', keyMs: 5, commitMs: 0 },
  { name: 'master key in Vault, 5 ms away, a commit takes 2 ms longer', keyMs: 5, commitMs: 2 },
];

function keysWith(delayMs: number): KeyProvider {
  const key = randomBytes(32);
  return {
    current: () => Promise.resolve(1),
    async mac(label) {
      if (delayMs > 0) await sleep(delayMs);
      return createHmac('sha256', key).update(label).digest();
    },
  };
}

/** As a spend by a session writes it. */
function add(db: Database, keys: KeyProvider): Promise<void> {
  return db.transaction().execute((tx) =>
    audit(tx, keys, {
      actor: randomUUID(),
      action: 'session.used',
      subject: `wallet:${randomUUID()}`,
      details: {
        session: randomUUID(),
        transactionHash: `0x${randomBytes(32).toString('hex')}`,
        amounts: { '': '21000000000001' },
      },
    }),
  );
}

async function rate(db: Database, keys: KeyProvider, connections: number): Promise<number> {
  const started = performance.now();
  const end = started + SECONDS * 1000;
  let count = 0;
  await Promise.all(
    Array.from({ length: connections }, async () => {
      while (performance.now() < end) {
        await add(db, keys);
        count++;
      }
    }),
  );
  return (count * 1000) / (performance.now() - started);
}

export async function auditRows(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'carabiner-bench-'));
  chmodSync(folder, 0o755);
  const settings = {
    databaseUrl: undefined,
    databaseConnections: Math.max(...CONNECTIONS),
    dataFolder: join(folder, 'data'),
  };
  const { db, close } = await openDatabase(settings, { debug: () => {}, warn: () => {} });
  try {
    const rows: string[][] = [];
    for (const { name, keyMs, commitMs } of CASES) {
      await sql`alter system set commit_siblings = 0`.execute(db);
      await sql`alter system set commit_delay = ${sql.lit(commitMs * 1000)}`.execute(db);
      await sql`select pg_reload_conf()`.execute(db);
      const keys = keysWith(keyMs);
      await rate(db, keys, CONNECTIONS.at(-1)!);
      const rates: number[] = [];
      for (const connections of CONNECTIONS) {
        const turns: number[] = [];
        for (let turn = 0; turn < TURNS; turn++) turns.push(await rate(db, keys, connections));
        rates.push(median(turns));
      }
      if (keyMs === 0 && commitMs === 0) note('auditSeconds', 1 / Math.max(...rates));
      rows.push([name, ...rates.map((one) => one.toFixed(0))]);
    }
    await sql`truncate audit_log`.execute(db);
    for (let n = 0; n < COUNTED; n++) await add(db, keysWith(0));
    const { rows: size } = await sql<{ bytes: string }>`
      select pg_total_relation_size('audit_log') as bytes`.execute(db);
    note('auditBytes', Number(size[0]!.bytes) / COUNTED);
    return table(['rows of the audit log a second, by connections', ...CONNECTIONS.map(String)], rows);
  } finally {
    await close();
    rmSync(folder, { recursive: true, force: true });
  }
}
