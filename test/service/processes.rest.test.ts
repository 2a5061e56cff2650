/** Three processes on one database spend concurrently from one wallet, count wrong PINs, and limit requests. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { JsonRpcProvider, parseEther, Wallet as Key } from 'ethers';
import { type LocalEthereum, startEthereum } from '../../demo/networks/ethereum.ts';
import { runningCluster } from '../../service/database/embedded/cluster.ts';
import { pause } from '../waiting.ts';
import { mined } from './execute-setup.ts';
import { OTHER_PIN } from './custody-setup.ts';
import { startTested, type Tested, TOKEN_PATH } from './harness.ts';
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
const EQUAL = 100;
const WRONG = 200;
/** Requests a minute of an address and of an account; the tests before that of the limit stay below it. */
const LIMIT = 600;
const TOKEN_LIMIT = 60;

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
    RATE_LIMIT: String(LIMIT),
    TOKEN_RATE_LIMIT: String(TOKEN_LIMIT),
    TRUST_PROXY: '127.0.0.1/32',
  };
  processes = await Promise.all(
    [1, 2, 3].map(async () => {
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

/** Of the wallet's PIN: all, and those up to the last right one. */
function attempts({ wallet }: Application): Promise<{ tries: number; cleared: number }> {
  return owner.service.db
    .selectFrom('pins')
    .select(['tries', 'cleared'])
    .where('id', '=', wallet.id)
    .executeTakeFirstOrThrow();
}

test(`${EXECUTES} concurrent executes: each is sent exactly once, without a nonce gap`, async () => {
  const to = Key.createRandom().address;
  const values = Array.from({ length: EXECUTES }, (_, i) => BigInt(2 ** Math.min(i, 30)) + BigInt(i));
  const answers = await Promise.all(
    values.map((value, i) =>
      post(processes[i % 3]!, '/api/transactions/execute', payment(shop.wallet, to, value), `pay-${i}`),
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

test(`${EQUAL} equal executes over three processes are one payment, for which each process checks the PIN at most once`, async () => {
  const to = Key.createRandom().address;
  const before = await provider.getTransactionCount(shop.wallet.address);
  const { tries } = await attempts(shop);
  const answers = await Promise.all(
    Array.from({ length: EQUAL }, (_, i) =>
      post(processes[i % 3]!, '/api/transactions/execute', payment(shop.wallet, to, 5), 'one'),
    ),
  );
  assert.deepEqual(
    answers.map(({ status }) => status),
    Array(EQUAL).fill(200),
  );
  assert.equal(new Set(answers.map(({ body }) => body.transactionHash)).size, 1);
  await mined(provider);
  assert.equal(await provider.getBalance(to), 5n);
  assert.equal(await provider.getTransactionCount(shop.wallet.address), before + 1);
  assert.ok((await attempts(shop)).tries - tries <= processes.length);
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

test(`${WRONG} wrong PINs in parallel over three processes count exactly, and lock`, async () => {
  const other = await createApplication(owner.service.db, owner.config.masterKeyFile);
  const as = await Promise.all(processes.map(async ({ url }) => ({ url, token: await tokenAt(url, other) })));
  let lost = 0;
  const codes = await Promise.all(
    Array.from({ length: WRONG }, async (_, i) => {
      const { url, token } = as[i % as.length]!;
      for (;;) {
        const response = await fetch(`${url}/api/transactions/execute`, {
          method: 'POST',
          headers: { ...token, 'Content-Type': 'application/json' },
          // Each is another one, so that none waits for the answer to another.
          body: JSON.stringify({ ...payment(other.wallet, other.wallet.address, i), pincode: OTHER_PIN }),
        });
        const { code } = (await response.json()) as { code: string };
        // On a busy machine some wait too long for a connection to the database, and try again.
        if (code !== 'service.unreachable') return code;
        lost++;
      }
    }),
  );
  const counts = Object.fromEntries(
    [...new Set(codes)].map((code) => [code, codes.filter((one) => one === code).length]),
  );
  const { tries, cleared } = await attempts(other);
  // Four are free; the fifth locks for longer than this takes. What came beyond the queue was not tried.
  assert.deepEqual([tries, cleared], [5, 0], JSON.stringify(counts));
  const wrong = counts['pincode.wrong'] ?? 0;
  // One that was counted may have got no other answer than to try again.
  assert.ok(wrong <= 4 && wrong >= 4 - lost, `${lost} lost, ${JSON.stringify(counts)}`);
  const refused = (counts['pincode.locked'] ?? 0) + (counts['request.rate-limited'] ?? 0);
  assert.equal(refused, WRONG - wrong, JSON.stringify(counts));
});

/** While this works, the minute of every limit is not over, however long it takes. */
async function inOneMinute<T>(work: () => Promise<T>): Promise<T> {
  let working = true;
  const hold = async (): Promise<void> => {
    while (working) {
      await sql`update rate_counters set started_at = clock_timestamp()`.execute(owner.service.db);
      await pause(100);
    }
  };
  const [answer] = await Promise.all([work().finally(() => (working = false)), hold()]);
  return answer;
}

/** How many of these requests, sent to the three processes in turn from another address, were not refused for their number. */
async function allowed(
  count: number,
  request: (url: string, headers: Record<string, string>) => Promise<Response>,
) {
  const forwarded = { 'X-Forwarded-For': '192.0.2.7' };
  const statuses = await Promise.all(
    Array.from({ length: count }, async (_, i) => {
      const response = await request(processes[i % processes.length]!.url, forwarded);
      await response.arrayBuffer();
      return response.status;
    }),
  );
  return statuses.filter((status) => status !== 429).length;
}

test('three processes together allow no more requests than the limit, and exactly as many where each is counted', async () => {
  const caller = await createApplication(owner.service.db, owner.config.masterKeyFile);
  const token = await tokenAt(processes[0]!.url, caller);
  const read = await inOneMinute(() =>
    allowed(LIMIT * 1.5, (url, headers) =>
      fetch(`${url}/api/wallets`, { headers: { ...token, ...headers } }),
    ),
  );
  assert.ok(read <= LIMIT * 1.1 && read >= LIMIT * 0.9, String(read));
  const grants = await inOneMinute(() =>
    allowed(TOKEN_LIMIT * 2, (url, headers) =>
      fetch(url + TOKEN_PATH, {
        method: 'POST',
        headers,
        body: new URLSearchParams({ grant_type: 'client_credentials' }),
      }),
    ),
  );
  assert.equal(grants, TOKEN_LIMIT);
});
