/** Swaps through the service: pairs, rates, and requests that carry them out. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Interface, JsonRpcProvider, parseEther, toBeHex } from 'ethers';
import type { CreatedWallet } from '../../src/api/wallet.ts';
import type { OrderType } from '../../src/api/swap.ts';
import { bearer } from './harness.ts';
import { type Desk, startDesk, type SwapChain, type Trade } from './swaps-setup.ts';

const ORDERS: OrderType[] = ['SELL', 'BUY'];
/** More than the fees of a swap's transactions. */
const FEES = { ETHEREUM: parseEther('0.02'), GOCHAIN: parseEther('2'), VECHAIN: 0n, TRON: 100_000_000n };

let desk: Desk;
let provider: JsonRpcProvider;
const tills = {} as Record<SwapChain, CreatedWallet>;
const savings = {} as Record<SwapChain, CreatedWallet>;
/** On a second Ethereum: the same node without exchanges. */
let elsewhere: CreatedWallet;

before(async () => {
  desk = await startDesk(({ ETHEREUM: { network } }) => [
    { ...network, id: 'ethereum-plain', name: 'Plain', exchanges: [] },
  ]);
  provider = new JsonRpcProvider(desk.local.ETHEREUM.url, undefined, { staticNetwork: true });
  for (const { network, assets, give } of Object.values(desk.local)) {
    const secretType = network.secretType as SwapChain;
    tills[secretType] = await desk.wallet(secretType);
    savings[secretType] = await desk.wallet(secretType);
    for (const asset of secretType === 'VECHAIN' ? ['VET', 'VTHO'] : [assets[0]!])
      await give(asset, tills[secretType].address);
  }
  elsewhere = await desk.wallet('ETHEREUM', { network: 'ethereum-plain' });
});

after(async () => {
  provider?.destroy();
  await desk?.close();
});

const ETH = { fromSecretType: 'ETHEREUM', toSecretType: 'ETHEREUM' };

/** A valid swap of 0.1 ETH for dollars. */
function order(more: object = {}) {
  const toToken = desk.token('ETHEREUM', 'DUSD');
  return {
    ...ETH,
    fromToken: '',
    toToken,
    orderType: 'SELL',
    inputAmount: '0.1',
    exchange: 'Uniswap V2',
    ...more,
  };
}

test('pairs are those of the wallet’s network', async () => {
  const { outcome, body } = await desk.pairs(tills.ETHEREUM.id);
  assert.equal(outcome, '200');
  const dbtc = desk.token('ETHEREUM', 'DBTC');
  assert.ok(
    body.some(
      ({ from, to }) => from.symbol === 'ETH' && from.tokenAddress === '' && to.tokenAddress === dbtc,
    ),
  );
  assert.deepEqual((await desk.pairs(elsewhere.id)).body, []);
  // Chains without exchanges, and without a node.
  assert.deepEqual((await desk.pairs((await desk.wallet('BITCOIN')).id)).body, []);
});

/** Each amount once per chain: the service caches a rate for up to a second. */
const ROUNDS: [SwapChain, string, Record<OrderType, [there: string, back: string]>][] = [
  ['ETHEREUM', 'Uniswap V2', { SELL: ['1', '500'], BUY: ['300', '0.2'] }],
  ['ETHEREUM', 'Uniswap V3', { SELL: ['1.1', '510'], BUY: ['310', '0.21'] }],
  ['GOCHAIN', 'GoSwap', { SELL: ['1', '0.4'], BUY: ['0.3', '0.2'] }],
  ['VECHAIN', 'VeSwap', { SELL: ['100', '0.5'], BUY: ['1', '20'] }],
  ['TRON', 'SunSwap V2', { SELL: ['100', '5'], BUY: ['20', '30'] }],
  ['VECHAIN', 'VeSwap V3', { SELL: ['110', '0.4'], BUY: ['0.9', '21'] }],
];

for (const [secretType, exchange, amounts] of ROUNDS)
  for (const orderType of ORDERS)
    test(`${exchange}, ${orderType}: coins for dollars, and back to another wallet, at the quoted rate`, async () => {
      const [till, other] = [tills[secretType], savings[secretType]];
      const dollars = desk.token(secretType, 'DUSD');
      const trade = (from: string, to: string, amount: string): Trade => ({ from, to, orderType, amount });
      const there = trade('', dollars, amounts[orderType][0]);
      const before = [await desk.holds(till, ''), await desk.holds(till, dollars)];
      const bought = await desk.swap(till, there, exchange);
      assert.equal(bought.types.length, 1);
      const spent = before[0]! - (await desk.holds(till, ''));
      const input = BigInt(bought.rate.rawInputAmount!);
      assert.ok(spent >= input && spent <= input + FEES[secretType], `${spent} for ${input}`);
      const held = await desk.holds(till, dollars);
      assert.equal(held - before[1]!, BigInt(bought.rate.rawOutputAmount!));

      const saved = await desk.holds(other, '');
      const sold = await desk.swap(till, trade(dollars, '', amounts[orderType][1]), exchange, other);
      assert.equal(sold.types.length, secretType === 'VECHAIN' ? 1 : 2);
      assert.equal(held - (await desk.holds(till, dollars)), BigInt(sold.rate.rawInputAmount!));
      assert.equal((await desk.holds(other, '')) - saved, BigInt(sold.rate.rawOutputAmount!));
    });

test('rates need no wallet, follow a wallet’s network, and are empty without an exchange', async () => {
  const query = { ...ETH, toToken: desk.token('ETHEREUM', 'DUSD'), orderType: 'SELL', amount: '0.5' };
  const { body } = await desk.rates(query);
  assert.deepEqual(body.exchangeRates.map(({ exchange }) => exchange).toSorted(), [
    'Uniswap V2',
    'Uniswap V3',
  ]);
  assert.ok(body.exchangeRates.some((rate) => JSON.stringify(rate) === JSON.stringify(body.bestRate)));
  assert.equal((await desk.rates({ ...query, walletId: tills.ETHEREUM.id })).body.exchangeRates.length, 2);
  const none = { exchangeRates: [], bestRate: null };
  for (const other of [
    { walletId: elsewhere.id },
    { toSecretType: 'VECHAIN' },
    { fromSecretType: 'NEO', toSecretType: 'NEO' },
    { fromSecretType: 'BITCOIN', toSecretType: 'BITCOIN' },
  ]) {
    const { outcome, body: answer } = await desk.rates({ ...query, ...other });
    assert.deepEqual([outcome, answer], ['200', none]);
  }
  const { noRates } = (await desk.rates({ ...query, toToken: desk.token('ETHEREUM', 'DBTC') })).body;
  assert.deepEqual(
    noRates!.map(({ exchange, code }) => `${exchange} ${code}`),
    ['Uniswap V2 swap.uniswap-v2.exchange-not-found'],
  );
});

test('concurrent identical requests reach the node once a second at most', async () => {
  const query = { ...ETH, toToken: desk.token('ETHEREUM', 'DUSD'), orderType: 'SELL', amount: '0.123' };
  const { requests } = desk.local.ETHEREUM.node;
  assert.equal((await desk.rates({ ...query, amount: '0.124' })).outcome, '200');
  const before = requests.length;
  const start = performance.now();
  const answers = await Promise.all(Array.from({ length: 50 }, () => desk.rates(query)));
  assert.deepEqual([...new Set(answers.map(({ outcome }) => outcome))], ['200']);
  assert.equal(new Set(answers.map(({ body }) => JSON.stringify(body))).size, 1);
  // Two exchanges, two requests each; a rate is cached for a second, and a busy machine may take longer.
  const turns = 1 + Math.floor((performance.now() - start) / 1000);
  assert.ok(requests.length - before <= 4 * turns, `${requests.length - before} requests in ${turns} s`);
});

test('every invalid field is named', async () => {
  const till = tills.ETHEREUM;
  const outcome = async (more: object, id = till.id) => (await desk.create(id, order(more))).outcome;
  assert.equal(await outcome({ walletId: savings.ETHEREUM.id }), '400 request.invalid walletId');
  assert.equal(await outcome({ fromSecretType: 'VECHAIN' }), '400 request.invalid fromSecretType');
  assert.equal(await outcome({ inputAmount: -1 }), '400 request.invalid inputAmount');
  assert.equal(await outcome({ inputAmount: null }), '400 request.invalid inputAmount');
  assert.equal(await outcome({ slippage: 51 }), '400 request.invalid slippage');
  assert.equal(await outcome({ toToken: 'DUSD' }), '400 request.invalid toToken');
  assert.equal(await outcome({ toToken: `0x${'56'.repeat(20)}` }), '400 request.invalid toToken');
  assert.equal(await outcome({ pincode: '739154' }), '400 request.invalid pincode');
  const destination = (id: string) => outcome({ destinationWalletId: id });
  assert.equal(await destination(savings.VECHAIN.id), '400 request.invalid destinationWalletId');
  assert.equal(await destination(elsewhere.id), '400 request.invalid destinationWalletId');
  const query = { ...ETH, orderType: 'SELL', amount: '1' };
  const rates = async (more: Record<string, string>) => (await desk.rates({ ...query, ...more })).outcome;
  assert.equal(await rates({ amount: '0' }), '400 request.invalid toToken');
  assert.equal(
    await rates({ amount: 'x', toToken: desk.token('ETHEREUM', 'DUSD') }),
    '400 request.invalid amount',
  );
  assert.equal(await rates({ orderType: 'HOLD' }), '400 request.invalid orderType');
  assert.equal(await rates({ walletId: savings.VECHAIN.id }), '400 request.invalid fromSecretType');
});

test('others’ wallets are neither source nor destination of a swap, nor are archived ones', async () => {
  const till = tills.ETHEREUM;
  const stranger = bearer(
    (await desk.service.tokens(['view:wallets', 'whitelabel', 'save:transaction'])).access_token,
  );
  const path = (id: string) => `/api/wallets/${id}/swaps`;
  const asStranger = await desk.service.post(path(till.id), { ...order(), walletId: till.id }, stranger);
  assert.equal(asStranger.status, 403);
  const theirs = (await (
    await desk.service.post(
      '/api/wallets',
      { walletType: 'WHITE_LABEL', secretType: 'ETHEREUM', pincode: '739154' },
      stranger,
    )
  ).json()) as CreatedWallet;
  const create = async (more: object, id = till.id) => (await desk.create(id, order(more))).outcome;
  assert.equal(await create({ destinationWalletId: theirs.id }), '403 wallet.forbidden');
  assert.equal(await create({ destinationWalletId: 'nobody' }), '403 wallet.forbidden');
  assert.equal(
    (await desk.rates({ ...ETH, orderType: 'SELL', amount: '1', walletId: theirs.id })).status,
    403,
  );
  assert.equal((await desk.pairs(theirs.id)).outcome, '403 wallet.forbidden');

  // A user builds for their own wallets with the token alone; an application that sees its users' wallets may pay to one.
  const user = await desk.user();
  const own = await user.wallet();
  await desk.local.ETHEREUM.give('ETH', own.address);
  const without = { device: undefined };
  const made = await user.call(
    'POST',
    path(own.id),
    { ...order({ destinationWalletId: own.id }), walletId: own.id },
    without,
  );
  assert.equal(made.outcome, '200');
  const toShop = { ...order({ destinationWalletId: till.id }), walletId: own.id };
  assert.equal((await user.call('POST', path(own.id), toShop, without)).outcome, '403 wallet.forbidden');
  assert.equal(await create({ destinationWalletId: own.id }), '200');

  const old = await desk.wallet();
  const archive = (archived: boolean) =>
    desk.call(desk.shop, 'PATCH', `/api/wallets/${old.id}`, { archived });
  assert.equal((await archive(true)).outcome, '200');
  assert.equal(await create({}, old.id), '409 wallet.archived');
  assert.equal(await create({ destinationWalletId: old.id }), '400 request.invalid destinationWalletId');
  const reader = bearer((await desk.service.tokens(['view:wallets'])).access_token);
  assert.equal((await desk.service.post(path(till.id), order(), reader)).status, 403);
});

test('every error code arises from its real cause', async (t) => {
  const till = tills.ETHEREUM;
  const [dusd, dcent, dbtc] = ['DUSD', 'DCENT', 'DBTC'].map((symbol) => desk.token('ETHEREUM', symbol));
  const refused = async (more: object) => {
    const { outcome, body } = await desk.create(till.id, order(more));
    const { detail = '', type = '' } = body as unknown as { detail?: string; type?: string };
    return { outcome, detail, type };
  };
  assert.equal((await refused({ exchange: 'Sushi' })).outcome, '400 swap.no-exchange-found');
  assert.equal(
    (await refused({ toSecretType: 'VECHAIN', toToken: '' })).outcome,
    '400 swap.no-exchange-found',
  );
  assert.equal((await desk.create(elsewhere.id, order())).outcome, '400 swap.no-exchange-found');

  const unpooled = await refused({ toToken: dbtc });
  assert.equal(unpooled.outcome, '422 swap.uniswap-v2.exchange-not-found');
  assert.match(unpooled.detail, /no pool for ETH and DBTC/);
  assert.match(unpooled.type, /docs#swap\.dex\.exchange-not-found$/);
  const page = await (await fetch(`${desk.service.url}/docs`)).text();
  assert.ok(page.includes('id="swap.dex.exchange-not-found"'));

  const tooMuch = await refused({ orderType: 'BUY', outputAmount: '3000000' });
  assert.equal(tooMuch.outcome, '422 swap.uniswap-v2.get-price.failed');
  assert.match(tooMuch.detail, /do not hold enough/);
  const moved = await refused({ outputAmount: '1000' });
  assert.equal(moved.outcome, '422 swap.uniswap-v2.get-price.failed');
  assert.match(moved.detail, /price has moved/);
  const poor = await refused({ fromToken: dusd, toToken: '', inputAmount: '1000000' });
  assert.equal(poor.outcome, '422 transaction.insufficient-funds');

  // A token that does not return a number, and one that returns false on approval.
  const code = await provider.getCode(dcent!);
  t.after(() => provider.send('anvil_setCode', [dcent, code]));
  for (const [broken, words] of [
    ['0x60006000fd', /Could not read .* spending limit/],
    ['0x600060005260206000f3', /refuses a spending limit/],
  ] as const) {
    await provider.send('anvil_setCode', [dcent, broken]);
    const silent = await refused({ fromToken: dcent, toToken: dusd, inputAmount: '1' });
    assert.equal(silent.outcome, '422 swap.uniswap-v2.allowance-error');
    assert.match(silent.detail, words);
  }
});

test('without a node there are no rates', async (t) => {
  const { local } = desk;
  local.ETHEREUM.down = true;
  t.after(() => {
    local.ETHEREUM.down = false;
  });
  const query = { ...ETH, toToken: desk.token('ETHEREUM', 'DUSD'), orderType: 'SELL', amount: '0.77' };
  assert.equal((await desk.rates(query)).outcome, '502 node.unreachable');
  assert.equal((await desk.create(tills.ETHEREUM.id, order())).outcome, '502 node.unreachable');
  local.ETHEREUM.down = false;
  // A failure is not cached.
  assert.equal((await desk.rates(query)).outcome, '200');
});

test('nothing is signed if the price has moved or the deadline has passed', async () => {
  const till = tills.ETHEREUM;
  const dusd = desk.token('ETHEREUM', 'DUSD');
  const [router] = desk.local.ETHEREUM.network.exchanges!.map(
    (entry) => entry as { router: string; wrapped: string },
  );
  const made = await desk.create(till.id, order());
  assert.equal(made.outcome, '200');
  const whale = `0x${'77'.repeat(20)}`;
  await provider.send('anvil_setBalance', [whale, toBeHex(parseEther('1000'))]);
  await provider.send('anvil_impersonateAccount', [whale]);
  const abi = new Interface(['function swapExactETHForTokens(uint256,address[],address,uint256)']);
  const data = abi.encodeFunctionData('swapExactETHForTokens', [
    0,
    [router!.wrapped, dusd],
    whale,
    2n ** 48n,
  ]);
  const hash = (await provider.send('eth_sendTransaction', [
    { from: whale, to: router!.router, value: toBeHex(parseEther('400')), data },
  ])) as string;
  await provider.waitForTransaction(hash);
  const nonce = await provider.getTransactionCount(till.address);
  const late = await desk.execute(made.body[0]!);
  assert.equal(late.outcome, '422 transaction.refused');
  assert.match(late.body.detail, /INSUFFICIENT_OUTPUT_AMOUNT/);

  const again = await desk.create(till.id, order());
  await provider.send('evm_increaseTime', [3600]);
  await provider.send('anvil_mine', ['0x1']);
  const expired = await desk.execute(again.body[0]!);
  assert.equal(expired.outcome, '422 transaction.refused');
  assert.match(expired.body.detail, /EXPIRED/);
  assert.equal(await provider.getTransactionCount(till.address), nonce);
  // A new swap uses the chain's own time.
  const third = await desk.create(till.id, order());
  assert.equal((await desk.execute(third.body[0]!)).outcome, '200');
});
