/** Passkeys of a real browser, and malformed keys. */
import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { readCoseKey } from '../../service/custody/cose.ts';
import { checkAssertion, readNewCredential } from '../../service/custody/webauthn.ts';

interface Vector {
  algorithm: 'ES256' | 'RS256';
  id: string;
  spki: string;
  create: { clientDataJSON: string; authenticatorData: string };
  get: { clientDataJSON: string; authenticatorData: string; signature: string };
}

const { vectors } = JSON.parse(
  readFileSync(new URL('../vectors/passkeys.vectors.json', import.meta.url), 'utf8'),
) as { vectors: Vector[] };

const PARTY = { origin: 'http://localhost:5399', rpId: 'localhost' };
const CREATED = Buffer.from(Array.from({ length: 32 }, (_, i) => i + 1));
const ASKED = Buffer.from(CREATED).reverse();

function bytes(text: string): Buffer {
  return Buffer.from(text, 'base64url');
}

function said<T extends Record<string, string>>(texts: T): Record<keyof T, Buffer> {
  return Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, bytes(text)])) as never;
}

for (const { algorithm, id, spki, create, get } of vectors)
  test(`a passkey that Chromium made (${algorithm}) is read, and its answer verified`, () => {
    const credential = readNewCredential(said(create), { challenge: CREATED, party: PARTY });
    assert.equal(credential.id.toString('base64url'), id);
    const key = readCoseKey(credential.publicKey)!;
    assert.equal(key.key.export({ format: 'der', type: 'spki' }).toString('base64url'), spki);
    const { publicKey } = credential;
    const meant = { challenge: ASKED, party: PARTY, publicKey };
    assert.ok(checkAssertion(said(get), meant) >= 0);
    for (const part of ['clientDataJSON', 'authenticatorData', 'signature'] as const) {
      const spoilt = said(get);
      spoilt[part][spoilt[part].length - 1]! ^= 1;
      assert.throws(() => checkAssertion(spoilt, meant), { code: 'passkey.invalid' }, part);
    }
    // Cut anywhere, it is no key.
    for (let length = 0; length < 60; length++)
      assert.equal(readCoseKey(credential.publicKey.subarray(0, length)), undefined);
    const cut = said(create);
    cut.authenticatorData = cut.authenticatorData.subarray(0, 60);
    assert.throws(() => readNewCredential(cut, { challenge: CREATED, party: PARTY }), {
      code: 'passkey.invalid',
    });
  });

test('keys of other kinds, weak keys, and points off the curve are refused', () => {
  const hex = (text: string): Buffer => Buffer.from(text, 'hex');
  const { n } = generateKeyPairSync('rsa', { modulusLength: 1024 }).publicKey.export({ format: 'jwk' });
  const weak = Buffer.concat([hex('a4010303390100205880'), bytes(n!), hex('2143010001')]);
  assert.equal(readCoseKey(weak), undefined);
  assert.equal(readCoseKey(hex(`a5010203262001215820${'11'.repeat(32)}225820${'22'.repeat(32)}`)), undefined);
  // EdDSA.
  assert.equal(readCoseKey(hex(`a401010327200621582${'0'}${'11'.repeat(32)}`)), undefined);
  // A field twice, and one without an end.
  assert.equal(readCoseKey(hex('a2010201020326')), undefined);
  assert.equal(readCoseKey(hex('bf0102ff')), undefined);
});
