/** The networks of `npm start -- --real-nodes`: each has its faucet and its exchanges. */
import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import type { LocalNetwork } from '../../demo/networks/local-network.ts';
import { closeAll, startNetworks } from '../../demo/networks/start-networks.ts';
import { loadChain } from '../../src/chains/index.ts';
import type { SecretType } from '../../src/chains/secret-type.ts';
import { onNode } from './on-node.ts';

const CHAINS = ['BITCOIN', 'GOCHAIN', 'VECHAIN'] as const satisfies SecretType[];

onNode('npm start -- --real-nodes', () => {
  let networks: LocalNetwork[] = [];
  before(async () => {
    const said: string[] = [];
    networks = await startNetworks({
      ports: {},
      realNodes: true,
      chains: CHAINS,
      onAnswer: () => {},
      onMissing: (reason) => said.push(reason),
    });
    assert.deepEqual(
      said.filter((words) => !words.startsWith('building')),
      [],
    );
  });
  after(() => closeAll(networks));

  for (const name of CHAINS)
    it(`gives of everything that it names on ${name}`, async () => {
      const { network, assets, give } = networks.find((each) => each.network.secretType === name)!;
      assert.equal(network.exchanges?.length ?? 0, { BITCOIN: 0, GOCHAIN: 1, VECHAIN: 2 }[name]);
      const chain = await loadChain(name);
      const address = await chain.address(new Uint8Array(32).fill(9), 'local');
      for (const asset of assets) await give(asset, address);
      const node = chain.node(network);
      assert.ok(BigInt((await chain.balance(address, node)).rawBalance) > 0n);
      const listed = network.tokens.filter(({ symbol }) => assets.includes(symbol));
      for (const { rawBalance } of listed.length ? await chain.tokenBalances(address, listed, node) : [])
        assert.ok(BigInt(rawBalance) > 0n);
    });
});
