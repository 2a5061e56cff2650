/** Typed data, messages and certificates signed by the service, and what it refuses to sign. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Encoded, verifyMessage as verifyAeternity } from '@aeternity/aepp-sdk';
import { Certificate } from '@vechain/sdk-core';
import { Verifier } from 'bip322-js';
import bitcoinMessage from 'bitcoinjs-message';
import { hexlify, toUtf8Bytes, TypedDataEncoder, verifyTypedData } from 'ethers';
import { TronWeb } from 'tronweb';
import type { Network } from '../../src/chains/network.ts';
import type { CreatedWallet } from '../../src/api/wallet.ts';
import type { CertificateSignature } from '../../src/chains/terms.ts';
import { bytesOf } from '../../src/base/bytes.ts';
import { type Shop, startShop } from './execute-setup.ts';

/** No node is reachable: nothing here needs one. */
const NETWORKS = (
  [
    ['ETHEREUM', { chainId: 31337 }],
    ['GOCHAIN', { chainId: 60 }],
    ['VECHAIN', { genesis: `0x${'0'.repeat(63)}1` }],
    ['BITCOIN', {}],
    ['LITECOIN', {}],
    ['TRON', {}],
    ['AETERNITY', { genesis: 'kh_1' }],
  ] as const
).map(
  ([secretType, signs]): Network => ({
    id: `${secretType}-local`,
    secretType,
    name: 'Local',
    kind: 'local',
    ...signs,
    nodes: ['http://127.0.0.1:1'],
    tokens: [],
  }),
);

let shop: Shop;
let till: CreatedWallet;
before(async () => {
  shop = await startShop(NETWORKS);
  till = await shop.wallet();
});
after(() => shop.close());

const types = {
  Permit: [
    { name: 'owner', type: 'address' },
    { name: 'spender', type: 'address' },
    { name: 'value', type: 'uint256' },
    { name: 'nonce', type: 'uint256' },
    { name: 'deadline', type: 'uint256' },
  ],
};
const CONTRACT = `0x${'c0'.repeat(20)}`;
const domainOf = (chainId: number) => ({ name: 'Token', chainId, verifyingContract: CONTRACT });
const messageOf = ({ address }: CreatedWallet) => ({
  owner: address,
  spender: CONTRACT,
  value: '5',
  nonce: 0,
  deadline: 1_800_000_000,
});
const typed = (
  wallet: CreatedWallet,
  change: object = {},
  type = 'ETHEREUM_TYPED_DATA',
  chainId = 31337,
) => ({
  type,
  walletId: wallet.id,
  data: JSON.stringify({
    types,
    primaryType: 'Permit',
    domain: domainOf(chainId),
    message: messageOf(wallet),
    ...change,
  }),
});

test('typed data of Ethereum and GoChain is signed, and ethers verifies it', async () => {
  const coins = await shop.wallet('GOCHAIN');
  for (const [wallet, type, chainId] of [
    [till, 'ETHEREUM_TYPED_DATA', 31337],
    [coins, 'GOCHAIN_TYPED_DATA', 60],
  ] as const) {
    const { outcome, body } = await shop.sign(typed(wallet, {}, type, chainId));
    assert.equal(outcome, '200');
    const { r, s, v, signature } = body.result;
    assert.equal(signature, r + s.slice(2) + v.slice(2));
    assert.equal(verifyTypedData(domainOf(chainId), types, messageOf(wallet), signature), wallet.address);
  }
});

test('an invalid request is refused with its field, and nothing is signed', async () => {
  const message = messageOf(till);
  for (const [change, path] of [
    [{ message: { ...message, value: '-1' } }, 'data.message.value'],
    [{ message: { ...message, note: 'not signed' } }, 'data.message.note'],
    [{ domain: domainOf(1) }, 'data.domain.chainId'],
    [{ domain: { ...domainOf(31337), verifyingContract: till.address } }, 'data.domain.verifyingContract'],
    [{ primaryType: 'Order' }, 'data.primaryType'],
    [{ more: 1 }, 'data.more'],
  ] as const) {
    const { outcome, body } = await shop.sign(typed(till, change));
    assert.equal(outcome, `400 request.invalid ${path}`);
    assert.equal(body.result, undefined);
  }
  const flagged = await shop.sign({ ...typed(till), prefix: false });
  assert.equal(flagged.outcome, '400 request.invalid prefix');
  assert.equal((await shop.sign({ ...typed(till), data: '0x1234' })).outcome, '400 request.invalid data');
  assert.equal((await shop.sign({ ...typed(till), data: 'Permit' })).outcome, '400 request.invalid data');
});

test('raw data that is an authorisation or pre-hashed typed data is refused; as a message it is signed', async () => {
  const hashed = TypedDataEncoder.encode(domainOf(31337), types, messageOf(till));
  for (const data of [`0x05d70194${CONTRACT.slice(2)}80`, hashed]) {
    const raw = { type: 'ETHEREUM_RAW', walletId: till.id, data };
    assert.equal((await shop.sign({ ...raw, prefix: false })).outcome, '400 request.invalid data');
    assert.equal((await shop.sign(raw)).outcome, '200');
  }
  const text = {
    type: 'ETHEREUM_RAW',
    walletId: till.id,
    data: hexlify(toUtf8Bytes('Hello')),
    prefix: false,
  };
  assert.equal((await shop.sign(text)).outcome, '200');
});

const TEXT = 'Hello ü 😄';
const messageOfType = (type: string, { id }: CreatedWallet, more: object = {}) => ({
  type,
  walletId: id,
  data: hexlify(toUtf8Bytes(TEXT)),
  ...more,
});

test('messages are signed in their chain’s format, and only the signature is returned', async () => {
  const verifiers = {
    BITCOIN: (signature, { address }) => Verifier.verifySignature(address, TEXT, signature, true),
    LITECOIN: (signature, { address }) =>
      bitcoinMessage.verify(TEXT, address, signature, '\x19Litecoin Signed Message:\n'),
    TRON: async (signature, { address }) =>
      address ===
      (await new TronWeb({ fullHost: 'http://127.0.0.1:1' }).trx.verifyMessageV2(TEXT, signature)),
    AETERNITY: (signature, { address }) =>
      verifyAeternity(TEXT, bytesOf(signature), address as Encoded.AccountAddress),
  } satisfies Record<string, (signature: string, wallet: CreatedWallet) => boolean | Promise<boolean>>;
  for (const [secretType, verify] of Object.entries(verifiers)) {
    const wallet = await shop.wallet(secretType as keyof typeof verifiers);
    const more = { prefix: null, purpose: null, format: secretType === 'LITECOIN' ? 'bip137' : null };
    const { outcome, body } = await shop.sign(messageOfType(`${secretType}_MESSAGE`, wallet, more));
    assert.equal(outcome, '200', secretType);
    assert.deepEqual(Object.keys(body.result), ['signature']);
    assert.equal(await verify(body.result.signature, wallet), true, secretType);
  }
});

test('a certificate is signed only with a domain and a time that the application names', async () => {
  const wallet = await shop.wallet('VECHAIN');
  const annex = { domain: 'shop.example:8443', timestamp: 1_700_000_000 };
  const without = messageOfType('VECHAIN_CERTIFICATE', wallet);
  const request = { ...without, purpose: 'agreement' };
  const { outcome, body } = await shop.sign({ ...request, annex });
  assert.equal(outcome, '200');
  const { result } = body as unknown as { result: CertificateSignature };
  assert.deepEqual(result.annex, { ...annex, signer: wallet.address.toLowerCase() });
  const payload = { type: 'text', content: TEXT };
  Certificate.of({ purpose: 'agreement', payload, ...result.annex, signature: result.signature }).verify();

  for (const [bad, path] of [
    [request, 'annex'],
    [{ ...request, annex: { domain: 'shop.example' } }, 'annex.timestamp'],
    [{ ...request, annex: { ...annex, signer: wallet.address } }, 'annex'],
    [{ ...request, annex: { ...annex, domain: '' } }, 'annex.domain'],
    [{ ...request, annex: { ...annex, timestamp: -1 } }, 'annex.timestamp'],
    [{ ...request, annex, data: '0xff' }, 'data'],
    [{ ...without, annex }, 'purpose'],
    [{ ...messageOfType('VECHAIN_TRANSACTION', wallet), annex }, 'annex'],
  ] as const) {
    const refused = await shop.sign(bad);
    assert.match(refused.outcome, new RegExp(`^400 request\\.invalid ${path}`), JSON.stringify(bad));
    assert.equal(refused.body.result, undefined);
  }
});

test('an idempotency key used for a certificate is refused for one with another time', async () => {
  const wallet = await shop.wallet('VECHAIN');
  const request = messageOfType('VECHAIN_CERTIFICATE', wallet, { purpose: 'identification' });
  const at = (timestamp: number) =>
    shop.sign({ ...request, annex: { domain: 'shop.example', timestamp } }, 'certificate-1');
  const first = await at(1);
  assert.equal(first.outcome, '200');
  assert.deepEqual((await at(1)).body, first.body);
  assert.match((await at(2)).outcome, /^409 request\.conflict/);
});
