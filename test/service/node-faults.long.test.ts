/** Nodes that fail or lie, in the calls that move and show money. All: `npm run test:long node-faults`. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FaultTable } from '../nodes-fault/table.ts';

test('a faulty node of Ethereum or Aeternity doubles no payment, fails none that may be sent, and shows no balance of its own', async () => {
  const table = await FaultTable.of({
    chains: ['ETHEREUM', 'AETERNITY'],
    calls: ['balance', 'execute', 'send', 'status'],
    faults: [
      'cut after the request',
      'HTTP 404 of a gateway',
      'HTML',
      'limit, Alchemy 429',
      'the pool is full',
      'used up, after a lost answer, of one behind',
    ],
  });
  assert.deepEqual(table.broken, []);
});
