/** Swaps as a new user does them, on exchanges with Uniswap's own contracts: by the panel, the approval and the chain. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { Contract, formatUnits, parseEther, parseUnits } from 'ethers';
import type { Wallet } from '../../src/api/wallet.ts';
import type { TransactionResult } from '../../src/channel/messages.ts';
import { axe, openWorld, poll, type Visitor, type WalletView, type World } from './harness.ts';

let world: World;
before(async () => void (world = await openWorld({ exchanges: true })));
after(() => world.close());

const DECIMALS: Record<string, number> = { ETH: 18, DUSD: 18, DCENT: 6, DBTC: 8 };

async function holds(symbol: string, owner: string): Promise<bigint> {
  if (symbol === 'ETH') return world.chain.getBalance(owner);
  const { tokens } = world.ethereum.network;
  const { address } = tokens.find((token) => token.symbol === symbol)!;
  const token = new Contract(address, ['function balanceOf(address) view returns (uint256)'], world.chain);
  return token.getFunction('balanceOf')(owner) as Promise<bigint>;
}

/** `1,802.11 DUSD` in smallest units. */
function unitsOf(label: string): bigint {
  const [figure, symbol] = label.split(' ') as [string, string];
  return parseUnits(figure.replaceAll(',', ''), DECIMALS[symbol]!);
}

/** The panel of a page. */
class Panel {
  constructor(readonly visitor: Visitor) {}

  get root() {
    return this.visitor.page.locator('swap-panel');
  }

  button(name: string | RegExp) {
    return this.root.getByRole('button', { name, exact: true });
  }

  async choose(side: 'Sell' | 'Buy', symbol: string): Promise<void> {
    await this.button(new RegExp(`^${side} token: `)).click();
    await this.root.getByRole('combobox', { name: 'Search token' }).fill(symbol);
    await this.root
      .getByRole('option', { name: new RegExp(`^\\W*\\w?${symbol}`) })
      .first()
      .click();
    await this.button(`${side} token: ${symbol}`).waitFor();
  }

  async enter(side: 'Sell' | 'Buy', amount: string, exchange: string): Promise<void> {
    await this.root.getByRole('textbox', { name: side, exact: true }).fill(amount);
    await this.root.getByRole('radio', { name: new RegExp(`^${exchange}, `) }).check();
  }

  /** A row of amounts. */
  async figure(term: string): Promise<string> {
    const has = this.visitor.page.locator('dt').getByText(term, { exact: true });
    return this.root.locator('dl > div').filter({ has }).locator('dd').innerText();
  }

  async review(): Promise<void> {
    await this.button('Review').click();
    await this.root.getByRole('heading', { name: 'Review swap' }).waitFor();
  }
}

interface Order {
  sell: string;
  buy: string;
  side: 'Sell' | 'Buy';
  amount: string;
  exchange: string;
  /** Transactions. */
  steps: number;
}

/** Carries it out as the panel and the wallet ask, and compares what the chain says with what both promised. */
async function swap(visitor: Visitor, wallet: Wallet, order: Order): Promise<void> {
  const { sell, buy, side, amount, exchange, steps } = order;
  const panel = new Panel(visitor);
  const before = [await holds(sell, wallet.address), await holds(buy, wallet.address)] as const;
  await panel.choose('Sell', sell);
  await panel.choose('Buy', buy);
  await panel.enter(side, amount, exchange);
  await panel.review();
  const limit = await panel.figure(side === 'Sell' ? 'You get at least' : 'You pay at most');
  const promised = unitsOf(limit);
  const view = await visitor.opening(() => panel.button('Swap').click());
  if (steps > 1) {
    await view.heading(`${steps} transactions`).waitFor();
    await view.text(`Swap on ${exchange}`).waitFor();
    await view.press('Continue');
    await view.heading('Approve transaction').waitFor();
    await view.text('This gives a spending limit').waitFor();
    await tickAll(view);
    await view.approve();
  }
  const sentence =
    side === 'Sell'
      ? new RegExp(`^Swap exactly ${amount} ${sell} for at least .+ ${buy} on ${exchange}$`)
      : new RegExp(`^Swap at most .+ ${sell} for exactly ${amount} ${buy} on ${exchange}$`);
  await view.text(sentence).waitFor();
  await view.text('Balance change').waitFor();
  assert.deepEqual(await view.axe(), []);
  await view.approve();
  await view.heading('Sent').waitFor();
  await view.leave('Done');
  await panel.root.getByText(/^You got /).waitFor();
  const { result } = (await visitor.events()).findLast(({ type }) => type === 'result')!;
  const hashes = (result as TransactionResult[]).map(({ transactionHash }) => transactionHash);
  assert.equal(hashes.length, steps);
  const receipts = await Promise.all(hashes.map((hash) => world.receipt(hash)));
  const fees = receipts.reduce((sum, { fee }) => sum + fee, 0n);
  const paid = before[0] - (await holds(sell, wallet.address)) - (sell === 'ETH' ? fees : 0n);
  const got = (await holds(buy, wallet.address)) - before[1] + (buy === 'ETH' ? fees : 0n);
  const exact = parseUnits(amount, DECIMALS[side === 'Sell' ? sell : buy]!);
  const told = `paid ${formatUnits(paid, DECIMALS[sell])} ${sell}, got ${formatUnits(got, DECIMALS[buy])} ${buy}, limit ${limit}`;
  if (side === 'Sell') assert.ok(paid === exact && got >= promised, told);
  else assert.ok(got === exact && paid <= promised, told);
  await panel.button('New swap').click();
}

async function tickAll(view: WalletView): Promise<void> {
  for (const box of await view.root.getByRole('checkbox').all()) await box.check();
}

for (const where of ['iframe', 'popup'] as const)
  describe(where === 'iframe' ? 'same site, wallet in a dialog' : 'another site, wallet in a window', () => {
    let visitor: Visitor;
    let wallet: Wallet;
    before(async () => {
      visitor = await world.visit(where, '/swap');
      wallet = await visitor.wealthyWallet();
    });
    after(() => visitor.close());

    const orders: Order[] = [
      { sell: 'ETH', buy: 'DUSD', side: 'Sell', amount: '1', exchange: 'Uniswap V2', steps: 1 },
      { sell: 'DUSD', buy: 'ETH', side: 'Buy', amount: '0.25', exchange: 'Uniswap V3', steps: 2 },
      { sell: 'DUSD', buy: 'DCENT', side: 'Sell', amount: '20', exchange: 'Uniswap V2', steps: 2 },
      { sell: 'ETH', buy: 'DBTC', side: 'Buy', amount: '0.01', exchange: 'Uniswap V3', steps: 1 },
      { sell: 'DUSD', buy: 'ETH', side: 'Sell', amount: '100', exchange: 'Uniswap V3', steps: 2 },
    ];
    for (const order of where === 'iframe' ? orders : orders.slice(0, 2))
      test(`${order.side === 'Sell' ? 'sells' : 'buys'} ${order.amount} of ${order.sell} for ${order.buy} on ${order.exchange}`, () =>
        swap(visitor, wallet, order));
  });

describe('what can go wrong', () => {
  let visitor: Visitor;
  let wallet: Wallet;
  let panel: Panel;
  before(async () => {
    visitor = await world.visit('iframe', '/swap');
    wallet = await visitor.wealthyWallet();
    panel = new Panel(visitor);
  });
  after(() => visitor.close());

  test('a reload between approval and swap loses nothing, and swaps once', async () => {
    const before = await holds('ETH', wallet.address);
    await panel.choose('Sell', 'DUSD');
    await panel.choose('Buy', 'ETH');
    await panel.enter('Sell', '200', 'Uniswap V2');
    await panel.review();
    const view = await visitor.opening(() => panel.button('Swap').click());
    await view.press('Continue');
    await tickAll(view);
    await view.approve();
    await view.text(/^Swap exactly 200 DUSD/).waitFor();
    await visitor.reload();
    await panel.button('Check in wallet').waitFor();
    const again = await visitor.opening(() => panel.button('Check in wallet').click());
    await again.gone();
    await panel.root.getByText('The wallet was closed before it was sent.').waitFor();
    assert.equal(await panel.root.getByText('Confirmed').count(), 1);
    await panel.button('Try again').click();
    await panel.root.getByRole('radio', { name: /^Uniswap V2, / }).check();
    await panel.review();
    await panel.root.getByText('You approve the swap in your wallet.').waitFor();
    const last = await visitor.opening(() => panel.button('Swap').dblclick());
    await last.text(/^Swap exactly 200 DUSD/).waitFor();
    await last.approve();
    await last.heading('Sent').waitFor();
    await last.leave('Done');
    await panel.root.getByText(/^You got about /).waitFor();
    const got = (await holds('ETH', wallet.address)) - before;
    assert.ok(got > parseEther('0.09') && got < parseEther('0.11'), String(got));
    assert.equal(await holds('DUSD', wallet.address), parseEther('800'));
    await panel.button('New swap').click();
  });

  test('a swap that is rejected is where it was', async () => {
    await panel.choose('Sell', 'ETH');
    await panel.choose('Buy', 'DUSD');
    await panel.enter('Sell', '0.5', 'Uniswap V2');
    await panel.review();
    const view = await visitor.opening(() => panel.button('Swap').click());
    await view.leave('Reject');
    await panel.root.getByText('You rejected the request').waitFor();
    assert.equal((await visitor.events()).at(-1)?.type, 'cancel');
    await panel.button('Back').click();
    assert.equal(await panel.root.getByRole('textbox', { name: 'Sell', exact: true }).inputValue(), '0.5');
  });

  test('too much is told at its field, and a node that is down is told', async () => {
    await panel.root.getByRole('textbox', { name: 'Sell', exact: true }).fill('5000');
    await panel.root.getByText(/^You have .+ ETH\.$/).waitFor();
    await panel.root.getByRole('textbox', { name: 'Sell', exact: true }).fill('0.5');
    await panel.root.getByRole('radio').first().waitFor();
    world.node.down = true;
    try {
      await panel.button('Refresh rates').click();
      await poll(
        async () => (await panel.root.getByText('No new rates').count()) || undefined,
        'what the panel says of the node',
      );
    } finally {
      world.node.down = false;
    }
    assert.deepEqual(await axe(visitor.page), []);
  });
});
