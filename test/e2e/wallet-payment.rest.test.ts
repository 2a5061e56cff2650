/** "Pay with a wallet" as customers see it: the payment page, a wallet in the frame, a chain, and a shop that receives webhooks. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { formatEther, parseEther } from 'ethers';
import type { BrowserContext, Locator, Page } from 'playwright-core';
import { readRange } from '../../service/outbound/addresses.ts';
import { startTested, type Tested } from '../service/harness.ts';
import { poll, within } from '../waiting.ts';
import {
  axe,
  CARD_YEAR,
  evaluateIn,
  knowsPlace,
  newProfile,
  openWorld,
  WalletView,
  type World,
} from './harness.ts';
import { variant } from './parts.ts';
import { scan } from './scan.ts';
import { MERCHANT, openShopServer, type OpenSession, type ShopServer } from './shop-server.ts';

/** Nobody has its key, or needs it. */
const RECEIVER = '0x00000000000000000000000000000000C0ffee02';
const QUICK = { everyLocalMs: 250, tickMs: 250, backoffMs: 250 };

let world: World;
let tested: Tested;
let shop: ShopServer;
/** Has a wallet after the first test. */
let context: BrowserContext;
let page: Page;
/** Violations of the page's policy, as the browser reports them. */
const refused: string[] = [];

const button = (name: string | RegExp, on = page) => on.getByRole('button', { name, exact: true });
const titled = (name: string | RegExp, on = page) => on.getByRole('heading', { level: 1, name, exact: true });
const says = (text: string | RegExp, on = page) => on.getByText(text).first().waitFor();
/** The only button that pays. */
const pay = (on = page) => button(/^Pay [\d.]+ ETH$/, on);

async function checkAccess(on = page): Promise<void> {
  assert.deepEqual(await axe(on), []);
  const width = await evaluateIn(on)(() => document.documentElement.scrollWidth - innerWidth);
  assert.ok(width <= 0, `the page is ${width} px too wide`);
}

async function visit(url: string, on = context): Promise<Page> {
  const opened = await on.newPage();
  opened.on('pageerror', (error) => assert.fail(error));
  opened.on('console', (said) => {
    if (/Content Security Policy|Trusted/.test(said.text())) refused.push(said.text());
  });
  await opened.goto(url);
  return opened;
}

/** Opens the page and chooses the wallet. */
async function open(session: OpenSession): Promise<void> {
  page = await visit(session.url);
  await titled('Pay with card').waitFor();
  await page.getByRole('radio', { name: 'Wallet' }).check();
  await titled('Pay with a wallet').waitFor();
  await knowsPlace(page);
}

async function amount(on = page): Promise<string> {
  return /[\d.]+/.exec(await pay(on).innerText())![0];
}

const wallet = (on = page): WalletView =>
  new WalletView(on.locator('dialog[open] iframe').contentFrame(), on);

async function ask(): Promise<WalletView> {
  await pay().click();
  const view = wallet();
  await view.approval().waitFor();
  // What arrives later moves the buttons.
  await view.seeAll();
  return view;
}

const mine = (blocks = 1): Promise<unknown> => world.chain.send('anvil_mine', [`0x${blocks.toString(16)}`]);
const received = (): Promise<bigint> => world.chain.getBalance(RECEIVER);

async function accept({ id }: OpenSession, payments: string[]): Promise<void> {
  const accepted = await tested.post(`/checkout/sessions/${id}/accept`, { payments }, shop.headers);
  assert.equal(accepted.status, 200, await accepted.text());
}

/** As if from another tab: the page asks at once. Otherwise it asks less and less often, in the end every 15 seconds. */
async function comeBack(on = page): Promise<void> {
  await evaluateIn(on)(() => void document.dispatchEvent(new Event('visibilitychange')));
}

/** Comes back until the page shows that. */
async function comesTo(shown: Locator): Promise<void> {
  await poll(async () => {
    await comeBack(shown.page());
    return (await shown.count()) > 0;
  }, String(shown));
}

const becomes = (title: string, on = page) => comesTo(titled(title, on));
/** That the service has seen it in a block. */
const seen = () => comesTo(page.getByText('Waiting for confirmation 2 of 3'));

async function close(): Promise<void> {
  await within(page.close(), 'the end of a tab');
}

before(async () => {
  world = await openWorld({ exchanges: true });
  const network = { ...world.ethereum.network, nodes: [world.node.url] };
  tested = await startTested(
    {
      networks: { customNodes: false, reported: [], networks: [network] },
      frameUrl: world.frame,
      outboundRanges: [readRange('127.0.0.1/32')],
    },
    { walletPayments: QUICK },
  );
  shop = await openShopServer(tested);
  world.embedOn(new URL(tested.url).origin);
  const set = await fetch(`${tested.url}/account/settings/receiving-wallet`, {
    method: 'PUT',
    headers: { ...shop.headers, 'Content-Type': 'application/json' },
    body: JSON.stringify({ secretType: 'ETHEREUM', address: RECEIVER, confirmations: 3 }),
  });
  assert.equal(set.status, 200, await set.text());
  context = await newProfile(world.browser, { viewport: { width: 360, height: 780 } });
});

after(async () => {
  await within(context.close(), 'the end of a browser profile');
  await tested?.close();
  shop?.close();
  await world.close();
});

test('a customer creates a wallet, pays from it, and the shop gets the event once it is confirmed', async () => {
  const session = await shop.newSession();
  await open(session);
  await button('Connect wallet').waitFor();
  await checkAccess();
  assert.equal(await button('Manage wallets').count(), 0, 'one button connects');
  await button('Connect wallet').click();
  await button('Create a wallet').click();
  await wallet().firstLink();
  await pay().waitFor();
  await checkAccess();
  const address = await page.locator('.between .addr').getAttribute('title');
  await world.ethereum.give('ETH', address!);

  const price = await amount();
  // 1 ether is about 2,000 dollars.
  assert.ok(Number(price) > 0.025 && Number(price) < 0.028, price);
  await says('$52.36 · Local Ethereum');
  const view = await ask();
  await view.text(price).first().waitFor();
  assert.ok(await view.address(RECEIVER).isVisible());
  assert.ok(await page.getByRole('radio', { name: 'Card', includeHidden: true }).isDisabled());
  await view.approve();
  await view.sent();
  await view.done();
  await titled('Payment sent').waitFor();
  await seen();
  await poll(
    async () => (await evaluateIn(page)(() => document.activeElement?.localName === 'h1')) || undefined,
    'focus on what comes now',
  );
  await checkAccess();
  assert.equal(await page.getByLabel('Card number').count(), 0);
  await mine();
  await says('Waiting for confirmation 3 of 3');
  assert.equal((await shop.readSession(session.id)).payment_status, 'unpaid');
  await mine();
  await titled('Thank you').waitFor();
  await says(`${price} ETH`);
  await page.getByRole('link', { name: `Back to ${MERCHANT}` }).click();
  await page.waitForURL(`${shop.url}/thanks`);
  const { status, payment_status } = await shop.readSession(session.id);
  assert.deepEqual([status, payment_status], ['complete', 'paid']);
  await shop.heard(session.id, 'payment.succeeded');
  assert.equal(await received(), parseEther(price));
  await page.goBack();
  await titled('This is already paid').waitFor();
  await close();
});

test('rejected, reloaded and opened in another tab it is one payment', async () => {
  const before = await received();
  const session = await shop.newSession();
  await open(session);
  const price = await amount();
  let view = await ask();
  await view.leave('Reject');
  await says('Nothing was sent.');
  await checkAccess();
  assert.equal(await amount(), price);

  // The service keeps the price: another tab and a reload have it, without choosing again.
  const other = await visit(session.url);
  await titled('Pay with a wallet', other).waitFor();
  assert.equal(await amount(other), price);
  await page.bringToFront();
  await page.reload();
  await titled('Pay with a wallet').waitFor();
  assert.equal(await amount(), price);

  view = await ask();
  await view.approve();
  await view.sent();
  // While the wallet is still open.
  await page.reload();
  await titled('Payment sent').waitFor();
  await seen();
  await other.bringToFront();
  await becomes('Payment sent', other);
  assert.equal(await other.getByRole('radio').count(), 0);
  await mine(2);
  await becomes('Thank you', other);
  await page.bringToFront();
  await titled(/^(Thank you|This is already paid)$/).waitFor();
  await shop.heard(session.id, 'payment.succeeded');
  assert.equal((await received()) - before, parseEther(price));
  await within(other.close(), 'the end of a tab');
  await close();
});

test('a payment that the page could not report is found on the chain', async () => {
  const session = await shop.newSession();
  await open(session);
  const tries: string[] = [];
  await page.route('**/wallet/payments', (route) => {
    tries.push(route.request().url());
    return route.abort('connectionreset');
  });
  const view = await ask();
  await view.approve();
  await view.sent();
  await poll(() => tries.length > 0, 'a try to tell it');
  await close();
  await mine(2);
  await shop.heard(session.id, 'payment.succeeded');
  assert.equal((await shop.readSession(session.id)).payment_status, 'paid');
});

test('a customer chooses among the shop’s coins, by what the wallet holds, and changes the choice', async () => {
  const receive = async (...wallets: object[]): Promise<void> => {
    const set = await fetch(`${tested.url}/account/settings/receiving-wallets`, {
      method: 'PUT',
      headers: { ...shop.headers, 'Content-Type': 'application/json' },
      body: JSON.stringify({ wallets }),
    });
    assert.equal(set.status, 200, await set.text());
  };
  const ether = { secretType: 'ETHEREUM', address: RECEIVER, confirmations: 3 };
  const { tokens } = tested.service.networks.file.networks[0]!;
  const dollars = { ...ether, tokenAddress: tokens.find(({ symbol }) => symbol === 'DUSD')!.address };
  await receive(dollars, ether);
  const before = await received();
  const session = await shop.newSession();
  await open(session);
  await says('Choose the coin and the network to pay with.');
  await button('ETH Local Ethereum In your wallet').waitFor();
  assert.deepEqual(await page.locator('.co-coin .strong').allInnerTexts(), ['ETH', 'DUSD']);
  await checkAccess();
  await button('DUSD Local Ethereum').click();
  await button(/^Pay 52\.36\d* DUSD$/).waitFor();
  await says(/This price holds until \d/);
  assert.equal(await page.getByRole('timer').count(), 0);
  await checkAccess();
  await page.getByText('Pay from another app').click();
  await says(/The shop must get exactly 52\.36\d* DUSD\./);
  await checkAccess();
  await button('Pay with another coin').click();
  await button('ETH Local Ethereum In your wallet').click();
  await pay().waitFor();
  const price = await amount();
  const view = await ask();
  await view.approve();
  await view.sent();
  await view.done();
  await seen();
  await mine(2);
  await becomes('Thank you');
  assert.equal((await received()) - before, parseEther(price));
  await shop.heard(session.id, 'payment.succeeded');
  await close();
  await receive(ether);
});

variant('an expired price is reported, and a new one pays', async () => {
  const before = await received();
  const session = await shop.newSession();
  await open(session);
  const price = await amount();
  await tested.service.db
    .updateTable('wallet_quotes')
    .set({ expires_at: new Date(Date.now() - 1000) })
    .where('session_id', '=', session.id)
    .execute();
  await button('Get a new price').waitFor();
  await checkAccess();
  await button('Get a new price').click();
  await pay().waitFor();
  assert.notEqual(await amount(), price);
  const renewed = await amount();
  const view = await ask();
  await view.approve();
  await view.sent();
  await view.done();
  await seen();
  await mine(2);
  await becomes('Thank you');
  assert.equal((await received()) - before, parseEther(renewed));
  await close();
});

variant('while the network is away there is no price, and a card pays', async () => {
  const session = await shop.newSession();
  world.node.down = true;
  try {
    await open(session);
    await says('The network does not answer right now. Try again in a moment, or pay with a card.');
    await checkAccess();
  } finally {
    world.node.down = false;
  }
  await page.getByRole('radio', { name: 'Card' }).check();
  await page.getByLabel('E-mail', { exact: true }).fill('mira@mail.example');
  await page.getByLabel('Card number', { exact: true }).fill('4242424242424242');
  await page.getByLabel('Expiry date', { exact: true }).fill(`12${CARD_YEAR}`);
  await page.getByLabel('Security code', { exact: true }).fill('123');
  await page.getByLabel('Name on card', { exact: true }).fill('Mira Holm');
  await button('Pay $52.36').click();
  await titled('Thank you, Mira Holm').waitFor();
  await shop.heard(session.id, 'payment.succeeded');
  await close();
});

variant('another wallet gets instructions for what to send, and that payment counts', async () => {
  const session = await shop.newSession();
  await open(session);
  await pay().waitFor();
  await page.getByText('Pay from another app').click();
  await page.getByText(RECEIVER, { exact: true }).first().waitFor();
  await checkAccess();
  const uri = await scan(new WalletView(page));
  const [, to, value] = /^ethereum:(0x\w{40})@31337\?value=(\d+)$/.exec(uri)!;
  assert.equal(to, RECEIVER);
  assert.equal(value, String(parseEther(await amount())));
  const signer = await world.chain.getSigner(7);
  await signer.sendTransaction({ to, value: BigInt(value!) });
  await becomes('Payment sent');
  await mine(2);
  await becomes('Thank you');
  await shop.heard(session.id, 'payment.succeeded');
  await close();
});

/** As if by another app. Returns the transaction's hash. */
async function sendElsewhere(value: bigint): Promise<string> {
  const signer = await world.chain.getSigner(7);
  return (await signer.sendTransaction({ to: RECEIVER, value })).hash;
}

async function name(hash: string): Promise<void> {
  await page.getByLabel('Sent another amount? Enter the transaction hash').fill(hash);
  await button('Look for it').click();
}

/** A session that was paid in two parts, with their hashes. */
let inParts: { session: OpenSession; hashes: string[] };

variant(
  'a customer who sent too little sees what is missing, sends it, and has paid once the shop accepts',
  async () => {
    const session = await shop.newSession();
    await open(session);
    await pay().waitFor();
    const price = parseEther(await amount());
    const missing = parseEther('0.01');
    await page.getByText('Pay from another app').click();
    const first = await sendElsewhere(price - missing);
    await name(first);
    await titled('Pay with a wallet').waitFor();
    await says('0.01 ETH is missing');
    await says(`${formatEther(price - missing)} ETH has arrived, which is less than the price.`);
    await checkAccess();
    // The wallet here would pay the whole price once more.
    assert.equal(await pay().count(), 0);
    await page.getByText('Send the rest from another app').waitFor();
    const [, to, value] = /^ethereum:(0x\w{40})@31337\?value=(\d+)$/.exec(await scan(new WalletView(page)))!;
    assert.deepEqual([to, value], [RECEIVER, String(missing)]);

    // What is missing is still there after a reload.
    await page.reload();
    await says('0.01 ETH is missing');
    const second = await sendElsewhere(missing);
    await name(second);
    await says('Fernhill Outfitters has to confirm your payment');
    await says(`${formatEther(price)} ETH has arrived in total.`);
    await checkAccess();
    await mine(2);
    const { payment_status, wallet_payment } = await shop.readSession(session.id);
    assert.deepEqual([payment_status, wallet_payment?.status], ['unpaid', 'overpaid']);
    await accept(session, wallet_payment!.payments);
    await becomes('Thank you');
    await shop.heard(session.id, 'payment.underpaid', 'payment.overpaid', 'payment.succeeded');
    await close();
    inParts = { session, hashes: [first, second] };
  },
);

variant('what was paid has a receipt, and what was not has none', async () => {
  // In another language, whose texts are loaded first.
  const { url } = await shop.newSession();
  page = await visit(`${url}?locale=de`);
  await titled('Mit Karte zahlen').waitFor();
  await page.goto(`${url}?receipt&locale=de`);
  await titled('Es gibt noch keinen Beleg').waitFor();
  await close();

  page = await visit(inParts.session.url);
  await titled('This is already paid').waitFor();
  const link = page.getByRole('link', { name: 'View the receipt' });
  const [receipt] = await Promise.all([page.waitForEvent('popup'), link.click()]);
  await titled('Receipt', receipt).waitFor();
  await says('Fernhill Outfitters', receipt);
  await says('Trail map, digital', receipt);
  const total = receipt.getByRole('row', { name: 'Total' });
  assert.match(await total.innerText(), /\$52\.36/);
  for (const hash of inParts.hashes) await says(hash, receipt);
  assert.ok(await button('Print', receipt).isVisible());
  await checkAccess(receipt);
  await within(receipt.close(), 'the end of a tab');
  await close();
});

variant('if the frame is on another site, the wallet opens in a window', async () => {
  const elsewhere = await newProfile(world.browser);
  const session = await shop.newSession();
  // A host name other than the frame's.
  page = await visit(session.url.replace('localhost', '127.0.0.1'), elsewhere);
  await page.getByRole('radio', { name: 'Wallet' }).check();
  await button('Connect wallet').click();
  let [popup] = await Promise.all([page.waitForEvent('popup'), button('Create a wallet').click()]);
  let view = new WalletView(popup);
  await view.firstLink();
  await pay().waitFor();
  const address = await page.locator('.between .addr').getAttribute('title');
  await world.ethereum.give('ETH', address!);
  [popup] = await Promise.all([page.waitForEvent('popup'), pay().click()]);
  view = new WalletView(popup);
  await view.approve();
  await view.sent();
  await view.done();
  await seen();
  await mine(2);
  await becomes('Thank you');
  await shop.heard(session.id, 'payment.succeeded');
  await within(elsewhere.close(), 'the end of a browser profile');
});

test('the page embeds the wallet’s origin and nothing else', async () => {
  const response = await fetch((await shop.newSession()).url);
  const policy = response.headers.get('content-security-policy') ?? '';
  assert.match(policy, /script-src 'self';/);
  assert.ok(policy.includes(`frame-src ${world.frame};`), policy);
  assert.equal(response.headers.get('cross-origin-opener-policy'), 'same-origin-allow-popups');
  assert.deepEqual(refused, []);
});
