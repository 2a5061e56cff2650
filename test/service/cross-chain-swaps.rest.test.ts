/** Swaps between Ethereum and Tron through the service, on the demo's THORChain. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { fromThor } from '../../src/swaps/cross-chain/thorchain/assets.ts';
import { poll } from '../waiting.ts';
import { type Border, type Crossing, type Native, startBorder } from './cross-chain-setup.ts';
import { bearer } from './harness.ts';

let border: Border;

before(async () => {
  border = await startBorder(['ETHEREUM', 'TRON'], ({ ETHEREUM: { network } }) => [
    { ...network, id: 'ethereum-plain', name: 'Plain' },
  ]);
});
after(async () => {
  await border?.close();
});

const ETH_TO_TRX: Crossing = { from: 'ETHEREUM', to: 'TRON', amount: '1' };

test('pairs lead from the wallet’s network to the other one', async () => {
  const { ETHEREUM } = border.wallets;
  const { body } = await border.pairs(ETHEREUM.id);
  const abroad = body.filter(({ to }) => to.secretType === 'TRON');
  assert.deepEqual(abroad.map(({ from, to }) => `${from.symbol} ${to.symbol}`).toSorted(), [
    'DCENT DUSD',
    'DCENT TRX',
    'DUSD DUSD',
    'DUSD TRX',
    'ETH DUSD',
    'ETH TRX',
  ]);
});

/** With the native requests of each. */
const CROSSINGS: [Crossing, decimals: number, types: string[]][] = [
  [ETH_TO_TRX, 6, ['ETH_TRANSACTION']],
  [
    { from: 'ETHEREUM', fromToken: 'DCENT', to: 'TRON', toToken: 'DUSD', amount: '100' },
    18,
    ['ETH_TRANSACTION', 'ETH_TRANSACTION'],
  ],
  [{ from: 'TRON', fromToken: 'DUSD', to: 'ETHEREUM', amount: '100' }, 18, ['TRC10_TRANSACTION']],
];

for (const [crossing, decimals, types] of CROSSINGS)
  test(`${crossing.fromToken ?? 'the coin'} of ${crossing.from} arrives as ${crossing.toToken ?? 'coins'}, to the last unit`, async () => {
    const { to, toToken, from, fromToken } = crossing;
    const [gave, had] = [await border.holds(from, fromToken), await border.holds(to, toToken)];
    const result = await border.cross(crossing);
    assert.deepEqual(result.types, types);
    assert.equal(result.swap.reason, undefined);
    const [paid] = result.swap.outs;
    const received = (await border.holds(to, toToken)) - had;
    assert.equal(received, fromThor(paid!.amount, decimals));
    // By pools of up to 10 s before.
    const rated = BigInt(result.rate.rawOutputAmount!);
    assert.ok(received * 1000n > rated * 999n && received * 999n < rated * 1000n, `${received} for ${rated}`);
    assert.ok(received >= BigInt(result.rate.crossChain!.rawMinimumOutput));
    const given = gave - (await border.holds(from, fromToken));
    if (fromToken) assert.equal(given, BigInt(result.rate.rawInputAmount!));
    else assert.ok(given >= BigInt(result.rate.rawInputAmount!));
  });

async function ask<T>(method: string, ...params: unknown[]): Promise<T> {
  const response = await fetch(border.local.ETHEREUM.url, {
    method: 'POST',
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    headers: { 'Content-Type': 'application/json' },
  });
  return ((await response.json()) as { result: T }).result;
}

/** What the router may take of the wallet's DCENT. */
async function allowance(): Promise<bigint> {
  const { address } = border.wallets.ETHEREUM;
  const { DCENT } = border.local.ETHEREUM.contracts as { DCENT: string };
  const data = `0xdd62ed3e${[address, border.front.entry.routers[0]!.address]
    .map((each) => each.slice(2).toLowerCase().padStart(64, '0'))
    .join('')}`;
  return BigInt(await ask<string>('eth_call', { to: DCENT, data }, 'latest'));
}

test('nothing is left approved to the router', async () => {
  assert.equal(await allowance(), 0n);
});

test('the output goes to a wallet of the target chain that the caller may see', async () => {
  const outcome = async (destinationWalletId: unknown): Promise<string> =>
    (await border.create(ETH_TO_TRX, { destinationWalletId })).outcome;
  assert.equal(await outcome(null), '400 request.invalid destinationWalletId');
  assert.equal(await outcome(border.wallets.ETHEREUM.id), '400 request.invalid destinationWalletId');
  const stranger = bearer(
    (await border.service.tokens(['view:wallets', 'whitelabel', 'save:transaction'])).access_token,
  );
  const order = { walletType: 'WHITE_LABEL', secretType: 'TRON', pincode: '739154' };
  const theirs = (await (await border.service.post('/api/wallets', order, stranger)).json()) as {
    id: string;
  };
  assert.equal(await outcome(theirs.id), '403 wallet.forbidden');
  assert.equal(await outcome('nobody'), '403 wallet.forbidden');
  // On a network of the same chain to which nothing is swapped, and where the application uses no other wallets.
  const plain = await border.wallet('ETHEREUM', { network: 'ethereum-plain' });
  const back: Crossing = { from: 'TRON', to: 'ETHEREUM', amount: '1000' };
  const elsewhere = await border.create(back, { destinationWalletId: plain.id });
  assert.equal(elsewhere.outcome, '400 request.invalid destinationWalletId');
  assert.deepEqual(
    (await border.pairs(plain.id)).body.filter(({ to }) => to.secretType === 'TRON'),
    [],
  );
});

test('what is asked wrongly, or is not possible, has its code', async () => {
  const { wallets } = border;
  const outcome = async (more: object, crossing = ETH_TO_TRX): Promise<string> =>
    (await border.create(crossing, more)).outcome;
  assert.equal(await outcome({ inputAmount: '0.000000001' }), '400 request.invalid inputAmount');
  assert.equal(await outcome({ orderType: 'BUY', outputAmount: '5' }), '422 swap.thorchain.sell-only');
  assert.equal(await outcome({ exchange: 'Uniswap V2' }), '400 swap.no-exchange-found');
  const { body } = await border.rates(ETH_TO_TRX, { orderType: 'BUY', walletId: wallets.ETHEREUM.id });
  assert.deepEqual(
    body.noRates?.map(({ code }) => code),
    ['swap.thorchain.sell-only'],
  );
  border.thorchain.books.mimir.set('HALTTRONTRADING', 1);
  const halted = await border.create(ETH_TO_TRX);
  border.thorchain.books.mimir.delete('HALTTRONTRADING');
  assert.equal(halted.outcome, '422 swap.thorchain.unavailable');
  assert.deepEqual((halted.body as unknown as { details: object }).details, {
    exchange: 'THORChain',
    reason: 'halted',
  });
});

test('without a second node nothing is created', async () => {
  const [, other] = border.front.nodes;
  other.down = true;
  try {
    const { outcome } = await border.create(ETH_TO_TRX);
    assert.equal(outcome, '422 swap.thorchain.unavailable');
  } finally {
    other.down = false;
  }
});

// The local chain's clock is ahead from here on.
test('a deposit that no block takes in time costs its fee only, and its approval can be taken back', async () => {
  const crossing: Crossing = { from: 'ETHEREUM', fromToken: 'DCENT', to: 'TRON', amount: '90' };
  const { body: rates } = await border.rates(crossing);
  assert.ok(rates.bestRate, JSON.stringify(rates));
  const { body } = await border.create(crossing, { outputAmount: rates.bestRate.outputAmount });
  const [approve, deposit] = body as [Native, Native];
  const isOver = (hash: string) =>
    poll(async () => ((await border.status(hash)) === 'pending' ? undefined : border.status(hash)), hash);
  const approval = await border.execute(approve);
  assert.equal(await isOver(approval.body.transactionHash), 'confirmed');
  const allowed = await allowance();
  assert.ok(allowed > 0n);
  const held = await border.holds('ETHEREUM', 'DCENT');

  await ask('evm_setAutomine', false);
  await ask('evm_setIntervalMining', 0);
  const { outcome, body: sent } = await border.execute(deposit);
  assert.equal(outcome, '200', JSON.stringify(sent));
  await ask('evm_increaseTime', 901);
  await ask('evm_mine');
  await ask('evm_setAutomine', true);
  assert.equal(await isOver(sent.transactionHash), 'failed');
  assert.equal(await border.holds('ETHEREUM', 'DCENT'), held);
  assert.equal(await allowance(), allowed);

  const nothing = '0'.repeat(64);
  const back = { ...approve, data: `${String(approve['data']).slice(0, 74)}${nothing}` };
  const { body: taken } = await border.execute(back);
  assert.equal(await isOver(taken.transactionHash), 'confirmed');
  assert.equal(await allowance(), 0n);
});
