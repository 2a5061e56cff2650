/** The `networks.json` that operators can start from. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PUBLIC_NETWORKS } from '../../demo/networks/networks.ts';
import { loadChain, SECRET_TYPES } from '../../src/chains/index.ts';

test('it has a live and a test network of every chain, each with nodes that its wallets can check', () => {
  for (const secretType of SECRET_TYPES) {
    const own = PUBLIC_NETWORKS.networks.filter((network) => network.secretType === secretType);
    // Wallets use the first one.
    assert.equal(own[0]?.kind, 'mainnet', secretType);
    assert.ok(
      own.some(({ kind }) => kind === 'testnet'),
      secretType,
    );
    for (const { id, nodes, explorer, genesis, chainId } of own) {
      assert.ok(nodes.length > 0 && nodes.every((url) => url.startsWith('https://')), id);
      assert.ok(explorer?.endsWith('/'), id);
      assert.ok(genesis !== undefined || chainId !== undefined, id);
    }
  }
  const ids = PUBLIC_NETWORKS.networks.map(({ id }) => id);
  assert.equal(new Set(ids).size, ids.length);
  assert.deepEqual(PUBLIC_NETWORKS.reported, []);
});

test('it lists tokens at addresses of their chains', async () => {
  for (const { secretType, kind, tokens } of PUBLIC_NETWORKS.networks) {
    const chain = await loadChain(secretType);
    for (const { address, symbol } of tokens) assert.ok(chain.isAddress(address, kind), symbol);
  }
});
