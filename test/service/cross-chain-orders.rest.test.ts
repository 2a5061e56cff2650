/** What the service refuses to sign of swaps between chains, whoever built the transaction. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Interface, Transaction } from 'ethers';
import { type Border, type Crossing, type Native, sent, startBorder } from './cross-chain-setup.ts';

let border: Border;

before(async () => {
  border = await startBorder(['ETHEREUM', 'TRON']);
});
after(async () => {
  await border?.close();
});

const CODES = ['0x6001', `0xef0100${'11'.repeat(20)}`];
const ETH_TO_TRX: Crossing = { from: 'ETHEREUM', to: 'TRON', amount: '1' };
const TRX_TO_ETH: Crossing = { from: 'TRON', to: 'ETHEREUM', amount: '5000' };

async function created(crossing: Crossing): Promise<Native> {
  const { body: rates } = await border.rates(crossing);
  const { outcome, body } = await border.create(crossing, { outputAmount: rates.bestRate!.outputAmount });
  assert.equal(outcome, '200', JSON.stringify(body));
  return body.at(-1)!;
}

async function executed(request: Native): Promise<string> {
  const { outcome, body } = await border.execute(request);
  const { reason } = (body as { details?: { reason?: string } }).details ?? {};
  return reason === undefined ? outcome : `${outcome} ${reason}`;
}

/** Fakes that hold during `work`. */
async function during<T>(mimir: Record<string, number>, work: () => Promise<T>): Promise<T> {
  const votes = border.thorchain.books.mimir;
  for (const [name, height] of Object.entries(mimir)) votes.set(name, height);
  try {
    return await work();
  } finally {
    for (const name of Object.keys(mimir)) votes.delete(name);
  }
}

/** A method of the local Ethereum, or of its machine. */
async function ask<T>(method: string, ...params: unknown[]): Promise<T> {
  const response = await fetch(border.local.ETHEREUM.url, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  });
  const { result, error } = (await response.json()) as { result: T; error?: unknown };
  assert.equal(error, undefined, method);
  return result;
}

const setCode = (address: string, code: string): Promise<unknown> => ask('anvil_setCode', address, code);

const ROUTER = new Interface([
  'function depositWithExpiry(address, address, uint256, string, uint256) payable',
  'function deposit(address, address, uint256, string) payable',
]);

type Deposit = [vault: string, asset: string, amount: bigint, memo: string, expiry: bigint];

function depositOf({ data }: Native): Deposit {
  return ROUTER.decodeFunctionData('depositWithExpiry', String(data)).toArray() as Deposit;
}

const REFUSED = '422 swap.thorchain.unavailable';

test('what was offered is signed', async () => {
  for (const crossing of [ETH_TO_TRX, TRX_TO_ETH])
    assert.equal(await executed(await created(crossing)), '200', crossing.from);
});

test('a halt of either chain since the offer, or of what it pays out, stops it', async () => {
  const request = await created(TRX_TO_ETH);
  for (const [vote, reason] of [
    ['HALTTRONTRADING', 'halted'],
    ['HALTETHTRADING', 'halted'],
    ['HALTSIGNINGETH', 'signing-halted'],
  ] as const)
    assert.equal(await during({ [vote]: 1 }, () => executed(request)), `${REFUSED} ${reason}`, vote);
  assert.equal(await executed(request), '200');
});

test('without two nodes that answer nothing is signed', async () => {
  const request = await created(ETH_TO_TRX);
  const [, other] = border.front.nodes;
  other.down = true;
  const outcome = await executed(request);
  other.down = false;
  assert.equal(outcome, `${REFUSED} nodes`);
});

test('a contract that is not listed gets no deposit, nor does a vault itself', async () => {
  const { data, value, ...call } = await created(ETH_TO_TRX);
  const other = '0x00000000000000000000000000000000000fffff';
  assert.equal(await executed({ ...call, value, data, to: other }), `${REFUSED} router`);
  const vault = `0x${String(data).slice(34, 74)}`;
  const memo = Buffer.from('=:tr:TMazs4f2ybMjGf7WXAx4uiRf2T7XtMC6qt:1').toString('hex');
  assert.equal(await executed({ ...call, value, to: vault, data: `0x${memo}` }), `${REFUSED} router`);
});

test('a raw transaction that carries an order is signed no sooner', async () => {
  const { data, value, to } = await created(ETH_TO_TRX);
  const raw = Transaction.from({
    type: 2,
    chainId: border.local.ETHEREUM.network.chainId!,
    nonce: 99,
    gasLimit: 200_000n,
    maxFeePerGas: 10n ** 10n,
    maxPriorityFeePerGas: 1n,
    to: String(to),
    value: BigInt(String(value)),
    data: String(data),
  }).unsignedSerialized;
  const { id } = border.wallets.ETHEREUM;
  for (const type of ['ETHEREUM_TRANSACTION', 'ETHEREUM_RAW']) {
    const sign = () => border.sign({ type, prefix: false, walletId: id, data: raw });
    const refused = await during({ HALTTRONTRADING: 1 }, sign);
    assert.equal(refused.outcome, REFUSED, type);
    assert.equal((await sign()).outcome, '200', type);
  }
});

test('nothing is sent to be paid out to a contract, or to an account that is delegated to one', async () => {
  const { ETHEREUM } = border.wallets;
  const request = await created(TRX_TO_ETH);
  for (const code of CODES) {
    await setCode(ETHEREUM.address, code);
    assert.equal(await executed(request), `${REFUSED} contract`, code);
  }
  await setCode(ETHEREUM.address, '0x');
  assert.equal(await executed(request), '200');
});

test('a refund goes to no contract, and to no account that is delegated to one', async () => {
  const request = await created(ETH_TO_TRX);
  const other = '0x00000000000000000000000000000000000eeeee';
  const [vault, asset, amount, memo, expiry] = depositOf(request);
  const back = memo.replace(/^(=:[^:]+:[^:]+)/, `$1/${other}`);
  const data = ROUTER.encodeFunctionData('depositWithExpiry', [vault, asset, amount, back, expiry]);
  for (const code of CODES) {
    await setCode(other, code);
    assert.equal(await executed({ ...request, data }), `${REFUSED} contract`, code);
  }
  await setCode(other, '0x');
  assert.equal(await executed({ ...request, data }), '200');
});

test('nothing is sent of which a refund would leave nothing, be it a token', async () => {
  const { books } = border.thorchain;
  const { multiplier } = books;
  const fromDollars: Crossing = { from: 'TRON', fromToken: 'DUSD', to: 'ETHEREUM', amount: '500' };
  const fromCents: Crossing = { from: 'ETHEREUM', fromToken: 'DCENT', to: 'TRON', amount: '500' };
  for (const crossing of [TRX_TO_ETH, fromDollars, fromCents]) {
    const { body: rates } = await border.rates(crossing);
    const { body: requests } = await border.create(crossing, { outputAmount: rates.bestRate!.outputAmount });
    for (const approval of requests.slice(0, -1)) await sent(border, approval, crossing.from);
    const deposit = requests.at(-1)!;
    books.multiplier = multiplier * 1_000_000n;
    const outcome = await executed(deposit);
    books.multiplier = multiplier;
    assert.equal(outcome, `${REFUSED} below-minimum`, crossing.fromToken);
    assert.equal(await executed(deposit), '200', crossing.fromToken);
  }
});

test('what THORChain would not notice is not sent: from code, of another token, or without its deadline', async () => {
  const { ETHEREUM } = border.wallets;
  const request = await created(ETH_TO_TRX);
  for (const code of CODES) {
    await setCode(ETHEREUM.address, code);
    assert.equal(await executed(request), `${REFUSED} contract`, code);
  }
  await setCode(ETHEREUM.address, '0x');

  const [vault, asset, amount, memo, expiry] = depositOf(request);
  const withData = (name: string, ...values: unknown[]): Promise<string> =>
    // It would fail, which is not the reason.
    executed({ ...request, gas: 200_000, data: ROUTER.encodeFunctionData(name, values) });
  const { NFT } = border.local.ETHEREUM.contracts;
  assert.equal(await withData('depositWithExpiry', vault, NFT, 7n, memo, expiry), `${REFUSED} pool`);
  assert.equal(await withData('deposit', vault, asset, amount, memo), `${REFUSED} router`);
  const past = BigInt(Math.floor(Date.now() / 1000) - 1);
  assert.equal(await withData('depositWithExpiry', vault, asset, amount, memo, past), `${REFUSED} expired`);
});

test('a transaction of Tron that pays twice is no request, in whichever form', async () => {
  const { data, to, value, ...request } = await created(TRX_TO_ETH);
  const contract = { type: 'TransferContract', parameter: { value: { to_address: to, amount: value } } };
  const raw_data = { contract: [contract, contract], data };
  for (const [change, field] of [
    [{ to, value, data, raw_data }, 'raw_data'],
    [{ to: [to, to], value, data }, 'to'],
    [{ type: 'TRON_TRANSACTION', raw_data }, 'type'],
  ] as const)
    assert.equal(await executed({ ...request, ...change }), `400 request.invalid ${field}`);
});

test('what nobody can read is not sent: at best it would come back', async () => {
  const { data: _, ...payment } = await created(TRX_TO_ETH);
  for (const memo of ['=:e:nobody:1', `=:e:${border.wallets.ETHEREUM.address}:1:${'x'.repeat(250)}`])
    assert.equal(await executed({ ...payment, data: memo }), `${REFUSED} memo`, memo);
});

test('coins go to no vault that is gone, in whatever form the memo is', async () => {
  const requests = [await created(TRX_TO_ETH), await created(ETH_TO_TRX)];
  await border.thorchain.churn();
  for (const request of requests) assert.equal(await executed(request), `${REFUSED} vault`, request.type);
  const { data, ...payment } = requests[0]!;
  const memo = String(data);
  for (const text of [memo.replace('=', 'SWAP'), memo.replace('=', 's'), ` ${memo}`, '=:e:nobody:1'])
    assert.equal(await executed({ ...payment, data: text }), `${REFUSED} vault`, text);
  assert.equal(await executed({ ...payment, data: 'thanks' }), '200');
});
