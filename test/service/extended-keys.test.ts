/** Which extended public keys and descriptors a merchant may receive at, and the addresses of them. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HDKey } from '@scure/bip32';
import { mnemonicToSeedSync } from '@scure/bip39';
import { bytesOf, concat } from '../../src/base/bytes.ts';
import { base58check } from '../../src/base/base58.ts';
import { descriptorChecksum } from '../../service/checkout/wallet-payments/descriptor-checksum.ts';
import { deriveAddress, INDEX_END } from '../../service/checkout/wallet-payments/derive-addresses.ts';
import {
  type KeyPurpose,
  packKey,
  readAccountKey,
  unpackKey,
} from '../../service/checkout/wallet-payments/extended-keys.ts';
import bips from '../vectors/bip44-84-49-86.vectors.json' with { type: 'json' };
import descriptors from '../vectors/litecoin-descriptors.vectors.json' with { type: 'json' };

const BTC: KeyPurpose = { secretType: 'BITCOIN', kind: 'mainnet' };
const BTC_TEST: KeyPurpose = { secretType: 'BITCOIN', kind: 'testnet' };
const LTC: KeyPurpose = { secretType: 'LITECOIN', kind: 'mainnet' };
const LTC_LOCAL: KeyPurpose = { secretType: 'LITECOIN', kind: 'local' };

const PHRASE = 'abandon '.repeat(11) + 'about';
const root = HDKey.fromMasterSeed(mnemonicToSeedSync(PHRASE));
const account = root.derive("m/84'/0'/0'");

/** The account's key under other version bytes, or at another depth. */
function written(version: string, key: HDKey = account, secret = false): string {
  const bytes = base58check.decode(secret ? key.privateExtendedKey : key.publicExtendedKey);
  return base58check.encode(concat(bytesOf(`0x${version}`), bytes.subarray(4)));
}

const XPUB = written('0488b21e');
const ZPUB = written('04b24746');

const withChecksum = (descriptor: string): string => `${descriptor}#${descriptorChecksum(descriptor)}`;

function refusal(text: string, purpose: KeyPurpose): string {
  try {
    readAccountKey(text, purpose);
  } catch (error) {
    const { message } = error as Error;
    const parts = text.match(/[0-9A-Za-z]{20,}/g) ?? [];
    assert.ok(!parts.some((part) => message.includes(part)), 'the error repeats the key');
    return message;
  }
  return 'accepted';
}

test('derives the addresses of BIP-84', () => {
  const vectors = bips.vectors.filter(
    (vector) => vector.bip === 84 && vector.path?.startsWith("m/84'/0'/0'/0/"),
  );
  assert.equal(vectors.length, 2);
  for (const { accountPub, path, address } of vectors) {
    const key = readAccountKey(accountPub, BTC);
    assert.equal(key.isAmbiguous, false);
    assert.equal(deriveAddress(key, Number(path.split('/').at(-1)), BTC).address, address);
  }
});

test('derives the addresses that litecoind derives, far down, too', () => {
  assert.equal(descriptors.vectors.length, 8);
  for (const { kind, descriptor, index, address } of descriptors.vectors) {
    const purpose = kind === 'mainnet' ? LTC : LTC_LOCAL;
    const key = readAccountKey(descriptor, purpose);
    assert.equal(key.fingerprint, '73c5da0a');
    assert.equal(deriveAddress(key, index, purpose).address, address);
    const [body, checksum] = descriptor.split('#');
    assert.equal(descriptorChecksum(body!), checksum);
  }
});

test('derives the same for a Litecoin wallet that exports zpub', () => {
  const [first] = descriptors.vectors;
  const key = readAccountKey(written('04b24746', root.derive("m/84'/2'/0'")), LTC);
  assert.equal(deriveAddress(key, 0, LTC).address, first!.address);
});

test('has the checksums of BIP-380', () => {
  assert.equal(descriptorChecksum('raw(deadbeef)'), '89f8spxm');
  assert.equal(descriptorChecksum('Ü'), undefined);
});

test('a key and its descriptor are the same key, and it opens as it was stored', () => {
  const one = readAccountKey(ZPUB, BTC);
  const other = readAccountKey(withChecksum(`wpkh([73C5DA0A/84h/0'/0h]${XPUB}/<0;1>/*)`), BTC);
  assert.deepEqual(other.publicKey, one.publicKey);
  assert.equal(other.fingerprint, '73c5da0a');
  assert.deepEqual(unpackKey(packKey(one)), { chainCode: one.chainCode, publicKey: one.publicKey });
  assert.throws(() => unpackKey(packKey(one).fill(2, 0, 1)), /form/);
});

const VERSIONS: [version: string, purpose: KeyPurpose, outcome: RegExp][] = [
  ['0488b21e', BTC, /^accepted$/],
  ['0488b21e', LTC, /^accepted$/],
  ['04b24746', BTC, /^accepted$/],
  ['04b24746', LTC, /^accepted$/],
  ['043587cf', BTC_TEST, /^accepted$/],
  ['043587cf', LTC_LOCAL, /^accepted$/],
  ['045f1cf6', BTC_TEST, /^accepted$/],
  ['045f1cf6', LTC_LOCAL, /^accepted$/],
  ['019da462', LTC, /^accepted$/],
  ['0436f6e1', LTC_LOCAL, /^accepted$/],
  ['0488b21e', BTC_TEST, /main network \(xpub\)/],
  ['04b24746', LTC_LOCAL, /main network \(zpub\)/],
  ['043587cf', BTC, /test network \(tpub\)/],
  ['045f1cf6', LTC, /test network \(vpub\)/],
  ['019da462', BTC, /is of Litecoin \(Ltub\), not of Bitcoin/],
  ['019da462', LTC_LOCAL, /main network \(Ltub\)/],
  ['0436f6e1', BTC_TEST, /is of Litecoin \(ttub\)/],
  ['0436f6e1', LTC, /test network \(ttub\)/],
  ['049d7cb2', BTC, /\(ypub\) .*begin with 3.*native segwit/],
  ['044a5262', BTC_TEST, /\(upub\) .*native segwit/],
  ['01b26ef6', LTC, /\(Mtub\) .*native segwit/],
  ['0295b43f', BTC, /multisig \(Ypub\)/],
  ['02aa7ed3', BTC, /multisig \(Zpub\)/],
  ['024289ef', BTC_TEST, /multisig \(Upub\)/],
  ['02575483', BTC_TEST, /multisig \(Vpub\)/],
  ['deadbeef', BTC, /^must be a descriptor/],
];

test('accepts or refuses each prefix by its name', () => {
  for (const [version, purpose, outcome] of VERSIONS)
    assert.match(refusal(written(version), purpose), outcome, `${version} for ${purpose.secretType}`);
  assert.equal(readAccountKey(XPUB, BTC).isAmbiguous, true);
  assert.equal(readAccountKey(written('019da462'), LTC).isAmbiguous, true);
});

const PRIVATE_VERSIONS =
  '0488ade4 049d7878 04b2430c 0295b005 02aa7a99 04358394 044a4e28 045f18bc 024285b5 02575048 019d9cfe 01b26792 0436ef7d';

test('refuses private keys and phrases, whatever they are called', () => {
  const versions = PRIVATE_VERSIONS.split(' ');
  for (const text of [
    ...versions.map((version) => written(version, account, true)),
    // Under the version bytes of public keys, and within a descriptor.
    written('04b24746', account, true),
    written('deadbeef', account, true),
    withChecksum(`wpkh([73c5da0a/84h/0h/0h]${account.privateExtendedKey}/0/*)`),
    `wpkh(${account.privateExtendedKey}/0/*)`,
    // With a typing mistake.
    `${account.privateExtendedKey.slice(0, -1)}x`,
    // WIF, for which `base58-keys.vectors.json` has more.
    'KwDiBf89QgGbjEhKnhXJuH7LrciVrZi3qYjgd9M7rFU73sVHnoWn',
    `wpkh(KwDiBf89QgGbjEhKnhXJuH7LrciVrZi3qYjgd9M7rFU73sVHnoWn)`,
  ])
    assert.match(refusal(text, BTC), /^must not have a private key/, text.slice(0, 12));
  assert.match(refusal(PHRASE, BTC), /^must not be a recovery phrase/);
});

test('takes a public key that happens to have the letters of a private one', () => {
  assert.doesNotMatch(refusal(`${ZPUB.slice(0, 40)}xprv${ZPUB.slice(44)}`, BTC), /private/);
});

test('refuses keys at another depth, unless a descriptor says where they are', () => {
  const deeper = account.deriveChild(0);
  assert.match(refusal(written('04b24746', deeper), BTC), /depth 3 .* not at depth 4/);
  assert.match(refusal(written('04b24746', root), BTC), /not at depth 0/);
  const at = root.derive("m/84'/0'");
  assert.equal(refusal(withChecksum(`wpkh(${at.publicExtendedKey}/0/*)`), BTC), 'accepted');
});

test('refuses what is mistyped', () => {
  const flipped = ZPUB.slice(0, 50) + (ZPUB[50] === 'a' ? 'b' : 'a') + ZPUB.slice(51);
  assert.match(refusal(flipped, BTC), /wrong checksum/);
  assert.match(refusal('', BTC), /^must be a descriptor/);
  assert.match(refusal('0OIl', BTC), /^must be a descriptor/);
  const descriptor = withChecksum(`wpkh([73c5da0a/84h/0h/0h]${XPUB}/0/*)`);
  assert.match(refusal(descriptor.replace('73c5', '73c6'), BTC), /wrong checksum after #/);
  assert.match(refusal(descriptor.split('#')[0]!, BTC), /must end with # and its checksum/);
});

const DESCRIPTORS: [descriptor: string, purpose: KeyPurpose, outcome: RegExp][] = [
  [`wpkh(${XPUB}/0/*)`, BTC, /^accepted$/],
  [`wpkh([73c5da0a/84h/0h/0h]${XPUB}/0/*)`, BTC, /^accepted$/],
  [`wpkh([73c5da0a/84h/0h/0h]${XPUB}/0/*)`, LTC, /is of Bitcoin, as its path/],
  [`wpkh([73c5da0a/84h/0h/1h]${XPUB}/0/*)`, BTC, /does not lead to its key/],
  [`wpkh([73c5da0a/84h/0h]${XPUB}/0/*)`, BTC, /does not lead to its key/],
  [`wpkh([73c5da0a]${XPUB}/0/*)`, BTC, /does not lead to its key/],
  [`wpkh(${XPUB}/1/*)`, BTC, /change addresses/],
  [`wpkh(${XPUB}/0/*h)`, BTC, /hardened/],
  [`wpkh(${XPUB}/*)`, BTC, /must have the path/],
  [`wpkh(${XPUB})`, BTC, /must have the path/],
  [`wpkh(${XPUB}/0/7)`, BTC, /must have the path/],
  [`wpkh(${written('049d7cb2')}/0/*)`, BTC, /native segwit/],
  [`pkh(${XPUB}/0/*)`, BTC, /legacy/],
  [`sh(wpkh(${XPUB}/0/*))`, BTC, /begin with 3/],
  [`wsh(sortedmulti(2,${XPUB}/0/*,${XPUB}/0/*))`, BTC, /multisig/],
  [`sortedmulti(1,${XPUB}/0/*)`, BTC, /multisig/],
  [`tr(${XPUB}/0/*)`, BTC, /taproot/],
  [`combo(${XPUB}/0/*)`, BTC, /several kinds/],
  ['addr(bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu)', BTC, /^must be a descriptor/],
  ['wpkh(02c6047f9441ed7d6d3045406e95c07cd85c778e4b8cef3ca7abac09b95c709ee5)', BTC, /^must be a descriptor/],
];

test('accepts descriptors of native segwit accounts alone', () => {
  for (const [descriptor, purpose, outcome] of DESCRIPTORS)
    assert.match(refusal(withChecksum(descriptor), purpose), outcome, descriptor.slice(0, 24));
});

test('derives no address of an index that no public key leads to, nor of what is no point of the curve', () => {
  const key = readAccountKey(ZPUB, BTC);
  for (const index of [-1, 0.5, INDEX_END, Number.NaN])
    assert.throws(() => deriveAddress(key, index, BTC), /out of range/);
  const publicKey = Uint8Array.from([2, ...Array<number>(32).fill(255)]);
  assert.throws(() => deriveAddress({ ...key, publicKey }, 0, BTC));
});
