/** Users' requests with the service's keys or tables broken, and during a rotation of the master key. */
import assert from 'node:assert/strict';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
import { readFileSync, writeFileSync } from 'node:fs';
import { sql } from 'kysely';
import { rewrap, versionsInUse } from '../../service/commands/rewrap.ts';
import { rotateFileKeys } from '../../service/keys/file-keys.ts';
import type { CreatedWallet } from '../../src/api/wallet.ts';
import { poll } from '../waiting.ts';
import { PIN } from './custody-setup.ts';
import { startUsers, type User, type UsersTest } from './users-setup.ts';
import { VAULT_TOKEN, vaultStandIn } from './vault.ts';

/** With its key in Vault, which can be sealed. */
let at: UsersTest;
let user: User;

/** With its key in a file, behind a proxy that strips a path prefix. */
const PROXY_URL = 'https://api.example/wallets';
let proxied: UsersTest;
const { vault, server } = vaultStandIn();
before(async () => {
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  [at, proxied] = await Promise.all([
    startUsers({
      vault: { url, mount: 'transit', key: 'wallet keys', token: () => Promise.resolve(VAULT_TOKEN) },
    }),
    startUsers({ url: PROXY_URL, trustProxy: ['127.0.0.1', '::1'] }),
  ]);
  user = await at.user();
});
after(async () => {
  server.close();
  await at.close();
  await proxied.close();
});

const SEALED = { status: 503, body: '{"errors":["Vault is sealed"]}' };

const spend = async (id: string, as = user): Promise<string> =>
  (await as.call('POST', `/api/wallets/${id}/export`, { pincode: PIN })).outcome;

const label = async (): Promise<CreatedWallet> =>
  (
    await at.call<CreatedWallet>(at.shop, 'POST', '/api/wallets', {
      walletType: 'WHITE_LABEL',
      secretType: 'ETHEREUM',
      pincode: PIN,
    })
  ).body;

test('wallet.encrypt.internal-error: the key provider fails, and nothing is stored', async () => {
  const order = { walletType: 'WHITE_LABEL', secretType: 'ETHEREUM', pincode: PIN };
  vault.next = SEALED;
  const refused = await at.call(at.shop, 'POST', '/api/wallets', order);
  assert.equal(refused.outcome, '500 wallet.encrypt.internal-error');
  assert.doesNotMatch(JSON.stringify(refused.body), /sealed|127\.0\.0\.1|stack/i);
  assert.deepEqual((await at.call(at.shop, 'GET', '/api/wallets')).body, []);
  vault.next = SEALED;
  const first = await user.call('POST', '/api/wallets', { ...order, walletType: 'THREEWAY_SHARED' });
  assert.equal(first.outcome, '500 wallet.encrypt.internal-error');
  const { body } = await user.call('GET', '/api/account');
  assert.deepEqual(
    [body['hasMasterPin'], body['enrolled']],
    [false, false],
    'no PIN was set, no device enrolled',
  );
});

test('wallet.decrypt.internal-error: the key provider fails, or the secret was tampered with', async () => {
  const { id } = await user.wallet();
  vault.next = SEALED;
  assert.equal(await spend(id), '500 wallet.decrypt.internal-error');
  assert.equal(
    (await user.call('GET', '/api/account')).body['wrongPins'],
    0,
    'it does not count as a wrong PIN',
  );
  assert.equal(await spend(id), '200');
  const { db } = at.service.service;
  await sql`update wallet_secrets set private_key = set_byte(private_key, 20, 255 - get_byte(private_key, 20))
    where wallet_id = ${id}`.execute(db);
  assert.equal(await spend(id), '500 wallet.decrypt.internal-error');
});

test('wallet.secret.not-found and wallet.secret.internal-error: the row is missing, or cannot be read', async () => {
  const { db } = at.service.service;
  const { id } = await user.wallet();
  await sql`alter table pins rename to gone`.execute(db);
  try {
    const answer = await user.call('POST', `/api/wallets/${id}/export`, { pincode: PIN });
    assert.equal(answer.outcome, '500 wallet.secret.internal-error');
    assert.doesNotMatch(JSON.stringify(answer.body), /pins|relation/);
  } finally {
    await sql`alter table gone rename to pins`.execute(db);
  }
  assert.equal(await spend(id), '200');
  await db.deleteFrom('wallet_secrets').where('wallet_id', '=', id).execute();
  assert.equal(await spend(id), '500 wallet.secret.not-found');
  assert.equal((await user.call('GET', `/api/wallets/${id}`)).status, 200, 'the wallet itself exists');
});

test('wallet.archived and wallet.forbidden: archived, somebody else’s, or nobody’s', async () => {
  const { id } = await user.wallet();
  assert.equal((await user.call('PATCH', `/api/wallets/${id}`, { archived: true })).outcome, '200');
  assert.equal(await spend(id), '409 wallet.archived');
  assert.equal((await user.call('PATCH', `/api/wallets/${id}`, { archived: false })).outcome, '200');
  assert.equal(await spend(id), '200');
  const stranger = await at.user();
  await stranger.wallet();
  const [theirs, none] = await Promise.all(
    [id, 'no-such-wallet'].map((each) =>
      stranger.call('POST', `/api/wallets/${each}/export`, { pincode: PIN }),
    ),
  );
  assert.equal(theirs!.outcome, '403 wallet.forbidden');
  assert.deepEqual({ ...theirs!.body, instance: '' }, { ...none!.body, instance: '' }, 'indistinguishable');
  const wallet = await label();
  assert.equal(await spend(wallet.id), '403 wallet.forbidden', "an application's wallet is not its users'");
});

test('the master key rotates and its old version is removed while requests are served', async () => {
  const { db, keys } = proxied.service.service;
  const users = await Promise.all([1, 2, 3].map(() => proxied.user()));
  const ids = await Promise.all(users.map(async (each) => (await each.wallet()).id));
  const answers: string[] = [];
  let going = true;
  const clients = Promise.all(
    users.map(async (each, i) => {
      while (going) {
        answers.push(await spend(ids[i]!, each));
        answers.push((await each.call('GET', '/api/account')).outcome);
        if (i === 0)
          answers.push((await each.call('PATCH', `/api/wallets/${ids[0]}`, { alias: 'x' })).outcome);
      }
    }),
  );
  /** Enough that every client has been answered since. */
  const someAnswers = async () => {
    const until = answers.length + 15;
    await Promise.race([clients, poll(() => answers.length >= until, 'answers')]);
  };
  const { masterKeyFile } = proxied.service.config;
  for (const version of [2, 3]) {
    await someAnswers();
    await rotateFileKeys(masterKeyFile);
    await someAnswers();
    await (await proxied.user()).wallet();
    await rewrap(db, keys, (line) => assert.fail(line));
    await someAnswers();
    const used = (await versionsInUse(db)).filter(({ pins }) => pins > 0);
    assert.deepEqual(
      used.map((each) => each.version),
      [version],
    );
  }
  going = false;
  await clients;
  assert.deepEqual([...new Set(answers)], ['200'], 'no request failed');

  // Version 2 is unused; a signing key is still wrapped by version 1.
  const { current, keys: all } = JSON.parse(readFileSync(masterKeyFile, 'utf8')) as {
    current: number;
    keys: Record<string, string>;
  };
  assert.equal(current, 3);
  writeFileSync(masterKeyFile, JSON.stringify({ current, keys: { 1: all['1'], 3: all['3'] } }));
  for (const [i, each] of users.entries()) assert.equal(await spend(ids[i]!, each), '200');
});

test('behind a proxy, a proof names the service’s public URL', async () => {
  const behind = await proxied.user();
  const { id } = await behind.wallet();
  assert.equal(await spend(id, behind), '200');
  const path = `/api/wallets/${id}/export`;
  const { port } = proxied.service.app.server.address() as AddressInfo;
  const forwarded = { 'X-Forwarded-Host': 'evil.example', 'X-Forwarded-Proto': 'https' };
  for (const [target, expected] of [
    [`http://localhost:${port}${path}`, '401 device.proof.invalid'],
    [`https://evil.example${path}`, '401 device.proof.invalid'],
    [`https://api.example${path}`, '401 device.proof.invalid'],
    [`http://api.example/wallets${path}`, '401 device.proof.invalid'],
    [`${PROXY_URL}${path}`, '200'],
    [`HTTPS://API.example:443/wallets${path}?a=1`, '200'],
  ] as const) {
    const accessToken = behind.token;
    const DPoP = await behind.device.prove({ method: 'POST', url: target, accessToken });
    const answer = await proxied.call(accessToken, 'POST', path, { pincode: PIN }, { DPoP, ...forwarded });
    assert.equal(answer.outcome, expected, target);
  }
});

test('the contract says which calls need a proof', async () => {
  const { paths } = (await (await at.service.get('/openapi.json')).json()) as {
    paths: Record<string, Record<string, { parameters: { name: string; description?: string }[] }>>;
  };
  const proof = (path: string, method: string) =>
    paths[path]![method]!.parameters.find(({ name }) => name === 'DPoP')?.description;
  assert.match(proof('/api/wallets/{id}/export', 'post')!, /enrolled for the account/);
  assert.match(proof('/api/devices', 'post')!, /is enrolled with it/);
  assert.match(proof('/api/account', 'get')!, /Optional/);
  assert.equal(proof('/api/wallets', 'get'), undefined);
});
