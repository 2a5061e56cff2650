/**
 * `npm run test:ha`: the cluster of `deploy/cluster`, in processes of one machine, under load and faults. Nothing that was acknowledged may
 * be lost, and nothing sent twice. At the end: what each fault cost. `HA_ONLY=partition` runs only what has that in its name.
 */
import assert from 'node:assert/strict';
import { execFile, execFileSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { promisify } from 'node:util';
import { JsonRpcProvider, parseEther } from 'ethers';
import pg from 'pg';
import { type LocalEthereum, startEthereum } from '../../demo/networks/ethereum.ts';
import { ROOT } from '../../scripts/command.ts';
import { fileKeys } from '../../service/keys/file-keys.ts';
import { OTHER_PIN, PIN } from '../service/custody-setup.ts';
import { mined } from '../service/execute-setup.ts';
import { TOKEN_PATH } from '../service/harness.ts';
import { end, payment, type ServiceProcess, startProcess } from '../service/processes-setup.ts';
import { pause, poll } from '../waiting.ts';
import {
  Cluster,
  DATABASES,
  type DatabaseMachine,
  missing,
  SERVICES,
  type ServiceMachine,
} from './ha/cluster.ts';
import { type Customer, Load, tokenAt } from './ha/load.ts';

const exec = promisify(execFile);

const PAYERS = 6;
const WRONG_PINS = 200;
const EQUAL_EXECUTES = 100;
const EQUAL_MS = 3000;
const RATE_LIMIT = 2000;
const TOKEN_LIMIT = 300;
/** After a failover: until the checks of HAProxy and the pools have noticed. */
const NOTICE_MS = 6000;

const only = new RegExp(process.env['HA_ONLY'] ?? '');
const skip = missing();

let cluster: Cluster;
let ethereum: LocalEthereum;
let provider: JsonRpcProvider;
let load: Load;
let customer: Customer;
let settings: Record<string, string>;
const services = new Map<ServiceMachine, ServiceProcess>();
/** Lines of the services' logs that say that something was their own fault. */
const internal: string[] = [];
const rows: Record<string, string | number>[] = [];

/** For the table, and at once: a run that ends early has told what it knows. */
function report(row: Record<string, string | number>): void {
  rows.push(row);
  console.log(Object.values(row).join(' | '));
}

const urlOf = (machine: ServiceMachine): string => `http://${cluster.inside(machine)}:4001`;
const URLS = (): string[] => SERVICES.map(urlOf);

async function startService(machine: ServiceMachine, root = ROOT): Promise<void> {
  const started = await startProcess(
    {
      RATE_LIMIT: String(RATE_LIMIT),
      TOKEN_RATE_LIMIT: String(TOKEN_LIMIT),
      ...settings,
      ...cluster.serviceSettings(machine),
      ...OWN(),
    },
    root,
  );
  started.child.stdout!.on('data', (text: string) => {
    if (text.includes('internal.error')) internal.push(text);
  });
  services.set(machine, started);
}

/** In place of the operator's own files. */
const OWN = (): Record<string, string> => ({
  MASTER_KEY_FILE: join(cluster.folder, 'master-key.json'),
  NETWORKS: join(cluster.folder, 'networks.json'),
});

/** The sources as they were before the newest migration; undefined without git. */
function previousRelease(): string | undefined {
  const newest = readdirSync(join(ROOT, 'service/database/migrations')).sort().at(-1)!;
  const git = (...args: string[]): Buffer => execFileSync('git', args, { cwd: ROOT, maxBuffer: 2 ** 29 });
  try {
    const added = ['log', '-1', '--diff-filter=A', '--format=%H'];
    const commit = git(...added, '--', `service/database/migrations/${newest}`)
      .toString()
      .trim();
    const folder = join(cluster.folder, 'previous');
    mkdirSync(folder);
    const input = git('archive', `${commit}^`, 'service', 'src', 'package.json', 'tsconfig.json');
    execFileSync('tar', ['-x', '-C', folder], { input });
    symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
    cpSync(join(ROOT, 'test/long/ha/customer.ts'), join(folder, 'test/long/ha/customer.ts'));
    return folder;
  } catch {
    return undefined;
  }
}

async function onPrimary<T>(work: (client: pg.Client) => Promise<T>, machine?: DatabaseMachine): Promise<T> {
  const at = machine ?? (await cluster.primary())!;
  const client = new pg.Client({ connectionString: cluster.superuserUrl(at) });
  client.on('error', () => {});
  await client.connect();
  return work(client).finally(() => client.end().catch(() => {}));
}

/** An application, with wallets that pay, made by the code of `root`. */
async function createCustomer(name: string, count: number, root = ROOT): Promise<Customer> {
  const script = ['--import', 'tsx', 'test/long/ha/customer.ts', name, String(count)];
  const env = { PATH: process.env['PATH'], DATABASE_URL: cluster.databaseUrl('service1'), PIN, ...OWN() };
  const { stdout } = await exec(process.execPath, script, { cwd: root, env });
  const made = JSON.parse(stdout) as {
    id: string;
    secret: string;
    wallets: { id: string; address: string }[];
  };
  for (const { address } of made.wallets.slice(0, PAYERS)) await ethereum.fund(address, parseEther('100'));
  const ids = made.wallets.map(({ id }) => id);
  return { id: made.id, secret: made.secret, wallets: ids.slice(0, PAYERS), guessed: ids.slice(PAYERS) };
}

before(async () => {
  if (skip) return;
  [ethereum, cluster] = await Promise.all([startEthereum({ port: 0 }), Cluster.start()]);
  provider = new JsonRpcProvider(ethereum.url, undefined, { staticNetwork: true, cacheTimeout: -1 });
  writeFileSync(OWN()['NETWORKS']!, JSON.stringify({ networks: [ethereum.network] }));
  await fileKeys(OWN()['MASTER_KEY_FILE']!, { create: true });
  settings = {};
});

after(async () => {
  if (skip) return;
  if (rows.length) console.table(rows);
  await load?.stop();
  provider?.destroy();
  await Promise.all([...services.values()].map((one) => end(one, 'SIGKILL')));
  await cluster?.stop();
  await ethereum?.close();
});

/** Breaks something; calls `mended` once requests can succeed again. */
type Fault = (mended: () => void) => Promise<unknown>;

/** A fault, and what it cost. */
async function suffer(name: string, fault: Fault): Promise<void> {
  await cluster.whole();
  const from = Date.now();
  const before = load.payments.length;
  let outage = 0;
  load.guess();
  await fault(() => (outage = Date.now() - from)).finally(() => cluster.mend());
  await cluster.whole();
  await pause(4000);
  const until = Date.now();
  // Those acknowledged from here on may still wait for their block.
  const acknowledged = load.payments.filter(({ hash }) => hash !== undefined);
  await mined(provider);
  const { answers, longestGap, lastFailure } = load.seen(from, until);
  const { lost } = await load.onChain(provider, acknowledged);
  const { twice } = await load.onChain(provider);
  report({
    fault: name,
    'over after (s)': seconds(outage),
    'last failure after (s)': seconds(lastFailure),
    'longest without a payment (s)': seconds(longestGap),
    payments: load.payments.length - before,
    answers,
    lost: lost.length,
    'sent twice': twice.length,
  });
  const faults = [...load.unexpected.splice(0), ...internal.splice(0)];
  assert.deepEqual({ lost, twice, faults }, { lost: [], twice: [], faults: [] });
  assert.ok(load.seen(until - 3000, until).longestGap < 3000, 'payments go on');
  assert.ok(
    lastFailure <= outage + NOTICE_MS,
    `a request failed ${lastFailure} ms after the fault, over after ${outage} ms`,
  );
}

function chosen(name: string, work: () => Promise<void>): void {
  if (only.test(name)) test(name, work);
}

const seconds = (ms: number): string => (ms / 1000).toFixed(1);

describe('three databases, three processes of the service', { skip, concurrency: 1 }, () => {
  test('a rolling upgrade from the previous migration: every request is answered', async (t) => {
    const previous = only.test('a rolling upgrade') ? previousRelease() : undefined;
    for (const machine of SERVICES) await startService(machine, previous);
    customer = await createCustomer('shop', PAYERS + 16, previous);
    load = new Load(cluster.front, customer);
    await poll(
      () =>
        fetch(`${cluster.front}/health/ready`).then(
          ({ ok }) => ok,
          () => false,
        ),
      'the front',
    );
    await load.start();
    if (previous === undefined)
      return t.skip('not chosen, or no git history to take the previous release from');
    await pause(2000);
    const from = Date.now();
    for (const machine of SERVICES) {
      await end(services.get(machine)!);
      await startService(machine);
      await pause(2000);
    }
    const { answers, longestGap } = load.seen(from, Date.now());
    report({ fault: 'rolling upgrade', 'longest without a payment (s)': seconds(longestGap), answers });
    assert.match(answers, /^\d+ × 200(, \d+ × 201)?$/);
  });

  chosen('a payment costs the service little beside its PIN', async () => {
    const [from, before] = [await usage(), load.payments.length];
    await pause(10_000);
    const [until, count] = [await usage(), load.payments.length - before];
    report({
      fault: 'nothing',
      payments: count,
      answers: `${(((until.cpu - from.cpu) / count) * 1000).toFixed(0)} ms of CPU each, ${(until.memory / 3 / 2 ** 20).toFixed(0)} MiB a process`,
    });
  });

  chosen('Patroni and HAProxy have the metrics that the dashboard and the alerts name', async () => {
    const files = ['grafana.json', 'alerts.yml'].map((name) =>
      readFileSync(join(ROOT, 'deploy/monitoring', name), 'utf8'),
    );
    const named = new Set(files.join('\n').match(/\b(?:patroni|haproxy)_\w+/g));
    const answers = await Promise.all(
      [`http://${cluster.inside('db1')}:8008`, `http://${cluster.inside('front')}:8405`].map(async (url) =>
        (await fetch(`${url}/metrics`)).text(),
      ),
    );
    const there = new Set(answers.join('\n').match(/\b(?:patroni|haproxy)_\w+/g));
    assert.deepEqual([named.size > 3, [...named].filter((name) => !there.has(name))], [true, []]);
  });

  const faults: [name: string, fault: Fault][] = [
    [
      'the machine of the primary loses power',
      async (mended) => {
        const old = (await cluster.primary())!;
        await cluster.crash(old);
        await cluster.nextPrimary(old);
        mended();
        await pause(3000);
        cluster.startEtcd(old);
        cluster.startPatroni(old);
      },
    ],
    [
      'PostgreSQL of the primary is killed',
      async (mended) => {
        const old = (await cluster.primary())!;
        cluster.crashPostgres(old);
        await cluster.nextPrimary(old);
        mended();
      },
    ],
    [
      'Patroni of the primary is killed, and its PostgreSQL runs on',
      async (mended) => {
        const old = (await cluster.primary())!;
        await cluster.crashPatroni(old);
        await cluster.nextPrimary(old);
        mended();
        await pause(3000);
        cluster.startPatroni(old);
      },
    ],
    [
      'partition: the primary is cut off from everything',
      async (mended) => {
        const old = (await cluster.primary())!;
        cluster.cut((isFrom, to) => isFrom(old) !== (to === old));
        await cluster.nextPrimary(old);
        mended();
        await pause(5000);
        cluster.mend();
      },
    ],
    [
      'partition: the primary is cut off from the other databases, and an operator cancels what hangs there',
      async (mended) => {
        const old = (await cluster.primary())!;
        const others = DATABASES.filter((one) => one !== old);
        cluster.cut((isFrom, to) => (to === old ? others.some(isFrom) : isFrom(old)));
        for (let n = 0; n < 3; n++) {
          await pause(700);
          const cancel = `select pg_cancel_backend(pid) from pg_stat_activity where wait_event = 'SyncRep'`;
          await onPrimary((client) => client.query(cancel), old);
        }
        await cluster.nextPrimary(old);
        mended();
        await pause(5000);
        cluster.mend();
      },
    ],
    [
      'partition: the synchronous replica is cut off',
      async (mended) => {
        const replica = (await cluster.synchronous())!;
        cluster.cut((isFrom, to) => isFrom(replica) !== (to === replica));
        await poll(
          async () => ![undefined, replica].includes(await cluster.synchronous()),
          'another replica',
        );
        mended();
        await pause(3000);
        cluster.mend();
      },
    ],
    [
      'switchover',
      async (mended) => {
        const old = (await cluster.primary())!;
        await cluster.patronictl(
          'switchover',
          '--primary',
          old,
          '--candidate',
          (await cluster.synchronous())!,
          '--force',
        );
        await cluster.nextPrimary(old);
        mended();
      },
    ],
    [
      'etcd has no majority for longer than a primary may be silent',
      async (mended) => {
        const primary = (await cluster.primary())!;
        const others = DATABASES.filter((one) => one !== primary);
        await Promise.all(others.map((one) => cluster.endEtcd(one)));
        await pause(25_000);
        assert.equal(await cluster.primary(), primary);
        for (const one of others) cluster.startEtcd(one);
        mended();
      },
    ],
    [
      'a process of the service is killed',
      async (mended) => {
        await end(services.get('service2')!, 'SIGKILL');
        mended();
        await pause(3000);
        await startService('service2');
      },
    ],
    [
      'PgBouncer is restarted on every machine',
      async (mended) => {
        for (const machine of SERVICES) {
          await cluster.endPooler(machine);
          cluster.startPooler(machine);
          await pause(2000);
        }
        mended();
      },
    ],
  ];
  for (const [name, fault] of faults) chosen(name, () => suffer(name, fault));

  chosen(`${WRONG_PINS} wrong PINs at once over three processes count exactly`, async () => {
    const one = await createCustomer('pins', PAYERS);
    const [id] = one.wallets;
    const tokens = await tokenAt(cluster.front, one);
    const urls = URLS();
    const answers = await Promise.all(
      Array.from({ length: WRONG_PINS }, async (_, n) => {
        const response = await fetch(`${urls[n % 3]}/api/transactions/execute`, {
          method: 'POST',
          headers: { ...tokens, 'Content-Type': 'application/json' },
          body: JSON.stringify({ ...payment({ id: id! }, `0x${'11'.repeat(20)}`, 1), pincode: OTHER_PIN }),
        });
        const { code, details } = (await response.json()) as {
          code: string;
          details?: { attemptsLeft?: number };
        };
        return [code, details?.attemptsLeft].join(' ').trim();
      }),
    );
    const wrong = answers.filter((answer) => answer.startsWith('pincode.wrong')).sort();
    assert.deepEqual(
      wrong,
      [1, 2, 3, 4].map((left) => `pincode.wrong ${left}`),
    );
    // Some may be told to come back: they are not counted either.
    const others = answers.filter((answer) => !answer.startsWith('pincode.wrong'));
    const expected = /^(pincode\.locked|service\.unreachable|request\.(rate-limited|conflict))$/;
    assert.deepEqual(
      others.filter((answer) => !expected.test(answer)),
      [],
    );
    assert.equal(await wrongOf(id!), 5);
  });

  chosen(
    `${EQUAL_EXECUTES} equal executes over three processes are one transaction, in under ${EQUAL_MS / 1000} s`,
    async () => {
      const token = await tokenAt(cluster.front, customer);
      const order = { walletType: 'WHITE_LABEL', secretType: 'ETHEREUM', pincode: PIN, identifier: 'equal' };
      const headers = { ...token, 'Content-Type': 'application/json' };
      const created = await fetch(`${cluster.front}/api/wallets`, {
        method: 'POST',
        headers,
        body: JSON.stringify(order),
      });
      const wallet = (await created.json()) as { id: string; address: string };
      await ethereum.fund(wallet.address, parseEther('1'));
      const to = `0x${'22'.repeat(20)}`;
      const urls = URLS();
      const from = Date.now();
      const hashes = await Promise.all(
        Array.from({ length: EQUAL_EXECUTES }, async (_, n) => {
          const response = await fetch(`${urls[n % 3]}/api/transactions/execute`, {
            method: 'POST',
            headers: { ...headers, 'Idempotency-Key': 'equal' },
            body: JSON.stringify({ ...payment(wallet, to, 5), pincode: PIN }),
          });
          const body = (await response.json()) as { transactionHash?: string; code?: string };
          return body.transactionHash ?? body.code;
        }),
      );
      const took = Date.now() - from;
      assert.equal(new Set(hashes).size, 1, [...new Set(hashes)].join(', '));
      assert.match(hashes[0]!, /^0x/);
      await mined(provider);
      assert.equal(await provider.getBalance(to), 5n);
      assert.equal(await provider.getTransactionCount(wallet.address), 1);
      report({ fault: `${EQUAL_EXECUTES} equal executes`, 'longest without a payment (s)': seconds(took) });
      assert.ok(took < EQUAL_MS, `${took} ms`);
    },
  );

  chosen('limits over three processes are at most 1.1 times the limit', async () => {
    const one = await createCustomer('limits', 0);
    const token = await tokenAt(cluster.front, one);
    const urls = URLS();
    const allowed = await allowedOf(RATE_LIMIT * 1.25, async (n) => {
      // Of another address than the load.
      const headers = { ...token, 'X-Forwarded-For': '198.51.100.7' };
      const response = await fetch(`${urls[n % 3]}/api/wallets?secretType=ETHEREUM`, { headers });
      await response.arrayBuffer();
      return response.status;
    });
    report({ fault: `${RATE_LIMIT} reads a minute`, answers: `${allowed} allowed` });
    assert.ok(allowed <= RATE_LIMIT * 1.1 && allowed >= RATE_LIMIT * 0.9, `${allowed} of ${RATE_LIMIT}`);
    const tokens = await allowedOf(400, async (n) => {
      const response = await fetch(urls[n % 3] + TOKEN_PATH, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', 'X-Forwarded-For': '198.51.100.8' },
        body: JSON.stringify({
          grant_type: 'client_credentials',
          client_id: one.id,
          client_secret: one.secret,
        }),
      });
      await response.arrayBuffer();
      return response.status;
    });
    // One more was for the reads.
    assert.ok(tokens >= TOKEN_LIMIT - 1 && tokens <= TOKEN_LIMIT, `${tokens} of ${TOKEN_LIMIT}`);
  });

  chosen('a restore from base backup and WAL has everything that was acknowledged', async () => {
    const primary = (await cluster.primary())!;
    const { url, env } = cluster.replication(primary);
    const backup = await cluster.script('base-backup', [cluster.backups, url], env);
    await pause(3000);
    await load.stop();
    const segment = await onPrimary(async (client) => {
      const { rows: found } = await client.query<{ name: string }>(
        'select pg_walfile_name(pg_switch_wal()) as name',
      );
      return found[0]!.name;
    });
    await poll(() => existsSync(join(cluster.archive, primary, segment)), 'the last segment in the archive');
    const from = Date.now();
    const folder = join(cluster.folder, 'front/restored');
    await cluster.script('restore', [backup, cluster.archive, folder]);
    const databaseUrl = await cluster.startRestored(folder);
    await poll(() => isWritable(databaseUrl), 'the restored database');
    const restored = await startProcess({
      ...settings,
      ...OWN(),
      DATABASE_URL: databaseUrl,
      SERVICE_URL: 'https://wallet.example',
      SERVICE_HOST: cluster.inside('front'),
      SERVICE_PORT: '4001',
    });
    const took = Date.now() - from;
    const forgotten = await load.forgotten(`http://${cluster.inside('front')}:4001`);
    await end(restored);
    report({ fault: 'restore', 'longest without a payment (s)': seconds(took), lost: forgotten.length });
    assert.deepEqual(forgotten, []);
  });

  test('in the end the service knows everything that it acknowledged, and the chain has each payment once', async () => {
    await load.stop();
    await mined(provider);
    assert.deepEqual(await load.onChain(provider), { lost: [], twice: [] });
    assert.deepEqual(await load.forgotten(cluster.front), []);
    for (const { wallet, acknowledged, unknown } of load.guesses) {
      const wrong = await wrongOf(wallet);
      assert.ok(
        wrong >= acknowledged && wrong <= acknowledged + unknown,
        `${wrong}: ${acknowledged} and ${unknown}`,
      );
    }
    report({
      fault: 'in the end',
      payments: load.payments.length,
      answers: `${load.created.length} wallets, ${load.guesses.length} PINs`,
      lost: 0,
      'sent twice': 0,
    });
    assert.deepEqual(internal, []);
  });
});

/** CPU seconds and memory of all three processes, of their own metrics. */
async function usage(): Promise<{ cpu: number; memory: number }> {
  const all = { cpu: 0, memory: 0 };
  for (const machine of SERVICES) {
    const text = await (await fetch(`http://${cluster.inside(machine)}:9464/metrics`)).text();
    all.cpu += Number(/^process_cpu_seconds_total (\S+)$/m.exec(text)![1]);
    all.memory += Number(/^process_resident_memory_bytes (\S+)$/m.exec(text)![1]);
  }
  return all;
}

/** Asks that often at once, 100 at a time; returns how many were answered. */
async function allowedOf(count: number, ask: (n: number) => Promise<number>): Promise<number> {
  let [next, allowed] = [0, 0];
  const work = async (): Promise<void> => {
    while (next < count) {
      const status = await ask(next++);
      if (status === 200) allowed++;
      else assert.equal(status, 429);
    }
  };
  await Promise.all(Array.from({ length: 100 }, work));
  return allowed;
}

async function wrongOf(wallet: string): Promise<number> {
  return onPrimary(async (client) => {
    const { rows: found } = await client.query<{ wrong: number }>(
      'select tries - cleared as wrong from pins where id = $1',
      [wallet],
    );
    return found[0]!.wrong;
  });
}

async function isWritable(databaseUrl: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: databaseUrl });
  client.on('error', () => {});
  try {
    await client.connect();
    const { rows: found } = await client.query<{ locked: boolean }>('select pg_is_in_recovery() as locked');
    return !found[0]!.locked;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => {});
  }
}
