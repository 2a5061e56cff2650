/** Which addresses money may be sent to: of the chain, and of the kind of network, where addresses say which. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Issue } from '../../src/base/errors.ts';
import type { Network } from '../../src/chains/network.ts';
import { addressAt, checkPayable } from '../../service/checkout/wallet-payments/payable-address.ts';

const ADDRESSES = {
  BITCOIN: {
    mainnet: 'bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu',
    testnet: 'tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx',
    local: 'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080',
  },
  LITECOIN: {
    mainnet: 'ltc1qjmxnz78nmc8nq77wuxh25n2es7rzm5c2rkk4wh',
  },
} as const;

function problems(secretType: 'BITCOIN' | 'LITECOIN', kind: Network['kind'], text: string): string[] {
  const network: Network = { id: 'one', secretType, name: 'The network', kind, nodes: [], tokens: [] };
  const issues: Issue[] = [];
  const address = addressAt('to', text, secretType, issues);
  if (address !== undefined) checkPayable('to', address, network, issues);
  return issues.map(({ path, message }) => `${path} ${message}`);
}

test('an address of another network of the chain is refused by name', () => {
  const all = Object.entries(ADDRESSES.BITCOIN);
  for (const [kind] of all)
    for (const [of, address] of all)
      assert.deepEqual(
        problems('BITCOIN', kind as Network['kind'], address),
        of === kind ? [] : ['to is an address of another network than The network'],
      );
  assert.deepEqual(problems('LITECOIN', 'mainnet', ADDRESSES.LITECOIN.mainnet), []);
  assert.deepEqual(problems('LITECOIN', 'testnet', ADDRESSES.LITECOIN.mainnet).length, 1);
});

test('an address of another chain is refused', () => {
  for (const text of [
    ADDRESSES.LITECOIN.mainnet,
    `0x${'12'.repeat(20)}`,
    'TPBivseBCFmG8AEL38DJ4hxrFMQteENxDz',
  ])
    assert.equal(problems('BITCOIN', 'mainnet', text).length, 1, text);
});
