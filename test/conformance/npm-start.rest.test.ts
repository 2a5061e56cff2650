/** `npm start` as a process: what it prints, and that it leaves nothing behind. */
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { after, describe, it } from 'node:test';
import { LOCAL_CHAINS, startNetworks } from '../../demo/networks/start-networks.ts';
import { type Demo, startDemo } from '../../demo/start.ts';
import { listen } from '../../service/listen.ts';
import { readRaster } from '../../service/wallets/raster.ts';
import { ProjectCopy } from '../pages.ts';
import { temporaryFolder } from '../service/harness.ts';
import { poll } from '../waiting.ts';

const ROOT = resolve(import.meta.dirname, '../..');

/** All that start a service go on with what the one before left: to set up a PostgreSQL costs some seconds. */
const folder = temporaryFolder();
after(() => rmSync(folder, { recursive: true, force: true }));

describe('npm start', () => {
  it('says which chains need litecoind where it is not installed, and starts the others', async () => {
    const installed = process.env['LITECOIND'];
    process.env['LITECOIND'] = '/nowhere/litecoind';
    const said: string[] = [];
    try {
      const running = await startNetworks({
        ports: {},
        chains: ['BITCOIN', 'LITECOIN', 'AETERNITY'],
        onAnswer: ({ network }) => said.push(network.secretType),
        onMissing: (reason) => said.push(reason),
      });
      await Promise.all(running.map((network) => network.close()));
    } finally {
      if (installed === undefined) delete process.env['LITECOIND'];
      else process.env['LITECOIND'] = installed;
    }
    assert.equal(said.length, 2);
    assert.match(said[0]!, /^Bitcoin and Litecoin need litecoind.*apt-get install/);
    assert.equal(said[1], 'AETERNITY');
  });

  it('bundles its server in a fresh clone, in which no catalogue of translations is written yet', () => {
    const { folder: copy } = new ProjectCopy(join(folder, 'copy'), [
      'demo',
      'locales',
      'package-lock.json',
      'package.json',
      'scripts',
      'service',
      'src',
      'test/waiting.ts',
      'tsconfig.json',
    ]);
    rmSync(join(copy, 'src/locales'), { recursive: true });
    const program = "await (await import('./demo/bundle.ts')).loadBundledDemo(); process.exit();";
    execFileSync(process.execPath, ['--import', 'tsx', '--input-type=module', '--eval', program], {
      cwd: copy,
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    assert.ok(existsSync(join(copy, 'src/locales/mail.ts')));
  });

  it('says that real nodes need Go where it is missing', async () => {
    const path = process.env['PATH'];
    process.env['PATH'] = '/nowhere';
    try {
      await assert.rejects(
        startNetworks({ ports: {}, realNodes: true, onAnswer: () => {}, onMissing: () => {} }),
        /^Error: Real nodes are built with Go 1\.26 or newer \(https:\/\/go\.dev\/dl\), and there is no go on the PATH\. Leave --real-nodes out/,
      );
    } finally {
      process.env['PATH'] = path;
    }
  });

  it('prints the URL of each part, and SIGTERM to npm, as from a supervisor, leaves no process', async (t) => {
    const free = Object.fromEntries(
      ['DEMO', 'DOCS', 'FRAME', 'SERVICE', 'THORCHAIN', ...LOCAL_CHAINS].map((name) => [`${name}_PORT`, '0']),
    );
    const child = spawn('npm', ['start', '--silent'], {
      cwd: ROOT,
      env: { ...process.env, ...free, DATA_DIR: join(folder, 'data') },
      detached: true,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    t.after(() => groupIsThere(child.pid!) && process.kill(-child.pid!, 'SIGKILL'));
    const lines: string[] = [];
    for await (const line of createInterface(child.stdout)) {
      lines.push(line);
      if (line === 'ready') break;
    }
    const parts = new Map(
      lines.slice(0, -1).map((line) => {
        const [, name, url] = /^(\w+) (http:\/\/(?:localhost|127\.0\.0\.1):\d+)$/.exec(line) ?? [];
        return [name, url];
      }),
    );
    assert.deepEqual(
      [...parts.keys()].toSorted(),
      [...LOCAL_CHAINS.map((chain) => chain.toLowerCase()), 'demo', 'docs', 'frame', 'service'].toSorted(),
    );
    const health = await fetch(`${parts.get('service')}/health`, {
      headers: { Origin: parts.get('frame')! },
    });
    assert.equal(health.status, 200);
    assert.equal(health.headers.get('access-control-allow-origin'), parts.get('frame'));
    const networks = (await (await fetch(`${parts.get('frame')}/networks.json`)).json()) as {
      service?: string;
      crossChain: { nodes: { url: string }[] }[];
    };
    assert.equal(networks.service, parts.get('service'));
    // THORChain starts with its first request.
    for (const { url } of networks.crossChain[0]!.nodes) {
      const vaults = (await (await fetch(`${url}/thorchain/inbound_addresses`)).json()) as {
        chain: string;
      }[];
      assert.deepEqual(vaults.map(({ chain }) => chain).toSorted(), ['BTC', 'ETH', 'LTC', 'TRON']);
    }
    const lock = join(folder, 'data/postgres/postmaster.pid');
    assert.ok(existsSync(lock), 'its own PostgreSQL runs');
    const ended = once(child, 'exit');
    child.kill('SIGTERM');
    assert.deepEqual(await ended, [0, null]);
    await ends(() => groupIsThere(child.pid!), 'a process of the demo');
    assert.ok(!existsSync(lock), 'and is stopped');
  });
});

describe('the demo with the service', () => {
  const chains = ['ETHEREUM'] as const;

  /** By the shop's back end. Answers what became of it. */
  async function pay({ demo, local }: Demo): Promise<unknown> {
    const post = async (path: string, body: object): Promise<Record<string, string>> => {
      const answer = await fetch(demo + path, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify(body),
      });
      return (await answer.json()) as Record<string, string>;
    };
    const secretType = 'ETHEREUM';
    const pincode = '739154';
    const order = { walletType: 'WHITE_LABEL', secretType, pincode, identifier: 'till' };
    const { id, address } = await post('/back-end/createWallet', { body: order });
    await local.ETHEREUM!.give('ETH', address!);
    const request = { type: 'ETH_TRANSACTION', walletId: id, pincode, to: address, value: '1' };
    const { transactionHash } = await post('/back-end/executeTransaction', { body: request });
    const status = { params: { hash: transactionHash }, query: { secretType } };
    return (await post('/back-end/readTransactionStatus', status))['status'];
  }

  /** What the service tells the wallet of an NFT of the faucet. */
  async function ticket({ local, service }: Demo): Promise<{ name: string; picture: string | undefined }> {
    const { network, contracts, ticketOf, give } = local.ETHEREUM!;
    const id = (await ticketOf!(await give('NFT', '0x71C7656EC7ab88b098defB751B7401B5f6d8976F')))!;
    const at = `${service!.url}/pictures/${network.id}/${contracts['NFT']}`;
    const names = (await (await fetch(`${at}?tokens=${id}`)).json()) as Record<string, string>;
    const picture = Buffer.from(await (await fetch(`${at}/${id}`)).arrayBuffer());
    return { name: names[id]!, picture: readRaster(picture)?.type };
  }

  it('is refused on a folder that is in use, and on a port that is taken, and goes on after a restart', async () => {
    const service = { DATA_DIR: join(folder, 'data') };
    const demo = await startDemo({ chains, service });
    const { clientId } = demo.service!.shop;
    assert.equal(await pay(demo), 'confirmed');
    assert.deepEqual(await ticket(demo), { name: 'Stalls, seat 0', picture: 'image/png' });
    await assert.rejects(startDemo({ chains, service }), /data is used by another service.*DATA_DIR/s);
    await demo.close();
    const busy = await listen((_request, response) => response.end(), { port: 0, setting: '' });
    await assert.rejects(startDemo({ chains, service, ports: { service: busy.port } }), {
      message: `port ${busy.port} (SERVICE_PORT) is taken`,
    });
    await busy.close();
    const again = await startDemo({ chains, service });
    assert.equal(again.service!.shop.clientId, clientId, 'the shop finds its wallets again');
    // The chain is new, and knows nothing of what the wallet sent before.
    assert.equal(await pay(again), 'confirmed');
    await again.close();
  });

  it('says what is wrong with the service’s settings', async () => {
    await assert.rejects(startDemo({ chains, service: { RATE_LIMIT: 'many' } }), /RATE_LIMIT/);
  });
});

describe('a local node', () => {
  it('ends with the process that started it, even if that is killed', async () => {
    const code = `
      import { startAnvil } from './demo/networks/anvil.ts';
      console.log((await startAnvil()).url);
      setInterval(() => {}, 1000);`;
    const child = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', code], {
      cwd: ROOT,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [line] = (await once(child.stdout, 'data')) as [Buffer];
    const url = line.toString().trim();
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_chainId' });
    const answers = () =>
      fetch(url, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body }).then(
        () => true,
        () => false,
      );
    assert.ok(await answers());
    child.kill('SIGKILL');
    await once(child, 'exit');
    await ends(answers, `the node at ${url}`);
  });
});

function groupIsThere(leader: number): boolean {
  try {
    return process.kill(-leader, 0);
  } catch {
    return false;
  }
}

const ends = (isThere: () => boolean | Promise<boolean>, what: string): Promise<boolean> =>
  poll(async () => !(await isThere()), `the end of ${what}, which outlives its starter`);
