/** E-mail addresses that resolve to a user's primary wallet, and what a caller learns of those that do not. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { readConfig } from '../../service/config.ts';
import type { Problem } from '../../src/api/problem.ts';
import type { Wallet } from '../../src/api/wallet.ts';
import { PIN, QUICK } from './custody-setup.ts';
import { type Provider, startProvider, startTested, type Tested } from './harness.ts';
import { startUsers, type User, type UsersTest } from './users-setup.ts';

let users: UsersTest;
/** A provider that claims verified e-mail addresses but is not trusted. */
let doubtful: Provider;
let ann: User;
let bob: User;
let annsWallet: Wallet;
let till: Wallet;

const UNKNOWN = '404 recipient.unknown';
const email = (address: string, email_verified: unknown = true) => ({ email: address, email_verified });

before(async () => {
  doubtful = await startProvider();
  users = await startUsers({ recipientRateLimit: 0 });
  ann = await signIn('ann', email('Ann@Example.com'));
  bob = await signIn('bob', email('bob@example.com'));
  annsWallet = await ann.wallet();
  await bob.wallet({ secretType: 'TRON' });
  const order = { walletType: 'WHITE_LABEL', secretType: 'ETHEREUM', pincode: PIN };
  till = (await users.call<Wallet>(users.shop, 'POST', '/api/wallets', order)).body;
});
after(async () => {
  await users?.close();
  doubtful?.close();
});

/** Signs in a user with these claims. */
async function signIn(subject: string, claims: Record<string, unknown>): Promise<User> {
  const user = await users.user(subject);
  const idpToken = await users.provider.sign({ sub: subject, ...claims });
  const body = { clientId: users.clientId, identityProvider: 'google', idpToken };
  assert.equal((await users.call('', 'POST', '/auth/exchange', body)).status, 200);
  return user;
}

async function find(address: string, secretType = 'ETHEREUM', user?: User): Promise<string> {
  const body = { email: address, secretType };
  const { outcome, body: answer } = user
    ? await user.call<{ address?: string }>('POST', '/api/recipients', body)
    : await users.call<{ address?: string }>(users.shop, 'POST', '/api/recipients', body);
  return answer.address ?? outcome;
}

test('an e-mail resolves to its user’s primary wallet on the chain, whatever its case', async () => {
  for (const address of ['ann@example.com', 'ANN@EXAMPLE.COM', ' Ann@example.com'])
    assert.equal(await find(address), annsWallet.address);
  assert.equal(await find('bob@example.com'), UNKNOWN, 'Bob has one on another chain only');
  assert.match(await find('bob@example.com', 'TRON'), /^T/);
  const second = await ann.wallet();
  assert.equal(await find('ann@example.com'), annsWallet.address);
  await ann.call('PATCH', `/api/wallets/${second.id}`, { primary: true });
  assert.equal(await find('ann@example.com'), second.address);
  await ann.call('PATCH', `/api/wallets/${second.id}`, { archived: true });
  assert.equal(await find('ann@example.com'), annsWallet.address, 'an archived wallet receives nothing');
});

test('an e-mail that is not verified, or that two users have, resolves to nobody', async () => {
  await (await signIn('carol', email('carol@example.com', false))).wallet();
  await (await signIn('dave', email('dave@example.com', 'yes'))).wallet();
  await (await signIn('frank', email('frank@example.com', 'false'))).wallet();
  await (await signIn('eve', {})).wallet();
  await (await signIn('first', email('both@example.com'))).wallet();
  assert.notEqual(await find('both@example.com'), UNKNOWN);
  // Even while only one of them has a wallet.
  await signIn('second', email('both@example.com'));
  for (const address of ['carol', 'dave', 'eve', 'frank', 'both', 'nobody', '%', "' or 1=1 --", '__proto__'])
    assert.equal(await find(`${address.replaceAll(' ', '')}@example.com`), UNKNOWN, address);
  // A later claim by the provider replaces the earlier one.
  await signIn('second', email('second@example.com'));
  assert.notEqual(await find('both@example.com'), UNKNOWN);
});

test('only a provider configured as trusted proves whose an e-mail is', async () => {
  const { identityProviders } = readConfig({
    IDENTITY_PROVIDERS: JSON.stringify([{ name: 'other', issuer: doubtful.issuer, audience: 'shop' }]),
  });
  const service: Tested = await startTested({ identityProviders }, { pins: { cost: QUICK } });
  try {
    const { id } = await service.client();
    const idpToken = await doubtful.sign({ sub: 'mallory', ...email('ann@example.com') });
    const answer = await service.post('/auth/exchange', {
      clientId: id,
      identityProvider: 'other',
      idpToken,
    });
    assert.equal(answer.status, 200);
    const { db } = service.service;
    const accounts = await db
      .selectFrom('accounts')
      .select('verified_email')
      .where('subject', '=', 'mallory')
      .execute();
    assert.deepEqual(accounts, [{ verified_email: null }]);
  } finally {
    await service.close();
  }
});

test('a refusal looks the same and takes at least as long in milliseconds, whatever its reason', async () => {
  const refusals = await Promise.all(
    ['nobody@example.com', 'bob@example.com', 'carol@example.com'].map(async (address) => {
      const from = performance.now();
      const { body } = await users.call<Problem>(users.shop, 'POST', '/api/recipients', {
        email: address,
        secretType: 'ETHEREUM',
      });
      assert.ok(performance.now() - from >= 95);
      return { ...body, instance: '' };
    }),
  );
  assert.deepEqual(refusals[1], refusals[0]);
  assert.deepEqual(refusals[2], refusals[0]);
});

test('a user needs a device proof to look somebody up', async () => {
  assert.equal(await find('ann@example.com', 'ETHEREUM', ann), annsWallet.address);
  const body = { email: 'ann@example.com', secretType: 'ETHEREUM' };
  for (const subject of [ann, bob]) {
    const { outcome } = await subject.call('POST', '/api/recipients', body, { device: undefined });
    assert.equal(outcome, '401 device.proof.invalid');
  }
  const stranger = await signIn('stranger', {});
  assert.equal(await find('ann@example.com', 'ETHEREUM', stranger), '403 device.unknown');
  for (const [bad, path] of [
    [{ ...body, email: 'ann' }, 'email'],
    [{ ...body, email: 'ann@example' }, 'email'],
    [{ ...body, email: `${'a'.repeat(250)}@x.io` }, 'email'],
    [{ ...body, secretType: 'NEO' }, 'secretType'],
    [{ ...body, name: 'Ann' }, 'name'],
  ] as const)
    assert.equal(
      (await users.call(users.shop, 'POST', '/api/recipients', bad)).outcome,
      `400 request.invalid ${path}`,
    );
});

test('a build accepts an e-mail from an application, and from a user with a device proof', async () => {
  const networks = users.service.config.networks.networks;
  networks.push({
    id: 'local',
    secretType: 'ETHEREUM',
    name: 'Local',
    kind: 'local',
    chainId: 1,
    // Nothing listens there: a coin transfer reads no node.
    nodes: ['http://127.0.0.1:9'],
    tokens: [],
  });
  const body = (walletId: string, to: string) => ({
    type: 'TRANSFER',
    secretType: 'ETHEREUM',
    walletId,
    to,
    value: '0.5',
  });
  const build = '/api/transactions/build';
  const built = await users.call(users.shop, 'POST', build, body(till.id, 'ANN@example.com'));
  assert.deepEqual([built.outcome, built.body['to']], ['200', annsWallet.address]);
  const nobody = await users.call(users.shop, 'POST', build, body(till.id, 'nobody@example.com'));
  assert.equal(nobody.outcome, UNKNOWN);

  const own = body(annsWallet.id, 'first@example.com');
  await signIn('first', email('first@example.com'));
  assert.equal((await ann.call('POST', build, own)).outcome, '200');
  // A page with her token learns nothing, whoever it looks up.
  for (const to of ['first@example.com', 'nobody@example.com'])
    assert.equal((await ann.call('POST', build, { ...own, to }, { device: undefined })).outcome, UNKNOWN);
  networks.pop();
});

test('look-ups are rate-limited per account, without affecting others', async () => {
  const limited = await startUsers({ recipientRateLimit: 3 });
  try {
    const ask = async (token: string): Promise<string> => {
      const body = { email: 'nobody@example.com', secretType: 'ETHEREUM' };
      return (await limited.call(token, 'POST', '/api/recipients', body)).outcome;
    };
    const other = (await limited.service.tokens(['sign:wallets'])).access_token;
    for (let i = 0; i < 3; i++) assert.equal(await ask(limited.shop), UNKNOWN);
    assert.equal(await ask(limited.shop), '429 request.rate-limited');
    assert.equal(await ask(other), UNKNOWN);
  } finally {
    await limited.close();
  }
});
