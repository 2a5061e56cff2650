/** Two processes on one database spend concurrently from one wallet. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { JsonRpcProvider, parseEther, Wallet as Key } from 'ethers';
import { type LocalEthereum, startEthereum } from '../../demo/networks/ethereum.ts';
import { runningCluster } from '../../service/database/embedded/cluster.ts';
import { mined } from './execute-setup.ts';
import { startTested, type Tested } from './harness.ts';
import {
  type Application,
  end,
  createApplication,
  payment,
  post,
  type ServiceProcess,
  startProcess,
  tokenAt,
} from './processes-setup.ts';

const EXECUTES = 40;

let ethereum: LocalEthereum;
let provider: JsonRpcProvider;
let owner: Tested;
let shop: Application;
let processes: (ServiceProcess & { token: Record<string, string> })[] = [];

before(async () => {
  [ethereum, owner] = await Promise.all([startEthereum({ port: 0 }), startTested()]);
  provider = new JsonRpcProvider(ethereum.url, undefined, { staticNetwork: true, cacheTimeout: -1 });
  const { config, folder, service } = owner;
  const networks = join(folder, 'networks.json');
  writeFileSync(networks, JSON.stringify({ networks: [ethereum.network] }));
  shop = await createApplication(service.db, config.masterKeyFile);
  await ethereum.fund(shop.wallet.address, parseEther('10'));
  const settings = {
    DATABASE_URL: config.databaseUrl ?? urlOf((await runningCluster(config.dataFolder))!),
    MASTER_KEY_FILE: config.masterKeyFile,
    NETWORKS: networks,
  };
  processes = await Promise.all(
    [1, 2].map(async () => {
      const started = await startProcess(settings);
      return { ...started, token: await tokenAt(started.url, shop) };
    }),
  );
});

after(async () => {
  provider?.destroy();
  await Promise.all(processes.map((one) => end(one)));
  await owner?.close();
  await ethereum?.close();
});

function urlOf({
  user,
  password,
  host,
  port,
  database,
}: Awaited<ReturnType<typeof runningCluster>> & object) {
  return `postgres://${user}:${String(password)}@${host}:${port}/${database}`;
}

test(`${EXECUTES} concurrent executes: each is sent exactly once, without a nonce gap`, async () => {
  const to = Key.createRandom().address;
  const values = Array.from({ length: EXECUTES }, (_, i) => BigInt(2 ** Math.min(i, 30)) + BigInt(i));
  const answers = await Promise.all(
    values.map((value, i) =>
      post(processes[i % 2]!, '/api/transactions/execute', payment(shop.wallet, to, value), `pay-${i}`),
    ),
  );
  assert.deepEqual(
    answers.filter(({ status }) => status !== 200),
    [],
  );
  assert.equal(new Set(answers.map(({ body }) => body.transactionHash)).size, EXECUTES);
  const total = values.reduce((sum, value) => sum + value, 0n);
  await mined(provider);
  assert.equal(await provider.getBalance(to), total);
  assert.equal(await provider.getTransactionCount(shop.wallet.address, 'latest'), EXECUTES);
  assert.equal(await provider.getTransactionCount(shop.wallet.address, 'pending'), EXECUTES);
});

test('one idempotency key at both processes concurrently is one payment', async () => {
  const to = Key.createRandom().address;
  const before = await provider.getTransactionCount(shop.wallet.address);
  const answers = await Promise.all(
    Array.from({ length: 6 }, (_, i) =>
      post(processes[i % 2]!, '/api/transactions/execute', payment(shop.wallet, to, 5), 'one'),
    ),
  );
  assert.deepEqual(
    answers.map(({ status }) => status),
    Array(6).fill(200),
  );
  assert.equal(new Set(answers.map(({ body }) => body.transactionHash)).size, 1);
  await mined(provider);
  assert.equal(await provider.getBalance(to), 5n);
  assert.equal(await provider.getTransactionCount(shop.wallet.address), before + 1);
});

test('payments refused for lack of funds leave no nonce gap', async () => {
  const before = await provider.getTransactionCount(shop.wallet.address);
  const to = Key.createRandom().address;
  const half = (await provider.getBalance(shop.wallet.address)) / 2n;
  const [first, second, third] = await Promise.all([
    post(processes[0]!, '/api/transactions/execute', payment(shop.wallet, to, (half * 3n) / 4n), 'large-1'),
    post(processes[1]!, '/api/transactions/execute', payment(shop.wallet, to, (half * 3n) / 4n), 'large-2'),
    post(processes[0]!, '/api/transactions/execute', payment(shop.wallet, to, (half * 3n) / 4n), 'large-3'),
  ]);
  const statuses = [first, second, third].map(({ status }) => status).sort();
  assert.deepEqual(statuses, [200, 200, 422]);
  const last = await post(processes[1]!, '/api/transactions/execute', payment(shop.wallet, to, 1), 'last');
  assert.equal(last.status, 200);
  await mined(provider);
  assert.equal(await provider.getTransactionCount(shop.wallet.address), before + 3);
});
