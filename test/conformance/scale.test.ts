/** What docs/operating.md says of machines for many wallets is what `bench/scale-simulation.ts` computes from the recorded figures. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { test } from 'node:test';
import { type Figure, type Figures, readFigures } from '../../bench/figures.ts';
import { needOf, rowsASecond, rowsOf, SCENARIOS } from '../../bench/scale-simulation.ts';

const GUIDE = join(resolve(import.meta.dirname, '../..'), 'docs/operating.md');

/** Round figures, with which the machines can be worked out by hand. */
const ROUND = Object.fromEntries(
  Object.entries({
    readsASecond: 10_000,
    pinCpuSeconds: 0.2,
    executeCpuSeconds: 0.01,
    databaseCpuSeconds: 0.004,
    walBytes: 10_000,
    transactionBytes: 4000,
    auditSeconds: 0.0005,
    auditBytes: 1000,
    walletBytes: 2000,
    processBytes: 2e8,
  } satisfies Record<Figure, number>).map(([name, value]) => [
    name,
    { value, meaning: '', date: '2026-01-01', machine: '' },
  ]),
) as Figures;

test('twice the spends need twice the machines, and more than a primary can hold is sharded', () => {
  const [few, , many] = SCENARIOS.map((scenario) => needOf(scenario, ROUND));
  // 23 a second, each 0.01 s, half of them 0.2 s more, and 20 reads: 2.6 cores of 2 that are used of each machine, and a spare one.
  assert.deepEqual([few!.serviceMachines, few!.clusters], [3, 1]);
  // 10⁴ × 0.112 s on 2 cores of each machine; 10⁴ × 0.004 s on 8 of each primary; but 430 TB of transactions and audit log at 4 TB each.
  assert.deepEqual([many!.serviceMachines, many!.clusters], [561, 107]);
  const double = needOf({ name: '', wallets: 1e8, spendsASecond: 2e4 }, ROUND);
  assert.equal(double.serviceMachines, 1121);
});

test('a process has one core for JavaScript, and a cluster one audit log', () => {
  const [, , scenario] = SCENARIOS;
  const but = (name: Figure, value: number): Figures => ({ ...ROUND, [name]: { ...ROUND[name], value } });
  // 10⁴ × 0.052 s of JavaScript, on half a core of each machine.
  assert.equal(needOf(scenario!, but('executeCpuSeconds', 0.05)).serviceMachines, 1041);
  // 5,000 rows a second, each 0.048 s and 0.002 s more for the second server, in half of the time.
  assert.equal(needOf(scenario!, but('auditSeconds', 0.048)).clusters, 500);
});

test('each server archives its own segments, one a minute at least', () => {
  const few = needOf({ name: '', wallets: 0, spendsASecond: 0.001 }, ROUND);
  const backups = (7 * few.storageBytes) / 3;
  assert.equal(Math.round((few.archiveBytes - backups) / 1e9), Math.round((7 * 1440 * 2 ** 24 * 3) / 1e9));
  const [, , scenario] = SCENARIOS;
  const many = needOf(scenario!, ROUND);
  // 1,000 a second on the average, each 10 kB, on three servers, beside seven base backups.
  assert.equal(
    Math.round((many.archiveBytes - (7 * many.storageBytes) / 3) / 1e10),
    Math.round((Math.max(1000 * 1e4, (107 * 2 ** 24) / 60) * 86_400 * 7 * 3) / 1e10),
  );
});

test('the guide has what the recorded figures give', () => {
  const guide = readFileSync(GUIDE, 'utf8');
  for (const row of rowsOf(readFigures())) {
    const cells = row.map((cell) => cell.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`));
    assert.match(guide, new RegExp(String.raw`\| ${cells.join(String.raw` *\| *`)} *\|`), row.join(' | '));
  }
  assert.match(guide, new RegExp(String.raw`at most ${rowsASecond(readFigures())} rows a second`));
});
