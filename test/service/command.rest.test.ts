/** `npm run service:client`, and the settings. */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { PROVIDERS } from '../../service/checkout/providers/providers.ts';
import { ConfigError, readConfig, VARIABLES } from '../../service/config.ts';
import { fileKeys } from '../../service/keys/file-keys.ts';
import { UnknownKeyVersion } from '../../service/keys/key-provider.ts';
import { commandOn } from './command-setup.ts';
import { startTested, type Tested, TOKEN_PATH } from './harness.ts';

const ROOT = resolve(import.meta.dirname, '../..');
let service: Tested;
before(async () => {
  service = await startTested();
});
after(() => service.close());

const command = commandOn('client', () => service.config);

/** What the audit log has of a client. */
async function noted(id: string): Promise<string[]> {
  const rows = await service.service.db
    .selectFrom('audit_log')
    .select('action')
    .where('subject', '=', `client:${id}`)
    .orderBy('position')
    .execute();
  return rows.map(({ action }) => action);
}

test('a client is created beside the running service, shown once, listed and revoked', async () => {
  const made = await command('create', '--name', 'Shop', '--scope', 'view:profile whitelabel', '--json');
  assert.equal(made.code, 0, made.err);
  const { client_id, client_secret, ...more } = JSON.parse(made.out) as Record<string, string>;
  assert.deepEqual(more, {});
  const token = () =>
    service.post(TOKEN_PATH, { grant_type: 'client_credentials', client_id, client_secret });
  assert.equal((await token()).status, 200);
  const listed = await command('list', '--json');
  assert.equal(listed.out.includes(client_secret!), false);
  const [client] = JSON.parse(listed.out) as Record<string, unknown>[];
  assert.equal(client!['name'], 'Shop');
  assert.equal(client!['scope'], 'view:profile whitelabel');
  assert.equal(client!['revoked_at'], null);
  const { hash } = await service.service.db
    .selectFrom('client_secrets')
    .selectAll()
    .executeTakeFirstOrThrow();
  assert.equal(hash.includes(client_secret!), false);
  assert.equal((await command('revoke', client_id!)).code, 0);
  assert.equal((await token()).status, 401);
  assert.deepEqual(await noted(client_id!), ['client.created', 'client.revoked']);
});

test('the operator chooses the networks of a client, among those of networks.json', async () => {
  const file = join(service.folder, 'networks.json');
  const network = (id: string, nodes: string[]) => ({
    id,
    secretType: 'ETHEREUM',
    name: id,
    kind: 'testnet',
    chainId: 1,
    nodes,
  });
  const nodes = ['https://node.example'];
  writeFileSync(
    file,
    JSON.stringify({ networks: [network('a', nodes), network('b', nodes), network('c', [])] }),
  );
  const onNetworks = commandOn('client', () => service.config, { NETWORKS: file });
  const names = ['--name', 'Shop', '--scope', 'view:profile'];
  const wrong = await onNetworks('create', ...names, '--network', 'c');
  assert.match(wrong.err, /There is no network c with nodes in networks\.json\. There are: a, b\./);
  assert.match((await command('create', ...names, '--network', 'a')).err, /Set NETWORKS/);
  const made = await onNetworks('create', ...names, '--network', 'a', '--json');
  const { client_id: id } = JSON.parse(made.out) as { client_id: string };
  const networks = async () =>
    (JSON.parse((await command('list', '--json')).out) as Record<string, unknown>[]).find(
      (one) => one['client_id'] === id,
    )!['networks'];
  assert.deepEqual(await networks(), ['a']);
  assert.match((await onNetworks('networks', id, 'a', 'b', 'a')).out, /on a, b\./);
  assert.deepEqual(await networks(), ['a', 'b']);
  assert.match((await command('list')).out, /on a, b$/m);
  assert.match((await onNetworks('networks', id, 'd')).err, /no network d/);
  assert.match((await onNetworks('networks', id)).err, /Usage/);
  assert.match((await onNetworks('networks', 'nobody', 'a')).err, /There is no client nobody/);
  assert.equal((await command('networks', id, '--none')).code, 0);
  assert.equal(await networks(), null);
  assert.deepEqual(await noted(id), ['client.created', 'client.networks', 'client.networks']);
});

test('a client whose secret cannot be shown does not exist', async () => {
  const { db } = service.service;
  await sql`alter table audit_log add constraint no_clients check (action <> 'client.created') not valid`.execute(
    db,
  );
  const failed = await command('create', '--name', 'Lost', '--scope', 'view:profile');
  await sql`alter table audit_log drop constraint no_clients`.execute(db);
  assert.deepEqual([failed.code, failed.out], [1, '']);
  assert.match(failed.err, /no_clients/);
  const { out } = await command('list');
  assert.doesNotMatch(out, /Lost/);
});

test('the operator changes a client’s secret, even its last one', async () => {
  const { id, secret } = await service.client(['view:profile']);
  const status = async (client_secret: string): Promise<number> =>
    (await service.post(TOKEN_PATH, { grant_type: 'client_credentials', client_id: id, client_secret }))
      .status;
  assert.equal(await status(secret), 200);
  const made = await command('secret', 'create', id, '--json');
  assert.equal(made.code, 0, made.err);
  const second = JSON.parse(made.out) as { secret_id: string; client_secret: string };
  assert.deepEqual([await status(secret), await status(second.client_secret)], [200, 200]);
  const { out } = await command('secret', 'list', id);
  assert.match(out, /^\S+ {2}valid {4}made \S+ {2}last used 20.*\n\S+ {2}valid/);
  assert.doesNotMatch(out, /cbs_/);
  const [first] = out.split(' ');
  assert.equal((await command('secret', 'revoke', id, first!)).code, 0);
  assert.equal((await command('secret', 'revoke', id, second.secret_id)).code, 0);
  assert.deepEqual([await status(secret), await status(second.client_secret)], [401, 401]);
  assert.deepEqual(await noted(id), ['secret.created', 'secret.revoked', 'secret.revoked']);
});

test('a wrong command says what is wrong and how to use it', async () => {
  const [noName, wrongScope, unknown] = await Promise.all([
    command('create', '--scope', 'view:profile'),
    command('create', '--name', 'x', '--scope', 'view:everything'),
    command('revoke', 'nobody'),
  ]);
  assert.match(noName.err, /--name is missing.*\n.*Usage/s);
  assert.match(wrongScope.err, /There is no scope view:everything\. There are: view:wallets/);
  assert.match(unknown.err, /There is no client nobody\./);
  for (const { code } of [noName, wrongScope, unknown]) assert.equal(code, 1);
});

function problems(env: Record<string, string>): readonly string[] {
  try {
    readConfig(env);
    return [];
  } catch (error) {
    assert.ok(error instanceof ConfigError);
    return error.problems;
  }
}

test('all invalid settings are named', () => {
  assert.deepEqual(problems({ SERVICE_PORT: '99999', REALM: 'a/b', METRICS: 'yes' }), [
    'SERVICE_PORT must be 0 to 65535',
    'REALM must be letters, digits, - and _',
    'METRICS must be on or off',
  ]);
  assert.match(problems({ DATABASE_URL: 'postgres://localhost/x' })[0]!, /^MASTER_KEY_FILE is not set/);
  assert.match(problems({ DATABASE_URL: 'mysql://x' })[0]!, /^DATABASE_URL must begin with postgres/);
  assert.match(problems({ OWN_ISSUER: 'off' })[0]!, /no token would be accepted/);
  assert.match(problems({ CORS_ORIGINS: 'https://a.example/path' })[0]!, /^CORS_ORIGINS/);
  assert.match(problems({ IDENTITY_PROVIDERS: '/nowhere.json' })[0]!, /neither a JSON list nor a file/);
  const provider = { name: 'a', issuer: 'https://idp.example', audience: 'shop' };
  const providers = (...list: unknown[]) => problems({ IDENTITY_PROVIDERS: JSON.stringify(list) });
  assert.deepEqual(providers(provider), []);
  assert.match(providers(provider, provider)[0]!, /names a more than once/);
  const { name: _, ...issuer } = { ...provider, networks: ['base'] };
  assert.deepEqual(problems({ TRUSTED_ISSUERS: JSON.stringify([issuer]) }), [
    'TRUSTED_ISSUERS names the network base, which NETWORKS does not have.',
  ]);
  assert.match(providers({ ...provider, issuer: 'http://idp.example' })[0]!, /must be an https URL/);
  assert.match(providers({ ...provider, algorithms: ['HS256'] })[0]!, /algorithms/);
  assert.match(providers({ ...provider, algorithms: ['none'] })[0]!, /algorithms/);
  assert.match(providers({ ...provider, audience: undefined })[0]!, /audience/);
  assert.equal(readConfig({ SERVICE_PORT: ' ' }).port, 4001);
});

test('every setting is in the documentation', () => {
  const page = readFileSync(join(ROOT, 'docs/service.md'), 'utf8');
  assert.deepEqual(
    VARIABLES.filter((name) => !page.includes(`\`${name}\``)),
    [],
  );
  for (const [provider, { variables }] of Object.entries(PROVIDERS)) {
    const readme = join(ROOT, 'service/checkout/providers', provider, 'README.md');
    const names = Object.keys(variables);
    assert.deepEqual(
      names.filter((name) => !readFileSync(readme, 'utf8').includes(`\`${name}\``)),
      [],
    );
  }
});

test('a master key is created once; a damaged one is refused without being shown', async () => {
  const path = join(service.folder, 'keys/master.json');
  await assert.rejects(fileKeys(path, { create: false }), /there is no file/);
  const all = await Promise.all([1, 2, 3, 4].map(() => fileKeys(path, { create: true })));
  const macs = await Promise.all(
    all.map(async (keys) => Buffer.from(await keys.mac('label', 1)).toString('hex')),
  );
  assert.equal(new Set(macs).size, 1);
  await assert.rejects(all[0]!.mac('label', 2), UnknownKeyVersion);
  const key = (JSON.parse(readFileSync(path, 'utf8')) as { keys: Record<string, string> }).keys['1']!;
  writeFileSync(path, `{"current":2,"keys":{"1":"${key}"}`);
  await assert.rejects(fileKeys(path, { create: true }), (error: Error) => {
    assert.equal(`${error.message}${error.stack}`.includes(key), false);
    return /is not a master key file/.test(error.message);
  });
});
