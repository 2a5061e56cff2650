/** `npm run service:restore`: what was paid between a back-up and the loss of the data is paid once. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { JsonRpcProvider, parseEther, Wallet as Key } from 'ethers';
import { startEthereum } from '../../demo/networks/ethereum.ts';
import type { ServiceConfig } from '../../service/config.ts';
import { poll } from '../waiting.ts';
import { commandOn } from './command-setup.ts';
import { PIN } from './custody-setup.ts';
import { mined } from './execute-setup.ts';
import { dataIn, temporaryFolder } from './harness.ts';
import {
  type Application,
  createApplication,
  end,
  inDatabase,
  payment,
  type ServiceProcess,
  startProcess,
  tokenAt,
} from './processes-setup.ts';
import { program } from './programs.ts';

interface Answered {
  status: number;
  body: {
    transactionHash?: string;
    code?: string;
    details?: { reason?: string; keyPrefix?: string; transactions?: string[] };
  };
}

let ethereum: Awaited<ReturnType<typeof startEthereum>>;
let provider: JsonRpcProvider;
let folder: string;
let data: string;
let settings: Record<string, string>;
let service: ServiceProcess;
let shop: Application;
let file: string;
/** The wallet's payments to each of them. */
const [first, second, third] = [1, 2, 3].map(() => Key.createRandom().address) as [string, string, string];
const hashes = new Map<string, string>();

before(async () => {
  ethereum = await startEthereum({ port: 0 });
  provider = new JsonRpcProvider(ethereum.url, undefined, { staticNetwork: true, cacheTimeout: -1 });
  folder = temporaryFolder();
  data = dataIn(folder);
  file = join(folder, 'one.backup');
  const networks = join(folder, 'networks.json');
  writeFileSync(networks, JSON.stringify({ networks: [{ ...ethereum.network, nodes: [ethereum.url] }] }));
  settings = { DATA_DIR: data, NETWORKS: networks };
  service = await startProcess(settings);
  shop = await inDatabase(data, (db) => createApplication(db, join(data, 'master-key.json')));
  await ethereum.fund(shop.wallet.address, parseEther('1'));
});
after(async () => {
  await end(service, 'SIGKILL');
  provider.destroy();
  await ethereum.close();
  rmSync(folder, { recursive: true, force: true });
});

const config = () => ({ databaseUrl: undefined, dataFolder: data }) as ServiceConfig;
const command =
  (name: 'backup' | 'restore' | 'audit') =>
  (...args: string[]) =>
    commandOn(name, config, { NETWORKS: settings['NETWORKS']! })(...args);
const restore = command('restore');

/** Once, as `Retry-After` is an answer here. */
async function post(path: string, key: string, body: object): Promise<Response> {
  return fetch(service.url + path, {
    method: 'POST',
    headers: {
      ...(await tokenAt(service.url, shop)),
      'Content-Type': 'application/json',
      'Idempotency-Key': key,
    },
    body: JSON.stringify({ pincode: PIN, ...body }),
  });
}

async function pay(to: string, value: number, key: string): Promise<Answered> {
  const response = await post('/api/transactions/execute', key, payment(shop.wallet, to, value));
  return { status: response.status, body: (await response.json()) as Answered['body'] };
}

async function paid(to: string, value: number, key: string): Promise<string> {
  const { status, body } = await pay(to, value, key);
  assert.equal(status, 200, JSON.stringify(body));
  await mined(provider);
  return body.transactionHash!;
}

/** The disk is lost; the master key was kept elsewhere. */
async function lose(): Promise<void> {
  await end(service, 'SIGKILL');
  const kept = join(folder, 'kept-key.json');
  if (!existsSync(kept)) copyFileSync(join(data, 'master-key.json'), kept);
  const postmaster = Number(readFileSync(join(data, 'postgres/postmaster.pid'), 'utf8').split('\n')[0]);
  process.kill(postmaster, 'SIGQUIT');
  await poll(() => !existsSync(`/proc/${postmaster}`), 'the end of PostgreSQL');
  rmSync(data, { recursive: true });
  mkdirSync(data, { mode: 0o711 });
  copyFileSync(kept, join(data, 'master-key.json'));
}

test('a payment after the back-up is not made again, and others go on', async (t) => {
  hashes.set('A', await paid(first, 5, 'order-a'));
  assert.equal((await command('backup')(file)).code, 0);
  hashes.set('B', await paid(second, 7, 'order-b'));
  await lose();

  await t.test('it is restored into an empty folder only, with the same master key', async () => {
    writeFileSync(join(data, 'notes.txt'), '');
    assert.match(
      (await restore(file)).err,
      /data is not empty: it has notes\.txt\. A back-up is restored into/,
    );
    rmSync(join(data, 'notes.txt'));
    const key = readFileSync(join(data, 'master-key.json'), 'utf8');
    const other = key.replace(/"1": "(.)/, (_, one: string) => `"1": "${one === 'A' ? 'B' : 'A'}`);
    writeFileSync(join(data, 'master-key.json'), other);
    assert.match((await restore(file)).err, /made with another master key: put the one of 20/);
    writeFileSync(join(data, 'master-key.json'), key);
  });

  await t.test('after a kill nothing starts on the folder, and the restore begins again', async () => {
    const child = spawn(process.execPath, [...program('commands/restore'), file], {
      env: { PATH: process.env['PATH'], DATA_DIR: data },
      stdio: 'ignore',
    });
    await poll(() => existsSync(join(data, 'restoring/postgres/postmaster.pid')), 'the new PostgreSQL');
    child.kill('SIGKILL');
    await once(child, 'exit');
    await assert.rejects(
      startProcess(settings),
      /A restore into .* was cut off, or is under way\. Run it again/,
    );
    const { code, out, err } = await restore(file);
    assert.equal(code, 0, err);
    assert.match(err, /An earlier restore into .* was cut off: it begins again/);
    assert.match(out, /\d+ rows of 20.*every table was compared.*\n.*it only reads/);
    assert.match((await restore(file)).err, /is not empty: it has postgres, postgres-password/);
  });

  await t.test('until the operator has accepted it, it reads, and refuses everything else', async () => {
    service = await startProcess(settings);
    const headers = await tokenAt(service.url, shop);
    const list = await fetch(`${service.url}/api/wallets/${shop.wallet.id}/transactions`, { headers });
    assert.equal(list.status, 200);
    assert.deepEqual(
      ((await list.json()) as { transactionHash: string }[]).map((one) => one.transactionHash),
      [hashes.get('A')],
    );
    for (const [to, value, key] of [
      [second, 7, 'order-b'],
      [third, 9, 'order-c'],
    ] as const) {
      const { status, body } = await pay(to, value, key);
      assert.equal(status, 503);
      assert.deepEqual([body.code, body.details?.reason], ['service.unreachable', 'restored']);
    }
    assert.equal(await provider.getTransactionCount(shop.wallet.address), 2);
  });

  await t.test('the report names what the chain has and the back-up had not', async () => {
    const { code, out, err } = await restore('report');
    assert.equal(code, 0, err);
    assert.match(out, /The chains have transactions that the back-up had not:/);
    assert.match(
      out,
      new RegExp(`${shop.wallet.address}  wallet ${shop.wallet.id}  1\\n    ${hashes.get('B')}`),
    );
    assert.equal(out.includes(hashes.get('A')!), false);
    const unsure = await restore('accept');
    assert.equal(unsure.code, 1);
    assert.match(unsure.err, /it was not accepted/);
    assert.equal((await pay(third, 9, 'order-c')).status, 503);
    const accepted = await restore('accept', '--yes');
    assert.equal(accepted.code, 0, accepted.err);
    assert.match(accepted.out, /The service signs and sends again/);
    assert.match((await restore('accept', '--yes')).err, /it is accepted already/);
  });

  await t.test(
    'then its retry is refused with its hash, and the key of an earlier one is known',
    async () => {
      const again = await poll(async () => {
        const answer = await pay(second, 7, 'order-b');
        return answer.status !== 503 && answer;
      }, 'the end of reading only');
      assert.equal(again.status, 409);
      const { reason, transactions, keyPrefix } = again.body.details!;
      assert.deepEqual(
        [again.body.code, reason, transactions],
        ['request.conflict', 'restored', [hashes.get('B')]],
      );
      const batch = await post('/api/transactions/batch', 'order-batch', {
        walletId: shop.wallet.id,
        transactions: [payment(shop.wallet, second, 7)],
      });
      const [{ outcome, error }] = (await batch.json()) as [{ outcome: string; error: { code: string } }];
      assert.deepEqual([outcome, error.code], ['refused', 'request.conflict']);
      assert.equal(await paid(first, 5, 'order-a'), hashes.get('A'));
      await paid(third, 9, 'order-c');
      assert.equal(await provider.getBalance(second), 7n);
      assert.equal(await provider.getTransactionCount(shop.wallet.address), 3);
      // The same once more, by a shop that knows that it is another order.
      await paid(second, 7, `${keyPrefix}order-d`);
      assert.deepEqual(await Promise.all([first, second, third].map((to) => provider.getBalance(to))), [
        5n,
        14n,
        9n,
      ]);
      assert.equal(await provider.getTransactionCount(shop.wallet.address), 4);
    },
  );

  await t.test('the audit log has the restore, and is whole', async () => {
    const { out } = await command('audit')('list');
    assert.match(out, /database\.restored .*\n.*database\.accepted .*"wallets":1,"missing":1,"unknown":0/);
    assert.equal((await command('audit')('verify')).code, 0);
  });
});
