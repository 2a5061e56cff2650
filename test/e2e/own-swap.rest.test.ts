/** Swaps that no site asked for, on the wallet's own page and in its dialogs, on exchanges with Uniswap's own contracts. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Contract, parseEther } from 'ethers';
import type { Wallet } from '../../src/api/wallet.ts';
import { axe, evaluateIn, openWorld, type Visitor, WalletView, type World } from './harness.ts';
import { press, tabTo } from './keyboard.ts';
import { Panel, showsSwap, tickAll } from './swap-setup.ts';

let world: World;
let visitor: Visitor;
let wallet: Wallet;
before(async () => {
  world = await openWorld({ exchanges: true, chains: ['VECHAIN'] });
  visitor = await world.visit('iframe');
  wallet = await visitor.wealthyWallet();
});
after(async () => {
  await visitor?.close();
  await world.close();
});

async function holds(symbol: string): Promise<bigint> {
  const { address } = world.ethereum.network.tokens.find((token) => token.symbol === symbol)!;
  const token = new Contract(address, ['function balanceOf(address) view returns (uint256)'], world.chain);
  return token.getFunction('balanceOf')(wallet.address) as Promise<bigint>;
}

test('a dialog of a site offers it where there are exchanges; a rejected one leaves the form as it was', async () => {
  await visitor.page.bringToFront();
  const own = await visitor.ask((connect) => connect.manageWallets({ chain: 'ETHEREUM' }));
  await own.clickAtRest(`Open ${wallet.alias}`);
  await own.button('Swap').click();
  const panel = new Panel(visitor.page.frameLocator('dialog[open] iframe'), 'cbf-swap');
  await panel.root.getByRole('textbox', { name: 'Sell', exact: true }).waitFor();
  await panel.choose('Buy', 'DUSD');
  await panel.enter('Sell', '0.5', 'Uniswap V2');
  await own.button('Review').click();
  const order = { sell: 'ETH', buy: 'DUSD', side: 'Sell', amount: '0.5', exchange: 'Uniswap V2' } as const;
  await showsSwap(own, order);
  await own.press('Reject');
  await own.heading('Swap').waitFor();
  assert.equal(await panel.root.getByRole('textbox', { name: 'Sell', exact: true }).inputValue(), '0.5');
  const before = await holds('DUSD');
  await own.button('Review').click();
  await showsSwap(own, order);
  await own.approve();
  await own.heading('Swapped').waitFor();
  await own.press('Done');
  await own.button('Swap').waitFor();
  assert.ok((await holds('DUSD')) > before + parseEther('400'));
  await own.close();
  await own.gone();
});

test('the own page swaps a token, after an allowance, at 360 px, and its form is reached by keyboard', async () => {
  const [page] = await Promise.all([
    visitor.context.waitForEvent('page'),
    visitor.page.getByRole('link', { name: 'Open my wallet' }).click(),
  ]);
  await page.setViewportSize({ width: 360, height: 640 });
  const view = new WalletView(page);
  const panel = new Panel(page, 'cbf-swap');
  await view.button('Swap').waitFor();
  await press(page, /^Swap$/);
  await view.heading('Swap').waitFor();
  await tabTo(page, /^Sell$/);
  assert.equal(await panel.root.getByRole('combobox', { name: 'Network' }).count(), 0);
  await panel.choose('Sell', 'DUSD');
  await panel.choose('Buy', 'ETH');
  const before = [await holds('DUSD'), await world.chain.getBalance(wallet.address)] as const;
  await panel.enter('Sell', '100', 'Uniswap V3');
  assert.equal(await evaluateIn(page)(() => document.documentElement.scrollWidth), 360);
  assert.deepEqual(await axe(page), []);
  await panel.figure('You get at least');
  await view.button('Review').click();
  await view.approval().waitFor();
  await view.text('1 of 2').first().waitFor();
  await view.text('You').first().waitFor();
  await tickAll(view);
  await view.approve();
  const order = { sell: 'DUSD', buy: 'ETH', side: 'Sell', amount: '100', exchange: 'Uniswap V3' } as const;
  await showsSwap(view, order);
  await view.approve();
  await view.heading('Swapped').waitFor();
  await view.button('Done').click();
  await view.button('Swap').waitFor();
  const after = [await holds('DUSD'), await world.chain.getBalance(wallet.address)] as const;
  assert.equal(before[0] - after[0], parseEther('100'));
  assert.ok(after[1] > before[1] + parseEther('0.04'), String(after[1] - before[1]));
  await view.root.getByRole('tab', { name: 'Activity' }).click();
  await view.root
    .getByRole('button', { name: /DUSD.*ETH/s })
    .first()
    .waitFor();
  await page.close();
});
