/** Swaps on the demo's local Tron: what the wallet reads, and each transaction beside the one that Tron's own SDK builds of the same call. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { TronWeb } from 'tronweb';
import { tronAccount } from '../../demo/networks/exchanges/account.ts';
import { addExchanges } from '../../demo/networks/exchanges/index.ts';
import { type LocalTron, startTronNetwork } from '../../demo/networks/tron.ts';
import type { OrderType } from '../../src/api/swap.ts';
import type { Network } from '../../src/chains/network.ts';
import type { Node } from '../../src/chains/terms.ts';
import { encodeCall } from '../../src/chains/contracts/abi.ts';
import { fromEvm, toEvm } from '../../src/chains/tron/address.ts';
import { chain, type TronDraft } from '../../src/chains/tron/index.ts';
import { payloads } from '../../src/chains/tron/payload.ts';
import { readAll } from '../../src/chains/tron/reads.ts';
import { entriesOf } from '../../src/swaps/entry.ts';
import { createSwap, swapRates } from '../../src/swaps/index.ts';
import { movedBy } from '../../src/swaps/outcome.ts';
import { exchangeAt, readTerms } from '../../src/swaps/terms.ts';
import { readNetworks } from '../../service/networks/networks-file.ts';
import { pause, poll } from '../waiting.ts';
import { likeTether } from './swaps-setup.ts';

const KEY = new Uint8Array(32).fill(7);
const ME = chain.address(KEY);
const FRIEND = 'THTR75o8xXAgCTQqpiot2AFRAjvW1tSbVV';
const TRX = { symbol: 'TRX', decimals: 6 };

interface Native {
  type: string;
  to: string;
  functionName: string;
  inputs: { type: string; value: string }[];
}

let tron: LocalTron;
let network: Network;
let node: Node;
let sdk: TronWeb;
let dusd: string;
let dcent: string;
const reach = () => ({ chain, node });

before(async () => {
  tron = await startTronNetwork({ port: 0 });
  await addExchanges(tron);
  // In the second in which it was created, a pool has no price to record yet: a trial would use less energy than the transaction.
  await pause(1100);
  ({ network } = tron);
  node = chain.node(network);
  sdk = new TronWeb({ fullHost: tron.url });
  [dusd, dcent] = ['DUSD', 'DCENT'].map(
    (symbol) => network.tokens.find((token) => token.symbol === symbol)!.address,
  ) as [string, string];
  for (const asset of ['TRX', 'DUSD']) await tron.give(asset, ME);
  const gift = encodeCall('transfer', ['address', 'uint256'], [toEvm(ME), 1_000_000_000n]);
  await tron.deployer().call(toEvm(dcent), gift);
  // Its allowance changes only to and from 0.
  const rpc = (method: string, ...params: unknown[]) => tron.ledger.machine.ask(method, ...params);
  await likeTether({ anvil: { rpc } }, toEvm(dcent));
});
after(() => tron?.close());

async function holds(token: string, owner = ME): Promise<bigint> {
  if (token === '') return BigInt((await chain.balance(owner, node)).rawBalance);
  const data = encodeCall('balanceOf', ['address'], [toEvm(owner)]);
  const [answer] = await readAll(node, [{ to: toEvm(token), data }]);
  return BigInt(answer!);
}

/** The same call by the SDK, under the same block, fee limit and times. */
async function asSdkBuildsIt({ to, functionName, inputs }: Native, draft: TronDraft): Promise<string> {
  const { refBlockBytes, refBlockHash, expiration, timestamp, feeLimit, contract } = draft;
  const parameters = inputs.map(({ type, value }) => ({
    type,
    value: type.endsWith('[]') ? JSON.parse(value) : value,
  }));
  const { transaction } = await sdk.transactionBuilder.triggerSmartContract(
    to,
    `${functionName}(${inputs.map(({ type }) => type).join()})`,
    {
      txLocal: true,
      feeLimit: Number(feeLimit),
      callValue: contract.kind === 'call' ? Number(contract.value) : 0,
      blockHeader: {
        ref_block_bytes: refBlockBytes.slice(2),
        ref_block_hash: refBlockHash.slice(2),
        expiration,
        timestamp,
      },
    } as never,
    parameters,
    ME,
  );
  return transaction.txID;
}

/** Carries out the requests as the wallet does. Answers the last one's receipt and the terms that the approval shows of it. */
async function carryOut(requests: readonly object[]) {
  let last!: { draft: TronDraft; hash: string };
  for (const request of requests) {
    const draft = (await chain.prepare(payloads.parse(request), ME, node)) as TronDraft;
    assert.equal(draft.facts.willFail, undefined);
    const signed = await chain.sign(draft, KEY);
    assert.equal(signed.hash, await asSdkBuildsIt(request as Native, draft));
    const hash = await chain.broadcast(signed, node);
    await poll(async () => (await chain.status(hash, node)) !== 'pending', 'a block');
    assert.equal(await chain.status(hash, node), 'confirmed');
    last = { draft, hash };
  }
  const { contract } = last.draft;
  assert.ok(contract.kind === 'call');
  const exchange = exchangeAt(network, contract.to)!;
  const terms = (await readTerms(exchange, contract, network, TRX))!;
  const { arrivals = [], fee = 0n } = await chain.receipt(last.hash, node);
  return { exchange, terms, arrivals, fee };
}

test('many calls in one request are answered as each by itself', async () => {
  const { factory, router } = entriesOf(network)[0]!;
  const calls = [
    { to: dusd, name: 'symbol' },
    { to: dusd, name: 'decimals' },
    // Fails, is no contract, answers nothing.
    { to: factory, name: 'symbol' },
    { to: FRIEND, name: 'symbol' },
    { to: router, name: 'WETH' },
    { to: factory, name: 'allPairsLength' },
    { to: dcent, name: 'name' },
  ].map(({ to, name }) => ({ to: toEvm(to), data: encodeCall(name, [], []) }));
  const single = await Promise.all(calls.map(async (call) => (await readAll(node, [call]))[0]));
  assert.deepEqual(
    single.map((answer) => answer === undefined),
    [false, false, true, true, false, false, false],
  );
  const { length } = tron.requests;
  assert.deepEqual(await readAll(node, calls), single);
  assert.equal(tron.requests.length - length, 1);
  const many = Array.from({ length: 40 }, () => calls).flat();
  assert.deepEqual(await readAll(node, many), Array.from({ length: 40 }, () => single).flat());
});

test('a server starts with Tron’s addresses alone, and none that is mistyped', () => {
  const folder = mkdtempSync(join(tmpdir(), 'exchanges-'));
  const path = join(folder, 'networks.json');
  const [entry] = entriesOf(network);
  const start = (changes: object) => {
    writeFileSync(
      path,
      JSON.stringify({ networks: [{ ...network, exchanges: [{ ...entry, ...changes }] }] }),
    );
    return readNetworks(path);
  };
  try {
    assert.equal(start({}).networks.length, 1);
    const mistyped = dusd.replace(/.$/, (last) => (last === '2' ? '3' : '2'));
    assert.throws(() => start({ bases: [mistyped] }), /exchanges\.0\.bases\.0.*checksum/);
    assert.throws(() => start({ router: toEvm(dusd) }), /exchanges\.0\.router.*address of Tron/);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('the router is the factory’s, and wraps TRX in 6 decimals', async () => {
  const [entry] = entriesOf(network);
  const ask = (to: string, name: string) => ({ to: toEvm(to), data: encodeCall(name, [], []) });
  const { router, factory, wrapped } = entry!;
  const answers = await readAll(node, [
    ask(router, 'factory'),
    ask(router, 'WETH'),
    ask(wrapped, 'decimals'),
  ]);
  const [own, weth] = answers.map((answer) => fromEvm(`0x${answer!.slice(-40)}`));
  assert.deepEqual([own, weth, BigInt(answers[2]!)], [factory, wrapped, 6n]);
});

const TRADES: [OrderType, from: () => string, to: () => string, amount: string, steps: number][] = [
  ['SELL', () => '', () => dcent, '100', 1],
  ['BUY', () => '', () => dcent, '50', 1],
  ['SELL', () => dcent, () => '', '200', 2],
  ['BUY', () => dcent, () => '', '2', 2],
  ['SELL', () => dusd, () => dcent, '3', 2],
  ['BUY', () => dusd, () => dcent, '25', 2],
];
for (const [orderType, from, to, amount, steps] of TRADES)
  test(`${orderType} ${amount}: each transaction is the SDK’s, gives what was quoted, and its terms and logs say so`, async () => {
    const sides = { fromSecretType: 'TRON', toSecretType: 'TRON', fromToken: from(), toToken: to() } as const;
    const { bestRate } = await swapRates({ ...sides, orderType, amount }, reach);
    const { exchange, inputAmount, outputAmount } = bestRate!;
    const [input, output] = [BigInt(bestRate!.rawInputAmount!), BigInt(bestRate!.rawOutputAmount!)];
    const body = { ...sides, orderType, walletId: 'w', exchange, inputAmount, outputAmount };
    const requests = await createSwap(body, { from: ME, to: FRIEND }, reach);
    assert.equal(requests.length, steps);
    const before = [await holds(from()), await holds(to(), FRIEND)];
    const { terms, arrivals, exchange: entry, fee } = await carryOut(requests);
    const spent = before[0]! - (await holds(from()));
    assert.equal(from() === '' ? spent - fee : spent, input);
    assert.equal((await holds(to(), FRIEND)) - before[1]!, output);
    assert.equal(terms.recipient, FRIEND);
    assert.equal(terms.orderType, orderType);
    const [exact, bound] =
      orderType === 'SELL' ? [terms.input.raw, terms.output.raw] : [terms.output.raw, terms.input.raw];
    assert.equal(exact, orderType === 'SELL' ? input : output);
    const limit = orderType === 'SELL' ? output : input;
    // Half a percent.
    assert.ok(bound * 1000n >= limit * 994n && bound * 1000n <= limit * 1006n, `${bound} for ${limit}`);
    assert.deepEqual(movedBy(arrivals, entry, { fromToken: from(), toToken: to(), from: ME, to: FRIEND }), {
      input,
      output,
    });
  });

test('an allowance that the token does not change is first set to 0', async () => {
  const [entry] = entriesOf(network);
  const me = tronAccount(tron.ledger, toEvm(ME));
  const allow = (amount: bigint) =>
    me.call(toEvm(dcent), encodeCall('approve', ['address', 'uint256'], [toEvm(entry!.router), amount]));
  await allow(0n);
  await allow(1n);
  const requests = (await createSwap(
    {
      fromSecretType: 'TRON',
      toSecretType: 'TRON',
      fromToken: dcent,
      toToken: dusd,
      orderType: 'SELL',
      walletId: 'w',
      exchange: 'SunSwap V2',
      inputAmount: '10',
    },
    { from: ME, to: ME },
    reach,
  )) as unknown as Native[];
  assert.deepEqual(
    requests.map(({ functionName, inputs: args }) => `${functionName} ${args[1]!.value}`).slice(0, 2),
    ['approve 0', 'approve 10000000'],
  );
  const held = await holds(dusd);
  const { terms } = await carryOut(requests);
  assert.ok((await holds(dusd)) - held >= terms.output.raw);
});
