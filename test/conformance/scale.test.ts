/** What docs/operating.md says of machines for many wallets is what `bench/scale-simulation.ts` computes from the recorded figures. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { test } from 'node:test';
import { type Figure, type Figures, readFigures } from '../../bench/figures.ts';
import { needOf, rowsOf, SCENARIOS } from '../../bench/scale-simulation.ts';

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
  // 10⁴ × 0.112 s on 2 cores of each machine; 10⁴ × 0.004 s on 8 of each primary; but 380 TB of transactions at 4 TB each.
  assert.deepEqual([many!.serviceMachines, many!.clusters], [561, 95]);
  const double = needOf({ name: '', wallets: 1e8, spendsASecond: 2e4 }, ROUND);
  assert.equal(double.serviceMachines, 1121);
});

test('the guide has what the recorded figures give', () => {
  const guide = readFileSync(GUIDE, 'utf8');
  for (const row of rowsOf(readFigures())) {
    const cells = row.map((cell) => cell.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`));
    assert.match(guide, new RegExp(String.raw`\| ${cells.join(String.raw` *\| *`)} *\|`), row.join(' | '));
  }
});
