/**
 * Hard days of the service, as separate processes: minutes at the limit, a disk that fills up, clocks that are a day off, a disk that is
 * slow, connections that are half open. Each part runs alone by its name: `node --test-name-pattern`, or `PARTS='full disk'`. `MINUTES` sets
 * how long the first one lasts.
 */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, openSync, rmSync, statfsSync, writeFileSync, writeSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { JsonRpcProvider, parseEther } from 'ethers';
import { startEthereum } from '../../demo/networks/ethereum.ts';
import { readConfig } from '../../service/config.ts';
import { joinDatabase } from '../../service/database/database.ts';
import { median } from '../../bench/median.ts';
import { PIN } from '../service/custody-setup.ts';
import { temporaryFolder } from '../service/harness.ts';
import {
  type Application,
  createApplication,
  end,
  payment,
  post,
  type ServiceProcess,
  startProcess,
  tokenAt,
} from '../service/processes-setup.ts';
import { startWire, urlOf } from '../service/wire.ts';
import { pause } from '../waiting.ts';

const MINUTES = Number(process.env['MINUTES'] ?? 10);
const PARTS = process.env['PARTS'];
const MIB = 2 ** 20;
const quiet = { debug: () => {}, warn: () => {} };

function part(name: string, skip: string | false, work: (t: TestContext) => Promise<void>): void {
  test(name, { skip: PARTS !== undefined && !name.includes(PARTS) ? 'not in PARTS' : skip }, work);
}

/** A chain, and the settings of a service on it. */
async function place(t: TestContext) {
  const folder = temporaryFolder();
  const ethereum = await startEthereum({ port: 0 });
  const provider = new JsonRpcProvider(ethereum.url, undefined, { staticNetwork: true, cacheTimeout: -1 });
  t.after(async () => {
    provider.destroy();
    await ethereum.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const networks = join(folder, 'networks.json');
  writeFileSync(networks, JSON.stringify({ networks: [ethereum.network] }));
  const settings = { DATA_DIR: join(folder, 'data'), NETWORKS: networks };
  return { ethereum, provider, folder, settings };
}
type Place = Awaited<ReturnType<typeof place>>;

async function start(t: TestContext, settings: Record<string, string>): Promise<ServiceProcess> {
  const started = await startProcess(settings);
  t.after(() => end(started));
  return started;
}

/** An application whose wallet has a balance; `settings` are those of a service that runs. */
async function newShop({ ethereum, settings }: Place): Promise<Application> {
  const config = readConfig(settings);
  const { db, close } = await joinDatabase(config, quiet);
  const shop = await createApplication(db, config.masterKeyFile).finally(close);
  await ethereum.fund(shop.wallet.address, parseEther('100'));
  return shop;
}

interface Reply {
  status: number;
  code: string | undefined;
  retryAfter: string | null;
  body: Record<string, unknown>;
}

async function call(
  url: string,
  path: string,
  token: Record<string, string>,
  body?: object,
  headers: Record<string, string> = {},
): Promise<Reply> {
  const response = await fetch(url + path, {
    method: body ? 'POST' : 'GET',
    headers: { ...token, ...(body && { 'Content-Type': 'application/json' }), ...headers },
    ...(body && { body: JSON.stringify(body) }),
  });
  const answer = (await response.json()) as Record<string, unknown>;
  return {
    status: response.status,
    code: answer['code'] as string | undefined,
    retryAfter: response.headers.get('retry-after'),
    body: answer,
  };
}

const newWallet = { pincode: PIN, secretType: 'ETHEREUM', walletType: 'WHITE_LABEL' };
const newSession = {
  line_items: [
    { price_data: { product_data: { name: 'Mug' }, unit_amount: 1250, currency: 'EUR' }, quantity: 1 },
  ],
  success_url: 'https://shop.example/thanks',
  cancel_url: 'https://shop.example/cart',
  mode: 'payment',
};

async function ready(url: string): Promise<string> {
  const { database } = (await (await fetch(`${url}/health/ready`)).json()) as { database: string };
  return database;
}

async function metrics(url: string): Promise<{ memory: number; lagP99: number }> {
  const text = await (await fetch(`${url}/metrics`)).text();
  const valueOf = (name: string) => Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1]);
  return {
    memory: valueOf('process_resident_memory_bytes'),
    lagP99: valueOf('nodejs_eventloop_lag_p99_seconds') * 1000,
  };
}

part(
  `memory is flat over ${MINUTES} minutes at the limit, and no request fails inside the service`,
  false,
  async (t) => {
    const at = await place(t);
    const service = await start(t, at.settings);
    const shop = await newShop(at);
    let token = await tokenAt(service.url, shop);
    const until = Date.now() + MINUTES * 60_000;
    const statuses = new Map<string, number>();
    const lap = async (kind: string, work: () => Promise<Reply>): Promise<void> => {
      while (Date.now() < until) {
        const { status } = await work();
        const key = `${kind} ${status}`;
        statuses.set(key, (statuses.get(key) ?? 0) + 1);
        // Its time is over: the next one is in use within a second.
        if (status === 401 || status === 429) await pause(500);
      }
    };
    const times = (count: number, kind: string, work: () => Promise<Reply>) =>
      Array.from({ length: count }, () => lap(kind, work));
    const memory: number[] = [];
    const watching = (async () => {
      while (Date.now() < until) {
        token = await tokenAt(service.url, shop);
        memory.push((await metrics(service.url)).memory / MIB);
        await pause(2000);
      }
    })();
    await Promise.all([
      watching,
      ...times(16, 'list', () => call(service.url, '/api/wallets', token)),
      ...times(8, 'session', () => call(service.url, '/checkout/sessions', token, newSession)),
      ...times(2, 'wallet', () => call(service.url, '/api/wallets', token, newWallet)),
      ...times(4, 'execute', () =>
        call(service.url, '/api/transactions/execute', token, {
          ...payment(shop.wallet, shop.wallet.address, 1),
          pincode: PIN,
        }),
      ),
    ]);
    const fifth = Math.floor(memory.length / 5);
    const [early, late] = [memory.slice(fifth, 2 * fifth), memory.slice(-fifth)].map((part) => median(part));
    t.diagnostic(`${[...statuses].map(([what, count]) => `${what}: ${count}`).join(', ')}`);
    t.diagnostic(
      `memory ${early!.toFixed(0)} MiB after a fifth of the time, ${late!.toFixed(0)} MiB at the end`,
    );
    const failed = [...statuses.keys()].filter((what) => / 5\d\d$/.test(what));
    assert.deepEqual(failed, []);
    assert.ok((statuses.get('execute 200') ?? 0) > 0);
    assert.ok(late! <= early! * 1.15 + 16, `${early} MiB, then ${late} MiB`);
  },
);

/** Writes until `left` bytes are free. */
function fill(folder: string, file: string, left: number): void {
  const ballast = openSync(file, 'a');
  try {
    for (const size of [MIB, 4096]) {
      const bytes = Buffer.alloc(size, 1);
      for (;;) {
        const { bavail, bsize } = statfsSync(folder);
        if (bavail * bsize <= left) return;
        try {
          if (writeSync(ballast, bytes) < size) break;
        } catch {
          break;
        }
      }
    }
  } finally {
    closeSync(ballast);
  }
}

const cannotMount =
  process.platform !== 'linux' || process.getuid?.() !== 0 ? 'only root can mount a small disk' : false;

part(
  'full disk: reads go on, writes are refused, nothing that was acknowledged is lost, and it goes on by itself',
  cannotMount,
  async (t) => {
    const disk = temporaryFolder();
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=512m,mode=755', 'tmpfs', disk]);
    const at = await place(t);
    const ballast = join(disk, 'ballast');
    at.settings.DATA_DIR = join(disk, 'data');
    let service = await startProcess(at.settings);
    t.after(async () => {
      await end(service);
      execFileSync('umount', [disk]);
      rmSync(disk, { recursive: true });
    });
    const shop = await newShop(at);
    let token = await tokenAt(service.url, shop);
    const acknowledged: string[] = [];
    const make = async (): Promise<Reply> => {
      const reply = await call(service.url, '/api/wallets', token, newWallet);
      if (reply.status === 201) acknowledged.push(reply.body['id'] as string);
      return reply;
    };
    for (let n = 0; n < 5; n++) assert.equal((await make()).status, 201);

    fill(disk, ballast, 40 * MIB);
    await pause(1000);
    const refused = await make();
    assert.deepEqual([refused.status, refused.code, refused.retryAfter], [503, 'service.unreachable', '30']);
    assert.equal((await call(service.url, '/api/wallets', token)).status, 200);
    assert.equal(await ready(service.url), 'full');
    token = await tokenAt(service.url, shop);
    assert.equal((await call(service.url, '/api/profile', token)).status, 403);
    rmSync(ballast);
    await pause(1000);
    assert.equal((await make()).status, 201);
    assert.equal(await ready(service.url), 'ok');

    // All of it at once, faster than anybody looks.
    let running = true;
    const load = Array.from({ length: 4 }, async () => {
      while (running) await make().catch(() => {});
    });
    await pause(1000);
    fill(disk, ballast, 0);
    await pause(5000);
    running = false;
    await Promise.all(load);
    rmSync(ballast);
    const survived = service.child.exitCode === null && service.child.signalCode === null;
    t.diagnostic(survived ? 'the process went on' : 'its PostgreSQL ended, and so did the process');
    if (!survived) service = await startProcess(at.settings);
    await pause(1000);
    token = await tokenAt(service.url, shop);
    assert.equal((await make()).status, 201);
    for (const id of acknowledged)
      assert.equal((await call(service.url, `/api/wallets/${id}`, token)).status, 200, id);
  },
);

const FAKETIME = '/usr/lib/x86_64-linux-gnu/faketime/libfaketimeMT.so.1';
const noFaketime = existsSync(FAKETIME) ? false : 'faketime is not installed';
const shifted = (by: string): Record<string, string> => ({
  LD_PRELOAD: FAKETIME,
  FAKETIME: by,
  FAKETIME_DONT_FAKE_MONOTONIC: '1',
});

part(
  'clocks: a process that is a day off beside others does not start, and one that is set while it runs stops serving',
  noFaketime,
  async (t) => {
    const at = await place(t);
    const service = await start(t, at.settings);
    const shop = await newShop(at);
    const beside = {
      NETWORKS: at.settings.NETWORKS,
      DATABASE_URL: await urlOf(at.settings.DATA_DIR),
      MASTER_KEY_FILE: join(at.settings.DATA_DIR, 'master-key.json'),
    };
    for (const [by, words] of [
      ['+1d', /86,400 s ahead of its database's/],
      ['-1d', /86,400 s behind its database's/],
    ] as const)
      await assert.rejects(startProcess({ ...beside, ...shifted(by) }), words);

    // Its clock is in a file that it reads each time.
    const clock = join(at.folder, 'clock');
    writeFileSync(clock, '+0');
    const { FAKETIME: _by, ...fake } = shifted('');
    const set = await start(t, {
      ...beside,
      ...fake,
      FAKETIME_TIMESTAMP_FILE: clock,
      FAKETIME_NO_CACHE: '1',
    });
    const [token, others] = await Promise.all([tokenAt(set.url, shop), tokenAt(service.url, shop)]);
    const pay = (url: string, as: Record<string, string>, value: number, key: string) =>
      call(
        url,
        '/api/transactions/execute',
        as,
        { ...payment(shop.wallet, shop.wallet.address, value), pincode: PIN },
        { 'Idempotency-Key': key },
      );
    const first = await pay(set.url, token, 1, 'one');
    assert.equal(first.status, 200);
    for (const by of ['+1d', '-1d']) {
      writeFileSync(clock, by);
      for (const [value, key] of [
        [1, 'one'],
        [2, 'other'],
      ] as const) {
        const { status, code, retryAfter } = await pay(set.url, token, value, key);
        assert.deepEqual([status, code], [503, 'service.unreachable'], `${by} ${key}`);
        assert.ok(Number(retryAfter) > 0);
      }
      assert.equal(await ready(set.url), 'clock');
      // The others go on.
      const again = await pay(service.url, others, 1, 'one');
      assert.equal(again.body['transactionHash'], first.body['transactionHash']);
    }
    writeFileSync(clock, '+0');
    const again = await pay(set.url, token, 1, 'one');
    assert.equal(again.body['transactionHash'], first.body['transactionHash']);
    assert.equal((await pay(set.url, token, 3, 'three')).status, 200);
    assert.equal(await at.provider.getTransactionCount(shop.wallet.address, 'pending'), 2);
  },
);

part(
  'clocks: a machine that was a day ahead, its database too, signs nothing twice once its clock is set',
  noFaketime,
  async (t) => {
    const at = await place(t);
    let service = await startProcess({ ...at.settings, ...shifted('+1d') });
    t.after(() => end(service));
    const shop = await newShop(at);
    let token = await tokenAt(service.url, shop);
    const opened = await call(service.url, `/api/wallets/${shop.wallet.id}/sessions`, token, {
      pincode: PIN,
      limits: [{ amount: String(parseEther('10')) }],
      transactions: 10,
    });
    assert.equal(opened.status, 201);
    const pay = { ...payment(shop.wallet, shop.wallet.address, 1), pincode: PIN };
    const key = { 'Idempotency-Key': 'one' };
    const first = await call(service.url, '/api/transactions/execute', token, pay, key);
    assert.equal(first.status, 200);
    const early = token;
    await end(service);

    service = await startProcess(at.settings);
    // Of tomorrow.
    assert.equal((await call(service.url, '/api/wallets', early)).status, 401);
    token = await tokenAt(service.url, shop);
    const again = await call(service.url, '/api/transactions/execute', token, pay, key);
    assert.equal(again.body['transactionHash'], first.body['transactionHash']);
    const bySession = await call(service.url, '/api/transactions/execute', token, {
      ...payment(shop.wallet, shop.wallet.address, 2),
      session: opened.body['token'] as string,
    });
    assert.equal(bySession.code, 'wallet.session.ended');
    assert.equal(await at.provider.getTransactionCount(shop.wallet.address, 'pending'), 1);
  },
);

part(
  'slow disk: answers take longer, the event loop does not, and what takes too long is answered 503',
  false,
  async (t) => {
    const at = await place(t);
    await start(t, at.settings);
    const wire = await startWire(await urlOf(at.settings.DATA_DIR));
    t.after(() => wire.cut());
    const service = await start(t, {
      NETWORKS: at.settings.NETWORKS,
      DATABASE_URL: wire.url,
      MASTER_KEY_FILE: join(at.settings.DATA_DIR, 'master-key.json'),
    });
    const shop = await newShop(at);
    const token = await tokenAt(service.url, shop);
    const statuses = new Set<string>();
    /** The event loop's delay meanwhile, in milliseconds. */
    const loadFor = async (ms: number): Promise<number> => {
      await metrics(service.url);
      const until = Date.now() + ms;
      await Promise.all(
        Array.from({ length: 12 }, async (_, n) => {
          while (Date.now() < until) {
            const { status, code } = await (n % 3 === 0
              ? call(service.url, '/api/transactions/execute', token, {
                  ...payment(shop.wallet, shop.wallet.address, 1),
                  pincode: PIN,
                })
              : n % 3 === 1
                ? call(service.url, '/checkout/sessions', token, newSession)
                : call(service.url, '/api/wallets', token));
            statuses.add(status < 300 ? 'done' : `${status} ${code}`);
          }
        }),
      );
      return (await metrics(service.url)).lagP99;
    };
    // What else the machine does delays both.
    const before = await loadFor(10_000);
    wire.delayMs = 100;
    const slow = await loadFor(20_000);
    t.diagnostic(
      `${[...statuses].join(', ')}; event loop p99 ${before.toFixed(0)} ms, and ${slow.toFixed(0)} ms on the slow disk`,
    );
    assert.ok(statuses.has('done'));
    for (const one of statuses)
      assert.match(one, /^(done|503 service\.unreachable|429 .*|409 request\.conflict)$/);
    assert.ok(slow <= 1.5 * before + 20, `${before} ms, then ${slow} ms`);

    wire.silent = true;
    const started = performance.now();
    const late = await call(service.url, '/api/wallets', token);
    t.diagnostic(
      `a silent database: ${late.status} after ${((performance.now() - started) / 1000).toFixed(0)} s`,
    );
    assert.deepEqual([late.status, late.code], [503, 'service.unreachable']);
    wire.cut();
    wire.silent = false;
    wire.delayMs = 0;
    await wire.mend();
    assert.equal((await call(service.url, '/api/wallets', token)).status, 200);
  },
);

part(
  'half-open connections: clients that say nothing, or half of it, are closed in about a minute, and keep nobody waiting',
  false,
  async (t) => {
    const at = await place(t);
    const service = await start(t, at.settings);
    const shop = await newShop(at);
    const token = await tokenAt(service.url, shop);
    const { port } = new URL(service.url);
    const halves = [
      '',
      'GET /api/wal',
      'GET /api/wallets HTTP/1.1\r\nHost: x\r\n',
      'POST /api/wallets HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{',
    ];
    const sockets = await Promise.all(
      Array.from({ length: 1000 }, async (_, n): Promise<Socket> => {
        const socket = connect(Number(port), 'localhost').on('error', () => {});
        await once(socket, 'connect');
        socket.write(halves[n % halves.length]!);
        socket.resume();
        return socket;
      }),
    );
    const { memory: before } = await metrics(service.url);
    const started = Date.now();
    const open = (): number => sockets.filter((socket) => !socket.destroyed).length;
    while (open() > 0 && Date.now() - started < 120_000) {
      const reply = await call(service.url, '/api/wallets', token);
      assert.equal(reply.status, 200);
      await pause(1000);
    }
    t.diagnostic(
      `all closed after ${((Date.now() - started) / 1000).toFixed(0)} s; ${(before / MIB).toFixed(0)} MiB with them`,
    );
    assert.equal(open(), 0);
    const done = await post(
      { url: service.url, token },
      '/api/transactions/execute',
      payment(shop.wallet, shop.wallet.address, 1),
      'after',
    );
    assert.equal(done.status, 200);
  },
);
