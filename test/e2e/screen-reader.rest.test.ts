/**
 * What a screen reader says of an approval, its PIN and a swap, from the first line to the last. It is printed, and a changed order, name or
 * role fails. `checkout.rest.test.ts` has the payment page.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Wallet } from '../../src/api/wallet.ts';
import { poll } from '../waiting.ts';
import { openWorld, type Visitor, type WalletView, type World } from './harness.ts';
import { readAloud } from './screen-reader.ts';
import { Panel } from './swap-setup.ts';

const FRIEND = '0x71C7656EC7ab88b098defB751B7401B5f6d8976F';

let world: World;
let visitor: Visitor;
let wallet: Wallet;
before(async () => {
  world = await openWorld({ exchanges: true });
  visitor = await world.visit('popup', '/swap');
  wallet = await visitor.wealthyWallet();
});
after(() => world.close());

/** A window of the wallet, with names for what differs from run to run. */
async function heard(view: WalletView, name: string): Promise<string[]> {
  await poll(async () => (await view.approval().getAttribute('data-text')) === 'Enter your PIN', 'all seen');
  const short = `${wallet.address.slice(0, 6)}…${wallet.address.slice(-4)}`;
  const text = (lines: readonly string[]): string[] =>
    lines.map((line) =>
      line
        .replaceAll(new RegExp(`${wallet.address}|${short}`, 'g'), '{wallet}')
        .replace(/0x[0-9a-fA-F]{40}/g, (address) => (address === FRIEND ? FRIEND : '{contract}'))
        .replace(/^deadline: \d+$/, 'deadline: {time}')
        .replace(/\b\d[\d,]*\.\d{4,}…?/g, '{amount}')
        .replace(/(: |block )[A-Z][a-z]{2} \d+, \d{4}.*$/, '$1{time}'),
    );
  return text(await readAloud(view.popup, name));
}

test('an approval, and its PIN after a wrong one', async () => {
  const view = await visitor.ask(
    (connect, params) => connect.transfer({ ...params, secretType: 'ETHEREUM', value: '0.25' }),
    { walletId: wallet.id, to: FRIEND },
  );
  const sentence = `Send 0.25 ETH. To ${FRIEND}. Total at most {amount} ETH`;
  const before = [
    'http :// {site} Not secure Local Ethereum',
    'button “Close”',
    'heading “Send 0.25 ETH”, focused',
    `To: ${FRIEND}`,
    'From: Main wallet {wallet}',
    'DisclosureTriangle “First time sending to this address”',
    'DisclosureTriangle “This wallet is not backed up”',
    'Expected fee: {amount} ETH',
    'Maximum fee: {amount} ETH',
    'Main wallet after this: {amount} ETH',
    'DisclosureTriangle “Details”',
    'Send 0.25 ETH: fee at most {amount}',
    'Total at most: {amount} ETH',
  ];
  const after = [
    'button “Show PIN pad”',
    'Enter your PIN',
    'button “Reject”',
    'button “Approve”, Enter your PIN, disabled',
    // The live region.
    sentence,
  ];
  assert.deepEqual(await heard(view, 'Approval'), [...before, `textbox “PIN”, ${sentence}`, ...after]);
  await view.approve('000000');
  await view
    .text(/^Wrong PIN/)
    .first()
    .waitFor();
  const wrong = 'Wrong PIN. 4 attempts left.';
  assert.deepEqual(await heard(view, 'A wrong PIN'), [
    ...before.map((line) => line.replace(', focused', '')),
    `textbox “PIN”, ${wrong} ${sentence}, invalid, focused`,
    after[0],
    wrong,
    'button “Forgot PIN?”',
    // The live region has nothing to add.
    ...after.slice(1, -1),
  ]);
  await view.press('Reject');
  await visitor.answer();
});

test('a swap', async () => {
  await visitor.startAgain('/swap');
  const panel = new Panel(visitor.page);
  await panel.choose('Buy', 'DUSD');
  await panel.enter('Sell', '0.5', 'Uniswap V2');
  await panel.review();
  const view = await visitor.opening(() => panel.button('Swap').click());
  // So that everything is in view, without a button that leads to the rest.
  await view.popup.setViewportSize({ width: 420, height: 1400 });
  const sentence =
    'Swap 0.5 ETH, for at least {amount} DUSD by Uniswap V2. To Uniswap V2 {contract}. Total at most {amount} ETH';
  assert.deepEqual(await heard(view, 'Swap'), [
    'http :// {site} Not secure Local Ethereum',
    'button “Close”',
    'heading “Swap 0.5 ETH”, focused',
    'for at least',
    'button “Show all digits of {amount} DUSD”, {amount} DUSD',
    'by Uniswap V2',
    'heading “Balance change according to a test run on this device”',
    'ETH −0.5 DUSD can differ +{amount}',
    'To: Uniswap V2 {contract}',
    'From: Main wallet {wallet}',
    'You get at least: {amount} DUSD',
    'Good until: {time}',
    'DisclosureTriangle “First time with this contract”',
    'DisclosureTriangle “This wallet is not backed up”',
    'heading “Contract call”',
    'swapExactETHForTokens',
    'amountOutMin: {amount} DUSD',
    'path: [{contract}, {contract}]',
    'to: Main wallet (you)',
    'deadline: {time}',
    'DisclosureTriangle “Raw data · 228 bytes”',
    'Expected fee: {amount} ETH',
    'Maximum fee: {amount} ETH',
    'DisclosureTriangle “Details”',
    'Swap 0.5 ETH: get at least {amount} DUSD',
    'Total at most: {amount} ETH',
    `textbox “PIN”, ${sentence}`,
    'button “Show PIN pad”',
    'Enter your PIN',
    'button “Reject”',
    'button “Approve”, Enter your PIN, disabled',
    sentence,
  ]);
});
