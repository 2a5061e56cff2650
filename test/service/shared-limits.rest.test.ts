/** Rate limits are shared by all processes. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { SharedLimits } from '../../service/concurrency/shared-limits.ts';
import { poll } from '../waiting.ts';
import { bearer, startTested, type Tested, TOKEN_PATH } from './harness.ts';

const LIMIT = 60;

let service: Tested;
before(async () => {
  service = await startTested({ rateLimit: 20, tokenRateLimit: 4 });
});
after(() => service.close());

/** Sends three processes twice the limit each; returns how many requests are allowed in all. */
async function allowedOf(key: string, exact: boolean): Promise<number> {
  const processes = [1, 2, 3].map(() => new SharedLimits(service.service.db));
  const answers = await Promise.all(
    Array.from({ length: 6 * LIMIT }, (_, n) => processes[n % 3]!.take(key, LIMIT, { exact })),
  );
  assert.ok(answers.every(({ ttl }) => ttl > 0 && ttl <= 60_000));
  return answers.filter(({ allowed }) => allowed).length;
}

test('three processes together allow no more than the limit, and exactly the limit for writes', async () => {
  assert.equal(await allowedOf('writes', true), LIMIT);
  const reads = await allowedOf('reads', false);
  assert.ok(reads > LIMIT * 0.9 && reads <= LIMIT, String(reads));
});

test('a refused caller costs no query, and may call again when the minute is over', async () => {
  const { db } = service.service;
  let now = 0;
  const limits = new SharedLimits(db, () => now);
  const take = async (): Promise<boolean> => (await limits.take('one', 2)).allowed;
  assert.deepEqual([await take(), await take(), await take()], [true, true, false]);
  const counters = async (): Promise<string> =>
    JSON.stringify(
      await db
        .selectFrom('rate_counters' as never)
        .selectAll()
        .execute(),
    );
  const before = await counters();
  assert.equal(await take(), false);
  assert.equal(await counters(), before);
  now = 60_001;
  await sql`update rate_counters set started_at = started_at - interval '61 s'`.execute(db);
  assert.equal(await take(), true);
  now = 300_000;
  await sql`update rate_counters set started_at = started_at - interval '10 min'`.execute(db);
  await take();
  await poll(async () => (JSON.parse(await counters()) as unknown[]).length === 1, 'the sweep');
});

test('while the database is unreachable, nothing is limited', async () => {
  const limits = new SharedLimits({ getExecutor: () => assert.fail('unreachable') } as never);
  assert.equal((await limits.take('one', 1)).allowed, true);
});

test('requests are limited for each account, and tokens for each client', async () => {
  const { id, secret } = await service.client();
  const grant = (): Promise<Response> =>
    service.post(TOKEN_PATH, { grant_type: 'client_credentials', client_id: id, client_secret: secret });
  const { access_token } = (await (await grant()).json()) as { access_token: string };
  const { limits } = service.service;
  for (let n = 0; n < 4; n++) await limits.take(`tokens ${id}`, 4, { exact: true });
  const refused = await grant();
  assert.equal(refused.status, 429);
  assert.ok(Number(refused.headers.get('retry-after')) > 0);
  for (let n = 0; n < 20; n++) await limits.take(`account ${id}`, 20, { exact: true });
  assert.equal((await service.get('/api/profile', bearer(access_token))).status, 429);
  assert.equal((await service.get('/health/live')).status, 200);
});

test('a limit by the hour holds for all processes, also after the counts of past minutes are gone', async () => {
  const { db } = service.service;
  let now = 0;
  const [one, two] = [new SharedLimits(db, () => now), new SharedLimits(db, () => now)];
  const take = async (limits: SharedLimits): Promise<boolean> =>
    (await limits.take('by the hour', 2, { exact: true, seconds: 3600 })).allowed;
  assert.deepEqual([await take(one), await take(two), await take(one)], [true, true, false]);
  await one.take('by the minute', 1);
  now = 180_000;
  await sql`update rate_counters set started_at = started_at - interval '180 s'`.execute(db);
  await one.take('another', 1);
  const old = sql`select from rate_counters where seconds = 60 and started_at < now() - interval '2 minutes'`;
  await poll(async () => (await old.execute(db)).rows.length === 0, 'the sweep');
  assert.equal(await take(new SharedLimits(db, () => now)), false);
  await sql`update rate_counters set started_at = started_at - interval '1 hour'`.execute(db);
  assert.equal(await take(new SharedLimits(db, () => now)), true);
});
