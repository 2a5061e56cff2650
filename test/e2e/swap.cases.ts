/** Swaps as a new user makes them, on exchanges with Uniswap's own contracts: panel, approval and chain. */
import assert from 'node:assert/strict';
import { after, before } from 'node:test';
import { Contract, parseEther, Transaction } from 'ethers';
import type { Wallet } from '../../src/api/wallet.ts';
import type { SignResult, TransactionResult } from '../../src/channel/messages.ts';
import { poll } from '../waiting.ts';
import { axe, openWorld, type Visitor, type World } from './harness.ts';
import { type Order, Panel, swap, showsSwap, tickAll, type Trader } from './swap-setup.ts';
import { EVERY_VARIANT } from './variants.ts';
import { core, describeCore, describeRest, rest, variant } from './parts.ts';

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

/** A trader whose wallet is on Ethereum. */
function trader(visitor: Visitor, { address }: Wallet): Trader {
  return {
    panel: new Panel(visitor.page),
    opening: (act) => visitor.opening(act),
    decimals: (symbol) => DECIMALS[symbol]!,
    holds: (symbol) => holds(symbol, address),
    async fees(symbol, steps) {
      const { result } = (await visitor.events()).findLast(({ type }) => type === 'result')!;
      const hashes = (result as TransactionResult[]).map(({ transactionHash }) => transactionHash);
      assert.equal(hashes.length, steps);
      if (symbol !== 'ETH') return 0n;
      const receipts = await Promise.all(hashes.map((hash) => world.receipt(hash)));
      return receipts.reduce((sum, { fee }) => sum + fee, 0n);
    },
  };
}

const ORDERS: Order[] = [
  { sell: 'ETH', buy: 'DUSD', side: 'Sell', amount: '1', exchange: 'Uniswap V2', steps: 1 },
  { sell: 'DUSD', buy: 'ETH', side: 'Buy', amount: '0.25', exchange: 'Uniswap V3', steps: 2 },
  { sell: 'DUSD', buy: 'DCENT', side: 'Sell', amount: '20', exchange: 'Uniswap V2', steps: 2 },
  { sell: 'ETH', buy: 'DBTC', side: 'Buy', amount: '0.01', exchange: 'Uniswap V3', steps: 1 },
  { sell: 'DUSD', buy: 'ETH', side: 'Sell', amount: '100', exchange: 'Uniswap V3', steps: 2 },
];
/** With and without an allowance first, sold and bought, on both exchanges. */
const CORE = { iframe: ORDERS[0]!, popup: ORDERS[1]! };

for (const where of ['iframe', 'popup'] as const)
  describeCore(
    where === 'iframe' ? 'same site, wallet in a dialog' : 'another site, wallet in a window',
    () => {
      let visitor: Visitor;
      let wallet: Wallet;
      before(async () => {
        visitor = await world.visit(where, '/swap');
        wallet = await visitor.wealthyWallet();
      });
      after(() => visitor.close());

      for (const order of EVERY_VARIANT ? ORDERS : [CORE[where]])
        core(
          `${order.side === 'Sell' ? 'sells' : 'buys'} ${order.amount} of ${order.sell} for ${order.buy} on ${order.exchange}`,
          () => swap(trader(visitor, wallet), order),
        );
    },
  );

describeRest('what can go wrong', () => {
  let visitor: Visitor;
  let wallet: Wallet;
  let panel: Panel;
  before(async () => {
    visitor = await world.visit('iframe', '/swap');
    wallet = await visitor.wealthyWallet();
    panel = new Panel(visitor.page);
  });
  after(() => visitor.close());

  rest('a reload between approval and swap loses nothing, and swaps once', async () => {
    const before = await holds('ETH', wallet.address);
    await panel.choose('Sell', 'DUSD');
    await panel.choose('Buy', 'ETH');
    await panel.enter('Sell', '200', 'Uniswap V2');
    await panel.review();
    const view = await visitor.opening(() => panel.button('Swap').click());
    await view.press('Continue');
    await tickAll(view);
    await view.approve();
    await view.heading('Swap 200 DUSD').waitFor();
    await visitor.reload();
    await panel.button('Check in wallet').waitFor();
    const again = await visitor.opening(() => panel.button('Check in wallet').click());
    await again.gone();
    await panel.root.getByText('The wallet was closed before it was sent.').waitFor();
    assert.equal(await panel.root.getByText('Confirmed').count(), 1);
    // The page withdrew its request: a new one that comes too soon would come after a notice.
    await visitor.passMinute();
    await panel.button('Try again').click();
    await panel.root.getByRole('radio', { name: /^Uniswap V2, / }).check();
    await panel.review();
    await panel.root.getByText(/^You approve the swap in your wallet: /).waitFor();
    const last = await visitor.opening(() => panel.button('Swap').dblclick());
    await last.heading('Swap 200 DUSD').waitFor();
    await last.approve();
    await last.heading('Swapped').waitFor();
    await last.done();
    await panel.root.getByText(/^You got \d/).waitFor();
    const got = (await holds('ETH', wallet.address)) - before;
    assert.ok(got > parseEther('0.09') && got < parseEther('0.11'), String(got));
    assert.equal(await holds('DUSD', wallet.address), parseEther('800'));
    // A swap whose end the user has seen is not shown again after a reload.
    await visitor.reload();
    await panel.button('Review').waitFor();
    assert.equal(await panel.root.getByText(/^You got /).count(), 0);
  });

  rest('a swap that is only signed has the same text, and is that swap', async () => {
    const { address: dusd } = world.ethereum.network.tokens.find(({ symbol }) => symbol === 'DUSD')!;
    const order = {
      walletId: wallet.id,
      fromSecretType: 'ETHEREUM',
      toSecretType: 'ETHEREUM',
      fromToken: '',
      toToken: dusd,
      orderType: 'SELL',
      inputAmount: '0.5',
      exchange: 'Uniswap V3',
    } as const;
    const [made] = await visitor.evaluate((body) => window.connect.createSwap(body), order);
    const { to, value, data } = made as unknown as { to: string; value: string; data: string };
    const nonce = await world.chain.getTransactionCount(wallet.address);
    const gas = { gasLimit: 400_000, maxFeePerGas: 10n ** 11n, maxPriorityFeePerGas: 10n ** 9n };
    const transaction = Transaction.from({ type: 2, chainId: 31337, to, value, data, nonce, ...gas });
    const view = await visitor.ask((connect, signing) => connect.sign(signing), {
      type: 'ETHEREUM_TRANSACTION' as const,
      walletId: wallet.id,
      data: transaction.unsignedSerialized,
      prefix: false,
    });
    await showsSwap(view, { sell: 'ETH', buy: 'DUSD', side: 'Sell', amount: '0.5', exchange: 'Uniswap V3' });
    await view.text('Good until').waitFor();
    assert.deepEqual(await view.axe(), []);
    const before = await holds('DUSD', wallet.address);
    await view.approve();
    const { value: signed } = await visitor.answer<SignResult>();
    transaction.signature = signed!.result.signature;
    await world.chain.broadcastTransaction(transaction.serialized);
    const { status } = await world.receipt(transaction.hash!);
    assert.equal(status, 1);
    assert.ok((await holds('DUSD', wallet.address)) - before > parseEther('900'));
    await view.gone();
  });

  rest('a rejected swap stays where it was', async () => {
    await panel.choose('Sell', 'ETH');
    await panel.choose('Buy', 'DUSD');
    await panel.enter('Sell', '0.5', 'Uniswap V2');
    await panel.review();
    const view = await visitor.opening(() => panel.button('Swap').click());
    // A click sooner than a person's can land on the iframe itself while the browser still places it.
    await view.text('Enter your PIN').first().waitFor();
    await view.leave('Reject');
    await panel.root.getByText('You rejected the request').waitFor();
    await visitor.event('cancel');
    assert.equal((await visitor.events()).at(-1)?.type, 'cancel');
    await panel.button('Back').click();
    assert.equal(await panel.root.getByRole('textbox', { name: 'Sell', exact: true }).inputValue(), '0.5');
  });

  variant('an excessive amount is reported at its field, and a node that is down is reported', async () => {
    await panel.root.getByRole('textbox', { name: 'Sell', exact: true }).fill('5000');
    await panel.root.getByText(/^You have .+ ETH\.$/).waitFor();
    await panel.root.getByRole('textbox', { name: 'Sell', exact: true }).fill('0.5');
    await panel.root.getByRole('radio').first().waitFor();
    world.node.down = true;
    try {
      await panel.button('Refresh rates').click();
      await poll(
        async () => (await panel.root.getByText('No new rates').count()) > 0,
        'what the panel says of the node',
      );
    } finally {
      world.node.down = false;
    }
    assert.deepEqual(await axe(visitor.page), []);
  });
});
