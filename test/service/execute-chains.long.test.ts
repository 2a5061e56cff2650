/** Executing on the other chains, each on its local network. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { parseEther } from 'ethers';
import type { CreatedWallet } from '../../src/api/wallet.ts';
import type { SecretType } from '../../src/chains/secret-type.ts';
import { type LocalAeternity, startAeternityNetwork } from '../../demo/networks/aeternity.ts';
import type { LocalUtxo } from '../../demo/networks/esplora.ts';
import { type LocalGochain, startGochainNetwork } from '../../demo/networks/gochain.ts';
import type { LocalNetwork } from '../../demo/networks/local-network.ts';
import { litecoindPath, startLitecoinNetwork } from '../../demo/networks/litecoin.ts';
import { type LocalTron, startTronNetwork } from '../../demo/networks/tron.ts';
import { type LocalVechain, startVechainNetwork } from '../../demo/networks/vechain.ts';
import { draftToJson } from '../../src/api/draft-json.ts';
import { loadChain } from '../../src/chains/index.ts';
import { giveCoins } from '../many-coins.ts';
import { poll } from '../waiting.ts';
import { PIN } from './custody-setup.ts';
import { type Front, type Result, type Shop, startFront, startShop } from './execute-setup.ts';

let local: {
  GOCHAIN: LocalGochain;
  VECHAIN: LocalVechain;
  TRON: LocalTron;
  AETERNITY: LocalAeternity;
  LITECOIN?: LocalUtxo;
};
const fronts: { VECHAIN?: Front; AETERNITY?: Front; LITECOIN?: Front } = {};
let shop: Shop;
const tills = {} as Record<SecretType, CreatedWallet>;
const others = {} as Record<SecretType, CreatedWallet>;

before(async () => {
  const [GOCHAIN, VECHAIN, TRON, AETERNITY, LITECOIN] = await Promise.all([
    startGochainNetwork({ port: 0 }),
    startVechainNetwork({ port: 0 }),
    startTronNetwork({ port: 0 }),
    startAeternityNetwork({ port: 0 }),
    litecoindPath() ? startLitecoinNetwork({ port: 0 }) : undefined,
  ]);
  local = { GOCHAIN, VECHAIN, TRON, AETERNITY, ...(LITECOIN ? { LITECOIN } : {}) };
  fronts.VECHAIN = await startFront(VECHAIN.url);
  fronts.AETERNITY = await startFront(AETERNITY.url);
  if (LITECOIN) fronts.LITECOIN = await startFront(LITECOIN.url);
  const networks: LocalNetwork[] = Object.values(local);
  shop = await startShop(
    networks.map(({ network }) => {
      const front = fronts[network.secretType as keyof typeof fronts];
      return front ? { ...network, nodes: [front.url] } : network;
    }),
  );
  for (const { network, assets, give } of networks) {
    const { secretType } = network;
    tills[secretType] = await shop.wallet(secretType);
    others[secretType] = await shop.wallet(secretType);
    for (const asset of assets.slice(0, secretType === 'VECHAIN' ? 2 : 1))
      await give(asset, tills[secretType].address);
  }
});

after(async () => {
  await shop.close();
  await Promise.all([...Object.values(local), ...Object.values(fronts)].map((one) => one.close()));
});

async function raw(id: string): Promise<bigint> {
  const { body } = await shop.call<{ rawBalance: string }>(shop.shop, 'GET', `/api/wallets/${id}/balance`);
  return BigInt(body.rawBalance);
}

const REQUESTS: [SecretType, string, (to: string) => object][] = [
  ['GOCHAIN', 'GO_TRANSACTION', (to) => ({ to, value: '1000' })],
  ['VECHAIN', 'VET_TRANSACTION', (to) => ({ clauses: [{ to, amount: '1000' }] })],
  ['TRON', 'TRX_TRANSACTION', (to) => ({ to, value: 1000 })],
  ['AETERNITY', 'AE_TRANSACTION', (to) => ({ to, value: '1000' })],
];

for (const [secretType, type, fields] of REQUESTS)
  test(`${type}: three equal payments are three payments`, async () => {
    const { id: walletId } = tills[secretType];
    const { id, address } = others[secretType];
    const body = { type, walletId, ...fields(address) };
    const sent = await Promise.all([1, 2, 3].map(() => shop.execute(body)));
    assert.deepEqual(
      sent.map(({ outcome, body: { detail } }) => detail ?? outcome),
      ['200', '200', '200'],
    );
    const hashes = new Set(sent.map(({ body: { transactionHash } }) => transactionHash));
    assert.equal(hashes.size, 3);
    await poll(async () => (await raw(id)) === 3000n, 'balance');
    for (const hash of hashes)
      await poll(async () => (await shop.status(hash, secretType)) === 'confirmed', 'block');
  });

test('AETERNITY: a lagging node never yields the same nonce twice', async () => {
  const { id: walletId, address: from } = tills.AETERNITY;
  const { id, address: to } = others.AETERNITY;
  const before = await raw(id);
  const body = { type: 'AE_TRANSACTION', walletId, to, value: 5 };
  assert.equal((await shop.execute(body)).outcome, '200');
  fronts.AETERNITY!.stale = new RegExp(`^/v3/accounts/${from}(/next-nonce)?$`);
  const sent = [await shop.execute(body), await shop.execute(body)];
  fronts.AETERNITY!.stale = undefined;
  assert.deepEqual(
    sent.map(({ outcome, body: { detail } }) => detail ?? outcome),
    ['200', '200'],
  );
  await poll(async () => (await raw(id)) === before + 15n, 'balance');
});

test('VECHAIN: a payment whose answer was lost counts as sent, even if it is asked for again after its last block', async () => {
  const { ledger } = local.VECHAIN;
  const { id: walletId } = tills.VECHAIN;
  const { id, address: to } = others.VECHAIN;
  const before = await raw(id);
  const body = { type: 'VET_TRANSACTION', walletId, clauses: [{ to, amount: '7' }], expiration: 2 };
  fronts.VECHAIN!.lost = /^\/transactions$/;
  const { outcome, body: lost } = await shop.execute(body, 'vechain-lost');
  fronts.VECHAIN!.lost = undefined;
  assert.equal(outcome, '502 node.unreachable');
  await poll(async () => (await raw(id)) === before + 7n, 'balance');
  for (let i = 0; i < 3; i++) await ledger.mine();
  const again = await shop.execute(body, 'vechain-lost');
  assert.equal(again.body.detail ?? again.outcome, '200');
  assert.equal(again.body.transactionHash, lost.details['transactionHash']);
  assert.equal(await shop.status(again.body.transactionHash, 'VECHAIN'), 'confirmed');
});

const skip = !litecoindPath();
test('LITECOIN: coins are spent once, even if the node lags', { skip }, async () => {
  const node = local.LITECOIN!;
  const { id: walletId, address } = tills.LITECOIN;
  const to = others.LITECOIN;
  for (let i = 0; i < 3; i++) await node.fund(address, 1_000_000n);
  node.mining = false;
  const body = { type: 'LTC_TRANSACTION', walletId, to: to.address, value: 600_000 };
  const sent = await Promise.all([1, 2, 3].map(() => shop.execute(body)));
  fronts.LITECOIN!.stale = /utxo$/;
  sent.push(await shop.execute(body), await shop.execute(body));
  fronts.LITECOIN!.stale = undefined;
  // The lagging node still lists spent coins beside the faucet's first gift.
  assert.deepEqual(
    sent.map(({ outcome, body: { detail } }) => detail ?? outcome),
    ['200', '200', '200', '200', '200'],
  );
  await node.mine();
  node.mining = true;
  assert.equal(await raw(to.id), 3_000_000n);
  const poor = await shop.execute({ ...body, value: 10_000_000_000 });
  assert.equal(poor.outcome, '422 transaction.insufficient-funds');
  assert.equal(await shop.status(sent[4]!.body.transactionHash, 'LITECOIN'), 'confirmed');
});

test('LITECOIN: more coins than one transaction can spend are combined by paying the wallet itself', {
  skip,
}, async () => {
  const { id: walletId, address } = await shop.wallet('LITECOIN');
  await giveCoins(local.LITECOIN!, address, 105, 10_000n);
  const body = { type: 'LTC_TRANSACTION', walletId, to: others.LITECOIN.address, value: 960_000 };
  const { outcome, body: refused } = await shop.execute(body);
  assert.equal(outcome, '422 transaction.insufficient-funds');
  assert.match(refused.detail, /combine the coins by sending them to the wallet itself/);
  const { maxSpendable, reason } = refused.details;
  assert.equal(reason, 'many-coins');
  assert.equal((await shop.execute({ ...body, to: address, value: maxSpendable })).outcome, '200');
  await local.LITECOIN!.mine();
  assert.equal((await shop.execute(body)).outcome, '200');
});

test('LITECOIN: coins of a user’s wallet are combined by an approved draft', { skip }, async () => {
  const user = await shop.user();
  const { id: walletId, address } = await user.wallet({ secretType: 'LITECOIN' });
  await giveCoins(local.LITECOIN!, address, 105, 10_000n);
  const chain = await loadChain('LITECOIN');
  const node = chain.node(local.LITECOIN!.network);
  assert.equal(await chain.combine!.find(address, node), 105);
  const draft = draftToJson(await chain.combine!.prepare(address, node));
  const approved = { walletId, pincode: PIN, draft };
  const { outcome, body } = await user.call<Result>('POST', '/api/transactions/approved', approved);
  assert.equal(outcome, '200', body.detail);
  await local.LITECOIN!.mine();
  assert.equal(await shop.status(body.transactionHash, 'LITECOIN'), 'confirmed');
  assert.equal(await chain.combine!.find(address, node), 0);
});

test('what the wallet cannot pay is refused before it is signed', async () => {
  const { id: walletId } = others.TRON;
  const poor = await shop.execute({
    type: 'TRX_TRANSACTION',
    walletId,
    to: tills.TRON.address,
    value: 1_000_000_000,
  });
  assert.equal(poor.outcome, '422 transaction.insufficient-funds');
  const vet = { type: 'VET_TRANSACTION', walletId: tills.VECHAIN.id };
  const clauses = [{ to: others.VECHAIN.address, amount: String(parseEther('1000000000')) }];
  assert.equal((await shop.execute({ ...vet, clauses })).outcome, '422 transaction.insufficient-funds');
});
