/** Swaps through a page's swap panel or the wallet's own, as a user makes them, compared with what happens on the chain. */
import assert from 'node:assert/strict';
import { formatUnits, parseUnits } from 'ethers';
import type { FrameLocator, Locator, Page } from 'playwright-core';
import { poll } from '../waiting.ts';
import { evaluateIn, type WalletView } from './harness.ts';

export class Panel {
  readonly root: Locator;

  constructor(
    readonly page: Page | FrameLocator,
    element = 'swap-panel',
  ) {
    this.root = page.locator(element);
  }

  button(name: string | RegExp): Locator {
    return this.root.getByRole('button', { name, exact: true });
  }

  async choose(side: 'Sell' | 'Buy', symbol: string): Promise<void> {
    await this.button(new RegExp(`^${side} token: `)).click();
    await this.root.getByRole('combobox', { name: 'Search tokens' }).fill(symbol);
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
    const has = this.page.locator('dt').getByText(term, { exact: true });
    return this.root.locator('dl > div').filter({ has }).locator('dd').innerText();
  }

  async review(): Promise<void> {
    await this.button('Review').click();
    await this.root.getByRole('heading', { name: 'Review swap' }).waitFor();
  }
}

export async function tickAll(view: WalletView): Promise<void> {
  // Before that, only its outline is there.
  await poll(async () => {
    const why = await view.approval().last().getAttribute('data-text');
    return why !== 'Checking balance and fee';
  }, 'the approval');
  for (const box of await view.root.getByRole('checkbox').all()) await box.check();
}

/** What the wallet has stored of its transactions, by hash. */
export async function storedActivity(view: WalletView): Promise<Record<string, string>> {
  const stored = await evaluateIn(await view.frame())(async () => {
    const db = await new Promise<IDBDatabase>((resolve, reject) => {
      const opening = indexedDB.open('carabiner');
      opening.onsuccess = () => resolve(opening.result);
      opening.onerror = () => reject(opening.error);
    });
    const all = await new Promise<{ hash: string; state: string }[]>((resolve, reject) => {
      const reading = db.transaction('activity').objectStore('activity').getAll();
      reading.onsuccess = () => resolve(reading.result);
      reading.onerror = () => reject(reading.error);
    });
    db.close();
    return all.map(({ hash, state }): [string, string] => [hash, state]);
  });
  return Object.fromEntries(stored);
}

export interface Order {
  sell: string;
  buy: string;
  side: 'Sell' | 'Buy';
  amount: string;
  exchange: string;
  /** Number of transactions. */
  steps: number;
  /** Approval and swap are clauses of one transaction. */
  together?: boolean;
}

export interface Trader {
  panel: Panel;
  /** Opens the wallet. */
  opening(act: () => Promise<unknown>): Promise<WalletView>;
  decimals(symbol: string): number;
  /** Smallest units. */
  holds(symbol: string): Promise<bigint>;
  /** Fees of all transactions of the finished swap, in smallest units; 0 if another coin than `symbol` pays them. */
  fees(symbol: string, steps: number): Promise<bigint>;
}

type ShownSwap = Pick<Order, 'sell' | 'buy' | 'side' | 'amount' | 'exchange' | 'together'>;

/** Waits until the wallet shows this swap: what is sold, what is bought, and on which exchange. */
export async function showsSwap(
  view: WalletView,
  { sell, buy, side, amount, exchange, together }: ShownSwap,
): Promise<void> {
  if (together) {
    const sentence =
      side === 'Sell'
        ? new RegExp(`^Swap exactly ${amount} ${sell} for at least .+ ${buy} by ${exchange}$`)
        : new RegExp(`^Swap at most .+ ${sell} for exactly ${amount} ${buy} by ${exchange}$`);
    return view.text(sentence).waitFor();
  }
  const [effect, terms, row] =
    side === 'Sell'
      ? [`Swap ${amount} ${sell}`, /^for at least /, `You get at least\\s+[\\d,.]+ ${buy}`]
      : [
          new RegExp(`^Swap at most .+ ${sell}$`),
          new RegExp(`^for exactly ${amount} ${buy}`),
          `You get exactly\\s+${amount} ${buy}`,
        ];
  await view.heading(effect).waitFor();
  await view.text(terms).waitFor();
  const rows = view.root.locator('dl > div');
  await rows.filter({ hasText: new RegExp(`^\\s*${row}\\s*$`) }).waitFor();
  await view.root.getByText(exchange, { exact: true }).waitFor();
}

/** Swaps through panel and wallet, and compares what happened on the chain with what both promised. */
export async function swap(trader: Trader, order: Order): Promise<void> {
  const { sell, buy, side, amount, exchange, steps, together } = order;
  const { panel } = trader;
  const before = [await trader.holds(sell), await trader.holds(buy)] as const;
  await panel.choose('Sell', sell);
  await panel.choose('Buy', buy);
  await panel.enter(side, amount, exchange);
  await panel.review();
  const limit = await panel.figure(side === 'Sell' ? 'You get at least' : 'You pay at most');
  const view = await trader.opening(() => panel.button('Swap').click());
  if (steps > 1) {
    await view.heading(`${steps} transactions`).waitFor();
    await view.text(`Swap by ${exchange}`).waitFor();
    await view.press('Continue');
    await view.approval().waitFor();
    await view.text('This gives a spending limit').waitFor();
    await tickAll(view);
    await view.approve();
  }
  await showsSwap(view, order);
  if (together) {
    await view.seeAll();
    await tickAll(view);
  }
  assert.deepEqual(await view.axe(), []);
  await view.approve();
  await view.sent();
  await view.done();
  // The amount received, not the minimum.
  const end = await panel.root.getByText(/^You got \d/).innerText();
  const paid = before[0] - (await trader.holds(sell)) - (await trader.fees(sell, steps));
  const got = (await trader.holds(buy)) - before[1] + (await trader.fees(buy, steps));
  const units = (figure: string, symbol: string) =>
    parseUnits(figure.replaceAll(/[,…]/g, ''), trader.decimals(symbol));
  assert.ok(
    formatUnits(got, trader.decimals(buy)).startsWith(/[\d,.]+/.exec(end)![0].replaceAll(',', '')),
    `${end}, but got ${formatUnits(got, trader.decimals(buy))}`,
  );
  const exact = units(amount, side === 'Sell' ? sell : buy);
  const [figure, symbol] = limit.split(' ') as [string, string];
  const promised = units(figure, symbol);
  const outcome = `paid ${formatUnits(paid, trader.decimals(sell))} ${sell}, got ${formatUnits(got, trader.decimals(buy))} ${buy}, limit ${limit}`;
  if (side === 'Sell') assert.ok(paid === exact && got >= promised, outcome);
  else assert.ok(got === exact && paid <= promised, outcome);
  await panel.button('New swap').click();
}
