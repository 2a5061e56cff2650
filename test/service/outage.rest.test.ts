/** A database that is unreachable for a while or has a full disk, and nodes that hang. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { isLockTimeout, outageOf } from '../../service/database/outage.ts';
import { restingFetch } from '../../service/networks/resting-nodes.ts';
import { ServiceNetworks } from '../../service/networks/service-networks.ts';
import type { SecretType } from '../../src/chains/secret-type.ts';
import { poll } from '../waiting.ts';
import { PIN, QUICK } from './custody-setup.ts';
import { bearer, startTested, type Tested, TOKEN_PATH } from './harness.ts';
import { startWire, urlOf, type Wire } from './wire.ts';

let owner: Tested;
let service: Tested;
let wire: Wire;
let client: { id: string; secret: string };
let as: Record<string, string>;

before(async () => {
  owner = await startTested({}, { freeBytes: Number.MAX_SAFE_INTEGER });
  const { config } = owner;
  wire = await startWire(config.databaseUrl ?? (await urlOf(config.dataFolder)));
  service = await startTested(
    { databaseUrl: wire.url, masterKeyFile: config.masterKeyFile },
    { pins: { cost: QUICK } },
  );
  client = await service.client(['view:wallets', 'view:profile', 'whitelabel']);
  const { access_token } = (await (await grant()).json()) as { access_token: string };
  as = bearer(access_token);
});
after(async () => {
  await service?.close();
  wire?.cut();
  await owner?.close();
});

function grant(): Promise<Response> {
  return service.post(TOKEN_PATH, {
    grant_type: 'client_credentials',
    client_id: client.id,
    client_secret: client.secret,
  });
}

const order = { pincode: PIN, secretType: 'ETHEREUM', walletType: 'WHITE_LABEL' };
const make = (): Promise<Response> => service.post('/api/wallets', order, as);

function calls(): Promise<Response[]> {
  return Promise.all([
    grant(),
    make(),
    ...['wallets', 'profile'].map((one) => service.get(`/api/${one}`, as)),
  ]);
}

async function health(path = ''): Promise<string> {
  const response = await service.get(`/health${path}`);
  const { database = '' } = (await response.json()) as { database?: string };
  return `${response.status} ${database}`;
}

test('while its database is unreachable the service says when to retry, and afterwards it works again', async () => {
  wire.cut();
  for (let n = 0; n < 2; n++)
    for (const response of await calls()) {
      const { url, status, headers } = response;
      assert.equal(status, 503, url);
      assert.ok(Number(headers.get('retry-after')) > 0, url);
      if (!url.endsWith('token'))
        assert.equal(((await response.json()) as { code: string }).code, 'service.unreachable');
    }
  assert.equal(await health('/live'), '200 ');
  assert.equal(await health('/ready'), '503 unavailable');
  assert.equal(await health(), '503 unavailable');
  await wire.mend();
  assert.deepEqual(
    (await calls()).map(({ status }) => status),
    [200, 201, 200, 200],
  );
  assert.equal(await health('/ready'), '200 ok');
});

test('a process that starts while a pooler finds no primary waits for one', async () => {
  wire.refusals = 1;
  const late = await startTested({ databaseUrl: wire.url, masterKeyFile: owner.config.masterKeyFile });
  assert.equal((await late.get('/health/ready')).status, 200);
  assert.equal(wire.refusals, 0);
  await late.close();
});

test('while the database refuses the password or any connection, the service says when to retry', async () => {
  const { db } = owner.service;
  const role = `rotated_${randomUUID().replaceAll('-', '')}`;
  await sql`create role ${sql.id(role)} login superuser password 'before'`.execute(db);
  const databaseUrl = Object.assign(new URL(wire.url), { username: role, password: 'before' }).href;
  const rotated = await startTested({ databaseUrl, masterKeyFile: owner.config.masterKeyFile });
  const { access_token } = await rotated.tokens();
  const read = (): Promise<Response> => rotated.get('/api/wallets', bearer(access_token));
  assert.equal((await read()).status, 200);
  const change = async (password: string): Promise<void> => {
    await sql`alter role ${sql.id(role)} password ${sql.lit(password)}`.execute(db);
    await sql`select pg_terminate_backend(pid, 5000) from pg_stat_activity where usename = ${role}`.execute(
      db,
    );
  };
  await change('after');
  for (let n = 0; n < 3; n++) {
    const response = await read();
    assert.equal(response.status, 503);
    assert.ok(Number(response.headers.get('retry-after')) > 0);
    assert.equal(((await response.json()) as { code: string }).code, 'service.unreachable');
  }
  assert.equal((await rotated.get('/health/ready')).status, 503);
  // A wrong setting is reported at once.
  await assert.rejects(
    startTested({ databaseUrl, masterKeyFile: owner.config.masterKeyFile }),
    /DATABASE_URL.*password authentication failed/,
  );
  await change('before');
  assert.equal((await read()).status, 200);
  const open = async (isOpen: boolean): Promise<void> => {
    await sql`update pg_database set datallowconn = ${isOpen} where datname = current_database()`.execute(db);
    await sql`select pg_terminate_backend(pid, 5000) from pg_stat_activity where usename = ${role}`.execute(
      db,
    );
  };
  await open(false);
  assert.equal((await read()).status, 503);
  assert.equal((await read()).status, 503);
  await open(true);
  assert.equal((await read()).status, 200);
  await rotated.close();
  await sql`drop role ${sql.id(role)}`.execute(db);
});

test('a database that shuts down during a query causes no internal error', async () => {
  const [response] = await Promise.all([
    make(),
    sql`select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid()
      and datname = current_database() and application_name = 'carabiner'`
      .execute(owner.service.db)
      .catch(() => {}),
  ]);
  assert.ok(response.status === 201 || response.status === 503, String(response.status));
  // The pool discovers closed connections one at a time.
  await poll(async () => {
    const { status } = await make();
    if (status !== 201) assert.equal(status, 503);
    return status === 201;
  }, 'a wallet');
});

test('a query that is cancelled is no internal error, and the request can be repeated', async () => {
  const response = await service.service.db.transaction().execute(async (tx) => {
    await sql`lock table wallets in access exclusive mode`.execute(tx);
    let answer: Response | undefined;
    void make().then((made) => (answer = made));
    while (!answer) {
      await sql`select pg_cancel_backend(pid) from pg_stat_activity where datname = current_database()
        and wait_event_type = 'Lock' and application_name = 'carabiner'`.execute(tx);
      // A transaction goes on seeing the connections that it saw first.
      await sql`select pg_stat_clear_snapshot()`.execute(tx);
    }
    return answer;
  });
  assert.equal(response.status, 503);
  assert.ok(Number(response.headers.get('retry-after')) > 0);
  assert.equal(((await response.json()) as { code: string }).code, 'service.unreachable');
  assert.equal((await make()).status, 201);
});

test('a deadlock, a lock that is not granted and a query that takes too long are no internal errors', () => {
  for (const code of ['40P01', '40001', '55P03', '57014'])
    assert.equal(outageOf({ code, message: 'canceling statement' })?.code, 'service.unreachable', code);
  for (const code of ['23505', '42P01', '22P02', '57000'])
    assert.equal(outageOf({ code, message: 'an error of ours' }), undefined, code);
  // Who sets a time for a lock still knows that it has passed.
  assert.ok(isLockTimeout(outageOf({ code: '55P03', message: 'canceling statement due to lock timeout' })));
  assert.ok(!isLockTimeout(outageOf({ code: '57014', message: 'canceling statement due to user request' })));
});

test('a commit whose wait for a second server was cancelled is not acknowledged', async (t) => {
  if (owner.config.databaseUrl) return t.skip('the other tests use the same server');
  const { db } = owner.service;
  await sql`alter system set synchronous_standby_names = 'nobody'`.execute(db);
  await sql`select pg_reload_conf()`.execute(db);
  const cancel = sql`select pg_cancel_backend(pid) from pg_stat_activity where wait_event = 'SyncRep'`;
  const makeAlone = async (): Promise<Response> => {
    const state: { answer?: Response } = {};
    void make().then((answer) => (state.answer = answer));
    while (!state.answer) await cancel.execute(db);
    return state.answer;
  };
  // PostgreSQL may not have read its new setting yet.
  const response = await poll(async () => {
    const answer = await makeAlone();
    return answer.status !== 201 && answer;
  }, 'a commit that waits');
  assert.equal(response.status, 503);
  assert.ok(Number(response.headers.get('retry-after')) > 0);
  await sql`alter system reset synchronous_standby_names`.execute(db);
  await sql`select pg_reload_conf()`.execute(db);
  assert.equal((await make()).status, 201);
});

test('a replica, where a failover may have led a connection, is no internal error', () => {
  const onReplica = { code: 'XX000', message: 'cannot assign TransactionIds during recovery' };
  assert.equal(outageOf(onReplica)?.code, 'service.unreachable');
  assert.equal(outageOf({ ...onReplica, message: 'could not open file' }), undefined);
});

test('on a full disk writes are refused, and the service is not ready until there is room', async () => {
  const { db } = owner.service;
  await sql`create function full_disk() returns trigger language plpgsql as
    $$ begin raise exception 'could not extend file' using errcode = '53100'; end $$`.execute(db);
  await sql`create function full_disk_event() returns event_trigger language plpgsql as
    $$ begin raise exception 'could not extend file' using errcode = '53100'; end $$`.execute(db);
  await sql`create trigger full_disk before insert on wallets execute function full_disk()`.execute(db);
  await sql`create event trigger full_disk on ddl_command_start when tag in ('CREATE TABLE AS')
    execute function full_disk_event()`.execute(db);
  const response = await make();
  assert.equal(response.status, 503);
  assert.equal(response.headers.get('retry-after'), '30');
  assert.equal(await health('/ready'), '503 full');
  assert.equal(await health('/live'), '200 ');
  await sql`drop event trigger full_disk`.execute(db);
  await sql`drop function full_disk, full_disk_event cascade`.execute(db);
  assert.equal(await health('/ready'), '200 ok');
  assert.equal((await make()).status, 201);
});

test('the service is not ready while the disk of its built-in database is nearly full', async (t) => {
  if (owner.config.databaseUrl) return t.skip('the tests use an external database');
  const response = await owner.get('/health/ready');
  assert.equal(response.status, 503);
  assert.deepEqual(await response.json(), { status: 'unavailable', database: 'full' });
});

// On VeChain each address has its own path.
for (const secretType of ['ETHEREUM', 'VECHAIN'] as const satisfies SecretType[])
  test(`a node of ${secretType} that hangs gets no more requests for a while: reads fail at once`, async (t) => {
    t.mock.method(AbortSignal, 'timeout', () => {
      const late = new AbortController();
      setImmediate(() => late.abort(new DOMException('late', 'TimeoutError')));
      return late.signal;
    });
    let asked = 0;
    t.mock.method(globalThis, 'fetch', (_url: string, { signal }: { signal: AbortSignal }) => {
      asked++;
      return new Promise((_, reject) =>
        signal.addEventListener('abort', () => reject(signal.reason as Error)),
      );
    });
    const networks = new ServiceNetworks({
      customNodes: false,
      reported: [],
      networks: [
        {
          id: 'hanging',
          secretType,
          name: 'Hanging',
          kind: 'testnet',
          chainId: 1,
          genesis: `0x${'1'.repeat(64)}`,
          nodes: ['http://node.example'],
          tokens: [],
        },
      ],
    });
    const { chain, node } = await networks.reach(secretType);
    for (let n = 1; n <= 6; n++)
      await assert.rejects(chain.balance(`0x${String(n).repeat(40)}`, node), { code: 'node.unreachable' });
    const before = asked;
    for (let n = 7; n <= 9; n++)
      await assert.rejects(chain.balance(`0x${String(n).repeat(40)}`, node), { code: 'node.unreachable' });
    assert.equal(asked, before);
  });

test('a node that hangs in the middle of its answers gets no more requests for a while, either', async () => {
  let asked = 0;
  const send = restingFetch(
    (url) => url,
    (_url, init) => {
      asked++;
      const stalled = new ReadableStream({
        start(controller) {
          controller.enqueue(new TextEncoder().encode('{'));
          init!.signal!.addEventListener('abort', () => controller.error(init!.signal!.reason));
        },
      });
      return Promise.resolve(new Response(stalled));
    },
    () => 0,
  );
  const ask = async (): Promise<void> => {
    const late = new AbortController();
    const answer = await send('http://node.example', { signal: late.signal });
    const text = answer.text();
    late.abort(new DOMException('late', 'TimeoutError'));
    await text;
  };
  for (let n = 1; n <= 3; n++) await assert.rejects(ask(), { name: 'TimeoutError' });
  await assert.rejects(ask(), /timed out several times/);
  assert.equal(asked, 3);
});

test('after a while one request tries the node again, and the others follow once it is answered', async () => {
  let time = 0;
  let hangs = true;
  let asked = 0;
  const ended = AbortSignal.abort(new DOMException('late', 'TimeoutError'));
  const send = restingFetch(
    (url) => url,
    () => {
      asked++;
      return hangs ? Promise.reject(ended.reason as Error) : Promise.resolve(new Response('{}'));
    },
    () => time,
  );
  const ask = (): Promise<boolean> =>
    send('http://node.example', { signal: ended })
      .then((answer) => answer.text())
      .then(
        () => true,
        () => false,
      );
  for (let n = 0; n < 5; n++) await ask();
  assert.equal(asked, 3);
  time = 15_000;
  await ask();
  await ask();
  assert.equal(asked, 4);
  time = 30_000;
  hangs = false;
  const tried = ask();
  assert.equal(await ask(), false);
  assert.deepEqual([await tried, await ask(), await ask()], [true, true, true]);
});

test('a node that answers with errors still gets every request', async () => {
  let asked = 0;
  const send = restingFetch(
    (url) => url,
    () => {
      asked++;
      return Promise.reject(new Error('refused'));
    },
  );
  for (let n = 0; n < 5; n++) await send('http://node.example', {}).catch(() => {});
  assert.equal(asked, 5);
});
