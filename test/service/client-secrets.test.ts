/** An application rotates its client secret without downtime, and keeps what it owns. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, before, test } from 'node:test';
import { Kysely, Migrator, PostgresDialect, sql } from 'kysely';
import pg from 'pg';
import type { ClientSecret, CreatedClientSecret } from '../../src/api/client-secret.ts';
import { CHECKOUT_SCOPES, SCOPES } from '../../src/api/scopes.ts';
import { DEADLINE_MS, poll } from '../waiting.ts';
import { PIN, QUICK } from './custody-setup.ts';
import { checkSecret, revokeClient } from '../../service/auth/clients.ts';
import { listSecrets } from '../../service/auth/client-secrets.ts';
import { runningCluster } from '../../service/database/embedded/cluster.ts';
import { MIGRATIONS } from '../../service/database/migrate.ts';
import type { Schema } from '../../service/database/schema.ts';
import { basic, bearer, startTested, type Tested, TOKEN_PATH } from './harness.ts';

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

function create(as: Record<string, string>): Promise<Response> {
  return fetch(service.url + PATH, { method: 'POST', headers: as });
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

  const made = await create(basic({ id, secret }));
  assert.equal(made.status, 201);
  const second = (await made.json()) as CreatedClientSecret;
  const before = await list(basic({ id, secret }));
  assert.equal(before.length, 2);
  assert.ok(Date.now() - Date.parse(before[0]!.lastUsedAt!) < DEADLINE_MS);
  assert.equal(before[1]!.lastUsedAt, null);
  assert.equal(JSON.stringify(before).includes(second.secret), false);

  const now = (await tokenBy(id, second.secret))!;
  assert.ok(await tokenBy(id, secret));
  const by = basic({ id, secret: second.secret });
  assert.notEqual((await list(by))[1]!.lastUsedAt, null);
  assert.equal(await revoke(before[0]!.id, by), '200 ');
  // The old secret no longer works, nor do the tokens issued for it.
  assert.equal(await tokenBy(id, secret), undefined);
  assert.equal((await create(basic({ id, secret }))).status, 401);
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
    (await list(by)).map(({ revokedAt }) => revokedAt === null),
    [false, true],
  );
});

test('there is no third secret, and the last one cannot be revoked by its own client', async () => {
  const client = await service.client(['view:wallets']);
  const made = await Promise.all(Array.from({ length: 4 }, () => create(basic(client))));
  assert.deepEqual(made.map(({ status }) => status).sort(), [201, 409, 409, 409]);
  const { secret } = (await made.find(({ status }) => status === 201)!.json()) as CreatedClientSecret;
  const [first, second] = await list(basic(client));
  // With each of the two the other one.
  const outcomes = await Promise.all([
    revoke(second!.id, basic(client)),
    revoke(first!.id, basic({ ...client, secret })),
  ]);
  assert.equal(outcomes.filter((outcome) => outcome === '200 ').length, 1);
  const left = outcomes[0] === '200 ' ? client : { ...client, secret };
  assert.equal(
    await revoke((outcomes[0] === '200 ' ? first : second)!.id, basic(left)),
    '409 request.conflict',
  );
  const [stranger] = await list(basic(await service.client()));
  assert.equal(await revoke(stranger!.id, basic(left)), '404 request.not-found');
});

test('no token makes, lists or revokes a secret, whatever its scopes, nor does anything but a valid secret', async () => {
  const every = SCOPES.filter((scope) => scope !== 'manage:policies');
  const client = await service.client(every);
  const issue = (accountId: string) =>
    service.service.tokens.issue({ accountId, clientId: client.id, scopes: every });
  const own = await tokenBy(client.id, client.secret);
  const revoked = await service.client();
  await revokeClient(service.service.db, revoked.id);
  const [{ id: secretId }] = (await list(basic(client))) as [ClientSecret];
  for (const [what, headers] of Object.entries({
    nothing: {},
    'its own token': own!,
    'a user’s token': bearer((await issue('user-1')).access_token),
    'a token as DPoP': { Authorization: own!['Authorization']!.replace('Bearer', 'DPoP') },
    'a token as the secret': basic({ ...client, secret: own!['Authorization']!.slice(7) }),
    'the secret as a token': bearer(client.secret),
    'another’s secret': basic({ id: client.id, secret: (await service.client()).secret }),
    'no secret': basic({ id: client.id, secret: '' }),
    'the hash of the secret': basic({
      id: client.id,
      secret: createHash('sha256').update(client.secret).digest('hex'),
    }),
    'an unknown client': basic({ id: 'nobody', secret: client.secret }),
    'an id that no text of the database can be': basic({ id: 'a%00b', secret: client.secret }),
    'a revoked client': basic(revoked),
    'no Base64': { Authorization: 'Basic §' },
    'no colon': { Authorization: `Basic ${btoa(client.id)}` },
  })) {
    const outcomes = [
      await create(headers),
      await service.get(PATH, headers),
      await fetch(`${service.url}${PATH}/${secretId}`, { method: 'DELETE', headers }),
    ];
    for (const refused of outcomes) {
      const { code } = (await refused.json()) as { code: string };
      assert.deepEqual([refused.status, code], [401, 'token.invalid'], what);
      assert.equal(refused.headers.get('www-authenticate'), 'Basic realm="clients"', what);
    }
  }
  assert.equal((await list(basic(client))).length, 1);
});

test('a client of a database of 0.1.0 keeps its secret, and what it may do', async () => {
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
  assert.deepEqual((await checkSecret(db, 'shop', 'cbs_old'))?.scopes, ['view:wallets', ...CHECKOUT_SCOPES]);
  const { rows } = await listSecrets(db, 'shop', {});
  assert.deepEqual(
    rows.map(({ revokedAt }) => revokedAt),
    [null],
  );
  await db.destroy();
});
