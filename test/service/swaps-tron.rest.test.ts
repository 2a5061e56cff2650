/** Swaps on Tron through the service: rates, and requests that carry them out, with Tron's addresses. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Interface } from 'ethers';
import { tronAccount } from '../../demo/networks/exchanges/account.ts';
import { PARAMETERS } from '../../demo/networks/tron-records.ts';
import type { LocalTron } from '../../demo/networks/tron.ts';
import type { OrderType } from '../../src/api/swap.ts';
import type { CreatedWallet } from '../../src/api/wallet.ts';
import { toEvm } from '../../src/chains/tron/address.ts';
import { type Desk, startDesk } from './swaps-setup.ts';

const EXCHANGE = 'SunSwap V2';
/** More than the fees of a swap's transactions. */
const FEES = 100_000_000n;
const TRON = { fromSecretType: 'TRON', toSecretType: 'TRON' };
const ABI = new Interface([
  'function swapExactETHForTokens(uint256,address[],address,uint256)',
  'function getAmountsOut(uint256,address[]) view returns (uint256[])',
]);

let desk: Desk;
let tron: LocalTron;
let till: CreatedWallet;
let savings: CreatedWallet;
let dusd: string;
let dcent: string;
let entry: { router: string; wrapped: string };

before(async () => {
  desk = await startDesk(() => [], {}, ['TRON']);
  tron = desk.local.TRON as LocalTron;
  [till, savings] = [await desk.wallet('TRON'), await desk.wallet('TRON')];
  await tron.give('TRX', till.address);
  [dusd, dcent] = [desk.token('TRON', 'DUSD'), desk.token('TRON', 'DCENT')];
  [entry] = tron.network.exchanges as [typeof entry];
});
after(() => desk?.close());

const order = (more: object = {}) => ({
  ...TRON,
  fromToken: '',
  toToken: dusd,
  orderType: 'SELL',
  inputAmount: '20',
  exchange: EXCHANGE,
  ...more,
});

test('pairs have Tron’s addresses, and no token without a contract', async () => {
  const { body } = await desk.pairs(till.id);
  const names = body.map(({ from, to }) => `${from.symbol} ${to.symbol}`).toSorted();
  assert.deepEqual(names, ['DCENT DUSD', 'DCENT TRX', 'DUSD DCENT', 'DUSD TRX', 'TRX DCENT', 'TRX DUSD']);
  const tokens = new Set(body.flatMap(({ from, to }) => [from.tokenAddress, to.tokenAddress]));
  assert.deepEqual(tokens, new Set(['', dusd, dcent]));
});

test('a rate is what the router answers, its way in Tron’s addresses, and its fee that of energy', async () => {
  const query = { ...TRON, fromToken: dcent, toToken: '', orderType: 'SELL', amount: '1000' };
  const { bestRate } = (await desk.rates(query)).body;
  assert.deepEqual(bestRate!.route, [dcent, '']);
  const path = [dcent, entry.wrapped].map(toEvm);
  const data = ABI.encodeFunctionData('getAmountsOut', [1_000_000_000n, path]);
  const answer = await tron.deployer().read(toEvm(entry.router), data);
  const [amounts] = ABI.decodeFunctionResult('getAmountsOut', answer) as unknown as [bigint[]];
  assert.equal(bestRate!.rawOutputAmount, String(amounts[1]));
  const sun = 135_000 * PARAMETERS.getEnergyFee;
  const fee = { symbol: 'TRX', decimals: 6, amount: sun / 1e6, rawAmount: String(sun) };
  assert.deepEqual(bestRate!.networkFee, fee);
});

for (const [orderType, there, back] of [
  ['SELL', '100', '5'],
  ['BUY', '20', '30'],
] as [OrderType, string, string][])
  test(`${orderType}: TRX for dollars, and back to another wallet, at the quoted rate`, async () => {
    const before = [await desk.holds(till, ''), await desk.holds(till, dusd)];
    const bought = await desk.swap(till, { from: '', to: dusd, orderType, amount: there }, EXCHANGE);
    assert.deepEqual(bought.types, ['TRON_CONTRACT_EXECUTION']);
    const spent = before[0]! - (await desk.holds(till, ''));
    const input = BigInt(bought.rate.rawInputAmount!);
    assert.ok(spent >= input && spent <= input + FEES, `${spent} for ${input}`);
    const held = await desk.holds(till, dusd);
    assert.equal(held - before[1]!, BigInt(bought.rate.rawOutputAmount!));

    const saved = await desk.holds(savings, '');
    const sold = await desk.swap(till, { from: dusd, to: '', orderType, amount: back }, EXCHANGE, savings);
    assert.deepEqual(sold.types, ['TRON_CONTRACT_EXECUTION', 'TRON_CONTRACT_EXECUTION']);
    assert.equal(held - (await desk.holds(till, dusd)), BigInt(sold.rate.rawInputAmount!));
    assert.equal((await desk.holds(savings, '')) - saved, BigInt(sold.rate.rawOutputAmount!));
  });

test('requests name the function and its arguments, and leave the fee limit to the wallet', async () => {
  const [approval, swap] = (await desk.create(till.id, order({ fromToken: dusd, toToken: dcent }))).body;
  const { inputs, ...rest } = approval!;
  assert.deepEqual(rest, {
    type: 'TRON_CONTRACT_EXECUTION',
    walletId: till.id,
    to: dusd,
    value: '0',
    functionName: 'approve',
    pincode: null,
  });
  assert.deepEqual(inputs, [
    { type: 'address', value: entry.router },
    { type: 'uint256', value: (20n * 10n ** 18n).toString() },
  ]);
  assert.equal(swap!['functionName'], 'swapExactTokensForTokens');
  assert.equal(swap!['to'], entry.router);
  const [, , path, recipient] = swap!['inputs'] as { value: string }[];
  assert.deepEqual(JSON.parse(path!.value), [dusd, dcent]);
  assert.equal(recipient!.value, till.address);
});

test('nothing is built or signed if the price has moved, and nothing is signed once the deadline has passed', async () => {
  const { outputAmount } = (await desk.rates({ ...TRON, toToken: dusd, orderType: 'SELL', amount: '20' }))
    .body.bestRate!;
  const [ready] = (await desk.create(till.id, order({ outputAmount }))).body;
  const inputs = (ready!['inputs'] as { value: string }[]).with(-1, {
    type: 'uint256',
    value: '1500000000',
  } as never);
  const expired = await desk.execute({ ...ready!, inputs });
  assert.equal(expired.outcome, '422 transaction.refused');
  assert.match(expired.body.detail, /EXPIRED/);

  const whale = tron.deployer();
  const path = [entry.wrapped, dusd].map(toEvm);
  const data = ABI.encodeFunctionData('swapExactETHForTokens', [0, path, whale.address, 2n ** 48n]);
  await whale.call(toEvm(entry.router), data, 400_000_000_000n);
  const held = await desk.holds(till, '');
  const late = await desk.execute(ready!);
  assert.equal(late.outcome, '422 transaction.refused');
  assert.match(late.body.detail, /INSUFFICIENT_OUTPUT_AMOUNT/);
  const again = await desk.create(till.id, order({ outputAmount }));
  assert.equal(again.outcome, '422 swap.sunswap-v2.get-price.failed');
  assert.match((again.body as unknown as { detail: string }).detail, /price has moved/);
  assert.equal(await desk.holds(till, ''), held);
});

test('what is wrong is named', async () => {
  const outcome = async (more: object) => (await desk.create(till.id, order(more))).outcome;
  assert.equal(await outcome({ inputAmount: '100000' }), '422 transaction.insufficient-funds');
  assert.equal(
    await outcome({ fromToken: dusd, toToken: '', inputAmount: '99999' }),
    '422 transaction.insufficient-funds',
  );
  assert.equal(await outcome({ toToken: toEvm(dusd) }), '400 request.invalid toToken');
  assert.equal(await outcome({ toToken: tron.asset }), '400 request.invalid toToken');
  // Another character's case is another address.
  assert.equal(await outcome({ toToken: dusd.toLowerCase() }), '400 request.invalid toToken');
  assert.equal(await outcome({ toToken: till.address }), '400 request.invalid toToken');
});

test('a policy reads what a swap takes, and whom it pays, from its bytes', async () => {
  const wallet = await desk.wallet('TRON');
  for (const asset of ['TRX', 'DUSD']) await tron.give(asset, wallet.address);
  const { access_token: office } = await desk.service.tokens(['manage:policies']);
  const tokens = ['swapExactTokensForTokens(uint256,uint256,address[],address,uint256)'];
  const place = { secretType: 'TRON' as const };
  const policy = {
    limits: [
      { ...place, perTransaction: '200' },
      { ...place, token: dusd, decimals: 18, perTransaction: '20' },
    ],
    recipients: [{ ...place, address: wallet.address }],
    calls: [{ ...place, contract: entry.router, functions: tokens }],
  };
  const made = await desk.call(office, 'PUT', `/api/policies/wallet/${wallet.id}`, policy);
  assert.equal(made.outcome, '200', JSON.stringify(made.body));
  const swap = async (inputAmount: string, more: object = {}) => {
    const sides = { fromToken: dusd, toToken: dcent, inputAmount };
    const [request] = (await desk.create(wallet.id, order({ ...sides, ...more }))).body;
    const { outcome, body } = await desk.execute(request!);
    return `${outcome} ${(body.details as { rule?: string } | undefined)?.rule ?? ''}`;
  };
  // The router may take enough already, so that each is a swap alone.
  const allow = new Interface(['function approve(address,uint256)']);
  const data = allow.encodeFunctionData('approve', [toEvm(entry.router), 10n ** 21n]);
  await tronAccount(tron.ledger, toEvm(wallet.address)).call(toEvm(dusd), data);
  assert.equal(await swap('21'), '403 policy.refused transaction-limit');
  assert.equal(await swap('5', { destinationWalletId: savings.id }), '403 policy.refused recipients');
  assert.equal(await swap('5'), '200 ');
});
