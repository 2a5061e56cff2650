/**
 * `npx tsx bench/scale-simulation.ts`: machines, storage and cost of the service for many wallets and many spends, computed from the recorded
 * figures of `bench/figures.json` and the assumptions below. It is arithmetic, not a measurement: nothing of that size was run.
 */
import { pathToFileURL } from 'node:url';
import { table } from '../scripts/sizes.ts';
import { type Figures, readFigures } from './figures.ts';

/** Change them to your own; docs/operating.md repeats them with the result. */
export const ASSUMPTIONS = {
  /** Of each wallet. */
  spendsADay: 0.2,
  /** The busiest second beside the average one. */
  peak: 10,
  /** Share of spends by a session, which hashes no PIN. */
  bySession: 0.5,
  /** Reads for each spend. */
  reads: 20,
  /** Years that transactions are kept. */
  years: 3,
  /** Share of a processor that is used at the peak; the rest is for failures, and for what nobody thought of. */
  use: 0.5,
  /** One of this many service machines may be missing. */
  spare: 1,
  /** Each with one process, whose JavaScript runs on one of them. */
  serviceCores: 4,
  databaseCores: 16,
  /** Most that one primary should hold: a base backup and a new replica must take hours, not days. */
  databaseBytes: 4e12,
  /** Copies of every byte: the primary, the synchronous replica, the third server. */
  copies: 3,
  /** Time for which the audit log is locked for a row, beyond what was measured: a commit's way to a second server, and Vault's answer. */
  replicaSeconds: 0.002,
  keySeconds: 0,
  /** A segment is archived when it is full, and after `archive_timeout` at the latest; by each server of a cluster. */
  segmentBytes: 2 ** 24,
  archiveSeconds: 60,
  /** Days of WAL, and base backups, that are kept. */
  walDays: 7,
  backups: 7,
  /** A month, in euros: list prices of large European hosts in 2026, rounded up. */
  euros: { core: 20, storageGB: 0.1, archiveGB: 0.02 },
} as const;

export interface Scenario {
  name: string;
  wallets: number;
  /** At the peak; absent: of the wallets. */
  spendsASecond?: number;
}

export const SCENARIOS: readonly Scenario[] = [
  { name: '10⁶ wallets', wallets: 1e6 },
  { name: '10⁸ wallets', wallets: 1e8 },
  { name: '10⁸ wallets, 10⁴ spends a second', wallets: 1e8, spendsASecond: 1e4 },
];

export interface Need {
  /** At the peak. */
  spendsASecond: number;
  serviceMachines: number;
  /** Groups of a primary and its replicas, each with a part of the accounts. */
  clusters: number;
  storageBytes: number;
  archiveBytes: number;
  eurosAMonth: number;
}

const DAY_S = 86_400;

export function needOf({ wallets, spendsASecond: given }: Scenario, figures: Figures): Need {
  const { spendsADay, peak, bySession, reads, years, use, spare, euros, ...size } = ASSUMPTIONS;
  const of = (name: keyof Figures): number => figures[name].value;
  const spendsASecond = given ?? (wallets * spendsADay * peak) / DAY_S;
  const average = spendsASecond / peak;

  const onOneCore = of('executeCpuSeconds') + reads / of('readsASecond');
  const onAnyCore = onOneCore + (1 - bySession) * of('pinCpuSeconds');
  const busiest = Math.max(onOneCore, onAnyCore / size.serviceCores);
  const serviceMachines = Math.max(3, Math.ceil((spendsASecond * busiest) / use) + spare);

  const ofOne = of('transactionBytes') + bySession * of('auditBytes');
  const stored = wallets * of('walletBytes') + average * DAY_S * 365 * years * ofOne;
  const byStorage = stored / size.databaseBytes;
  const byCpu = (spendsASecond * of('databaseCpuSeconds')) / (size.databaseCores * use);
  // Spends by a session are rows of one chain in each cluster.
  const byAudit = (spendsASecond * bySession * auditSeconds(figures)) / use;
  const clusters = Math.max(1, Math.ceil(byStorage), Math.ceil(byCpu), Math.ceil(byAudit));

  const storageBytes = stored * size.copies;
  const walADay = Math.max(
    average * DAY_S * of('walBytes'),
    (clusters * size.segmentBytes * DAY_S) / size.archiveSeconds,
  );
  const archiveBytes = stored * size.backups + walADay * size.walDays * size.copies;
  const cores = serviceMachines * size.serviceCores + clusters * size.copies * size.databaseCores;
  const eurosAMonth =
    cores * euros.core + (storageBytes / 1e9) * euros.storageGB + (archiveBytes / 1e9) * euros.archiveGB;
  return { spendsASecond, serviceMachines, clusters, storageBytes, archiveBytes, eurosAMonth };
}

/** For which the audit log of a cluster is locked for a row. */
function auditSeconds(figures: Figures): number {
  return figures.auditSeconds.value + ASSUMPTIONS.replicaSeconds + ASSUMPTIONS.keySeconds;
}

/** Of the audit log of one cluster. */
export function rowsASecond(figures: Figures): string {
  return round(1 / auditSeconds(figures));
}

/** With two significant digits: more would pretend to a precision that none of it has. */
function round(value: number): string {
  return Number(value.toPrecision(2)).toLocaleString('en', { maximumFractionDigits: 2 });
}

export function rowsOf(figures: Figures): string[][] {
  return SCENARIOS.map((scenario) => {
    const need = needOf(scenario, figures);
    return [
      scenario.name,
      round(need.spendsASecond),
      round(need.serviceMachines),
      need.clusters === 1 ? '1' : `${round(need.clusters)}, sharded`,
      `${round(need.storageBytes / 1e12)} TB`,
      `${round(need.archiveBytes / 1e12)} TB`,
      round(need.eurosAMonth),
    ];
  });
}

export const HEADS = [
  'scale',
  'spends a second, peak',
  'service machines',
  'database clusters',
  'storage',
  'archive',
  'euros a month',
];

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const figures = readFigures();
  console.log(table(HEADS, rowsOf(figures)));
  console.log(`The audit log of one cluster takes at most ${rowsASecond(figures)} rows a second.`);
  for (const { meaning, value, date, machine } of Object.values(figures))
    console.log(`${meaning}: ${value} (${date}, ${machine})`);
}
