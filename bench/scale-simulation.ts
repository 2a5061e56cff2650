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
  serviceCores: 4,
  databaseCores: 16,
  /** Most that one primary should hold: a base backup and a new replica must take hours, not days. */
  databaseBytes: 4e12,
  /** Copies of every byte: the primary, the synchronous replica, the third server. */
  copies: 3,
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

  const cpuOfOne =
    of('executeCpuSeconds') + (1 - bySession) * of('pinCpuSeconds') + reads / of('readsASecond');
  const serviceMachines = Math.max(
    3,
    Math.ceil((spendsASecond * cpuOfOne) / (size.serviceCores * use)) + spare,
  );

  const stored = wallets * of('walletBytes') + average * DAY_S * 365 * years * of('transactionBytes');
  const byStorage = stored / size.databaseBytes;
  const byCpu = (spendsASecond * of('databaseCpuSeconds')) / (size.databaseCores * use);
  const clusters = Math.max(1, Math.ceil(byStorage), Math.ceil(byCpu));

  const storageBytes = stored * size.copies;
  const archiveBytes = stored * size.backups + average * DAY_S * size.walDays * of('walBytes');
  const cores = serviceMachines * size.serviceCores + clusters * size.copies * size.databaseCores;
  const eurosAMonth =
    cores * euros.core + (storageBytes / 1e9) * euros.storageGB + (archiveBytes / 1e9) * euros.archiveGB;
  return { spendsASecond, serviceMachines, clusters, storageBytes, archiveBytes, eurosAMonth };
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
  for (const { meaning, value, date, machine } of Object.values(figures))
    console.log(`${meaning}: ${value} (${date}, ${machine})`);
}
