/** `npm start` as a process: what it prints, and that it leaves nothing behind. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { describe, it } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { LOCAL_CHAINS, startNetworks } from '../../demo/networks/start-networks.ts';

const ROOT = resolve(import.meta.dirname, '../..');

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

  it('prints where each part answers, and Ctrl-C leaves no process', async (t) => {
    const free = Object.fromEntries(['DEMO', 'FRAME', ...LOCAL_CHAINS].map((name) => [`${name}_PORT`, '0']));
    // A group of its own: a terminal sends Ctrl-C to all of it.
    const child = spawn(process.execPath, ['--import', 'tsx', 'demo/start.ts'], {
      cwd: ROOT,
      env: { ...process.env, ...free },
      detached: true,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    t.after(() => groupIsThere(child.pid!) && process.kill(-child.pid!, 'SIGKILL'));
    const lines: string[] = [];
    for await (const line of createInterface(child.stdout)) {
      lines.push(line);
      if (line === 'ready') break;
    }
    const names = lines
      .slice(0, -1)
      .map((line) => /^(\w+) http:\/\/(localhost|127\.0\.0\.1):\d+$/.exec(line)?.[1]);
    assert.deepEqual(
      names.toSorted(),
      [...LOCAL_CHAINS.map((chain) => chain.toLowerCase()), 'demo', 'frame'].toSorted(),
    );
    const ended = once(child, 'exit');
    process.kill(-child.pid!, 'SIGINT');
    assert.deepEqual(await ended, [0, null]);
    await ends(() => groupIsThere(child.pid!), 'a process of the demo');
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

async function ends(isThere: () => boolean | Promise<boolean>, what: string): Promise<void> {
  for (let tries = 0; tries < 100; tries++) {
    if (!(await isThere())) return;
    await wait(50);
  }
  assert.fail(`${what} outlived its starter`);
}
