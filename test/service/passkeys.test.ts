/** Passkeys of users: with one, a device that has token and PIN can neither spend nor sign, export, change the PIN or enrol another. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, beforeEach, test } from 'node:test';
import * as z from 'zod/mini';
import type { BatchResult } from '../../src/api/orders.ts';
import type { PasskeyAnswer, PasskeyState } from '../../src/api/passkey.ts';
import type { Route } from '../../src/api/route.ts';
import * as contract from '../../src/api/routes.ts';
import type { CreatedWallet } from '../../src/api/wallet.ts';
import { type Authenticator, challengeOf, type Manner, newAuthenticator, ORIGIN } from './authenticator.ts';
import { OTHER_PIN, PIN, QUICK } from './custody-setup.ts';
import {
  type Answered,
  type Device,
  newDevice,
  startUsers,
  type User,
  type UsersTest,
} from './users-setup.ts';

const REQUIRED = '403 passkey.required';
const MINUTE = 60_000;

let at: UsersTest;
let now = Date.now();

before(async () => {
  at = await startUsers(
    {
      frameUrl: ORIGIN,
      // Nobody answers there.
      networks: {
        customNodes: false,
        reported: [],
        networks: [
          {
            id: 'e',
            secretType: 'ETHEREUM',
            name: 'E',
            kind: 'local',
            chainId: 1,
            nodes: ['http://127.0.0.1:1'],
            tokens: [],
          },
        ],
      } as never,
    },
    { pins: { cost: QUICK, now: () => now } },
  );
});
after(() => at?.close());
beforeEach(() => {
  now = Date.now();
});

interface Owner {
  user: User;
  wallet: CreatedWallet;
  key: Authenticator;
}

type More = {
  params?: Record<string, string>;
  key?: string;
  device?: Device;
  manner?: Manner;
  change?: object;
  at?: number;
};

function path({ path }: Route, params: Record<string, string> = {}): string {
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => params[name]!);
}

/** What the frame sends, with the passkey's answer to the request. `change`: made to the body afterwards. */
function answered(
  key: Authenticator,
  route: Route,
  body: object,
  more: More = {},
): object & { passkey: PasskeyAnswer } {
  const { params = {}, key: idempotency = '', manner, change = {} } = more;
  const fresh = { nonce: randomBytes(16).toString('base64url'), at: more.at ?? now };
  const asked = {
    method: route.method,
    path: route.path,
    params,
    body: body as Record<string, unknown>,
    key: idempotency,
    ...fresh,
  };
  const passkey = {
    ...fresh,
    credentialId: key.id.toString('base64url'),
    ...key.get(challengeOf(asked), manner),
    secret: key.secret,
  };
  return { ...body, passkey, ...change };
}

function send<T = Record<string, unknown>>(
  user: User,
  route: Route,
  body: object,
  more: More = {},
): Promise<Answered<T>> {
  const headers = more.key === undefined ? {} : { 'Idempotency-Key': more.key };
  return user.call<T>(route.method, path(route, more.params), body, {
    device: more.device ?? user.device,
    headers,
  });
}

function ask<T = Record<string, unknown>>({ user, key }: Owner, route: Route, body: object, more: More = {}) {
  return send<T>(user, route, answered(key, route, body, more), more);
}

function enrolment(
  key: Authenticator,
  { manner, change = {}, ...more }: More & { pincode?: string } = {},
): object {
  const body = { pincode: more.pincode ?? PIN, salt: randomBytes(32).toString('base64url') };
  const fresh = { nonce: randomBytes(16).toString('base64url'), at: more.at ?? now };
  const asked = { method: 'POST', path: '/api/passkey', params: {}, body, key: '', ...fresh };
  const passkey = {
    ...fresh,
    ...key.create(challengeOf(asked), manner),
    transports: ['internal'],
    secret: key.secret,
  };
  return { ...body, passkey, ...change };
}

async function owner(key = newAuthenticator()): Promise<Owner> {
  const user = await at.user();
  const wallet = await user.wallet();
  const { outcome, body } = await send(user, contract.addPasskey, enrolment(key));
  assert.equal(outcome, '201', JSON.stringify(body));
  return { user, wallet, key };
}

async function passkeyOf(user: User): Promise<PasskeyState['passkey']> {
  return (await user.call<PasskeyState>('GET', '/api/passkey')).body.passkey;
}

function check({ outcome, body }: Answered): string {
  const { check: failed } = (body['details'] ?? {}) as { check?: string };
  return [outcome, failed].filter(Boolean).join(' ');
}

test('a passkey of either algorithm is added with PIN and device, and can then export in place of the PIN', async () => {
  for (const algorithm of ['ES256', 'RS256'] as const) {
    const user = await at.user();
    const wallet = await user.wallet();
    const key = newAuthenticator(algorithm);
    const params = { id: wallet.id };
    const byPin = await send(user, contract.exportWallet, { pincode: PIN }, { params });
    assert.equal(await passkeyOf(user), null);
    assert.equal((await send(user, contract.addPasskey, enrolment(key))).outcome, '201');
    const { credentialId, transports, createdAt } = (await passkeyOf(user))!;
    assert.deepEqual(
      [credentialId, transports, typeof createdAt],
      [key.id.toString('base64url'), ['internal'], 'number'],
    );
    const byPasskey = await ask({ user, wallet, key }, contract.exportWallet, {}, { params });
    assert.equal(byPasskey.outcome, '200', JSON.stringify(byPasskey.body));
    assert.deepEqual(byPasskey.body, byPin.body);
  }
});

test('a passkey is not added for another frame, without the user, late, or without PIN and device', async () => {
  const user = await at.user();
  await user.wallet();
  const key = newAuthenticator();
  const attempts: [string, object, More?][] = [
    ['403 passkey.invalid origin', enrolment(key, { manner: { origin: 'https://wallet.example.evil' } })],
    ['403 passkey.invalid rp', enrolment(key, { manner: { rpId: 'example' } })],
    ['403 passkey.invalid present', enrolment(key, { manner: { flags: 0x04 } })],
    ['403 passkey.invalid verified', enrolment(key, { manner: { flags: 0x01 } })],
    ['403 passkey.invalid type', enrolment(key, { manner: { type: 'webauthn.get' } })],
    ['403 passkey.invalid challenge', enrolment(key, { change: { salt: 'A'.repeat(43) } })],
    ['403 passkey.invalid time', enrolment(key, { at: now - 2 * MINUTE - 1 })],
    ['403 passkey.invalid time', enrolment(key, { at: now + MINUTE })],
    ['403 pincode.wrong', enrolment(key, { pincode: OTHER_PIN })],
    ['403 device.unknown', enrolment(key), { device: await newDevice() }],
  ];
  for (const [expected, body, more] of attempts)
    assert.equal(check(await send(user, contract.addPasskey, body, more)), expected);
  const spoilt = enrolment(key) as { passkey: { authenticatorData: string } };
  const data = Buffer.from(spoilt.passkey.authenticatorData, 'base64url');
  // Another curve.
  data[data.length - 68] = 2;
  spoilt.passkey.authenticatorData = data.toString('base64url');
  assert.equal(check(await send(user, contract.addPasskey, spoilt)), '403 passkey.invalid key');
  assert.equal(await passkeyOf(user), null);
});

const someCode = '0000-0000-0000-0000-0000-0000-0000-0000';

/** Also within lists and alternatives. */
function takesPin(schema: unknown): boolean {
  if (typeof schema !== 'object' || schema === null) return false;
  return Object.entries(schema).some(
    ([name, value]) => (name === 'pincode' && JSON.stringify(value).includes('"string"')) || takesPin(value),
  );
}

/** Calls that take a user's PIN alone: one opens no key that exists, the other is refused where there is a passkey. */
const BY_PIN_ALONE = ['addPasskey', 'createWallet'];

/** A body of each call that needs the passkey, with the PIN. */
const BODIES: Record<string, (wallet: CreatedWallet) => object> = {
  executeTransaction: ({ id, address }) => ({
    type: 'ETH_TRANSACTION',
    walletId: id,
    to: address,
    value: '1',
    pincode: PIN,
  }),
  executeApproved: ({ id }) => ({ walletId: id, draft: '{}', pincode: PIN }),
  executeBatch: ({ id, address }) => ({
    walletId: id,
    pincode: PIN,
    transactions: [{ type: 'ETH_TRANSACTION', to: address, value: '1' }],
  }),
  speedUpTransaction: ({ id }) => ({ walletId: id, pincode: PIN }),
  cancelTransaction: ({ id }) => ({ walletId: id, pincode: PIN }),
  importWallet: () => ({
    walletType: 'THREEWAY_SHARED',
    secretType: 'ETHEREUM',
    key: '11'.repeat(32),
    pincode: PIN,
  }),
  createSignature: ({ id }) => ({ type: 'ETHEREUM_RAW', walletId: id, data: '0x12', pincode: PIN }),
  exportWallet: () => ({ pincode: PIN }),
  setOwnPincode: () => ({ pincode: PIN, next: OTHER_PIN }),
  changePincode: () => ({ pincode: PIN, next: OTHER_PIN }),
  renewRecoveryCode: () => ({ pincode: PIN }),
  enrolDevice: () => ({ pincode: PIN, recoveryCode: someCode }),
};

test('every call that takes a user’s PIN needs the passkey', () => {
  const byPinAlone = Object.entries(contract as Record<string, Route>).filter(
    ([, { body, application, passkey }]) =>
      body &&
      !application &&
      passkey !== 'required' &&
      takesPin(z.toJSONSchema(body, { unrepresentable: 'any' })),
  );
  assert.deepEqual(byPinAlone.map(([name]) => name).sort(), BY_PIN_ALONE);
});

test('without the passkey, the PIN no longer does anything, and is not checked', async () => {
  const all = Object.entries(contract as Record<string, Route>).filter(
    ([, route]) => route.passkey === 'required',
  );
  assert.deepEqual(all.map(([name]) => name).sort(), Object.keys(BODIES).sort());
  const { user, wallet } = await owner();
  for (const [name, route] of all) {
    const body = { ...BODIES[name]!(wallet), pincode: OTHER_PIN };
    const params = { id: wallet.id, hash: `0x${'12'.repeat(32)}` };
    assert.equal((await send(user, route, body, { params, key: name })).outcome, REQUIRED, name);
  }
  const { body } = await user.call('GET', '/api/account');
  assert.equal(body['wrongPins'], 0);
  // Another one in its place would be the thief's. This, too, is said before the PIN is tried.
  assert.equal(
    (await send(user, contract.addPasskey, enrolment(newAuthenticator(), { pincode: OTHER_PIN }))).outcome,
    '409 request.conflict',
  );
});

test('an answer is valid for exactly the request it was given for, and once', async () => {
  const it = await owner();
  const { user, key } = it;
  const other = await user.wallet();
  const params = { id: it.wallet.id };
  const route = contract.changePincode;
  const body = { next: OTHER_PIN };
  const changed = (change: object, more: More = {}) =>
    send(user, route, answered(key, route, body, { change, ...more }));
  assert.equal(check(await changed({ next: '418263' })), '403 passkey.invalid challenge');
  assert.equal(check(await changed({ walletId: other.id })), '403 passkey.invalid challenge');
  const exported = answered(key, contract.exportWallet, {}, { params });
  assert.equal(
    check(await send(user, contract.exportWallet, exported, { params: { id: other.id } })),
    '403 passkey.invalid challenge',
  );
  const signature = { type: 'ETHEREUM_RAW', walletId: it.wallet.id, data: '0x12' };
  const keyed = answered(key, contract.createSignature, signature, { key: 'one' });
  assert.equal(
    check(await send(user, contract.createSignature, keyed, { key: 'two' })),
    '403 passkey.invalid challenge',
  );
  const manners: Record<string, Manner> = {
    origin: { origin: 'https://evil.example' },
    rp: { rpId: 'evil.example' },
    present: { flags: 0x04 },
    verified: { flags: 0x01 },
    type: { type: 'webauthn.create' },
    challenge: { challenge: randomBytes(32) },
  };
  for (const [failed, manner] of Object.entries(manners))
    assert.equal(check(await ask(it, route, body, { manner })), `403 passkey.invalid ${failed}`);
  assert.equal(check(await ask(it, route, body, { at: now - 2 * MINUTE - 1 })), '403 passkey.invalid time');
  assert.equal(check(await ask(it, route, body, { at: now + MINUTE })), '403 passkey.invalid time');
  const stranger = newAuthenticator();
  assert.equal(check(await ask({ ...it, key: stranger }, route, body)), '403 passkey.invalid credential');
  const forged = { ...stranger, id: key.id };
  assert.equal(check(await ask({ ...it, key: forged }, route, body)), '403 passkey.invalid signature');
  const wrongSecret = { ...key, secret: stranger.secret };
  assert.equal(
    check(await ask({ ...it, key: wrongSecret }, route, body)),
    '400 request.invalid passkey.secret',
  );
  assert.equal(
    check(await changed({ passkey: {} })),
    '400 request.invalid passkey.nonce passkey.at passkey.credentialId passkey.clientDataJSON passkey.authenticatorData passkey.signature',
  );
  // Nothing of this has changed the PIN.
  const once = answered(key, route, body);
  assert.equal((await send(user, route, once)).outcome, '200');
  assert.equal(check(await send(user, route, once)), '403 passkey.invalid used');
  // Not every call takes an Idempotency-Key.
  const renewal = answered(key, contract.renewRecoveryCode, {});
  for (const expected of ['200', '403 passkey.invalid used'])
    assert.equal(check(await send(user, contract.renewRecoveryCode, renewal, { key: 'x' })), expected);
});

test('a repeat with the same Idempotency-Key is answered, even if the authenticator counts', async () => {
  const it = await owner();
  const signature = { type: 'ETHEREUM_RAW', walletId: it.wallet.id, data: '0x12' };
  const sign = (counter: number, key: string) =>
    answered(it.key, contract.createSignature, signature, { key, manner: { counter } });
  const first = sign(5, 'sign-1');
  const one = await send(it.user, contract.createSignature, first, { key: 'sign-1' });
  assert.equal(one.outcome, '200', JSON.stringify(one.body));
  const repeat = await send(it.user, contract.createSignature, first, { key: 'sign-1' });
  assert.deepEqual(repeat.body, one.body);
  // A copy of the authenticator would be behind.
  for (const counter of [5, 4, 0]) {
    const body = sign(counter, 'sign-2');
    for (let n = 0; n < 2; n++)
      assert.equal(
        check(await send(it.user, contract.createSignature, body, { key: 'sign-2' })),
        '403 passkey.invalid counter',
      );
  }
  assert.equal(
    (await send(it.user, contract.createSignature, sign(6, 'sign-2'), { key: 'sign-2' })).outcome,
    '200',
  );
});

test('it spends, changes the PIN and renews the recovery code while the PIN is locked, and survives a new PIN', async () => {
  const it = await owner();
  await at.service.service.db.updateTable('pins').set({ tries: 20 }).where('id', '=', it.user.id).execute();
  const changed = await ask(it, contract.changePincode, { next: OTHER_PIN });
  assert.equal(changed.outcome, '200', JSON.stringify(changed.body));
  const pay = { type: 'ETH_TRANSACTION', walletId: it.wallet.id, to: it.wallet.address, value: '1' };
  assert.equal((await ask(it, contract.executeTransaction, pay)).outcome, '502 node.unreachable');
  const { id: walletId, address: to } = it.wallet;
  const batch = { walletId, transactions: [{ type: 'ETH_TRANSACTION', to, value: '1' }] };
  const several = await ask<BatchResult>(it, contract.executeBatch, batch, { key: 'several' });
  assert.equal(several.body[0]?.error?.code, 'node.unreachable', JSON.stringify(several.body));
  const key = Buffer.from(randomBytes(32)).toString('hex');
  const own = { walletType: 'THREEWAY_SHARED', secretType: 'ETHEREUM', key };
  const imported = await ask<CreatedWallet>(it, contract.importWallet, own);
  assert.equal(imported.outcome, '201', JSON.stringify(imported.body));
  const exported = await ask(it, contract.exportWallet, {}, { params: { id: imported.body.id } });
  assert.equal(exported.body['key'], `0x${key}`);
  const { body } = await ask<{ recoveryCode: string }>(it, contract.renewRecoveryCode, {});
  assert.match(body.recoveryCode, /^\w{4}-/);
});

test('a further device enrols with passkey, PIN and recovery code', async () => {
  const user = await at.user();
  const wallet = await user.wallet();
  const key = newAuthenticator();
  await send(user, contract.addPasskey, enrolment(key));
  const it = { user, wallet, key };
  const device = await newDevice();
  const body = { pincode: PIN, recoveryCode: wallet.recoveryCode };
  assert.equal((await send(user, contract.enrolDevice, body, { device })).outcome, REQUIRED);
  assert.equal((await ask(it, contract.enrolDevice, body, { device })).outcome, '201');
});

test("a wallet's own PIN is needed in addition to the passkey", async () => {
  const it = await owner();
  const params = { id: it.wallet.id };
  assert.equal((await ask(it, contract.setOwnPincode, { next: OTHER_PIN }, { params })).outcome, '200');
  assert.equal((await ask(it, contract.exportWallet, {}, { params })).outcome, '400 request.invalid pincode');
  assert.equal(
    (await ask(it, contract.exportWallet, { pincode: PIN }, { params })).outcome,
    '403 pincode.wrong',
  );
  assert.equal((await ask(it, contract.exportWallet, { pincode: OTHER_PIN }, { params })).outcome, '200');
});

test('it is removed with itself or the recovery code, and with nothing else', async () => {
  const it = await owner();
  const remove = (body: object) => send(it.user, contract.removePasskey, body);
  assert.equal((await remove({})).outcome, '400 request.invalid passkey');
  assert.equal((await remove({ recoveryCode: someCode })).outcome, '400 request.invalid recoveryCode');
  assert.equal(
    check(
      await send(it.user, contract.removePasskey, answered(newAuthenticator(), contract.removePasskey, {})),
    ),
    '403 passkey.invalid credential',
  );
  assert.ok(await passkeyOf(it.user));
  assert.equal((await remove({ recoveryCode: it.wallet.recoveryCode })).outcome, '200');
  assert.equal(await passkeyOf(it.user), null);
  const params = { id: it.wallet.id };
  assert.equal((await send(it.user, contract.exportWallet, { pincode: PIN }, { params })).outcome, '200');
  assert.equal(
    (await ask(it, contract.exportWallet, { pincode: PIN }, { params })).outcome,
    '409 request.conflict',
  );
  const again = newAuthenticator();
  assert.equal((await send(it.user, contract.addPasskey, enrolment(again))).outcome, '201');
  assert.equal((await ask({ ...it, key: again }, contract.removePasskey, {})).outcome, '200');
  assert.equal((await remove({ recoveryCode: it.wallet.recoveryCode })).outcome, '409 request.conflict');
});

test('an application cannot have a passkey', async () => {
  assert.equal((await at.call(at.shop, 'GET', '/api/passkey')).outcome, '403 token.scope');
});
