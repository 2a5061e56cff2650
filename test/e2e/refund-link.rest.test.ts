/** The page of a link for a refund, in a browser: a customer with a keyboard says where it goes, once, and no address, log or other site has the token. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { JsonRpcProvider, parseEther, Wallet as Key } from 'ethers';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { litecoindPath } from '../../demo/networks/litecoind-path.ts';
import type { CheckoutSession } from '../../src/api/checkout.ts';
import type { CreatedRefundLink, RefundLink } from '../../src/api/refund-link.ts';
import type { SecretType } from '../../src/chains/secret-type.ts';
import type { CreatedWallet } from '../../src/api/wallet.ts';
import { parseUnits } from '../../src/base/amount.ts';
import { PIN, QUICK } from '../service/custody-setup.ts';
import { refundsOf, SOON } from '../service/refunds-setup.ts';
import { UtxoRail } from '../service/utxo-rails.ts';
import { startMarket } from '../service/wallet-payments-rails.ts';
import {
  type Chain,
  coins,
  openTill,
  RECEIVER,
  startChain,
  type Till,
} from '../service/wallet-payments-setup.ts';
import { within } from '../waiting.ts';
import { axe, launch, newProfile } from './harness.ts';
import { press, tabTo } from './keyboard.ts';

const missing = litecoindPath() ? false : 'litecoind is not installed';

let browser: Browser;
let market: Awaited<ReturnType<typeof startMarket>>;
let chain: Chain;
let provider: JsonRpcProvider;
let rail: UtxoRail | undefined;
let till: Till;

before(async () => {
  [browser, market, chain] = await Promise.all([launch(), startMarket(), startChain()]);
  provider = new JsonRpcProvider(chain.local.url, undefined, { staticNetwork: true, cacheTimeout: -1 });
  if (!missing) rail = await UtxoRail.start('BITCOIN');
  const bitcoin = rail && { ...rail.local.network, prices: market.prices(rail.local.network) };
  till = await openTill(
    [chain.network, ...(bitcoin ? [bitcoin] : [])],
    {},
    {},
    { scopes: ['whitelabel', 'view:wallets', 'sign:wallets'], pins: { cost: QUICK }, refunds: SOON },
  );
});
after(async () => {
  await within(browser.close(), 'the end of the browser');
  await till?.close();
  provider?.destroy();
  await Promise.all([market?.close(), chain?.close(), rail?.close()]);
});

async function makeWallet(secretType: SecretType): Promise<CreatedWallet> {
  const body = { walletType: 'WHITE_LABEL', secretType, pincode: PIN };
  const response = await till.tested.post('/api/wallets', body, till.shop.headers);
  assert.equal(response.status, 201, await response.clone().text());
  return (await response.json()) as CreatedWallet;
}

/** Where a session was paid, and where its refund may go. */
interface Place {
  secretType: SecretType;
  /** As the page names the chain. */
  name: string;
  asset: string;
  decimals: number;
  /** Addresses of other chains or networks. */
  wrong: readonly string[];
  newAddress(): Promise<string>;
  /** A session that is paid by wallet. */
  paid(): Promise<CheckoutSession>;
  /** Coins for a refund, and blocks from now on. */
  fund(address: string): Promise<unknown>;
  balance(address: string): Promise<bigint>;
}

const ETHEREUM: Place = {
  secretType: 'ETHEREUM',
  name: 'Ethereum',
  asset: 'ETH',
  decimals: 18,
  wrong: ['T9yD14Nj9j7xAB4dbGeiX9h8unkKHxuWwb', 'bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu'],
  newAddress: () => Promise.resolve(Key.createRandom().address),
  async paid() {
    await till.receive();
    const session = await till.session();
    await chain.send(chain.accounts[0]!, RECEIVER, coins(await till.quote(session)));
    await till.paid(session);
    return session;
  },
  fund: (address) => chain.local.fund(address, parseEther('100')),
  balance: (address) => provider.getBalance(address),
};

const BITCOIN: Place = {
  secretType: 'BITCOIN',
  name: 'Bitcoin',
  asset: 'BTC',
  decimals: 8,
  wrong: ['ltc1qjmxnz78nmc8nq77wuxh25n2es7rzm5c2rkk4wh', 'bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu'],
  newAddress: async () => (await makeWallet('BITCOIN')).address,
  async paid() {
    await till.receiveNowhere();
    await till.receiveAtKey({ secretType: 'BITCOIN', key: rail!.newKey(), confirmations: 1 });
    const session = await till.session();
    const quote = await till.quote(session);
    await rail!.send([[quote.to, parseUnits(quote.amount, 8)]]);
    await rail!.mine();
    await till.paid(session);
    return session;
  },
  async fund(address) {
    await rail!.local.give('BTC', address);
    rail!.local.mining = true;
  },
  balance: (address) => rail!.balance([address]),
};

async function makeLink({ id }: CheckoutSession, amount?: string): Promise<CreatedRefundLink> {
  const body = amount === undefined ? {} : { amount };
  const response = await till.tested.post(`/checkout/sessions/${id}/refund-links`, body, till.shop.headers);
  assert.equal(response.status, 201, await response.clone().text());
  return (await response.json()) as CreatedRefundLink;
}

async function read({ id: sessionId }: CheckoutSession, { id }: RefundLink): Promise<RefundLink> {
  const path = `/checkout/sessions/${sessionId}/refund-links/${id}`;
  return (await (await till.tested.get(path, till.shop.headers)).json()) as RefundLink;
}

const title = (page: Page, name: string) => page.getByRole('heading', { level: 1, name, exact: true });

/** A customer's browser, and what it sent. */
class Customer {
  readonly sent: { url: string; referrer: string | undefined }[] = [];

  private constructor(readonly context: BrowserContext) {
    context.on('request', (request) => {
      this.sent.push({ url: request.url(), referrer: request.headers()['referer'] });
    });
  }

  static async open(): Promise<Customer> {
    return new Customer(await newProfile(browser, { viewport: { width: 360, height: 780 } }));
  }

  async visit(url: string): Promise<Page> {
    const page = await this.context.newPage();
    page.on('pageerror', (error) => assert.fail(error));
    await page.goto(url);
    return page;
  }

  close(): Promise<void> {
    return within(this.context.close(), 'the end of a browser profile');
  }
}

/** With the keyboard alone, up to the service's answer. */
async function enter(page: Page, { name }: Place, address: string): Promise<void> {
  await page.bringToFront();
  await tabTo(page, new RegExp(`^Your ${name} address$`), 'input');
  await page.keyboard.press('ControlOrMeta+A');
  await page.keyboard.type(address);
  await page.keyboard.press('Enter');
  await title(page, 'Is this your address?').waitFor();
  await page.getByText(address, { exact: true }).first().waitFor();
  await tabTo(page, /^It is mine, and takes /, '[type=checkbox]');
  await page.keyboard.press('Space');
  await press(page, /^Send this address$/);
}

for (const [place, skip] of [
  [ETHEREUM, false],
  [BITCOIN, missing],
] as const)
  test(`${place.asset}: a customer gives an address by keyboard, which is taken once and for good`, {
    skip,
  }, async () => {
    const session = await place.paid();
    const link = await makeLink(session);
    const token = new URL(link.url).hash.slice(1);
    const customer = await Customer.open();
    const page = await customer.visit(link.url);
    const second = await customer.visit(link.url);
    for (const tab of [second, page]) await title(tab, 'Where should your refund go?').waitFor();
    assert.equal(page.url(), link.url.split('#')[0]);
    await page.getByText(/^The deposit address of an exchange is often shared by many customers/).waitFor();
    await page.getByText(`It must take ${place.asset} on `).waitFor();
    assert.deepEqual(await axe(page), []);

    for (const wrong of place.wrong) {
      await enter(page, place, wrong);
      const error = `This is not an address of ${place.name} that can be paid.`;
      await page.getByRole('alert').getByText(error).waitFor();
      assert.equal(
        await page.getByRole('textbox', { name: `Your ${place.name} address` }).inputValue(),
        wrong,
      );
    }
    assert.equal((await read(session, link)).status, 'open');

    const [address, other] = [await place.newAddress(), await place.newAddress()];
    await enter(page, place, address);
    await title(page, 'Your address was received').waitFor();
    await page.getByText(/ checks it and then sends the refund there\. Nothing was sent yet\.$/).waitFor();
    assert.deepEqual(await axe(page), []);
    await enter(second, place, other);
    await title(second, 'Your address was received').waitFor();
    await second.getByText(address, { exact: true }).first().waitFor();
    for (const tab of [second, page]) {
      await tab.bringToFront();
      await tab.reload();
      await title(tab, 'Your address was received').waitFor();
      assert.equal(await tab.getByRole('textbox').count(), 0);
      assert.equal(await tab.getByText(other, { exact: true }).count(), 0);
    }
    const answered = await read(session, link);
    assert.deepEqual([answered.status, answered.address], ['answered', address]);
    assert.equal(await place.balance(address), 0n);

    const wallet = await makeWallet(place.secretType);
    await place.fund(wallet.address);
    const refunds = refundsOf(till.tested, () => till.shop.headers);
    const confirmation = { link: link.id, to: address, walletId: wallet.id, pincode: PIN };
    const refund = await refunds.settled(await refunds.make(session.id, confirmation));
    assert.equal(await place.balance(address), parseUnits(refund.wallet!.amount, place.decimals));
    assert.equal((await refunds.ask(session.id, confirmation)).outcome, '409 request.conflict');
    await page.reload();
    await title(page, 'Your refund was sent').waitFor();

    assert.ok(customer.sent.length > 0);
    for (const { url, referrer } of customer.sent) {
      assert.ok(!new URL(url).pathname.includes(token) && !new URL(url).search.includes(token), url);
      assert.ok(!referrer, url);
    }
    for (const tab of [page, second]) {
      assert.ok(!tab.url().includes(token));
      assert.ok(!(await tab.content()).includes(token));
    }
    assert.ok(!till.tested.log.some((line) => line.includes(token)));
    await customer.close();
  });

test('a link that is too old says so, also to a page that was open before, and another one opens in its place', async () => {
  const session = await ETHEREUM.paid();
  const [old, next] = [await makeLink(session, '0.0001'), await makeLink(session, '0.0002')];
  const customer = await Customer.open();
  const page = await customer.visit(old.url);
  await title(page, 'Where should your refund go?').waitFor();
  await till.tested.service.db
    .updateTable('refund_links')
    .set({ expires_at: new Date(Date.now() - 1) })
    .where('id', '=', old.id)
    .execute();
  await enter(page, ETHEREUM, await ETHEREUM.newAddress());
  await title(page, 'This link has ended').waitFor();
  assert.deepEqual(await axe(page), []);
  await page.reload();
  await title(page, 'This link has ended').waitFor();
  assert.equal((await read(session, old)).status, 'expired');
  // As if it was put into the address bar.
  await page.goto(next.url);
  await title(page, 'Where should your refund go?').waitFor();
  await page.getByText('0.0002 ETH').waitFor();
  assert.equal(page.url(), next.url.split('#')[0]);
  await customer.close();
});
