import assert from 'node:assert/strict';
import { createHash, createHmac, createSign, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { after, before, test } from 'node:test';
import { calculateJwkThumbprint, exportJWK, generateKeyPair, type JWK, SignJWT } from 'jose';
import { sql } from 'kysely';
import { Devices } from '../../service/custody/devices.ts';
import type { ProvenRequest } from '../../service/custody/dpop.ts';
import { type CustodyTest, newWallet, OTHER_PIN, outcome, PIN, startCustody } from './custody-setup.ts';

const URL_ = 'https://api.example/api/transactions/execute';
const TOKEN = 'a.user.token';

interface Device {
  privateKey: CryptoKey;
  jwk: JWK;
  thumbprint: string;
}

async function newDevice(): Promise<Device> {
  const { privateKey, publicKey } = await generateKeyPair('ES256', { extractable: true });
  const jwk = await exportJWK(publicKey);
  return { privateKey, jwk, thumbprint: await calculateJwkThumbprint(jwk) };
}

const seconds = () => Math.floor(Date.now() / 1000);
const hash = (text: string) => createHash('sha256').update(text).digest('base64url');
let serial = 0;

const defaults = () => ({
  htm: 'POST',
  htu: URL_,
  iat: seconds(),
  jti: `proof ${serial++}`,
  ath: hash(TOKEN),
});

/** A proof as the frame makes it; claims and header override the defaults, undefined omits one. */
function proofOf(device: Device, claims: object = {}, header: object = {}): Promise<string> {
  return new SignJWT({ ...defaults(), ...claims })
    .setProtectedHeader({ typ: 'dpop+jwt', alg: 'ES256', jwk: device.jwk, ...header })
    .sign(device.privateKey);
}

const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');

let at: CustodyTest;
let devices: Devices;
let device: Device;
let owner: { id: string; ownerId: string; recoveryCode: string };
before(async () => {
  at = await startCustody();
  devices = new Devices(at.db);
  device = await newDevice();
  owner = await at.wallet({ pinOf: 'account', walletType: 'THREEWAY_SHARED', device: device.thumbprint });
});
after(() => at.service.close());

const sent = (proof: ProvenRequest['proof'], change: Partial<ProvenRequest> = {}, now?: Date) =>
  outcome(
    devices.require(owner.ownerId, { proof, method: 'POST', url: URL_, accessToken: TOKEN, ...change }, now),
  );

const INVALID = 'device.proof.invalid';

test('the device that chose the PIN proves each request with a new proof', async () => {
  assert.equal(await sent(await proofOf(device)), 'ok');
  assert.equal(await sent(await proofOf(device)), 'ok');
  assert.equal(
    await sent(await proofOf(device, { htu: `${URL_}?a=1#b` })),
    'ok',
    'query and fragment are ignored',
  );
  assert.equal(
    await sent(await proofOf(device, { htu: 'HTTPS://API.example:443/api/transactions/execute' })),
    'ok',
  );
});

test('a proof is accepted only once, even concurrently and across processes', async () => {
  const proof = await proofOf(device);
  const answers = await Promise.all(
    [devices, new Devices(at.db), devices].map((process) =>
      outcome(process.require(owner.ownerId, { proof, method: 'POST', url: URL_, accessToken: TOKEN })),
    ),
  );
  assert.deepEqual(answers.sort(), [INVALID, INVALID, 'ok']);
  const again = await proofOf(device, { jti: 'the same' });
  assert.equal(await sent(again), 'ok');
  assert.equal(
    await sent(await proofOf(device, { jti: 'the same' })),
    INVALID,
    'another proof with a used jti',
  );
});

test('a proof for another method, URL or token is refused', async () => {
  assert.equal(await sent(await proofOf(device), { method: 'GET' }), INVALID);
  for (const url of [
    'https://api.example/api/signatures',
    'https://api.example/api/transactions/execute/',
    'https://api.example:444/api/transactions/execute',
    'http://api.example/api/transactions/execute',
    'https://evil.example/api/transactions/execute',
  ])
    assert.equal(await sent(await proofOf(device), { url }), INVALID, url);
  for (const htu of ['', 'nothing', '/api/transactions/execute', 'https://api.example', 7, undefined])
    assert.equal(await sent(await proofOf(device, { htu })), INVALID, String(htu));
  assert.equal(await sent(await proofOf(device), { accessToken: 'another.user.token' }), INVALID);
  for (const ath of [undefined, '', TOKEN, hash(`${TOKEN} `), 7])
    assert.equal(await sent(await proofOf(device, { ath })), INVALID, `ath ${String(ath)}`);
});

test('old and future proofs are refused', async () => {
  const now = new Date();
  const iat = Math.floor(now.getTime() / 1000);
  assert.equal(await sent(await proofOf(device, { iat: iat - 60 }), {}, now), 'ok');
  assert.equal(await sent(await proofOf(device, { iat: iat + 4 }), {}, now), 'ok');
  for (const odd of [iat - 70, iat - 86_400, iat + 60, 0, undefined, `${iat}`])
    assert.equal(await sent(await proofOf(device, { iat: odd }), {}, now), INVALID, String(odd));
  const kept = await proofOf(device);
  assert.equal(await sent(kept, {}, new Date(Date.now() + 120_000)), INVALID, 'used too late');
});

test('another key, or another account’s device, is refused', async () => {
  const stranger = await newDevice();
  assert.equal(await sent(await proofOf(stranger)), 'device.unknown');
  assert.equal(
    await sent(await proofOf(stranger, {}, { jwk: device.jwk })),
    INVALID,
    'our key in the header, theirs for the signature',
  );
  const friend = await at.wallet({ pinOf: 'account', device: stranger.thumbprint });
  assert.equal(await sent(await proofOf(stranger)), 'device.unknown');
  const request = { proof: await proofOf(stranger), method: 'POST', url: URL_, accessToken: TOKEN };
  assert.equal(await outcome(devices.require(friend.ownerId, request)), 'ok');
});

test('alg none, HS256 and every algorithm but ES256 are refused', async () => {
  const claims = part(defaults());
  const none = `${part({ typ: 'dpop+jwt', alg: 'none', jwk: device.jwk })}.${claims}.`;
  assert.equal(await sent(none), INVALID);
  const symmetric = { kty: 'oct', k: Buffer.from('key').toString('base64url') };
  for (const [jwk, key] of [
    [symmetric, 'key'],
    [device.jwk, JSON.stringify(device.jwk)],
  ] as [JWK, string][]) {
    const input = `${part({ typ: 'dpop+jwt', alg: 'HS256', jwk })}.${claims}`;
    assert.equal(
      await sent(`${input}.${createHmac('sha256', key).update(input).digest('base64url')}`),
      INVALID,
    );
  }
  const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const jwk = (rsa.publicKey as KeyObject).export({ format: 'jwk' });
  const input = `${part({ typ: 'dpop+jwt', alg: 'RS256', jwk })}.${claims}`;
  assert.equal(
    await sent(`${input}.${createSign('sha256').update(input).sign(rsa.privateKey, 'base64url')}`),
    INVALID,
  );
});

test('malformed proofs are refused', async () => {
  const secret = await exportJWK(device.privateKey);
  const good = await proofOf(device);
  const cases: [string, ProvenRequest['proof']][] = [
    ['none', undefined],
    ['empty', ''],
    ['two headers', [await proofOf(device), await proofOf(device)]],
    ['two proofs in one header', `${await proofOf(device)}, ${await proofOf(device)}`],
    ['another type', await proofOf(device, {}, { typ: 'JWT' })],
    ['no type', await proofOf(device, {}, { typ: undefined })],
    ['no key', await proofOf(device, {}, { jwk: undefined })],
    ['the private key', await proofOf(device, {}, { jwk: secret })],
    ['no id', await proofOf(device, { jti: undefined })],
    ['an empty id', await proofOf(device, { jti: '' })],
    ['an overlong id', await proofOf(device, { jti: 'x'.repeat(5000) })],
    ['an id that is not a string', await proofOf(device, { jti: 7 })],
    ['a critical extension', await proofOf(device, {}, { b64: true, crit: ['b64'] })],
    ['a changed signature', good.slice(0, -4) + (good.endsWith('AAAA') ? 'BBBB' : 'AAAA')],
    [
      'changed claims',
      good
        .split('.')
        .with(1, part({ ...defaults(), jti: 'changed' }))
        .join('.'),
    ],
    ['the access token', TOKEN],
  ];
  for (const [what, proof] of cases) assert.equal(await sent(proof), INVALID, what);
});

test('a further device enrols only with PIN and recovery code', async () => {
  const further = await newDevice();
  const { ownerId, recoveryCode } = owner;
  const { recoveryCode: foreign } = await at.wallet();
  const enrol = (pin: string, code: string) =>
    outcome(at.custody.enrolDevice(ownerId, further.thumbprint, { pin, recoveryCode: code }));
  assert.equal(await enrol(PIN, foreign), 'request.invalid');
  assert.equal(await enrol(PIN, ''), 'request.invalid');
  assert.equal(await enrol(OTHER_PIN, recoveryCode), 'pincode.wrong 4');
  const more = newWallet(ownerId, { pinOf: 'account', device: further.thumbprint });
  assert.equal(await outcome(at.custody.createWallet(more)), 'device.unknown');
  for (let n = 0; n < 12; n++) assert.equal(await enrol(OTHER_PIN, foreign), 'request.invalid');
  assert.equal(await sent(await proofOf(further)), 'device.unknown', 'not enrolled');
  assert.equal(await enrol(PIN, recoveryCode), 'ok');
  assert.equal(await enrol(PIN, recoveryCode), 'ok', 'enrolling twice is harmless');
  assert.equal(await sent(await proofOf(further)), 'ok');
  assert.equal((await devices.list(ownerId, {})).rows.length, 2);
  assert.equal(await devices.remove(ownerId, further.thumbprint), true);
  assert.equal(await devices.remove(ownerId, further.thumbprint), false);
  assert.equal(await sent(await proofOf(further)), 'device.unknown');
});

test('a new key is introduced by its own proof, once; used proofs are deleted after they expire', async () => {
  const fresh = new Devices(at.db);
  const stranger = await newDevice();
  const request = { proof: await proofOf(stranger), method: 'POST', url: URL_, accessToken: TOKEN };
  assert.equal(await fresh.introduce(request), stranger.thumbprint);
  assert.equal(await outcome(fresh.introduce(request)), INVALID);
  await at.db.updateTable('device_proofs').set({ expires_at: sql<Date>`now() - interval '1 s'` }).execute();
  await new Devices(at.db).introduce({ ...request, proof: await proofOf(stranger) });
  assert.equal((await at.db.selectFrom('device_proofs').selectAll().execute()).length, 1);
});
