import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { after, before, describe, it } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { type Demo, startDemo } from '../../demo/start.ts';
import { Networks } from '../../src/chains/network.ts';

const FREE = { demo: 0, frame: 0, ethereum: 0 };

async function rpc(url: string, method: string, ...params: unknown[]): Promise<unknown> {
  const answer = await fetch(url, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  });
  return ((await answer.json()) as { result: unknown }).result;
}

function address(): string {
  return `0x${[...crypto.getRandomValues(new Uint8Array(20))].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`;
}

describe('the demo', () => {
  let demo: Demo;
  const parts: string[] = [];

  before(async () => {
    demo = await startDemo({ ports: FREE, onAnswer: (name) => parts.push(name) });
  });
  after(() => demo.close());

  async function post(path: string, body: unknown, type = 'application/json') {
    const answer = await fetch(demo.demo + path, {
      method: 'POST',
      headers: { 'Content-Type': type },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });
    return { status: answer.status, body: (await answer.json()) as Record<string, string> };
  }

  function balance(token: string, owner: string): Promise<unknown> {
    const data = `0x70a08231${owner.slice(2).padStart(64, '0')}`;
    return rpc(demo.ethereum.node.url, 'eth_call', { to: token, data }, 'latest');
  }

  it('starts a node, the frame and the page, and tells the frame about the node', async () => {
    assert.deepEqual(parts, ['ethereum', 'frame', 'demo']);
    const networks = Networks.parse(await (await fetch(`${demo.frame}/networks.json`)).json());
    assert.deepEqual(networks.networks[0]?.nodes, [demo.ethereum.node.url]);
    assert.equal(await rpc(demo.ethereum.node.url, 'eth_chainId'), '0x7a69');
    assert.deepEqual(
      networks.networks.filter(({ nodes }) => nodes.length > 0).map(({ chainId }) => chainId),
      [31337],
      'no public node',
    );
  });

  it('gives test ether and both tokens by real transfers', async () => {
    const { contracts, node } = demo.ethereum;
    const owner = address();
    for (const token of ['ETH', 'DUSD', 'DCENT'])
      assert.equal((await post('/faucet', { address: owner, token })).status, 200, token);
    assert.equal(BigInt(String(await rpc(node.url, 'eth_getBalance', owner, 'latest'))), 10n * 10n ** 18n);
    assert.equal(BigInt(String(await balance(contracts.DUSD, owner))), 1000n * 10n ** 18n);
    assert.equal(BigInt(String(await balance(contracts.DCENT, owner))), 1000n * 10n ** 6n);
  });

  it('gives a ticket and items', async () => {
    const owner = address();
    for (const token of ['NFT', 'ITEM']) {
      const { status, body } = await post('/faucet', { address: owner, token });
      assert.equal(status, 200, token);
      assert.match(body['transactionHash']!, /^0x[0-9a-f]{64}$/);
    }
    assert.equal(BigInt(String(await balance(demo.ethereum.contracts.NFT, owner))), 1n);
  });

  it('refuses what is not a faucet request, and too many of them', async () => {
    const bad: [unknown, RegExp][] = [
      ['{', /body/],
      [{}, /address/],
      [{ address: '0x12' }, /address: not an Ethereum address/],
      [{ address: address(), token: 'DOGE' }, /token/],
      [{ address: address(), amount: 1000 }, /amount/],
      ['x'.repeat(2000), /too long/],
    ];
    for (const [body, message] of bad) {
      const answer = await post('/faucet', body);
      assert.equal(answer.status, 400);
      assert.match(answer.body['error']!, message);
    }
    assert.equal((await post('/faucet', { address: address() }, 'text/plain')).status, 415);
    const greedy = address();
    const answers = [];
    for (let i = 0; i < 11; i++) answers.push((await post('/faucet', { address: greedy })).status);
    assert.deepEqual([...new Set(answers.slice(0, 10)), answers[10]], [200, 429]);
  });

  it('takes the node down and brings it back with its state', async () => {
    const { url } = demo.ethereum.node;
    const block = await rpc(url, 'eth_blockNumber');
    await post('/node', { down: true });
    await assert.rejects(rpc(url, 'eth_blockNumber'));
    await post('/node', { down: false });
    assert.equal(await rpc(url, 'eth_blockNumber'), block);
  });

  it('serves the page under a policy that allows nothing inline', async () => {
    for (const url of [demo.demo, demo.demo.replace('localhost', '127.0.0.1')]) {
      const answer = await fetch(`${url}/`);
      assert.equal(answer.status, 200);
      const policy = answer.headers.get('content-security-policy')!;
      assert.match(policy, /require-trusted-types-for 'script'/);
      assert.doesNotMatch(policy, /unsafe-inline|unsafe-eval/);
      const html = await answer.text();
      assert.ok(html.includes(`<script type="module" src="${demo.frame}/connect.js"></script>`));
      assert.doesNotMatch(html, /<style|style=|<script(?![^>]*src=)/);
    }
    for (const path of ['/index.html', '/assets/../../connect.js', '/connect.js', '/frame/'])
      assert.equal((await fetch(demo.demo + path)).status, 404, path);
  });

  it('names a port that is taken', async () => {
    const taken = Number(new URL(demo.frame).port);
    await assert.rejects(startDemo({ ports: { ...FREE, frame: taken } }), {
      message: `port ${taken} (FRAME_PORT) is taken`,
    });
    await assert.rejects(startDemo({ ports: { ...FREE, ethereum: taken } }), {
      message: `port ${taken} (ETHEREUM_PORT) is taken`,
    });
  });

  it('refuses one origin for the page and the frame', async () => {
    await assert.rejects(startDemo({ ports: { demo: 4711, frame: 4711, ethereum: 0 } }), /two origins/);
  });
});

describe('the local node', () => {
  it('ends with the process that started it, even if that is killed', async () => {
    const code = `
      import { startAnvil } from './demo/networks/anvil.ts';
      console.log((await startAnvil()).url);
      setInterval(() => {}, 1000);`;
    const child = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', code], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [line] = (await once(child.stdout, 'data')) as [Buffer];
    const url = line.toString().trim();
    assert.equal(await rpc(url, 'eth_chainId'), '0x7a69');
    child.kill('SIGKILL');
    await once(child, 'exit');
    for (let tries = 0; tries < 100; tries++) {
      const alive = await rpc(url, 'eth_chainId').then(
        () => true,
        () => false,
      );
      if (!alive) return;
      await wait(50);
    }
    assert.fail(`the node at ${url} outlived its starter`);
  });
});
