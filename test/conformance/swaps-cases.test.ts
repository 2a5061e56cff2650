/** Failures of swaps, each with its real cause, and tokens that behave unusually. */
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { after, afterEach, before, beforeEach, test } from 'node:test';
import { getAddress, Interface, MaxUint256, parseEther, parseUnits, toBeHex } from 'ethers';
import { fillV2, fillV3 } from '../../demo/networks/exchanges/pools.ts';
import { deployBurningToken } from '../../demo/networks/exchanges/contracts.ts';
import { formatAmount } from '../../src/base/amount.ts';
import { decodeCall } from '../../src/chains/call-reading/decode-call.ts';
import { readCall } from '../../src/chains/call-reading/inner-calls.ts';
import { JsonRpc } from '../../src/chains/evm/json-rpc.ts';
import type { ChainRequest } from '../../src/chains/terms.ts';
import type { Network } from '../../src/chains/network.ts';
import { ConnectError } from '../../src/base/errors.ts';
import { createSwap, explain, type Reach, swapPairs, swapRates } from '../../src/swaps/index.ts';
import {
  balanceOf,
  carryOut,
  ERC20,
  give,
  likeTether,
  type Market,
  send,
  setBalance,
  startMarket,
} from './swaps-setup.ts';

const WETH = new Interface(['function deposit() payable', 'function withdraw(uint256)']);
const FACTORY = new Interface(['function createPair(address, address)']);
const POSITIONS = new Interface([
  'function createAndInitializePoolIfNecessary(address, address, uint24, uint160) payable',
]);
const PAIR = new Interface(['function skim(address)', 'function sync()']);

let market: Market;
let tether: string;
let burning: string;
let plain: string;
let coin6: string;
let snapshot: unknown;

before(async () => {
  // T0: base of 18 decimals; T1: like USDT, 6; T2: 8; T3: in no pool.
  market = await startMarket([18, 6, 8, 18]);
  const { account, network, v2, v3, wrapped, wallet } = market;
  [plain, tether, coin6] = network.tokens.map(({ address }) => address) as [string, string, string];
  burning = await deployBurningToken(account, parseEther('1000000000'));
  const coins = { token: wrapped, amount: parseEther('1000') };
  await fillV2(account, v2, coins, { token: plain, amount: parseEther('2000000') });
  await fillV2(account, v2, coins, { token: tether, amount: parseUnits('2000000', 6) });
  await fillV2(account, v2, coins, { token: burning, amount: parseEther('1000000') });
  await fillV3(account, v3, 3000, coins, { token: tether, amount: parseUnits('2010000', 6) });
  await fillV3(account, v3, 500, coins, { token: coin6, amount: parseUnits('70', 8) });
  await likeTether(market, tether);
  await give(market, plain, wallet.address, parseEther('10000'));
  await give(market, coin6, wallet.address, parseUnits('100', 8));
  await give(market, tether, wallet.address, parseUnits('10000', 6));
  await give(market, burning, wallet.address, parseEther('10000'));
});
after(() => market?.stop());
beforeEach(async () => {
  snapshot = await market.anvil.rpc('evm_snapshot');
});
afterEach(async () => {
  await market.anvil.rpc('evm_revert', snapshot);
});

/** A reach for the network with some fields changed. */
function reachOf(other: Partial<Network> = {}): Reach {
  return { chain: market.chain, node: new JsonRpc({ ...market.network, ...other }) };
}

const body = (from: string, to: string, other: object) => ({
  walletId: 'w',
  fromSecretType: 'ETHEREUM' as const,
  toSecretType: 'ETHEREUM' as const,
  fromToken: from,
  toToken: to,
  orderType: 'SELL' as const,
  exchange: 'Uniswap V2',
  ...other,
});

const own = () => ({ from: market.wallet.address, to: market.wallet.address });
const create = (from: string, to: string, other: object, reach = reachOf()): Promise<ChainRequest[]> =>
  createSwap(body(from, to, other), own(), () => reach);
const rates = (from: string, to: string, other: object, reach = reachOf()) =>
  swapRates(
    {
      fromSecretType: 'ETHEREUM',
      toSecretType: 'ETHEREUM',
      fromToken: from,
      toToken: to,
      orderType: 'SELL',
      amount: '1',
      ...other,
    },
    () => reach,
  );
const rejects = (answer: Promise<unknown>, code: string, words: RegExp) =>
  assert.rejects(answer, (error) => {
    assert.ok(error instanceof ConnectError, String(error));
    assert.equal(error.code, code, error.shortMessage);
    assert.match(error.shortMessage, words);
    return true;
  });
const calls = (requests: ChainRequest[]) => requests.map(({ data }) => decodeCall(String(data)));
/** What each call does first. */
const effects = (requests: ChainRequest[]) =>
  requests.map(({ to, data }) => readCall(String(to), String(data), market.wallet.address).deeds[0]!.effect);

test('an approval is for exactly what is needed, and omitted if the allowance suffices', async () => {
  const { wallet, v2 } = market;
  const requests = await create(plain, '', { inputAmount: '100' });
  assert.deepEqual(
    requests.map(({ type, to, value }) => ({ type, to, value })),
    [
      { type: 'ETH_TRANSACTION', to: getAddress(plain), value: '0' },
      { type: 'ETH_TRANSACTION', to: getAddress(v2.router), value: '0' },
    ],
  );
  const [, swap] = calls(requests);
  assert.deepEqual(effects(requests)[0], {
    kind: 'approval',
    spender: getAddress(v2.router),
    amount: parseEther('100'),
  });
  assert.equal(swap!.name, 'swapExactTokensForETH');
  assert.equal(swap!.values.find(({ name }) => name === 'to')!.value, wallet.address);
  await carryOut(market, requests);
  assert.equal(await balanceOf(market, plain, wallet.address), parseEther('9900'));

  await send(market, [
    {
      type: 'ETH_TRANSACTION',
      walletId: 'w',
      to: plain,
      value: '0',
      data: ERC20.encodeFunctionData('approve', [v2.router, parseEther('7')]),
    },
  ]);
  assert.deepEqual(
    calls(await create(plain, '', { inputAmount: '7' })).map(({ name }) => name),
    ['swapExactTokensForETH'],
  );
  // Other tokens allow raising an allowance directly.
  assert.deepEqual(
    effects(await create(plain, '', { inputAmount: '8' })).map(({ kind }) => kind),
    ['approval', 'pay'],
  );
});

for (const exchange of ['Uniswap V2', 'Uniswap V3'])
  test(`a token that answers nothing and asks for 0 first is swapped both ways on ${exchange}`, async () => {
    const { wallet, v2, v3 } = market;
    const router = exchange === 'Uniswap V2' ? v2.router : v3.router;
    await send(market, [
      {
        type: 'ETH_TRANSACTION',
        walletId: 'w',
        to: tether,
        value: '0',
        data: ERC20.encodeFunctionData('approve', [router, 5]),
      },
    ]);
    const { exchangeRates } = await rates(tether, '', { amount: '2000' });
    const rate = exchangeRates.find((found) => found.exchange === exchange)!;
    const requests = await create(tether, '', {
      exchange,
      inputAmount: rate.inputAmount,
      outputAmount: rate.outputAmount,
    });
    assert.deepEqual(
      effects(requests).map((effect) => (effect.kind === 'approval' ? effect.amount : undefined)),
      [0n, parseUnits('2000', 6), undefined],
    );
    const before = await balanceOf(market, '', wallet.address);
    await carryOut(market, requests);
    const gained = (await balanceOf(market, '', wallet.address)) - before;
    assert.ok(gained > BigInt(rate.rawOutputAmount!) - parseEther('0.01'), 'less the fee');

    const held = await balanceOf(market, tether, wallet.address);
    await carryOut(
      market,
      await create('', tether, { exchange, orderType: 'BUY', outputAmount: '123.456789' }),
    );
    assert.equal((await balanceOf(market, tether, wallet.address)) - held, 123_456_789n);
  });

test('a listed token with a transfer fee is sold and bought at its rate, by exact input', async () => {
  const { network, wallet, v2 } = market;
  const listed = {
    address: burning,
    symbol: 'BURN',
    name: 'Burning',
    decimals: 18,
    logo: '',
    transferFee: 1,
  };
  const reach = reachOf({ tokens: [...network.tokens, listed] });
  for (const [from, to] of [
    [burning, plain],
    [plain, burning],
    ['', burning],
    [burning, ''],
  ] as const) {
    const found = await rates(from, to, { amount: '50' }, reach);
    assert.deepEqual(
      found.exchangeRates.map(({ exchange }) => exchange),
      ['Uniswap V2'],
    );
    const { bestRate } = found;
    const before = await balanceOf(market, to, wallet.address);
    await carryOut(
      market,
      await create(from, to, { inputAmount: 50, outputAmount: bestRate!.outputAmount }, reach),
    );
    const gained = (await balanceOf(market, to, wallet.address)) - before;
    const promised = BigInt(bestRate!.rawOutputAmount!);
    const tolerance = to === '' ? parseEther('0.01') : 10n;
    assert.ok(gained <= promised + 10n && gained >= promised - tolerance, `${gained} for ${promised}`);
  }
  const bought = await rates('', burning, { orderType: 'BUY' }, reach);
  assert.equal(bought.bestRate, null);
  assert.match(bought.noRates![0]!.message, /BURN charges a transfer fee/);
  await rejects(
    create('', burning, { orderType: 'BUY', outputAmount: 1, exchange: v2.name }, reach),
    'swap.uniswap-v2.get-price.failed',
    /transfer fee/,
  );
});

test('a token with an undeclared transfer fee is refused before anything is spent', async () => {
  await rejects(
    create('', burning, { inputAmount: '1' }),
    'swap.uniswap-v2.get-price.failed',
    /transfer fee/,
  );
  await rejects(
    create(burning, '', { inputAmount: '1' }),
    'swap.uniswap-v2.get-price.failed',
    /transfer fee/,
  );
});

test('no exchange of that name, no exchange between two chains, and none for NEO', async () => {
  await rejects(
    create('', plain, { inputAmount: 1, exchange: 'Sushi' }),
    'swap.no-exchange-found',
    /“Sushi”/,
  );
  const other = { inputAmount: 1, toSecretType: 'VECHAIN' };
  await rejects(create('', plain, other), 'swap.no-exchange-found', /from ETHEREUM to VECHAIN/);
  for (const chains of [{ toSecretType: 'VECHAIN' }, { fromSecretType: 'NEO', toSecretType: 'NEO' }])
    assert.deepEqual(await rates('', '', chains), { exchangeRates: [], bestRate: null });
  const without = reachOf({ exchanges: [] });
  assert.deepEqual(await rates('', plain, {}, without), { exchangeRates: [], bestRate: null });
  assert.deepEqual(await swapPairs(without), []);
});

test('an exchange without a pool for a token, and one that does not exist', async () => {
  const alone = market.network.tokens[3]!.address;
  await rejects(
    create('', alone, { inputAmount: 1 }),
    'swap.uniswap-v2.exchange-not-found',
    /no pool for ETH and T3/,
  );
  const lost = { ...market.v2, name: 'Lost Swap', factory: `0x${'12'.repeat(20)}` };
  const reach = reachOf({ exchanges: [lost, market.v2] });
  await rejects(
    create('', plain, { inputAmount: 1, exchange: 'Lost Swap' }, reach),
    'swap.lost-swap.exchange-not-found',
    /no contracts/,
  );
  // The other exchange still answers.
  const found = await rates('', plain, {}, reach);
  assert.deepEqual(
    found.exchangeRates.map(({ exchange }) => exchange),
    ['Uniswap V2'],
  );
  assert.equal(found.noRates![0]!.code, 'swap.lost-swap.exchange-not-found');
  assert.ok((await swapPairs(reach)).length > 0);
});

test('pools without liquidity, or without enough, have no price', async () => {
  const { account, v2, wrapped, network } = market;
  const alone = network.tokens[3]!.address;
  await account.call(v2.factory, FACTORY.encodeFunctionData('createPair', [wrapped, alone]));
  await rejects(
    create('', alone, { inputAmount: 1 }),
    'swap.uniswap-v2.get-price.failed',
    /do not hold enough ETH or T3/,
  );
  const tooMuch = { orderType: 'BUY', outputAmount: '3000000' };
  await rejects(create('', plain, tooMuch), 'swap.uniswap-v2.get-price.failed', /do not hold enough/);
  await rejects(
    create('', tether, { ...tooMuch, exchange: 'Uniswap V3' }),
    'swap.uniswap-v3.get-price.failed',
    /do not hold enough/,
  );
  const answer = await rates('', tether, { orderType: 'BUY', amount: '3000000' });
  assert.equal(answer.bestRate, null);
  assert.equal(answer.noRates!.length, 2);
});

test('an empty V3 pool has no price, and no token with a transfer fee is swapped there', async () => {
  const { account, v3, wrapped, network } = market;
  const alone = network.tokens[3]!.address;
  const sides = [wrapped, alone].sort((a, b) => (a.toLowerCase() < b.toLowerCase() ? -1 : 1));
  await account.call(
    v3.positions,
    POSITIONS.encodeFunctionData('createAndInitializePoolIfNecessary', [...sides, 3000, 1n << 96n]),
  );
  const order = { exchange: 'Uniswap V3', inputAmount: 1 };
  await rejects(create('', alone, order), 'swap.uniswap-v3.get-price.failed', /do not hold enough ETH or T3/);
  const tokens = network.tokens.map((token) => ({ ...token, transferFee: 1 }));
  const reach = reachOf({ tokens });
  const { exchangeRates, noRates } = await rates('', coin6, {}, reach);
  assert.deepEqual(exchangeRates, []);
  assert.match(noRates!.find(({ exchange }) => exchange === 'Uniswap V3')!.message, /transfer fee/);
  await rejects(create('', coin6, order, reach), 'swap.uniswap-v3.get-price.failed', /transfer fee/);
});

/** Removes all but a hundredth from the pool of the coin and the token. */
async function drain(token: string): Promise<void> {
  const { account, v2, wrapped, anvil } = market;
  const abi = new Interface(['function getPair(address, address) view returns (address)']);
  const answer = await account.read(v2.factory, abi.encodeFunctionData('getPair', [wrapped, token]));
  const pair = `0x${answer.slice(-40)}`;
  const held = await balanceOf(market, token, pair);
  await setBalance(market, token, pair, held / 100n);
  await anvil.rpc('anvil_setBalance', pair, toBeHex(0));
  await account.call(pair, PAIR.encodeFunctionData('sync', []));
}

test('a pool that was drained after the rate: nothing is built, and what was built loses nothing', async () => {
  const { wallet } = market;
  const { bestRate } = await rates(plain, '', { amount: '100' });
  const order = { inputAmount: 100, outputAmount: bestRate!.outputAmount };
  const ready = await create('', plain, { inputAmount: '1' });
  await drain(plain);
  const held = await balanceOf(market, plain, wallet.address);
  await rejects(
    create('', plain, { inputAmount: '1', outputAmount: '1990' }),
    'swap.uniswap-v2.get-price.failed',
    /price has moved/,
  );
  await assert.rejects(carryOut(market, ready), /will fail.*INSUFFICIENT_OUTPUT_AMOUNT/);
  await assert.rejects(send(market, ready), /failed/);
  assert.equal(await balanceOf(market, plain, wallet.address), held);
  // In the other direction the price is better now. `carryOut` would estimate too little gas, as the pool was touched in the same second.
  await send(market, await create(plain, '', order));
});

for (const [exchange, token, words] of [
  ['Uniswap V2', 'plain', /UniswapV2Router: EXPIRED/],
  ['Uniswap V3', 'tether', /Transaction too old/],
] as const)
  test(`a swap on ${exchange} whose deadline has passed says so, and loses nothing`, async () => {
    const { wallet, anvil } = market;
    const to = token === 'plain' ? plain : tether;
    const ready = await create('', to, { exchange, inputAmount: '1' });
    await anvil.rpc('evm_increaseTime', 3600);
    await anvil.rpc('anvil_mine', '0x1');
    const held = await balanceOf(market, to, wallet.address);
    await assert.rejects(carryOut(market, ready), (error: Error) => {
      assert.match(error.message, words);
      assert.match(explain(words.source), /deadline has passed/);
      return true;
    });
    await assert.rejects(send(market, ready), /failed/);
    assert.equal(await balanceOf(market, to, wallet.address), held);
    // Created anew it uses the chain's own time.
    await carryOut(market, await create('', to, { exchange, inputAmount: '1' }));
  });

test('a token that reports no allowance, or refuses one', async () => {
  const { anvil } = market;
  // Every call reverts, so the allowance cannot be read.
  await anvil.rpc('anvil_setCode', plain, '0x60006000fd');
  const order = { inputAmount: '1' };
  await rejects(
    create(plain, '', order),
    'swap.uniswap-v2.allowance-error',
    /Could not read Uniswap V2’s spending limit/,
  );
  // Every call returns 0, also the approval: false.
  await anvil.rpc('anvil_setCode', plain, '0x600060005260206000f3');
  await rejects(create(plain, '', order), 'swap.uniswap-v2.allowance-error', /refuses a spending limit/);
});

test('a missing quoter has no price', async () => {
  const { positions: _, ...v3 } = market.v3;
  const reach = reachOf({ exchanges: [{ ...v3, quoter: `0x${'34'.repeat(20)}` }] });
  await rejects(
    create('', tether, { exchange: 'Uniswap V3', inputAmount: '1' }, reach),
    'swap.uniswap-v3.get-price.failed',
    /do not hold enough/,
  );
});

test('a wallet without enough learns it before it approves anything', async () => {
  await rejects(
    create(plain, '', { inputAmount: '10001' }),
    'transaction.insufficient-funds',
    /has 10000 T0/,
  );
  await rejects(create('', plain, { inputAmount: '2000000' }), 'transaction.insufficient-funds', /enough/);
});

test('invalid fields are named', async () => {
  const named = (answer: Promise<unknown>, path: string) =>
    assert.rejects(answer, (error) => {
      assert.ok(error instanceof ConnectError && error.code === 'request.invalid', String(error));
      assert.equal((error.details['issues'] as { path: string }[])[0]!.path, path);
      return true;
    });
  await named(rates('', plain, { amount: '0' }), 'amount');
  await named(rates('', plain, { amount: '-1' }), 'amount');
  await named(rates(tether, plain, { amount: '0.0000001' }), 'amount');
  await named(rates('', plain, { slippage: 51 }), 'slippage');
  await named(rates('', 'abc', {}), 'toToken');
  await named(rates(plain, plain, {}), 'toToken');
  await named(rates('', `0x${'56'.repeat(20)}`, {}), 'toToken');
  await named(create('', plain, {}), 'inputAmount');
  await named(create('', plain, { orderType: 'BUY', inputAmount: 1 }), 'outputAmount');
});

test('without a node there is no answer, and the error says why', async () => {
  const reach = reachOf({ nodes: ['http://127.0.0.1:9'] });
  await rejects(rates('', plain, {}, reach), 'node.unreachable', /node/i);
  await rejects(swapPairs(reach), 'node.unreachable', /node/i);
});

test('the number of an answer is never better than the amount, so that it holds without slippage', async () => {
  for (const orderType of ['SELL', 'BUY'] as const) {
    const { bestRate } = await rates('', plain, { orderType, amount: '1.234567890123456789', slippage: 0 });
    const exact =
      orderType === 'SELL'
        ? { inputAmount: '1.234567890123456789' }
        : { outputAmount: '1.234567890123456789' };
    const other =
      orderType === 'SELL'
        ? { outputAmount: bestRate!.outputAmount }
        : { inputAmount: bestRate!.inputAmount };
    await carryOut(market, await create('', plain, { orderType, ...exact, ...other, slippage: 0 }));
  }
});

test('coins that the wallet has already wrapped are a token like others', async () => {
  const { wallet, wrapped } = market;
  await send(market, [
    {
      type: 'ETH_TRANSACTION',
      walletId: 'w',
      to: wrapped,
      value: parseEther('3').toString(),
      data: WETH.encodeFunctionData('deposit'),
    },
  ]);
  const before = await balanceOf(market, plain, wallet.address);
  await carryOut(market, await create(wrapped, plain, { inputAmount: '2' }));
  assert.ok((await balanceOf(market, plain, wallet.address)) > before + parseEther('3900'));
  await rejects(create('', wrapped, { inputAmount: 1 }), 'swap.uniswap-v2.exchange-not-found', /no pool/);
});

test('no approval is ever unlimited', async () => {
  for (const orderType of ['SELL', 'BUY'] as const) {
    const requests = await create(plain, '', {
      orderType,
      inputAmount: '100',
      outputAmount: '0.0001',
      slippage: 50,
    });
    for (const effect of effects(requests))
      if (effect.kind === 'approval')
        assert.ok(effect.amount <= parseEther('150') && effect.amount < MaxUint256);
  }
});

test('rates take the same rounds for 5 tokens, for 150, and with a multicall', async () => {
  const contracts = join(dirname(createRequire(import.meta.url).resolve('viem')), 'constants/contracts.js');
  const { multicall3Bytecode } = createRequire(import.meta.url)(contracts) as { multicall3Bytecode: string };
  const multicall = await market.account.create(multicall3Bytecode);
  const more = Array.from({ length: 150 }, (_, i) => ({
    address: `0x${(i + 1).toString(16).padStart(40, '9')}`,
    symbol: `M${i}`,
    name: '',
    decimals: 18,
    logo: '',
  }));
  const answers: string[] = [];
  for (const other of [{}, { tokens: [...market.network.tokens, ...more] }, { multicall }]) {
    const reach = reachOf(other);
    const counts: number[] = [];
    for (let i = 0; i < 3; i++) {
      const { rounds } = reach.node;
      answers.push(JSON.stringify(await rates('', tether, { amount: formatAmount(10n ** 18n, 18) }, reach)));
      counts.push(reach.node.rounds - rounds);
    }
    // For two exchanges: one round for the pools, one for the prices.
    assert.deepEqual(counts, [4, 2, 2]);
  }
  assert.equal(new Set(answers).size, 1);
});
