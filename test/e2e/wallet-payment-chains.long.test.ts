/** "Pay with a wallet" on Tron and Aeternity: a new wallet in the frame pays the payment page's price. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { decode } from '@aeternity/aepp-sdk';
import type { PutReceivingWallet } from '../../src/api/receiving-wallet.ts';
import { parseUnits } from '../../src/base/amount.ts';
import { verifyMerchant } from '../../service/auth/clients.ts';
import type { LocalAeternity } from '../../demo/networks/aeternity.ts';
import type { LocalTron } from '../../demo/networks/tron.ts';
import { openTill, type Till } from '../service/wallet-payments-setup.ts';
import { AE_RECEIVER, startMarket, TRON_RECEIVER } from '../service/wallet-payments-rails.ts';
import { poll, within } from '../waiting.ts';
import { knowsPlace, newProfile, openWorld, WalletView, type World } from './harness.ts';

const MERCHANT = 'Fernhill Outfitters';

let world: World;
let market: Awaited<ReturnType<typeof startMarket>>;
let till: Till;
let tron: LocalTron;
let aeternity: LocalAeternity;

before(async () => {
  world = await openWorld({ chains: ['TRON', 'AETERNITY'] });
  market = await startMarket();
  tron = world.local.TRON as LocalTron;
  aeternity = world.local.AETERNITY as LocalAeternity;
  const networks = [tron, aeternity].map(({ network }) => ({ ...network, prices: market.prices(network) }));
  till = await openTill(
    networks,
    {},
    {
      frameUrl: world.frame,
      corsOrigins: [world.frame],
    },
  );
  world.embedOn(new URL(till.tested.url).origin);
});
after(async () => {
  await till?.close();
  await market?.close();
  await world?.close();
});

interface Case {
  symbol: string;
  receiving: PutReceivingWallet;
  /** What the new wallet gets first. */
  gifts: readonly string[];
  /** Called once the wallet is there. */
  ready?: () => void;
  /** Makes the blocks that do not come by themselves. */
  seal?: () => void;
  /** Who is paid, as the approval names them. */
  merchant?: string;
}

/** Pays a session with a new wallet, in a browser of its own. */
async function payNew({ symbol, receiving, gifts, ready, seal, merchant }: Case) {
  const local = receiving.secretType === 'TRON' ? tron : aeternity;
  await till.receive({ ...receiving });
  const session = await till.session(499, 'USD');
  const context = await newProfile(world.browser, { viewport: { width: 360, height: 780 } });
  const page = await context.newPage();
  page.on('pageerror', (error) => assert.fail(error));
  const title = (name: string) => page.getByRole('heading', { level: 1, name, exact: true });
  const wallet = () => new WalletView(page.locator('dialog[open] iframe').contentFrame(), page);
  await page.goto(session.url!);
  await page.getByRole('radio', { name: 'Wallet' }).check();
  await title('Pay with a wallet').waitFor();
  await knowsPlace(page);
  await page.getByRole('button', { name: 'Connect wallet', exact: true }).click();
  await page.getByRole('button', { name: 'Create a wallet', exact: true }).click();
  await wallet().firstLink();
  ready?.();
  const pay = page.getByRole('button', { name: new RegExp(`^Pay [\\d.,]+ ${symbol}$`) });
  await pay.waitFor();
  const address = await page.locator('.between .addr').getAttribute('title');
  for (const gift of gifts) await local.give(gift, address!);
  const quote = (await till.page(session)).wallet!.payment!;
  await pay.click();
  const view = wallet();
  await view.approval().waitFor();
  await view.seeAll();
  if (merchant) await view.text(merchant).first().waitFor();
  await view.approve();
  await view.sent();
  await view.done();
  await title('Payment sent').waitFor();
  await poll(async () => {
    seal?.();
    return (await till.shop.read(session.id)).payment_status === 'paid';
  }, 'the payment');
  await poll(async () => {
    await page.evaluate(() => void document.dispatchEvent(new Event('visibilitychange')));
    return (await title('Thank you').count()) > 0;
  }, 'that the page says so');
  await within(context.close(), 'the end of a browser profile');
  const [received] = await till.received(`?session=${session.id}`);
  assert.equal(received!.amount, quote.amount);
  assert.deepEqual(
    (await till.shop.events(session.id)).map(({ type }) => type),
    ['payment.succeeded'],
  );
  return { session, hash: received!.transactionHash, amount: quote.amount };
}

test('a TRC-20 token, with TRX for the fee', async () => {
  const { hash } = await payNew({
    symbol: 'DUSD',
    receiving: { secretType: 'TRON', address: TRON_RECEIVER, tokenAddress: tron.contracts['DUSD'] },
    gifts: ['TRX', 'DUSD'],
  });
  assert.match(hash, /^[0-9a-f]{64}$/);
});

test('AE, to a merchant whose name is verified: the payment names the session in its payload', async () => {
  const { db } = till.tested.service;
  await verifyMerchant(db, till.shop.applicationId, { merchant: MERCHANT, origins: [] });
  const { ledger } = aeternity;
  let looks = 0;
  const { session, hash, amount } = await payNew({
    symbol: 'AE',
    receiving: { secretType: 'AETERNITY', address: AE_RECEIVER },
    gifts: ['AE', 'AE'],
    // Not earlier: the wallet would offer to create new wallets there.
    ready: () => world.vouchedBy(till.tested.url),
    seal() {
      // A few looks after each key block, so that its transactions are in a micro block first.
      if (looks++ % 20 === 19) ledger.mineKeyBlock();
    },
    merchant: MERCHANT,
  });
  const transaction = ledger.transactions.get(hash)!;
  assert.equal(Buffer.from(decode(transaction.payload as `ba_${string}`)).toString(), session.id);
  assert.equal(ledger.accounts.get(AE_RECEIVER)!.balance, parseUnits(amount, 18));
});
