/** Payments by wallet, on a real chain: quotes, and what settles them. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Contract, JsonRpcProvider } from 'ethers';
import type { ExchangeEntry } from '../../src/swaps/entry.ts';
import { addExchanges } from '../../demo/networks/exchanges/index.ts';
import { startGochainNetwork } from '../../demo/networks/gochain.ts';
import type { WalletPayment } from '../../src/api/pay.ts';
import type { Problem } from '../../src/api/problem.ts';
import { pagePath, payment } from './checkout-setup.ts';
import {
  type Chain,
  coins,
  dollars,
  ERC20,
  openTill,
  RECEIVER,
  startChain,
  type Till,
} from './wallet-payments-setup.ts';

let chain: Chain;
let till: Till;

before(async () => {
  chain = await startChain();
  till = await openTill([chain.network]);
});
after(async () => {
  await till?.close();
  await chain?.close();
});

test('a quote is the best exchange’s price for exactly the total, plus a tiny unique tail', async () => {
  await till.receive();
  const session = await till.session(2999);
  const quote = await till.quote(session);
  const { exchanges } = chain.network as { exchanges: ExchangeEntry[] };
  const v2 = exchanges.find(({ kind }) => kind === 'uniswap-v2')!;
  const provider = new JsonRpcProvider(chain.local.url, 31337, { staticNetwork: true });
  const router = new Contract(
    v2.router,
    ['function getAmountsIn(uint256,address[]) view returns (uint256[])'],
    provider,
  );
  const [ofV2] = (await router.getFunction('getAmountsIn')(2999n * 10n ** 16n, [
    v2.wrapped,
    chain.token('DUSD'),
  ])) as bigint[];
  provider.destroy();
  const rates = await import('../../src/swaps/index.ts').then(async ({ swapRates }) =>
    swapRates(
      {
        fromSecretType: 'ETHEREUM',
        toSecretType: 'ETHEREUM',
        fromToken: '',
        toToken: chain.token('DUSD'),
        amount: '29.99',
        orderType: 'BUY',
      },
      () => till.tested.service.networks.reach('ETHEREUM'),
    ),
  );
  const raw = (name: string) =>
    BigInt(rates.exchangeRates.find(({ exchange }) => exchange === name)!.rawInputAmount!);
  assert.equal(raw('Uniswap V2'), ofV2!);
  const best = rates.exchangeRates.map(({ exchange }) => raw(exchange)).reduce((a, b) => (a < b ? a : b));
  const more = coins(quote) - best;
  // One cent is best / 2999.
  assert.ok(more >= 0n && more <= best / 2999n, `${more} of ${best}`);
  assert.deepEqual(
    { ...quote, amount: '', expiresAt: 0 },
    {
      state: 'quoted',
      to: RECEIVER,
      amount: '',
      expiresAt: 0,
      transactionHash: null,
      confirmations: 0,
      needed: 1,
      problem: null,
      difference: null,
      received: null,
      // The operator has not verified this merchant's name.
      order: null,
    },
  );
  assert.ok(Math.abs(quote.expiresAt - Date.now() - 600_000) < 30_000);
  // The quote is stable.
  assert.deepEqual(await till.quote(session), quote);
  const { wallet } = await till.page(session);
  assert.deepEqual(wallet!.payment, quote);
  assert.equal(wallet!.symbol, 'ETH');
  assert.equal(wallet!.frame, 'http://localhost:4000');
});

test('coins settle a session, reported by the page', async () => {
  await till.receive({ confirmations: 3 });
  const session = await till.session();
  const quote = await till.quote(session);
  const hash = await chain.send(chain.accounts[0]!, quote.to, coins(quote));
  const reported = await till.report(session, hash);
  assert.equal(reported.state, 'pending');
  assert.equal(reported.transactionHash, hash);
  await till.until(session, 'a confirmation', ({ confirmations }) => confirmations === 1);
  const card = await till.tested.post(`${new URL(session.url!).pathname}/payments`, payment());
  assert.equal(((await card.json()) as { code: string }).code, 'checkout.payment.pending');
  assert.equal(await till.refused(session, 'cancel'), '409 checkout.payment.pending');
  assert.equal((await till.shop.read(session.id)).payment_status, 'unpaid');
  await chain.mine(2);
  await till.paid(session);
  const paid = await till.shop.read(session.id);
  const [received] = await till.received(`?session=${session.id}`);
  assert.equal(received!.state, 'paid');
  assert.equal(paid.payment_intent, received!.id);
  assert.equal(paid.status, 'complete');
  assert.deepEqual(
    (await till.shop.events(session.id)).map(({ type }) => type),
    ['payment.succeeded'],
  );
  const { wallet } = await till.page(session);
  assert.equal(wallet!.payment!.state, 'paid');
  assert.equal(wallet!.payment!.confirmations, 3);
  assert.equal(await till.refused(session, 'quote'), '409 checkout.session.complete');
});

test('tokens settle a session one for one, without a report', async () => {
  await till.receive({ tokenAddress: chain.token('DUSD'), confirmations: 1 });
  const session = await till.session(2999);
  const quote = await till.quote(session);
  assert.match(quote.amount, /^29\.99/);
  const tail = dollars(quote) - 2999n * 10n ** 16n;
  assert.ok(tail >= 0n && tail < 10n ** 16n, quote.amount);
  await chain.sendToken(chain.accounts[1]!, chain.token('DUSD'), quote.to, dollars(quote));
  await till.paid(session);
  const [received] = await till.received(`?session=${session.id}`);
  assert.equal(received!.amount, quote.amount);
  assert.equal(received!.symbol, 'DUSD');
});

test('without enough liquidity there is no price', async () => {
  await till.receive();
  const session = await till.session(999_999_999_999);
  const response = await fetch(`${till.tested.url}${pagePath(session)}/wallet/quote`, { method: 'POST' });
  const { code, details } = (await response.json()) as Problem;
  assert.deepEqual([response.status, code, details!['reason']], [422, 'checkout.wallet.no-price', 'none']);
});

test('with few token decimals, amounts run out but are never reused', async () => {
  await till.receive({ tokenAddress: chain.token('DBTC') });
  const sessions = await Promise.all(Array.from({ length: 24 }, () => till.session(1)));
  const amounts: string[] = [];
  const refused: string[] = [];
  for (const session of sessions) {
    const response = await fetch(`${till.tested.url}${pagePath(session)}/wallet/quote`, { method: 'POST' });
    const body = (await response.json()) as WalletPayment & Problem;
    if (response.ok) amounts.push(body.amount);
    else refused.push(String(body.details!['reason']));
  }
  assert.equal(new Set(amounts).size, amounts.length);
  assert.ok(amounts.length > 5 && refused.length > 0, `${amounts.length} ${refused.length}`);
  assert.deepEqual(new Set(refused), new Set(['busy']));
});

test('quotes per session are limited', async () => {
  await till.receive({ tokenAddress: chain.token('DUSD') });
  const session = await till.session();
  const { db } = till.tested.service;
  const seen = new Set<string>();
  for (let i = 0; i < 30; i++) {
    seen.add((await till.quote(session)).amount);
    await db
      .updateTable('wallet_quotes')
      .set({ expires_at: new Date(Date.now() - 1000) })
      .where('session_id', '=', session.id)
      .execute();
  }
  assert.equal(seen.size, 30);
  assert.equal(await till.refused(session, 'quote'), '429 request.rate-limited');
});

test('near a session’s expiry a quote is shorter, but still long enough to pay', async () => {
  await till.receive({ tokenAddress: chain.token('DUSD') });
  const session = await till.session();
  const end = new Date(Date.now() + 10_000);
  await till.tested.service.db
    .updateTable('checkout_sessions')
    .set({ expires_at: end })
    .where('id', '=', session.id)
    .execute();
  const { expiresAt } = await till.quote(session);
  assert.ok(Math.abs(expiresAt - Date.now() - 120_000) < 30_000, String(expiresAt - Date.now()));
});

test('a pending payment settles to the receiving wallet that it was quoted for', async () => {
  await till.receive({ tokenAddress: chain.token('DUSD') });
  const session = await till.session();
  const quote = await till.quote(session);
  const other = chain.accounts[3]!;
  const now = await till.receive({ address: other, tokenAddress: chain.token('DCENT') });
  assert.equal(now.address.toLowerCase(), other.toLowerCase());
  assert.equal((await till.page(session)).wallet!.payment, null);
  const second = await till.quote(session);
  assert.equal(second.to, now.address);
  // The customer still had the first quote open.
  const path = '/account/settings/receiving-wallet';
  await fetch(till.tested.url + path, { method: 'DELETE', headers: till.shop.headers });
  assert.equal((await till.page(session)).wallet, null);
  await chain.sendToken(chain.accounts[1]!, chain.token('DUSD'), quote.to, dollars(quote));
  await till.paid(session);
  const { wallet } = await till.page(session);
  assert.deepEqual([wallet!.symbol, wallet!.payment!.state], ['DUSD', 'paid']);
});

test('GoChain settles a session, too', async () => {
  const local = await startGochainNetwork({ port: 0 });
  try {
    await addExchanges(local);
    const own = await openTill([local.network]);
    try {
      const go = async <T>(method: string, ...params: unknown[]): Promise<T> => {
        const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
        const headers = { 'Content-Type': 'application/json' };
        const answer = await fetch(local.network.nodes[0]!, { method: 'POST', headers, body });
        return ((await answer.json()) as { result: T }).result;
      };
      const [from] = (await go<string[]>('eth_accounts')).slice(5);
      const gasPrice = `0x${(2_000_000_000_000).toString(16)}`;
      await local.give('DUSD', from!);
      for (const token of [undefined, local.network.tokens[0]!.address]) {
        await own.receive({ secretType: 'GOCHAIN', ...(token && { tokenAddress: token }) });
        const session = await own.session(100);
        const quote = await own.quote(session);
        const what = token
          ? { to: token, data: ERC20.encodeFunctionData('transfer', [quote.to, dollars(quote)]) }
          : { to: quote.to, value: `0x${coins(quote).toString(16)}` };
        const hash = await go<string>('eth_sendTransaction', { from, gasPrice, ...what });
        await own.report(session, hash);
        await own.paid(session);
      }
    } finally {
      await own.close();
    }
  } finally {
    await local.close();
  }
});
