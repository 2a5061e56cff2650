/** Every flow with fingers alone: on a touch screen, where a click of a mouse fails the test, and the PIN comes from the pad on screen. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Interface, parseEther, verifyTypedData, Wallet as EthersWallet } from 'ethers';
import { payments } from 'bitcoinjs-lib';
import type { Locator, Page } from 'playwright-core';
import type { LocalUtxo } from '../../demo/networks/esplora.ts';
import { readRange } from '../../service/outbound/addresses.ts';
import { startTested, type Tested } from '../service/harness.ts';
import type { SignResult, TransactionResult } from '../../src/channel/messages.ts';
import { VirtualAuthenticator } from '../e2e/authenticator.ts';
import { CASES, ECPair, ENCODINGS, missing } from '../e2e/chain-cases.ts';
import { DEADLINE_MS, pause, poll } from '../waiting.ts';
import {
  CARD_YEAR,
  openWorld,
  PIN,
  type Visitor,
  type VisitOptions,
  type WalletView,
  type World,
} from '../e2e/harness.ts';
import { pathOf } from '../e2e/hosts.ts';
import { openShopServer } from '../e2e/shop-server.ts';
import { Panel } from '../e2e/swap-setup.ts';
import { permitOf } from '../e2e/typed-requests.ts';
import { giveCoins } from '../many-coins.ts';

/** As most phones: what moves and fades must not keep anybody from approving. */
const PHONE: VisitOptions = {
  viewport: { width: 360, height: 640 },
  hasTouch: true,
  isMobile: true,
  reducedMotion: 'no-preference',
};

let world: World;
before(async () => void (world = await openWorld({ exchanges: true })));
after(() => world.close());

/**
 * Between two taps. Chromium keeps what comes sooner from a frame that has just moved or grown, and calls it a double tap elsewhere; people
 * are slower.
 */
const PAUSE_MS = 600;

/** From now on the shared steps tap where they would click, and what only a mouse or a keyboard does throws. */
function withFingersOnly({ page, context }: Pick<Visitor, 'page' | 'context'>): void {
  context.setDefaultTimeout(DEADLINE_MS);
  const locators = Object.getPrototypeOf(page.locator('html')) as Record<string, unknown>;
  if (locators['click'] === locators['tap']) return;
  const refused = (): never => assert.fail('a finger cannot do this');
  const atOnce = locators['tap'] as Locator['tap'];
  async function tap(this: Locator, options?: Parameters<Locator['tap']>[0]): Promise<void> {
    await pause(PAUSE_MS);
    await atOnce.call(this, options);
  }
  Object.assign(locators, {
    tap,
    click: tap,
    check: tap,
    dblclick: refused,
    hover: refused,
    press: refused,
    pressSequentially: refused,
    selectOption: refused,
  });
}

/** With the keys on screen, which are there without asking for them. */
async function enterPin(view: WalletView): Promise<void> {
  const pad = view.root.getByRole('group', { name: 'PIN pad' });
  await pad.waitFor();
  await view.takes('PIN');
  for (const digit of PIN) await pad.getByRole('button', { name: digit, exact: true }).tap();
}

/** Chromium drops what is tapped in a frame that grows meanwhile, as a sheet does with what it reads: people tap once more. */
async function tapUntil(button: Locator, isDone: () => Promise<boolean>): Promise<void> {
  await poll(async () => {
    if (await isDone()) return true;
    // oxlint-disable-next-line carabiner/waits -- one try of many
    await button.tap({ timeout: 2000 }).catch(() => {});
    await pause(PAUSE_MS);
    return (await isDone()) || undefined;
  }, 'what a tap leads to');
}

async function approve(view: WalletView): Promise<void> {
  await view.approval().waitFor();
  await view.seeAll();
  await enterPin(view);
  // The wallet may close at once.
  const isGone = async (): Promise<boolean> =>
    (await view
      .approval()
      .count()
      .catch(() => 0)) === 0;
  await tapUntil(view.button('Approve').last(), isGone);
}

async function choosePin(view: WalletView): Promise<void> {
  const pad = view.root.getByRole('group', { name: 'PIN pad' });
  for (const box of ['PIN', 'Confirm PIN']) {
    await view.box(box).waitFor();
    for (const digit of PIN) await pad.getByRole('button', { name: digit, exact: true }).tap();
    await view.button('Continue').tap();
  }
}

/** As the keyboard of the system does it, which comes with the focus. */
async function write(box: Locator, text: string): Promise<void> {
  await box.tap();
  await box.fill(text);
}

for (const where of ['iframe', 'popup'] as const)
  test(`by touch alone: create and link, send, sign, call a contract (${where})`, async () => {
    const visitor = await world.visit(where, '/', PHONE);
    withFingersOnly(visitor);
    const { page } = visitor;
    await visitor.button('Connect wallet').tap();
    let view = await visitor.opening(() => visitor.button('Create a wallet').tap());
    await choosePin(view);
    await view.leave('Link wallets');
    await visitor.event('result', 'linkWallets');
    const wallet = (await visitor.wallets())[0]!;
    await world.ethereum.give('ETH', wallet.address);
    await world.ethereum.give('DUSD', wallet.address);

    const to = EthersWallet.createRandom().address;
    await visitor.button('Send').tap();
    await write(page.getByRole('textbox', { name: 'Recipient' }), to);
    await write(page.getByRole('textbox', { name: 'Amount' }), '0.25');
    view = await visitor.opening(() => visitor.button('Continue').tap());
    await approve(view);
    await view.sent();
    await view.done();
    assert.equal(await world.chain.getBalance(to), parseEther('0.25'));

    await visitor.evaluate(
      (id) => document.querySelector('sign-request')!.setAttribute('wallet-id', id),
      wallet.id,
    );
    view = await visitor.opening(() => visitor.button('Sign').tap());
    await approve(view);
    await visitor.event('result', 'sign');
    await view.gone();

    const data = permitOf(world, wallet);
    view = await visitor.ask((connect, params) => connect.sign(params), {
      type: 'ETHEREUM_TYPED_DATA' as const,
      walletId: wallet.id,
      data,
    });
    await approve(view);
    const { result } = (await visitor.answer<SignResult>()).value!;
    assert.equal(verifyTypedData(data.domain, data.types, data.message, result.signature), wallet.address);
    await view.gone();

    const erc20 = new Interface(['function transfer(address,uint256)']);
    view = await visitor.ask((connect, request) => connect.execute(request), {
      type: 'ETH_TRANSACTION' as const,
      walletId: wallet.id,
      to: world.ethereum.contracts.DUSD,
      value: 0,
      data: erc20.encodeFunctionData('transfer', [to, parseEther('3')]),
    });
    await approve(view);
    assert.ok((await visitor.answer<TransactionResult>()).value);
    await view.sent();
    await view.done();

    // What is rejected and closed, too.
    view = await visitor.opening(() => visitor.button('Sign').tap());
    const isRejected = async (): Promise<boolean> =>
      (await visitor.events()).some(({ type, action }) => type === 'cancel' && action === 'sign');
    await tapUntil(view.button('Reject'), isRejected);
    await visitor.close();
  });

test('by touch alone: a swap', async () => {
  const visitor = await world.visit('iframe', '/swap', PHONE);
  await visitor.wealthyWallet();
  withFingersOnly(visitor);
  const panel = new Panel(visitor.page);
  await panel.choose('Buy', 'DUSD');
  await panel.enter('Sell', '0.5', 'Uniswap V3');
  await panel.review();
  const view = await visitor.opening(() => panel.button('Swap').tap());
  await approve(view);
  await view.heading('Swapped').waitFor();
  await view.leave('Done');
  await panel.root.getByText(/^You got \d/).waitFor();
  await visitor.close();
});

test('by touch alone: receive, send from the wallet, back up, settings, restore', async () => {
  const visitor = await world.visit('iframe', '/', PHONE);
  withFingersOnly(visitor);
  let view = await visitor.opening(() => visitor.button('Manage wallets').tap());
  await view.button('Create wallet').tap();
  await choosePin(view);
  const words = await view.words();
  await view.button('I wrote them down').tap();
  await view.confirmWords(words);
  await view.heading('Receive ETH').waitFor();
  await view.button('Copy address').tap();
  await view.text('Ask for an amount').tap();
  await write(view.box('Amount in ETH'), '0.5');
  await view.leaveAddress();
  const wallet = (await visitor.wallets())[0]!;
  await world.ethereum.give('ETH', wallet.address);

  view = await visitor.opening(() => visitor.button('Manage wallets').tap());
  const receive = view.button('Receive');
  await tapUntil(view.button(`Open ${wallet.alias}`), () => receive.isVisible());
  await tapUntil(receive, () => view.heading('Receive ETH').isVisible());
  await view.button('Back').tap();
  for (const tab of ['NFTs', 'Activity', 'Tokens']) await view.root.getByRole('tab', { name: tab }).tap();
  await view.button('Send').first().tap();
  const to = EthersWallet.createRandom().address;
  await write(view.box('Recipient'), to);
  await write(view.box('Amount'), '0.125');
  await view.button('Continue').tap();
  await approve(view);
  await view.heading('Sent').waitFor();
  await view.button('Done').tap();
  await poll(
    async () => (await world.chain.getBalance(to)) === parseEther('0.125') || undefined,
    'the payment',
  );

  await view.button('Settings').tap();
  await view.button('Change PIN').waitFor();
  await view.root.getByText('Dark', { exact: true }).tap();
  const saving = visitor.page.waitForEvent('download');
  await view.button('Save back-up file').tap();
  await enterPin(view);
  await view.button('Continue').tap();
  const path = await (await saving).path();
  await view.button('I have the file').tap();
  await view.button('Lock now').tap();
  await view.heading('Your wallet is locked').waitFor();
  await view.leave('Done');

  const other = await world.visit('iframe', '/', PHONE);
  await other.button('Connect wallet').tap();
  view = await other.opening(() => other.button('I have one').tap());
  await view.button('Restore from a file').tap();
  await view.root.locator('input[type=file]').setInputFiles(path);
  await write(view.box('12 words'), words.join(' '));
  await view.button('Continue').tap();
  await choosePin(view);
  const box = view.root.getByRole('checkbox', { name: new RegExp(`^${wallet.alias}, `) });
  await box.waitFor();
  if (!(await box.isChecked())) await box.tap();
  await view.leave('Link wallets');
  await other.event('result', 'linkWallets');
  assert.equal((await other.wallets())[0]?.address, wallet.address);
  await other.close();
  // The file goes with its profile.
  await visitor.close();
});

test('by touch alone: a wallet with a passkey, what it sends, and its address book', async () => {
  const visitor = await world.visit('iframe', '/', PHONE);
  await VirtualAuthenticator.add(visitor.page);
  withFingersOnly(visitor);
  const { page } = visitor;
  await visitor.button('Connect wallet').tap();
  let view = await visitor.opening(() => visitor.button('Create a wallet').tap());
  await view.button('Continue with passkey').tap();
  await view.text('Wallet created').waitFor();
  await view.leave('Link wallets');
  await visitor.event('result', 'linkWallets');
  const wallet = (await visitor.wallets())[0]!;
  await world.ethereum.give('ETH', wallet.address);

  const to = EthersWallet.createRandom().address;
  await visitor.button('Send').tap();
  await write(page.getByRole('textbox', { name: 'Recipient' }), to);
  await write(page.getByRole('textbox', { name: 'Amount' }), '0.25');
  view = await visitor.opening(() => visitor.button('Continue').tap());
  await view.approval().waitFor();
  await view.seeAll();
  await tapUntil(view.button('Approve with passkey'), async () => (await view.heading('Sent').count()) > 0);
  await view.button('Save recipient').tap();
  await write(view.box('Name'), 'Ada');
  await view.button('Save').tap();
  await view.leave('Done');
  assert.equal(await world.chain.getBalance(to), parseEther('0.25'));

  view = await visitor.opening(() => visitor.button('Manage wallets').tap());
  const book = view.button('Show known recipients');
  await tapUntil(view.button('Settings'), () => book.isVisible());
  await book.tap();
  await view.button('Edit Ada').tap();
  await write(view.box('Name'), 'Ada Lovelace');
  await view.button('Save').tap();
  await view.button('Edit Ada Lovelace').tap();
  await view.button('Remove recipient').tap();
  await view.text('No saved recipients yet').waitFor();
  await visitor.close();
});

test('by touch alone: coins of another address moved, and many combined', {
  skip: missing('BITCOIN'),
}, async () => {
  const own = await openWorld({ chains: ['BITCOIN'] });
  const local = own.local.BITCOIN as LocalUtxo;
  const network = ENCODINGS.BITCOIN;
  const pair = ECPair.makeRandom({ network });
  const older = payments.p2pkh({ pubkey: pair.publicKey, network }).address!;
  await local.fund(older, 5_000_000n);
  const visitor = await own.visit('iframe', pathOf('BITCOIN'), PHONE);
  withFingersOnly(visitor);
  let view = await visitor.opening(() => visitor.button('Manage wallets').tap());
  await view.button('Import wallet').tap();
  await view.root.getByText('Private key', { exact: true }).tap();
  await write(view.box('Private key'), pair.toWIF());
  await view.button('Import wallet').tap();
  await choosePin(view);
  await view.button('Move it here').tap();
  await approve(view);
  await view.sent();
  await view.leave('Done');
  assert.equal(await CASES.BITCOIN.holds(local, older), 0n);

  const wallet = (await visitor.wallets())[0]!;
  await giveCoins(local, wallet.address, 105, 10_000n);
  view = await visitor.opening(() => visitor.button('Manage wallets').tap());
  const combine = view.root.getByRole('menuitem', { name: 'Combine coins' });
  await tapUntil(view.button(`More for ${wallet.alias}`), () => combine.isVisible());
  await combine.tap();
  await view.button('Combine').tap();
  await approve(view);
  await view.sent();
  await view.button('Done').tap();
  await view.button('Close').first().tap();
  await visitor.close();
  await own.close();
});

test('by touch alone: the payment page', async () => {
  const tested: Tested = await startTested({ outboundRanges: [readRange('127.0.0.1/32')] });
  const shop = await openShopServer(tested);
  const context = await world.browser.newContext({ locale: 'en-US', ...PHONE });
  try {
    const session = await shop.newSession();
    const page: Page = await context.newPage();
    await page.goto(session.url);
    const field = (label: string): Locator => page.getByLabel(label, { exact: true });
    await write(field('E-mail'), 'mira@mail.example');
    await write(field('Card number'), '4242424242424242');
    await write(field('Expiry date'), `12${CARD_YEAR}`);
    await write(field('Security code'), '123');
    await write(field('Name on card'), 'Mira Holm');
    await page.getByRole('button', { name: /^Pay \$/ }).tap();
    await page.getByRole('heading', { level: 1, name: 'Thank you, Mira Holm' }).waitFor();
    await page.getByRole('link', { name: /^Back to / }).tap();
    await page.waitForURL(`${shop.url}/thanks`);
  } finally {
    await context.close();
    shop.close();
    await tested.close();
  }
});
