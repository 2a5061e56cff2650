/** Deposits on the other chains, each on its local network: coins, tokens, and what was replaced. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startAeternityNetwork, type LocalAeternity } from '../../demo/networks/aeternity.ts';
import type { LocalUtxo } from '../../demo/networks/esplora.ts';
import { startGochainNetwork, type LocalGochain } from '../../demo/networks/gochain.ts';
import { litecoindPath, startLitecoinNetwork } from '../../demo/networks/litecoin.ts';
import type { LocalNetwork } from '../../demo/networks/local-network.ts';
import { startTronNetwork, type LocalTron } from '../../demo/networks/tron.ts';
import { startVechainNetwork, type LocalVechain } from '../../demo/networks/vechain.ts';
import { poll } from '../waiting.ts';
import { inWords, startTold, type Told } from './deposits-setup.ts';

let local: {
  GOCHAIN: LocalGochain;
  VECHAIN: LocalVechain;
  TRON: LocalTron;
  AETERNITY: LocalAeternity;
  LITECOIN?: LocalUtxo;
};
let told: Told;

const missing = litecoindPath() ? false : 'litecoind is not installed';

before(async () => {
  const [GOCHAIN, VECHAIN, TRON, AETERNITY, LITECOIN] = await Promise.all([
    startGochainNetwork({ port: 0 }),
    startVechainNetwork({ port: 0 }),
    startTronNetwork({ port: 0 }),
    startAeternityNetwork({ port: 0 }),
    missing ? undefined : startLitecoinNetwork({ port: 0 }),
  ]);
  local = { GOCHAIN, VECHAIN, TRON, AETERNITY, ...(LITECOIN ? { LITECOIN } : {}) };
  const networks: LocalNetwork[] = Object.values(local);
  told = await startTold(
    networks.map(({ network }) =>
      network.secretType === 'LITECOIN' ? { ...network, confirmations: 2 } : network,
    ),
  );
});
after(async () => {
  await told?.close();
  await Promise.all(Object.values(local ?? {}).map((one) => one.close()));
});

/** What has been told of a wallet, once it is as much. */
async function toldOf(walletId: string, count: number): Promise<string[]> {
  await poll(() => told.deposits(walletId).length >= count, `${count} deposits`);
  return told.deposits(walletId).map(inWords).sort();
}

test('GOCHAIN: coins and tokens', async () => {
  const wallet = await told.watched('GOCHAIN');
  await local.GOCHAIN.fund(wallet.address, 7n);
  await local.GOCHAIN.give('DUSD', wallet.address);
  assert.deepEqual(await toldOf(wallet.id, 2), ['0.000000000000000007 GO', '1000 DUSD']);
});

test('VECHAIN: coins, the coin that pays fees, and tokens', async () => {
  const wallet = await told.watched('VECHAIN');
  for (const asset of ['VET', 'VTHO', 'DUSD']) await local.VECHAIN.give(asset, wallet.address);
  await local.VECHAIN.fund(wallet.address, 5n);
  assert.deepEqual(await toldOf(wallet.id, 4), [
    '0.000000000000000005 VET',
    '1000 DUSD',
    '1000 VET',
    '1000 VTHO',
  ]);
  const [first] = told.deposits(wallet.id);
  assert.equal(first!.data.deposit.to, wallet.address);
});

test('TRON: coins, TRC-10 and TRC-20 tokens', async () => {
  const wallet = await told.watched('TRON');
  for (const asset of ['TRX', 'DUSD', 'DPT']) await local.TRON.give(asset, wallet.address);
  assert.deepEqual(await toldOf(wallet.id, 3), ['1000 DPT', '1000 DUSD', '1000 TRX']);
  const tokens = told.deposits(wallet.id).map(({ data }) => data.deposit.amount.tokenAddress);
  assert.deepEqual(new Set(tokens), new Set([undefined, local.TRON.contracts['DUSD'], local.TRON.asset]));
  for (const { data } of told.deposits(wallet.id)) assert.match(data.deposit.from!, /^T/);
});

test('AETERNITY: coins, with the key block that seals them', async () => {
  const { ledger, fund } = local.AETERNITY;
  const wallet = await told.watched('AETERNITY');
  const hash = await fund(wallet.address, 9n);
  await fund(wallet.address, 10n);
  ledger.mineKeyBlock();
  assert.deepEqual(await toldOf(wallet.id, 2), ['0.000000000000000009 AE', '0.00000000000000001 AE']);
  const nine = told.deposits(wallet.id).find(({ data }) => data.deposit.amount.raw === '9')!.data.deposit;
  assert.equal(nine.transactionHash, hash);
  assert.equal(nine.block, ledger.height);
  assert.equal(nine.blockHash, ledger.keyBlockHash(ledger.height));
});

test('LITECOIN: coins, but not the change of an own payment', { skip: missing }, async () => {
  const { fund, mine } = local.LITECOIN!;
  const [from, to] = [await told.watched('LITECOIN'), await told.watched('LITECOIN')];
  const hash = await fund(from.address, 100_000_000n);
  await mine();
  assert.deepEqual(await toldOf(from.id, 1), ['1 LTC']);
  const [{ data }] = told.deposits(from.id) as [ReturnType<Told['deposits']>[number]];
  assert.equal(data.deposit.transactionHash, hash);
  assert.match(data.deposit.place, /^output:[01]$/);
  local.LITECOIN!.mining = false;
  const paid = await told.shop.execute({
    type: 'LTC_TRANSACTION',
    walletId: from.id,
    to: to.address,
    value: 40_000_000,
  });
  assert.equal(paid.outcome, '200');
  await mine(2);
  assert.deepEqual(await toldOf(to.id, 1), ['0.4 LTC']);
  assert.equal(told.deposits(to.id)[0]!.data.deposit.from, from.address);
  assert.equal(told.deposits(from.id).length, 1);
});

test('LITECOIN: a payment whose block is replaced is told once, for its last block', {
  skip: missing,
}, async () => {
  const { fund, mine, node } = local.LITECOIN!;
  const wallet = await told.watched('LITECOIN');
  const hash = await fund(wallet.address, 30_000_000n);
  const seen = async (): Promise<string[]> => {
    const rows = await told.shop.service.service.db
      .selectFrom('deposits')
      .select('block_hash')
      .where('wallet_id', '=', wallet.id)
      .execute();
    return rows.map(({ block_hash }) => block_hash);
  };
  await poll(async () => (await seen()).length === 1, 'the first block');
  const [first] = await seen();
  await node.rpc('invalidateblock', first!);
  // An empty block and one with the payment, so that the chain is longer.
  const miner = await node.rpc<string>('getnewaddress', '', 'bech32');
  await node.rpc('generateblock', miner, []);
  await poll(async () => (await seen()).length === 0, 'that it is gone');
  assert.deepEqual(told.deposits(wallet.id), []);
  await mine(1);
  await poll(async () => (await seen()).length === 1, 'the second block');
  assert.notEqual((await seen())[0], first);
  assert.deepEqual(told.deposits(wallet.id), []);
  await mine(1);
  await poll(() => told.deposits(wallet.id).length === 1, 'the deposit');
  const [{ data }] = told.deposits(wallet.id) as [ReturnType<Told['deposits']>[number]];
  assert.equal(data.deposit.transactionHash, hash);
  assert.equal(data.deposit.blockHash, (await seen())[0]);
});
