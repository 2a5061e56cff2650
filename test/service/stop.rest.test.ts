/** The service as a separate process, stopped during a request. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join, resolve } from 'node:path';
import { test } from 'node:test';
import { createClient } from '../../service/auth/clients.ts';
import { readConfig } from '../../service/config.ts';
import { joinDatabase } from '../../service/database/database.ts';
import type { NativeBalance } from '../../src/api/wallet.ts';
import { poll } from '../waiting.ts';
import { bearer, dataIn, temporaryFolder, TOKEN_PATH } from './harness.ts';
import { logOf } from './logs.ts';
import { program } from './programs.ts';

const ROOT = resolve(import.meta.dirname, '../..');

/** A node that responds on `answer()`. */
async function startSlowNode() {
  let answer = (): void => {};
  const answers = new Promise<void>((done) => {
    answer = done;
  });
  let receive = (): void => {};
  const requested = new Promise<void>((done) => {
    receive = done;
  });
  const server = createServer((request, response) => {
    let text = '';
    request.on('data', (data: Buffer) => {
      text += data.toString();
    });
    request.on('end', () => {
      receive();
      const one = ({ id, method }: { id: number; method: string }) => ({
        jsonrpc: '2.0',
        id,
        result: method === 'eth_chainId' ? '0x7a69' : '0xde0b6b3a7640000',
      });
      const calls = JSON.parse(text) as Parameters<typeof one>[0] | Parameters<typeof one>[0][];
      void answers.then(() =>
        response.end(JSON.stringify(Array.isArray(calls) ? calls.map(one) : one(calls))),
      );
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requested,
    answer: () => answer(),
    close: () => server.close(),
  };
}

/** Whether a process with this id still runs. */
function lives(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

function postmasterOf(data: string): number {
  return Number(readFileSync(join(data, 'postgres/postmaster.pid'), 'utf8').split('\n')[0]);
}

/** Does not depend on TEST_DATABASE_URL: the service here always starts its own database, so once is enough. */
const alone = { skip: process.env['TEST_DATABASE_URL'] !== undefined };

test(
  'SIGTERM to `npm run service` stops the service and its database, and leaves no process behind',
  alone,
  async () => {
    const folder = temporaryFolder();
    const data = dataIn(folder);
    const child = spawn('npm', ['run', 'service'], {
      cwd: ROOT,
      env: { ...process.env, DATA_DIR: data, SERVICE_PORT: '0', LOG_LEVEL: 'info' },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const log = logOf(child);
    const ended = once(child, 'exit');
    await poll(() => {
      assert.equal(child.exitCode, null, log.lines.join(''));
      return log.lines.join('').includes('service is ready');
    }, 'the service');
    const service = Number(/"pid":(\d+)/.exec(log.lines.join(''))![1]);
    const database = postmasterOf(data);
    assert.ok(lives(service) && lives(database));
    child.kill('SIGTERM');
    await ended;
    assert.deepEqual([lives(service), lives(database)], [false, false]);
    rmSync(folder, { recursive: true, force: true });
  },
);

test('SIGTERM while the service starts stops the database that it has started', alone, async () => {
  const folder = temporaryFolder();
  const data = dataIn(folder);
  const child = spawn(process.execPath, program('main'), {
    cwd: ROOT,
    env: { PATH: process.env['PATH'], DATA_DIR: data, SERVICE_PORT: '0' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  logOf(child);
  const ended = once(child, 'exit');
  await poll(() => existsSync(join(data, 'postgres/postmaster.pid')), 'the database');
  child.kill('SIGTERM');
  assert.deepEqual(await ended, [0, null]);
  assert.equal(existsSync(join(data, 'postgres/postmaster.pid')), false);
  rmSync(folder, { recursive: true, force: true });
});

test('SIGTERM: pending requests are answered, no new ones accepted, and the process exits cleanly', async () => {
  const folder = temporaryFolder();
  const node = await startSlowNode();
  const networks = join(folder, 'networks.json');
  const ethereum = {
    id: 'local',
    secretType: 'ETHEREUM',
    name: 'Local',
    kind: 'local',
    chainId: 31337,
    nodes: [node.url],
    tokens: [],
  };
  writeFileSync(networks, JSON.stringify({ customNodes: false, networks: [ethereum], reported: [] }));
  const settings = {
    DATA_DIR: dataIn(folder),
    NETWORKS: networks,
    SERVICE_PORT: '0',
    LOG_LEVEL: 'trace',
  };
  const child = spawn(process.execPath, program('main'), {
    cwd: ROOT,
    env: { PATH: process.env['PATH'], ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const log = logOf(child);
  const ended = once(child, 'exit') as Promise<[number | null, string | null]>;
  const url = await poll(() => {
    assert.equal(child.exitCode, null, log.lines.join(''));
    return /"url":"([^"]+)".*service is ready/.exec(log.lines.join(''))?.[1];
  }, 'the service');
  const { db, close } = await joinDatabase(readConfig(settings), { debug: () => {}, warn: () => {} });
  const { id, secret } = await createClient(db, { name: 'shop', scopes: ['whitelabel', 'view:wallets'] });
  await close();
  const post = async (path: string, body: object, headers = {}) => {
    const init = { method: 'POST', headers: { 'Content-Type': 'application/json', ...headers } };
    return (await (await fetch(url + path, { ...init, body: JSON.stringify(body) })).json()) as never;
  };
  const grant = { grant_type: 'client_credentials', client_id: id, client_secret: secret };
  const { access_token } = await post(TOKEN_PATH, grant);
  const order = { walletType: 'WHITE_LABEL', secretType: 'ETHEREUM', pincode: '739154' };
  const { id: walletId } = await post('/api/wallets', order, bearer(access_token));

  const underWay = fetch(`${url}/api/wallets/${walletId as string}/balance`, {
    headers: bearer(access_token),
  });
  await node.requested;
  child.kill('SIGTERM');
  const taken = (): Promise<boolean> =>
    fetch(`${url}/health`, { headers: { Connection: 'close' } }).then(
      () => true,
      () => false,
    );
  await poll(async () => !(await taken()), 'the end of new connections');
  assert.equal(child.exitCode, null);
  node.answer();
  const response = await underWay;
  assert.equal(response.status, 200);
  assert.equal(response.headers.get('connection'), 'close');
  assert.equal(((await response.json()) as NativeBalance).rawBalance, '1000000000000000000');
  assert.deepEqual(await ended, [0, null]);
  node.close();
  rmSync(folder, { recursive: true, force: true });
});
