/** Swaps with the demo's panel on GoChain, VeChain and Tron, and from service wallets. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Wallet } from '../../../src/api/wallet.ts';
import { loadChain } from '../../../src/chains/index.ts';
import { CHAIN_NAMES, type SecretType } from '../../../src/chains/secret-type.ts';
import { poll } from '../../waiting.ts';
import { type WalletView } from '../../e2e/harness.ts';
import {
  Customer,
  firstAtService,
  nextAtService,
  openServiceWorld,
  type ServiceWorld,
} from '../../e2e/service-setup.ts';
import { type Order, Panel, swap, type Trader } from '../../e2e/swap-setup.ts';

let world: ServiceWorld;
before(async () => void (world = await openServiceWorld(['ETHEREUM', 'GOCHAIN', 'VECHAIN', 'TRON'])));
after(() => world.close());

async function traderOf(customer: Customer, { address, secretType }: Wallet): Promise<Trader> {
  const { network } = world.demo.local[secretType]!;
  const chain = await loadChain(secretType);
  const node = chain.node(network);
  const { coin, gasCoin } = chain;
  const tokenOf = (symbol: string) => network.tokens.find((token) => token.symbol === symbol)!;
  return {
    panel: new Panel(customer.page),
    opening: (act) => customer.opening(act),
    decimals: (symbol) => (symbol === coin.symbol ? coin.decimals : tokenOf(symbol).decimals),
    async holds(symbol) {
      if (symbol === coin.symbol) return BigInt((await chain.balance(address, node)).rawBalance);
      const [found] = await chain.tokenBalances(address, [tokenOf(symbol)], node);
      return BigInt(found!.rawBalance);
    },
    async fees(symbol, steps) {
      const lines = customer.page.getByRole('log', { name: 'Event log' }).getByRole('listitem');
      const line = await lines.filter({ hasText: 'connect-result' }).innerText();
      const hashes = [...line.matchAll(/transactionHash\W+((?:0x)?[0-9a-f]{64})/g)].map(([, hash]) => hash!);
      assert.equal(hashes.length, steps, line);
      if (symbol !== gasCoin.symbol) return 0n;
      const paid = await Promise.all(
        hashes.map((hash) => poll(async () => (await chain.receipt(hash, node)).fee, `what ${hash} cost`)),
      );
      return paid.reduce((sum, fee) => sum + fee, 0n);
    },
  };
}

/** Gives coins, and tokens to swap. */
async function fund({ secretType, address }: Wallet): Promise<void> {
  const local = world.demo.local[secretType]!;
  for (const asset of local.assets.filter((name) => name !== 'NFT')) await local.give(asset, address);
}

const ORDERS: { [S in SecretType]?: Order[] } = {
  ETHEREUM: [
    { sell: 'ETH', buy: 'DUSD', side: 'Sell', amount: '1', exchange: 'Uniswap V2', steps: 1 },
    { sell: 'DUSD', buy: 'ETH', side: 'Buy', amount: '0.2', exchange: 'Uniswap V3', steps: 2 },
  ],
  GOCHAIN: [
    { sell: 'GO', buy: 'DCENT', side: 'Sell', amount: '1', exchange: 'GoSwap', steps: 1 },
    { sell: 'DUSD', buy: 'GO', side: 'Buy', amount: '0.25', exchange: 'GoSwap', steps: 2 },
  ],
  VECHAIN: [
    { sell: 'VET', buy: 'DUSD', side: 'Buy', amount: '1', exchange: 'VeSwap V3', steps: 1 },
    { sell: 'DUSD', buy: 'VET', side: 'Sell', amount: '0.5', exchange: 'VeSwap', steps: 1, together: true },
  ],
  TRON: [
    { sell: 'TRX', buy: 'DCENT', side: 'Sell', amount: '20', exchange: 'SunSwap V2', steps: 1 },
    { sell: 'DUSD', buy: 'TRX', side: 'Buy', amount: '8', exchange: 'SunSwap V2', steps: 2 },
  ],
};

for (const chain of ['GOCHAIN', 'VECHAIN', 'TRON'] as const)
  describe(`a wallet of the browser on ${CHAIN_NAMES[chain]}`, () => {
    let customer: Customer;
    let trader: Trader;
    before(async () => {
      const at = `${chain.toLowerCase()}/manage`;
      customer = await Customer.visit(world, { at, where: chain === 'GOCHAIN' ? 'popup' : 'iframe' });
      const view = await managing(customer, chain);
      await view.firstUse();
      await customer.log('connect-result').waitFor();
      const [wallet] = await customer.read<Wallet[]>('wallets');
      assert.equal(wallet!.walletType, 'BROWSER');
      await fund(wallet!);
      await customer.go('Swap panel');
      trader = await traderOf(customer, wallet!);
    });
    after(() => customer.close());
    for (const order of ORDERS[chain]!) test(nameOf(order), () => run(customer, trader, order));
  });

describe('a wallet of the service', () => {
  let customer: Customer;
  before(async () => {
    customer = await Customer.signIn(world);
  });
  after(() => customer.close());
  for (const chain of ['ETHEREUM', 'VECHAIN'] as const)
    describe(CHAIN_NAMES[chain], () => {
      let trader: Trader;
      before(async () => {
        await customer.page.goto(`${world.demo.demo}/qa#/${chain.toLowerCase()}/manage`);
        const view = await managing(customer, chain);
        if (chain === 'ETHEREUM') {
          await firstAtService(view);
          await view.press('Continue without it');
        } else await nextAtService(view);
        await view.leaveAddress();
        const wallet = await poll(async () => {
          const all = await customer.read<Wallet[]>('wallets');
          return all.find(({ secretType }) => secretType === chain);
        }, 'the wallet at the page');
        assert.equal(wallet.walletType, 'THREEWAY_SHARED');
        await fund(wallet);
        await customer.go('Swap panel');
        trader = await traderOf(customer, wallet);
      });
      for (const order of ORDERS[chain]!) test(nameOf(order), () => run(customer, trader, order));
    });
});

/** Its button stops moving only once the page knows that there is no wallet. */
async function managing(customer: Customer, chain: SecretType): Promise<WalletView> {
  await customer.page.getByText(`No ${CHAIN_NAMES[chain]} wallet yet`).waitFor();
  return customer.opening(() => customer.button('Manage wallets', customer.main).click());
}

function nameOf({ side, amount, sell, buy, exchange }: Order): string {
  return side === 'Sell'
    ? `sells ${amount} ${sell} for ${buy} on ${exchange}`
    : `buys ${amount} ${buy} for ${sell} on ${exchange}`;
}

/** Swaps, after clearing the log of earlier swaps. */
async function run(customer: Customer, trader: Trader, order: Order): Promise<void> {
  await customer.button('Clear log').click();
  await swap(trader, order);
}
