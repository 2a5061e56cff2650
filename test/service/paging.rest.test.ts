/** Lists, page by page: wallet 1,001 is never dropped silently. */
import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { after, before, test, type TestContext } from 'node:test';
import { sql } from 'kysely';
import { apiClient } from '../../src/api/client.ts';
import { listWallets } from '../../src/api/routes.ts';
import type { Wallet } from '../../src/api/wallet.ts';
import { pause, poll } from '../waiting.ts';
import { PIN } from './custody-setup.ts';
import { bearer, nextPage, startTested, type Tested } from './harness.ts';

const MANY = 2500;

let service: Tested;
let client: { id: string; secret: string };
let token: string;

before(async () => {
  service = await startTested();
  client = await service.client(['view:wallets', 'whitelabel', 'use:all-wallets']);
  token = await tokenOf(client.id);
  await seed(client.id, MANY);
});
after(() => service.close());

async function tokenOf(id: string): Promise<string> {
  const scopes = ['view:wallets', 'whitelabel', 'use:all-wallets'];
  return (await service.service.tokens.issue({ accountId: id, clientId: id, scopes })).access_token;
}

/** Creates wallets, ten in each microsecond. */
async function seed(owner: string, count: number, description = ''): Promise<void> {
  await sql`insert into wallets
      (id, owner_id, application_id, wallet_type, secret_type, address, is_primary, identifier, created_at, archived_at, description)
    select ${owner} || '-' || n, ${owner}, ${owner}, 'WHITE_LABEL',
      case when n % 2 = 0 then 'ETHEREUM' else 'VECHAIN' end,
      '0xAb' || lpad(to_hex(n), 38, '0'), false, 'till-' || n,
      timestamptz '2026-01-01 00:00Z' + n / 10 * interval '1 microsecond', case when n % 100 = 0 then now() end, ${description}::text
    from generate_series(1, ${count}::int) n`.execute(service.service.db);
}

interface Answer {
  status: number;
  wallets: Wallet[];
  next: string | undefined;
}

async function read(query: string, as = token): Promise<Answer> {
  const response = await service.get(`/api/wallets${query}`, bearer(as));
  const body = (await response.json()) as Wallet[];
  const next = nextPage(response.headers);
  return { status: response.status, wallets: body, next };
}

async function readAll(query: string): Promise<{ ids: string[]; pages: number }> {
  const ids: string[] = [];
  for (let next: string | undefined = query, pages = 1; ; pages++) {
    const answer = await read(next);
    ids.push(...answer.wallets.map(({ id }) => id));
    if (answer.next === undefined) return { ids, pages };
    next = answer.next;
  }
}

test('wallets are listed whole, or with a limit page by page, each with a Link to the next', async () => {
  const other = await service.client(['view:wallets']);
  await seed(other.id, 1000);
  const whole = await read('', await tokenOf(other.id));
  assert.equal(whole.wallets.length, 1000);
  assert.equal(whole.next, undefined);

  const first = await read('?limit=1000');
  assert.equal(first.wallets.length, 1000);
  assert.match(first.next!, /^\?limit=1000&cursor=[\w-]+$/);
  const paged = await readAll('?limit=1000');
  assert.equal(paged.pages, 3);
  assert.equal(new Set(paged.ids).size, MANY);
  assert.deepEqual((await readAll('?limit=999')).ids, paged.ids);
  assert.deepEqual(await readAll(''), { ids: paged.ids, pages: 1 });
});

const VERY_MANY = 20_000;

/** Counts the wallets that are written as JSON, and how many at most while no other request has its turn. */
function countWritten(t: TestContext) {
  const count = { written: 0, atOnce: 0, broken: false };
  let inTurn = 0;
  const stringify = JSON.stringify.bind(JSON);
  t.mock.method(JSON, 'stringify', (...args: Parameters<typeof stringify>): string => {
    const [value] = args as unknown as [unknown];
    if (Array.isArray(value) && (value[0] as Wallet | undefined)?.walletType) {
      if (count.broken) throw new Error('broken by the test');
      if (inTurn === 0) setImmediate(() => (inTurn = 0));
      inTurn += value.length;
      count.written += value.length;
      count.atOnce = Math.max(count.atOnce, inTurn);
    }
    return stringify(...args);
  });
  return count;
}

test('20,000 wallets are answered whole without blocking others, and no further ahead than they are read', async (t) => {
  const owner = await service.client(['view:wallets']);
  await seed(owner.id, VERY_MANY, 'x'.repeat(1000));
  const as = await tokenOf(owner.id);
  const count = countWritten(t);
  const { status, wallets, next } = await read('', as);
  assert.deepEqual([status, next], [200, undefined]);
  assert.equal(new Set(wallets.map(({ id }) => id)).size, VERY_MANY);
  assert.ok(count.atOnce > 0 && count.atOnce <= 10, `${count.atOnce} in one turn`);

  count.written = 0;
  const slow = connect(Number(new URL(service.url).port), 'localhost').pause();
  slow.write(`GET /api/wallets HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${as}\r\n\r\n`);
  await poll(() => count.written > 0, 'the first wallets');
  // As many as fit into the buffers on the way.
  for (let before = -1; before < count.written; ) {
    before = count.written;
    await pause(500);
  }
  assert.ok(count.written < VERY_MANY / 2, `${count.written} for a receiver that reads nothing`);
  slow.destroy();

  count.written = 0;
  const response = await service.get('/api/wallets', bearer(as));
  await poll(() => count.written > 0, 'the beginning');
  count.broken = true;
  // Half a list is no list.
  await assert.rejects(response.text());
});

test('an entry added between two pages neither hides nor repeats others', async () => {
  const owner = await service.client(['view:wallets']);
  await seed(owner.id, 30);
  const as = await tokenOf(owner.id);
  const first = await read('?limit=20', as);
  await sql`update wallets set created_at = '2025-01-01' where id = ${`${owner.id}-20`}`.execute(
    service.service.db,
  );
  const { wallets, next } = await read(first.next!, as);
  assert.equal(new Set([...first.wallets, ...wallets].map(({ id }) => id)).size, 30);
  assert.equal(next, undefined);
});

test('the typed client returns the whole list, or one page if a limit is given', async () => {
  const typed = apiClient({ url: service.url, getAccessToken: () => Promise.resolve(token) });
  const all = await typed.call(listWallets, { query: {} });
  assert.equal(new Set(all.map(({ id }) => id)).size, MANY);
  assert.equal((await typed.call(listWallets, { query: { limit: '10' } })).length, 10);
});

test('filters by chain, status, identifier, address and time apply to every page', async () => {
  const ids = async (query: string) => (await readAll(query)).ids.map((id) => id.slice(client.id.length + 1));
  assert.equal((await ids('?secretType=VECHAIN&limit=700')).length, 1250);
  assert.deepEqual(
    await ids('?status=ARCHIVED&limit=24'),
    Array.from({ length: 25 }, (_, n) => String((n + 1) * 100)),
  );
  assert.equal((await ids('?status=ACTIVE')).length, 2475);
  assert.deepEqual(await ids('?identifier=till-77'), ['77']);
  assert.deepEqual(await ids(`?address=0xaB${(255).toString(16).padStart(38, '0').toUpperCase()}`), ['255']);
  // Times in JavaScript have no microseconds.
  assert.equal((await ids('?createdAfter=2025-12-31T23:59:59.999%2B00:00')).length, MANY);
  assert.deepEqual(await ids('?createdAfter=2026-01-01T00:00:00.001Z'), []);
  for (const wrong of [
    'status=GONE',
    'createdAfter=2026-01-01',
    'createdAfter=2026-13-01T00:00:00Z',
    'limit=0',
    'limit=1001',
  ])
    assert.equal((await read(`?${wrong}`)).status, 400, wrong);
});

test('a user’s wallet is found by the identifier that the caller gave', async () => {
  const { custody, db } = service.service;
  const person = 'person-1';
  await db
    .insertInto('accounts')
    .values({ id: person, issuer: 'test', subject: person, application: false })
    .execute();
  const { wallet } = await custody.createWallet({
    ownerId: person,
    applicationId: client.id,
    identifier: `${person}\u0001savings`,
    walletType: 'THREEWAY_SHARED',
    secretType: 'ETHEREUM',
    kind: 'local',
    pin: PIN,
    pinOf: 'account',
  });
  const found = await read('?identifier=savings');
  assert.deepEqual(
    found.wallets.map(({ id, identifier }) => [id, identifier]),
    [[wallet.id, 'savings']],
  );
  assert.deepEqual((await read(`?identifier=${person}`)).wallets, []);
});

test('a cursor of another list, of other filters or made up is refused', async () => {
  const { next } = await read('?limit=5&secretType=ETHEREUM');
  const [, cursor] = /cursor=([\w-]+)/.exec(next!)!;
  assert.equal((await read(`?secretType=ETHEREUM&cursor=${cursor}`)).status, 200);
  const other = await tokenOf((await service.client(['view:wallets'])).id);
  for (const [query, as] of [
    [`?secretType=ETHEREUM&cursor=${cursor}`, other],
    [`?secretType=VECHAIN&cursor=${cursor}`, token],
    [`?cursor=${cursor}`, token],
    ['?cursor=1', token],
  ] as const) {
    const response = await service.get(`/api/wallets${query}`, bearer(as));
    const { code, issues } = (await response.json()) as { code: string; issues: { path: string }[] };
    assert.deepEqual([code, issues[0]!.path], ['request.invalid', 'cursor'], query);
  }
});

test('a long list of policies is read a few at a time, so that others have their turns', async (t) => {
  const { db } = service.service;
  const policy = JSON.stringify({
    recipients: [{ secretType: 'ETHEREUM', address: `0x${'12'.repeat(20)}` }],
  });
  await sql`insert into policies (id, subject, rules, written_by, created_at)
    select 'p' || n, 'wallet:' || n, ${policy}, 'test', now() - n * interval '1 second'
    from generate_series(1, 300) n`.execute(db);
  const { access_token } = await service.tokens(['manage:policies']);
  let [inTurn, most] = [0, 0];
  const parse = JSON.parse.bind(JSON);
  t.mock.method(JSON, 'parse', (...args: Parameters<typeof parse>): unknown => {
    if (args[0] === policy) {
      if (inTurn === 0) setImmediate(() => (inTurn = 0));
      most = Math.max(most, ++inTurn);
    }
    return parse(...args);
  });
  const response = await service.get('/api/policies?limit=300', bearer(access_token));
  t.mock.restoreAll();
  const ids = ((await response.json()) as { id: string }[]).map(({ id }) => id);
  assert.deepEqual(
    ids,
    Array.from({ length: 300 }, (_, n) => String(300 - n)),
  );
  assert.ok(most > 0 && most <= 10, `${most} at once`);
});
