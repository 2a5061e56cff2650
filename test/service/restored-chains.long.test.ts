/** Payments that a back-up has not, on every chain: found, and not made again. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startAeternityNetwork } from '../../demo/networks/aeternity.ts';
import { startEthereum } from '../../demo/networks/ethereum.ts';
import { startGochainNetwork } from '../../demo/networks/gochain.ts';
import { litecoindPath, startLitecoinNetwork } from '../../demo/networks/litecoin.ts';
import type { LocalNetwork } from '../../demo/networks/local-network.ts';
import { startTronNetwork } from '../../demo/networks/tron.ts';
import { startVechainNetwork } from '../../demo/networks/vechain.ts';
import { markRestored } from '../../service/backup/restore-backup.ts';
import { accept, waitingRestore } from '../../service/restored/accept.ts';
import { compareWithChains, type Difference } from '../../service/restored/compare.ts';
import { Restored } from '../../service/restored/restored.ts';
import { readEntry } from '../../service/transactions/journal.ts';
import { send } from '../../service/transactions/sending.ts';
import type { CreatedWallet } from '../../src/api/wallet.ts';
import type { SecretType } from '../../src/chains/secret-type.ts';
import { poll } from '../waiting.ts';
import { type Shop, startShop } from './execute-setup.ts';

type Fields = (to: string, amount: number) => object;
const PAYMENTS: [SecretType, Fields][] = [
  ['ETHEREUM', (to, amount) => ({ type: 'ETH_TRANSACTION', to, value: String(amount) })],
  ['GOCHAIN', (to, amount) => ({ type: 'GO_TRANSACTION', to, value: String(amount) })],
  ['VECHAIN', (to, amount) => ({ type: 'VET_TRANSACTION', clauses: [{ to, amount: String(amount) }] })],
  ['TRON', (to, amount) => ({ type: 'TRX_TRANSACTION', to, value: amount })],
  ['AETERNITY', (to, amount) => ({ type: 'AE_TRANSACTION', to, value: String(amount) })],
  ['LITECOIN', (to, amount) => ({ type: 'LTC_TRANSACTION', to, value: amount })],
];
/** Only counted: its nodes do not say what they were. */
const COUNTED: readonly SecretType[] = ['AETERNITY'];

let shop: Shop;
let closing: (() => unknown)[] = [];
let differences: Difference[];
let keyPrefix: string;
const tills = {} as Record<SecretType, CreatedWallet>;
const others = {} as Record<SecretType, CreatedWallet>;
const lost = {} as Record<SecretType, string>;

const isThere = (secretType: SecretType): boolean => secretType !== 'LITECOIN' || !!litecoindPath();

async function pay(secretType: SecretType, amount: number, key: string) {
  const [, fields] = PAYMENTS.find(([one]) => one === secretType)!;
  return shop.execute(
    { walletId: tills[secretType].id, ...fields(others[secretType].address, amount) },
    `${key}-${secretType}`,
  );
}

async function balance(secretType: SecretType): Promise<number> {
  const path = `/api/wallets/${others[secretType].id}/balance`;
  const { body } = await shop.call<{ rawBalance: string }>(shop.shop, 'GET', path);
  return Number(body.rawBalance);
}

async function paid(secretType: SecretType, amount: number, key: string): Promise<string> {
  const before = await balance(secretType);
  const { outcome, body } = await pay(secretType, amount, key);
  assert.equal(body.detail ?? outcome, '200');
  await poll(async () => (await balance(secretType)) === before + amount, `${secretType}’s block`);
  return body.transactionHash;
}

before(async () => {
  const networks: LocalNetwork[] = await Promise.all([
    startEthereum({ port: 0 }),
    startGochainNetwork({ port: 0 }),
    startVechainNetwork({ port: 0 }),
    startTronNetwork({ port: 0 }),
    startAeternityNetwork({ port: 0 }),
    ...(isThere('LITECOIN') ? [startLitecoinNetwork({ port: 0 })] : []),
  ]);
  closing = networks.map((one) => () => one.close());
  shop = await startShop(networks.map(({ network }) => network));
  closing.unshift(() => shop.close());
  for (const { network, assets, give } of networks) {
    tills[network.secretType] = await shop.wallet(network.secretType);
    others[network.secretType] = await shop.wallet(network.secretType);
    for (const asset of assets.slice(0, network.secretType === 'VECHAIN' ? 2 : 1))
      await give(asset, tills[network.secretType].address);
  }
  const here = PAYMENTS.map(([secretType]) => secretType).filter(isThere);
  for (const secretType of here) await paid(secretType, 10_000, 'order-a');
  const backupAt = new Date();
  for (const secretType of here) lost[secretType] = await paid(secretType, 20_000, 'order-b');

  // What a back-up of that time would not have.
  const { service } = shop.service;
  const { db } = service;
  for (const hash of Object.values(lost)) {
    const { id } = await db
      .selectFrom('transactions')
      .select('id')
      .where('hash', '=', hash)
      .executeTakeFirstOrThrow();
    await db.deleteFrom('request_keys').where('transaction_id', '=', id).execute();
    await db.deleteFrom('transactions').where('id', '=', id).execute();
  }
  await markRestored(db, service.keys, backupAt);
  const waiting = (await waitingRestore(db))!;
  keyPrefix = waiting.id;
  const comparison = await compareWithChains(db, service.networks, waiting.backupAt);
  ({ differences } = comparison);
  await accept(db, service.keys, waiting, comparison, []);
  service.restored = await Restored.open(db);
});
after(async () => {
  for (const close of closing) await close();
});

for (const [secretType] of PAYMENTS)
  test(`${secretType}: it is found, and made once`, { skip: !isThere(secretType) }, async () => {
    const own = differences.filter((one) => one.secretType === secretType);
    assert.deepEqual(
      own.map(({ walletId, count, transactions }) => [walletId, count, transactions.map(({ hash }) => hash)]),
      [[tills[secretType].id, 1, COUNTED.includes(secretType) ? [] : [lost[secretType]]]],
      JSON.stringify(own),
    );
    const before = await balance(secretType);
    const again = await pay(secretType, 20_000, 'order-b');
    assert.equal(again.outcome, '409 request.conflict');
    assert.equal(again.body.details['reason'], 'restored');
    assert.equal((await pay(secretType, 10_000, 'order-a')).outcome, '200');
    if (COUNTED.includes(secretType)) {
      assert.equal((await pay(secretType, 30_000, 'order-c')).outcome, '409 request.conflict');
      await paid(secretType, 30_000, `${keyPrefix}order-c`);
    } else await paid(secretType, 30_000, 'order-c');
    await paid(secretType, 20_000, `${keyPrefix}order-d`);
    assert.equal(await balance(secretType), before + 50_000);
  });

test('nothing is sent before it is accepted, also not what was signed earlier', async () => {
  const { service } = shop.service;
  const { db } = service;
  await markRestored(db, service.keys, new Date());
  const restored = await Restored.open(db);
  const { id } = await db.selectFrom('transactions').select('id').executeTakeFirstOrThrow();
  await assert.rejects(send(db, { ...service, restored }, await readEntry(db, id)), /only reads until/);
  await accept(db, service.keys, (await waitingRestore(db))!, { wallets: 0, differences: [] }, []);
  await restored.accepted;
  assert.equal(restored.isReadOnly, false);
  await restored.stop();
});
