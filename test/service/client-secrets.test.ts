/** An application rotates its client secret without downtime, and keeps what it owns. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, before, test } from 'node:test';
import { Kysely, Migrator, PostgresDialect, sql } from 'kysely';
import pg from 'pg';
import type { ClientSecret, CreatedClientSecret } from '../../src/api/client-routes.ts';
import { DEADLINE_MS, poll } from '../waiting.ts';
import { PIN, QUICK } from './custody-setup.ts';
import { checkSecret } from '../../service/auth/clients.ts';
import { listSecrets } from '../../service/auth/client-secrets.ts';
import { runningCluster } from '../../service/database/embedded/cluster.ts';
import { MIGRATIONS } from '../../service/database/migrate.ts';
import type { Schema } from '../../service/database/schema.ts';
import { bearer, startTested, type Tested, TOKEN_PATH } from './harness.ts';

let service: Tested;
before(async () => {
  service = await startTested({}, { pins: { cost: QUICK } });
});
after(() => service.close());

async function tokenBy(id: string, secret: string): Promise<Record<string, string> | undefined> {
  const body = { grant_type: 'client_credentials', client_id: id, client_secret: secret };
  const response = await service.post(TOKEN_PATH, body);
  if (response.status === 401) return undefined;
  return bearer(((await response.json()) as { access_token: string }).access_token);
}

const PATH = '/api/client/secrets';

async function list(as: Record<string, string>): Promise<ClientSecret[]> {
  return (await (await service.get(PATH, as)).json()) as ClientSecret[];
}

async function revoke(id: string, as: Record<string, string>): Promise<string> {
  const response = await fetch(`${service.url}${PATH}/${id}`, { method: 'DELETE', headers: as });
  const { code = '' } = (await response.json()) as { code?: string };
  return `${response.status} ${code}`;
}

test('two secrets are valid until the first is revoked; wallets stay the client’s', async () => {
  const { id, secret } = await service.client(['view:wallets', 'whitelabel']);
  const old = (await tokenBy(id, secret))!;
  const order = { pincode: PIN, secretType: 'ETHEREUM', walletType: 'WHITE_LABEL' };
  const wallet = (await (await service.post('/api/wallets', order, old)).json()) as { id: string };

  const made = await fetch(service.url + PATH, { method: 'POST', headers: old });
  assert.equal(made.status, 201);
  const second = (await made.json()) as CreatedClientSecret;
  const before = await list(old);
  assert.equal(before.length, 2);
  assert.ok(Date.now() - Date.parse(before[0]!.lastUsedAt!) < DEADLINE_MS);
  assert.equal(before[1]!.lastUsedAt, null);
  assert.equal(JSON.stringify(before).includes(second.secret), false);

  const now = (await tokenBy(id, second.secret))!;
  assert.ok(await tokenBy(id, secret));
  assert.notEqual((await list(now))[1]!.lastUsedAt, null);
  assert.equal(await revoke(before[0]!.id, now), '200 ');
  assert.equal(await tokenBy(id, secret), undefined);
  // The old secret no longer works, nor do the tokens issued for it.
  await poll(
    async () => (await service.get('/api/wallets', old)).status === 401,
    'the refusal of the old token',
  );
  const wallets = (await (await service.get('/api/wallets', now)).json()) as { id: string }[];
  assert.deepEqual(
    wallets.map((one) => one.id),
    [wallet.id],
  );
  assert.deepEqual(
    (await list(now)).map(({ revokedAt }) => revokedAt === null),
    [false, true],
  );
});

test('there is no third secret, and the last one cannot be revoked by its own client', async () => {
  const { id, secret } = await service.client(['view:wallets']);
  const as = (await tokenBy(id, secret))!;
  const statuses = await Promise.all(
    Array.from({ length: 4 }, async () => {
      const response = await fetch(service.url + PATH, { method: 'POST', headers: as });
      return response.status;
    }),
  );
  assert.deepEqual(statuses.sort(), [201, 409, 409, 409]);
  const secrets = await list(as);
  const outcomes = await Promise.all(secrets.map((one) => revoke(one.id, as)));
  assert.equal(outcomes.filter((outcome) => outcome === '200 ').length, 1);
  const [stranger] = await list((await tokenBy(...credentialsOf(await service.client())))!);
  assert.equal(
    await revoke(stranger!.id, await service.tokens().then((t) => bearer(t.access_token))),
    '404 request.not-found',
  );
});

function credentialsOf({ id, secret }: { id: string; secret: string }): [string, string] {
  return [id, secret];
}

test('a user’s token cannot touch the secrets of its application', async () => {
  const { id } = await service.client();
  const { access_token } = await service.service.tokens.issue({
    accountId: 'user-1',
    clientId: id,
    scopes: ['view:wallets', 'sign:wallets'],
  });
  assert.equal((await service.get(PATH, bearer(access_token))).status, 403);
});

test('a client of a database of 0.1.0 keeps its secret', async () => {
  const { config } = service;
  const connection = config.databaseUrl
    ? { connectionString: config.databaseUrl }
    : (await runningCluster(config.dataFolder))!;
  await sql`create schema old`.execute(service.service.db);
  const pool = new pg.Pool({ ...connection, options: '-c search_path=old', max: 2 });
  const db = new Kysely<Schema>({ dialect: new PostgresDialect({ pool }) });
  const provider = { getMigrations: () => Promise.resolve(MIGRATIONS) };
  const migrator = new Migrator({ db, provider, migrationTableSchema: 'old' });
  assert.equal((await migrator.migrateTo('007-merchants')).error, undefined);
  const hash = createHash('sha256').update('cbs_old').digest();
  await sql`insert into accounts (id, issuer, subject, application) values ('shop', 'carabiner', 'shop', true)`.execute(
    db,
  );
  await sql`insert into clients (id, name, secret_hash, scopes) values ('shop', 'Shop', ${hash}, '{view:wallets}')`.execute(
    db,
  );
  assert.equal((await migrator.migrateToLatest()).error, undefined);
  assert.deepEqual((await checkSecret(db, 'shop', 'cbs_old'))?.scopes, ['view:wallets']);
  const { rows } = await listSecrets(db, 'shop', {});
  assert.deepEqual(
    rows.map(({ revokedAt }) => revokedAt),
    [null],
  );
  await db.destroy();
});
