/** Reading a wallet's token balances costs the node the same, however many tokens the network lists. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { countTokenReads } from '../../bench/token-reads.ts';
import { closeAll, startNetworks } from '../../demo/networks/start-networks.ts';
import type { LocalNetwork } from '../../demo/networks/local-network.ts';
import { startNodeProxy } from '../../demo/networks/node-proxy.ts';
import { loadChain } from '../../src/chains/index.ts';
import type { SecretType } from '../../src/chains/secret-type.ts';

const CHAINS = ['ETHEREUM', 'GOCHAIN', 'VECHAIN', 'TRON'] as const;
const DEAD = '0x000000000000000000000000000000000000dEaD';

let networks: readonly LocalNetwork[];

before(async () => {
  networks = await startNetworks({ ports: {}, chains: CHAINS, onAnswer: () => {}, onMissing: () => {} });
});
after(() => closeAll(networks ?? []));

const local = (secretType: SecretType): LocalNetwork =>
  networks.find(({ network }) => network.secretType === secretType)!;

// The local VeChain runs each call as a separate transaction: more would take longer than a client waits on a busy machine.
const countsOf = (secretType: SecretType): number[] =>
  secretType === 'VECHAIN' ? [1, 10, 30] : [1, 10, 100, 1000];

for (const secretType of CHAINS)
  test(`${secretType}: ${countsOf(secretType).join(', ')} tokens take one round trip, and up to 100 one request`, async () => {
    const { network } = local(secretType);
    const chain = await loadChain(secretType);
    const owner = await chain.address(await chain.deriveKey(new Uint8Array(64).fill(9), 0), network.kind);
    const [token] = network.tokens.filter(({ address }) => !/^\d+$/.test(address));
    await local(secretType).give(token!.symbol, owner);
    const requests: number[] = [];
    let alone = '';
    for (const many of countsOf(secretType)) {
      const { count, balances } = await countTokenReads(local(secretType), owner, many);
      if (many === 1) alone = balances[0]!;
      assert.equal(balances.length, many);
      assert.equal(balances[0], alone);
      assert.notEqual(balances[0], '0');
      assert.equal(count.rounds, 1);
      requests.push(count.requests);
    }
    assert.deepEqual(requests.slice(0, 3), [1, 1, 1]);
    assert.ok((requests[3] ?? 0) <= 10, String(requests));
  });

test('a token that fails, returns nothing or does not exist has no balance, and the others have theirs', async () => {
  for (const secretType of ['ETHEREUM', 'GOCHAIN'] as const) {
    const { network, contracts, node } = local(secretType) as LocalNetwork & {
      contracts: Record<string, string>;
      node: { requests: unknown[] };
    };
    const chain = await loadChain(secretType);
    await local(secretType).give('DUSD', DEAD);
    const one = network.tokens.find(({ symbol }) => symbol === 'DUSD')!;
    const broken = [contracts['ITEM']!, DEAD, contracts['NFT']!].map((address) => ({ ...one, address }));
    const tokens = [...broken, ...Array.from({ length: 30 }, () => one)];
    const client = chain.node(network);
    await chain.balance(DEAD, client);
    const before = node.requests.length;
    const balances = await chain.tokenBalances(DEAD, tokens, client);
    assert.equal(node.requests.length - before, 1);
    assert.deepEqual(
      balances.slice(0, 3).map(({ rawBalance }) => rawBalance),
      ['0', '0', '0'],
    );
    assert.ok(balances.slice(3).every(({ rawBalance }) => rawBalance === '1000000000000000000000'));
  }
});

test('if a node does not run the batch program, each token is read by a call', async () => {
  const { network } = local('ETHEREUM');
  const [token] = network.tokens;
  const refusing = await startNodeProxy({
    target: network.nodes[0]!,
    port: 0,
    refuse: ({ method, params }) =>
      method === 'eth_call' && !(params![0] as { to?: string }).to
        ? { code: -32602, message: 'to is required' }
        : undefined,
  });
  try {
    const chain = await loadChain('ETHEREUM');
    const node = chain.node({ ...network, nodes: [refusing.url] });
    const tokens = Array.from({ length: 150 }, () => token!);
    const balances = await chain.tokenBalances(DEAD, tokens, node);
    assert.equal(balances.length, 150);
    // The program, the chain id, and two batches.
    assert.ok(refusing.requests.length <= 4);
  } finally {
    await refusing.close();
  }
});
