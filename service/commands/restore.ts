/**
 * `npm run service:restore -- <file>`: restores a back-up into an empty DATA_DIR. `report`: what the chains have had since. `accept [--yes]`:
 * lets the service sign and send again. `mark --at <time>`: says that an own PostgreSQL was restored by other tools.
 */
import { createInterface } from 'node:readline/promises';
import { parseArgs } from 'node:util';
import { markRestored, restoreBackup } from '../backup/restore-backup.ts';
import { readConfig, type ServiceConfig } from '../config.ts';
import type { Database } from '../database/database.ts';
import { answerHelp, type Help, usageOf } from '../help.ts';
import { openKeys } from '../keys/open-keys.ts';
import { ServiceNetworks } from '../networks/service-networks.ts';
import { moveKeys } from '../checkout/wallet-payments/move-keys.ts';
import { accept, type WaitingRestore, waitingRestore } from '../restored/accept.ts';
import { compareWithChains, type Comparison } from '../restored/compare.ts';
import { DATABASE_SETTINGS, runCommand, UsageError, withDatabase } from './command.ts';
import { reportOf } from './restore-report.ts';

const HELP: Help = {
  usage: [
    'service:restore -- <file>',
    'service:restore -- report',
    'service:restore -- accept [--yes]',
    'service:restore -- mark --at <time of the back-up>',
  ],
  does: 'Restores a back-up of the built-in PostgreSQL into an empty DATA_DIR, where the master key must be. Until accept, the service only reads. report compares every wallet with the chains, and accept lets the service sign and send again.',
  options: {
    '--yes': 'accepts without asking',
    '--at': 'as of when another tool restored the PostgreSQL of DATABASE_URL: 2026-01-31T12:00:00Z',
  },
  environment: { ...DATABASE_SETTINGS, NETWORKS: 'path of networks.json, with the nodes that are asked' },
};
const USAGE = usageOf(HELP);

async function restore(file: string, config: ServiceConfig): Promise<string> {
  if (config.databaseUrl)
    throw new Error(
      'DATABASE_URL names a PostgreSQL of your own: restore that with its tools, then run service:restore -- mark --at <time of the back-up> before a service starts on it.',
    );
  const keys = await openKeys(config, { create: false });
  const { rows, at } = await restoreBackup(file, { ...config, keys }, console.error);
  return [
    `${rows} rows of ${at} are in ${config.dataFolder}, and every table was compared with the back-up.`,
    'Start the service: it only reads. Then run service:restore -- report, and service:restore -- accept.',
  ].join('\n');
}

async function mark(at: string | undefined, config: ServiceConfig): Promise<string> {
  const backupAt = new Date(at ?? '');
  if (Number.isNaN(backupAt.getTime()) || backupAt > new Date()) throw new UsageError(USAGE);
  const keys = await openKeys(config, { create: false });
  return withDatabase(async (db) => {
    await markRestored(db, keys, backupAt);
    return 'From their next start, all processes only read until service:restore -- accept.';
  }, config);
}

/** Throws if nothing waits for it. */
async function compare(
  db: Database,
  { networks }: ServiceConfig,
): Promise<{ waiting: WaitingRestore; comparison: Comparison }> {
  const waiting = await waitingRestore(db);
  if (!waiting) throw new Error('the database was not restored, or it is accepted already.');
  return {
    waiting,
    comparison: await compareWithChains(db, new ServiceNetworks(networks), waiting.backupAt),
  };
}

function report(config: ServiceConfig): Promise<string> {
  return withDatabase(async (db) => {
    const { waiting, comparison } = await compare(db, config);
    return reportOf(db, waiting, comparison);
  }, config);
}

async function acceptIt(yes: boolean, config: ServiceConfig): Promise<string> {
  const keys = await openKeys(config, { create: false });
  return withDatabase(async (db) => {
    const { waiting, comparison } = await compare(db, config);
    console.log(await reportOf(db, waiting, comparison));
    if (!yes && !(await agrees())) throw new Error('it was not accepted.');
    const moved = await moveKeys(db, keys, new ServiceNetworks(config.networks));
    for (const { id, network, why } of moved)
      if (why !== undefined) console.log(`Payments to key ${id} on ${network} cannot be looked for: ${why}`);
    await accept(db, keys, waiting, comparison, moved);
    return `The service signs and sends again. New requests of the wallets above are told apart by Idempotency-Keys that begin with ${waiting.id}`;
  }, config);
}

/** False where nobody can answer. */
async function agrees(): Promise<boolean> {
  if (!process.stdin.isTTY) return false;
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  const answer = await terminal.question('Let the service sign and send again? Type yes: ');
  terminal.close();
  return answer.trim() === 'yes';
}

function main(): Promise<string> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { yes: { type: 'boolean', default: false }, at: { type: 'string' } },
  });
  const [what, ...rest] = positionals;
  const isRight = (values.yes ? what === 'accept' : true) && (values.at !== undefined) === (what === 'mark');
  if (what === undefined || rest.length || !isRight) throw new UsageError(USAGE);
  const config = readConfig();
  if (what === 'report') return report(config);
  if (what === 'accept') return acceptIt(values.yes, config);
  if (what === 'mark') return mark(values.at, config);
  return restore(what, config);
}

answerHelp(HELP);
await runCommand(async () => main());
