/** Typed data signed by the service, and what it refuses to sign. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { hexlify, toUtf8Bytes, TypedDataEncoder, verifyTypedData } from 'ethers';
import type { Network } from '../../src/chains/network.ts';
import type { CreatedWallet } from '../../src/api/wallet.ts';
import { type Shop, startShop } from './execute-setup.ts';

/** No node answers: nothing here needs one. */
const NETWORKS: Network[] = [['ETHEREUM', 31337] as const, ['GOCHAIN', 60] as const].map(
  ([secretType, chainId]) => ({
    id: `${secretType}-local`,
    secretType,
    name: 'Local',
    kind: 'local',
    chainId,
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

test('what does not fit is refused with its field, and nothing is signed', async () => {
  const message = messageOf(till);
  for (const [change, path] of [
    [{ message: { ...message, value: '-1' } }, 'data.message.value'],
    [{ message: { ...message, note: 'not signed' } }, 'data.message.note'],
    [{ domain: domainOf(1) }, 'data.domain.chainId'],
    [{ domain: { ...domainOf(31337), verifyingContract: till.address } }, 'data.domain.verifyingContract'],
    [{ primaryType: 'Order' }, 'data.primaryType'],
    [{ more: 1 }, 'data'],
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

test('raw data that is an authorisation, or typed data already hashed, is refused; as a message it is signed', async () => {
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
