/** Refunds of payments in TRX, in a token of Tron, in AE, BTC and LTC, from the shop's own wallets. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { parseUnits } from '../../src/base/amount.ts';
import type { CreatedWallet } from '../../src/api/wallet.ts';
import { PIN, QUICK } from './custody-setup.ts';
import { refundsOf, SOON } from './refunds-setup.ts';
import { litecoindPath } from '../../demo/networks/litecoind-path.ts';
import { UtxoRail } from './utxo-rails.ts';
import { type Rail, startAeternityRail, startMarket, TronRails } from './wallet-payments-rails.ts';
import { openTill, type Till } from './wallet-payments-setup.ts';

let market: Awaited<ReturnType<typeof startMarket>>;
let tron: TronRails;
let aeternity: Awaited<ReturnType<typeof startAeternityRail>>;
let utxo: UtxoRail[] = [];
let till: Till;

const missing = litecoindPath() ? false : 'litecoind is not installed';

before(async () => {
  [market, tron, aeternity] = await Promise.all([startMarket(), TronRails.start(), startAeternityRail()]);
  if (!missing) utxo = await Promise.all([UtxoRail.start('BITCOIN'), UtxoRail.start('LITECOIN')]);
  const networks = [tron.local.network, aeternity.network, ...utxo.map(({ local }) => local.network)];
  for (const network of networks) network.prices = market.prices(network);
  const scopes = ['whitelabel', 'view:wallets', 'sign:wallets'] as const;
  till = await openTill(networks, {}, {}, { scopes: [...scopes], pins: { cost: QUICK }, refunds: SOON });
});
after(async () => {
  await till?.close();
  await Promise.all([
    market?.close(),
    tron?.close(),
    aeternity?.close(),
    ...utxo.map((rail) => rail.close()),
  ]);
});

async function makeWallet(secretType: string): Promise<CreatedWallet> {
  const body = { walletType: 'WHITE_LABEL', secretType, pincode: PIN };
  const response = await till.tested.post('/api/wallets', body, till.shop.headers);
  assert.equal(response.status, 201, await response.clone().text());
  return (await response.json()) as CreatedWallet;
}

for (const [name, railOf, assets] of [
  ['TRX', () => tron.rail(false), ['TRX']],
  ['a TRC-20 token', () => tron.rail(true), ['TRX', 'DUSD']],
  ['AE', (): Rail => aeternity, ['AE']],
] as const)
  test(`${name}: a payment goes back exactly, and only to an address of the chain`, async () => {
    const rail = railOf();
    const { secretType } = rail.receiving;
    const local = secretType === 'TRON' ? tron.local : aeternity.local;
    await till.receive({ ...rail.receiving });
    const session = await till.session(100);
    const quote = await till.quote(session);
    const amount = parseUnits(quote.amount, rail.decimals);
    await rail.pay(amount);
    await till.paid(session);
    // From here on blocks come by themselves.
    local.automine = true;
    try {
      const [wallet, customer] = await Promise.all([makeWallet(secretType), makeWallet(secretType)]);
      for (const asset of assets) await local.give(asset, wallet.address);
      const refunds = refundsOf(till.tested, () => till.shop.headers);
      const body = { walletId: wallet.id, pincode: PIN };
      const elsewhere = await refunds.ask(session.id, { ...body, to: `0x${'12'.repeat(20)}` });
      assert.deepEqual([elsewhere.outcome, elsewhere.body.issues[0]!.path], ['400 request.invalid', 'to']);
      const made = await refunds.make(session.id, { ...body, to: customer.address });
      const refund = await refunds.settled(made);
      assert.deepEqual([refund.status, refund.wallet!.to], ['succeeded', customer.address]);
      assert.equal(parseUnits(refund.wallet!.amount, rail.decimals), amount);
      const again = await refunds.ask(session.id, { ...body, to: customer.address });
      assert.equal(again.outcome, '409 checkout.refund.refused');
    } finally {
      local.automine = false;
    }
  });

for (const [chain, name] of ['BTC', 'LTC'].entries())
  test(`${name}: each output goes back, and only to an address of the network`, {
    skip: missing,
  }, async () => {
    const rail = utxo[chain]!;
    const { secretType, local } = rail;
    await till.receiveNowhere();
    await till.receiveAtKey({ secretType, key: rail.newKey() });
    const session = await till.session(2999);
    const quote = await till.quote(session);
    const price = parseUnits(quote.amount, 8);
    await rail.send([
      [quote.to, price - 20_000n],
      [quote.to, 20_000n],
    ]);
    await rail.mine();
    await till.paid(session);
    const [wallet, customer] = await Promise.all([makeWallet(secretType), makeWallet(secretType)]);
    await local.give(name, wallet.address);
    local.mining = true;
    try {
      const refunds = refundsOf(till.tested, () => till.shop.headers);
      const body = { walletId: wallet.id, pincode: PIN };
      const mainnet =
        secretType === 'BITCOIN'
          ? 'bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu'
          : 'ltc1qjmxnz78nmc8nq77wuxh25n2es7rzm5c2rkk4wh';
      for (const to of [mainnet, `0x${'12'.repeat(20)}`]) {
        const elsewhere = await refunds.ask(session.id, { ...body, to });
        assert.deepEqual([elsewhere.outcome, elsewhere.body.issues[0]!.path], ['400 request.invalid', 'to']);
      }
      const { payments } = (await till.shop.read(session.id)).wallet_payment!;
      let sum = 0n;
      for (const payment of payments) {
        const made = await refunds.make(session.id, { ...body, payment, to: customer.address });
        const refund = await refunds.settled(made);
        assert.deepEqual([refund.status, refund.wallet!.to], ['succeeded', customer.address]);
        sum += parseUnits(refund.wallet!.amount, 8);
      }
      assert.equal(sum, price);
      assert.equal(await rail.balance([customer.address]), price);
      assert.equal((await till.shop.read(session.id)).refunded, 'fully');
      const [payment] = payments;
      const again = await refunds.ask(session.id, { ...body, payment, to: customer.address });
      assert.equal(again.outcome, '409 checkout.refund.refused');
    } finally {
      local.mining = false;
    }
  });
