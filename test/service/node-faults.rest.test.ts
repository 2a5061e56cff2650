/**
 * Nodes that fail or lie, by each client of theirs: GoChain's is that of Ethereum, Litecoin's that of Bitcoin. All chains, faults and calls:
 * `npm run test:long node-faults`.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FaultTable } from '../nodes-fault/table.ts';

test('a faulty node doubles no payment, fails none that may be sent, and shows nothing that it did not read', async () => {
  const table = await FaultTable.of({
    chains: ['AETERNITY', 'BITCOIN', 'ETHEREUM', 'TRON', 'VECHAIN'],
    calls: ['balance', 'tokens', 'execute', 'send', 'status', 'status, reorganised', 'swap'],
    faults: [
      'cut after the request',
      'HTML',
      'a batch of more than 3 refused',
      'limit of every other call',
      'limit, TronGrid',
      'too little, beside a lost answer',
      'used up, after a lost answer, of one behind',
      'behind',
      'a reorganisation',
    ],
  });
  assert.deepEqual(table.broken, []);
});
