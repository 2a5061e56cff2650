import assert from 'node:assert/strict';
import { chmodSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { readConfig } from '../../service/config.ts';
import { Custody } from '../../service/custody/custody.ts';
import { versionsInUse } from '../../service/commands/rewrap.ts';
import { fileKeys, prepareFileKeys, rotateFileKeys } from '../../service/keys/file-keys.ts';
import { UnknownKeyVersion } from '../../service/keys/key-provider.ts';
import { vaultKeys, vaultToken } from '../../service/keys/vault-keys.ts';
import { commandOn } from './command-setup.ts';
import { type CustodyTest, newWallet, outcome, PIN, QUICK, startCustody } from './custody-setup.ts';
import { temporaryFolder } from './harness.ts';
import { VAULT_TOKEN, vaultStandIn } from './vault.ts';

let at: CustodyTest;
const { vault, server } = vaultStandIn();
before(async () => {
  at = await startCustody();
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  vault.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
after(async () => {
  server.close();
  await at.service.close();
});

const provider = (token = VAULT_TOKEN) =>
  vaultKeys({ url: `${vault.url}/`, key: 'wallet keys', token: () => Promise.resolve(token) });

test('requests to Vault follow its documentation', async () => {
  const keys = provider();
  vault.requests.length = 0;
  assert.equal(await keys.current(), 1);
  assert.equal(await keys.current(), 1);
  const mac = await keys.mac('pin:7', 1);
  assert.equal(mac.length, 32);
  assert.deepEqual(vault.requests, [
    'GET /v1/transit/keys/wallet%20keys ',
    'POST /v1/transit/hmac/wallet%20keys/sha2-256 {"input":"cGluOjc=","key_version":1}',
  ]);
  assert.deepEqual(await keys.mac('pin:7', 1), mac);
  assert.notDeepEqual(await keys.mac('pin:8', 1), mac);
  await assert.rejects(keys.mac('pin:7', 2), UnknownKeyVersion);
});

test('a refusal or invalid answer by Vault is an error without the token', async () => {
  const quote = (error: Error): boolean => !`${error.message}${error.stack}`.includes(VAULT_TOKEN);
  await assert.rejects(
    provider('wrong').mac('pin:7', 1),
    (error: Error) => /403: permission denied/.test(error.message) && quote(error),
  );
  for (const [status, body] of [
    [503, '{"errors":["Vault is sealed"]}'],
    [502, '<html>'],
    [200, '{}'],
    [200, '{"data":{"hmac":"vault:v2:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="}}'],
    [200, '{"data":{"hmac":"vault:v1:AAAA"}}'],
    [307, ''],
  ] as [number, string][]) {
    vault.next = { status, body };
    await assert.rejects(provider().mac('pin:7', 1), quote);
  }
});

test('the token is read from its file, which the agent renews, else from the environment', async () => {
  const file = join(temporaryFolder(), 'token');
  writeFileSync(file, 'first\n');
  const token = vaultToken({ VAULT_TOKEN_FILE: file, VAULT_TOKEN: 'other' });
  assert.equal(await token(), 'first');
  writeFileSync(file, 'second');
  assert.equal(await token(), 'second');
  assert.equal(await vaultToken({ VAULT_TOKEN: 'other' })(), 'other');
  const { vault: settings } = readConfig({ VAULT_ADDR: vault.url, VAULT_TOKEN_FILE: file });
  assert.deepEqual([settings!.url, settings!.mount, settings!.key], [vault.url, 'transit', 'carabiner']);
  assert.equal(await settings!.token(), 'second');
  assert.throws(() => readConfig({ VAULT_ADDR: vault.url }), /VAULT_ADDR needs/);
  assert.throws(() => readConfig({ VAULT_ADDR: 'http://vault.example', VAULT_TOKEN: 'x' }), /https/);
});

test('wallets under a key in Vault are created, used and rewrapped', async () => {
  const custody = new Custody(at.db, provider(), { cost: QUICK });
  const { wallet } = await custody.createWallet(newWallet(await at.account()));
  const key = await custody.withKey(wallet.id, PIN, (k) => Buffer.from(k).toString('hex'));
  vault.rotate();
  const rotated = new Custody(at.db, provider(), { cost: QUICK });
  assert.equal(await rotated.withKey(wallet.id, PIN, (k) => Buffer.from(k).toString('hex')), key);
  const { master_version } = await at.db
    .selectFrom('pins')
    .select('master_version')
    .where('id', '=', wallet.id)
    .executeTakeFirstOrThrow();
  assert.equal(master_version, 2);
  assert.equal(
    await outcome(custody.withKey(wallet.id, PIN, () => {})),
    'ok',
    'a process with the older key version',
  );
  vault.next = { status: 503, body: '{"errors":["Vault is sealed"]}' };
  assert.equal(await outcome(rotated.withKey(wallet.id, PIN, () => {})), 'wallet.decrypt.internal-error');
});

test('a key file gets a new key while services use it', async () => {
  const path = join(temporaryFolder(), 'master-key.json');
  const keys = await fileKeys(path, { create: true });
  const before = await keys.mac('label', 1);
  await rotateFileKeys(path);
  assert.equal(await keys.current(), 2);
  assert.deepEqual(await keys.mac('label', 1), before);
  assert.notDeepEqual(await keys.mac('label', 2), before);
  assert.equal(statSync(path).mode & 0o777, 0o600);
  await assert.rejects(keys.mac('label', 3), UnknownKeyVersion);

  // The file is root's, and the service reads it as one of a group.
  chmodSync(path, 0o640);
  await prepareFileKeys(path);
  assert.equal(await keys.current(), 2, 'what is prepared is not used yet');
  const prepared = await keys.mac('label', 3);
  await assert.rejects(prepareFileKeys(path), /already has a newer key/);
  await rotateFileKeys(path);
  assert.equal(await keys.current(), 3);
  assert.deepEqual(await keys.mac('label', 3), prepared);
  assert.equal(statSync(path).mode & 0o777, 0o640);

  writeFileSync(`${path}.next`, '');
  await assert.rejects(rotateFileKeys(path), /another change is under way/);
  assert.equal(await keys.current(), 3);

  writeFileSync(path, 'half a fi');
  assert.equal(await keys.current(), 3, 'the keys read before stay valid');
  assert.deepEqual(await keys.mac('label', 1), before);
});

const command = commandOn('master-key', () => at.service.config);

test('the command rotates the key beside the running service, and says which versions are in use', async () => {
  // The tests above have used Vault's keys.
  await at.db.deleteFrom('wallet_secrets').execute();
  await at.db.deleteFrom('pins').execute();
  const wallets = await Promise.all([1, 2, 3].map(() => at.wallet()));
  const file = readFileSync(at.service.config.masterKeyFile, 'utf8');
  assert.match((await command('status')).out, /^version 1: 3 PINs, \d signing keys?\n?$/m);
  const rotated = await command('rotate');
  assert.equal(rotated.code, 0, rotated.err);
  assert.equal(await outcome(at.custody.withKey(wallets[0]!.id, PIN, () => {})), 'ok');
  const use = await versionsInUse(at.db);
  assert.deepEqual(
    use.map(({ version, pins }) => [version, pins]),
    [
      [1, 2],
      [2, 1],
    ],
  );
  assert.equal((await command('rewrap')).out, 'Rewrapped 2.\n');
  for (const { id } of wallets) assert.equal(await outcome(at.custody.withKey(id, PIN, () => {})), 'ok');
  const { keys } = JSON.parse(file) as { keys: Record<string, string> };
  assert.equal(Object.keys(keys).length, 1);
  assert.equal([rotated.out, rotated.err].join().includes(keys['1']!), false);
  assert.equal((await command('else')).code, 1);
});
