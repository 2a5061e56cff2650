/** Every fault of a node, on every chain, in every call that needs one. `CHAINS=TRON`, `CALLS=send` and `FAULTS=HTML` select some. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SecretType } from '../../src/chains/secret-type.ts';
import { FaultTable, type Selection } from '../nodes-fault/table.ts';

const chosen = <T extends string>(name: string): T[] | undefined =>
  process.env[name]?.split(';').map((text) => text.trim() as T);

const given = {
  chains: chosen<SecretType>('CHAINS'),
  calls: chosen('CALLS'),
  faults: chosen('FAULTS'),
};
const selection: Selection = Object.fromEntries(Object.entries(given).filter(([, list]) => list));

test('no fault of a node makes the service say or do what is wrong', async () => {
  const table = await FaultTable.of(selection);
  console.log(table.text);
  assert.deepEqual(table.broken, []);
});
