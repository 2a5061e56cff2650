/** Payments by wallet on VeChain, whose transactions have several clauses. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, test } from 'node:test';
import { Address, Secp256k1, Transaction, type TransactionClause } from '@vechain/sdk-core';
import { parseEther, toBeHex } from 'ethers';
import { addExchanges } from '../../demo/networks/exchanges/index.ts';
import { type LocalVechain, startVechainNetwork } from '../../demo/networks/vechain.ts';
import { poll } from '../waiting.ts';
import { coins, dollars, ERC20, openTill, RECEIVER, type Till } from './wallet-payments-setup.ts';

let local: LocalVechain;
let till: Till;
let key: Uint8Array;

before(async () => {
  local = await startVechainNetwork({ port: 0 });
  await addExchanges(local);
  till = await openTill([local.network]);
  key = await Secp256k1.generatePrivateKey();
  const payer = Address.ofPrivateKey(key).toString();
  await local.ledger.mint(payer, parseEther('1000000'), parseEther('1000000'));
  await local.give('DUSD', payer);
  // Blocks come only by `send`: on a busy machine one every ten seconds would confirm before anybody looks.
  local.automine = false;
});
after(async () => {
  await till?.close();
  await local?.close();
});

const dusd = () => local.contracts['DUSD']!;
const receive = (token: boolean, confirmations = 1) =>
  till.receive({ secretType: 'VECHAIN', confirmations, ...(token && { tokenAddress: dusd() }) });
const coin = (amount: bigint): TransactionClause => ({
  to: RECEIVER.toLowerCase(),
  value: toBeHex(amount),
  data: '0x',
});
const token = (amount: bigint): TransactionClause => ({
  to: dusd(),
  value: '0x0',
  data: ERC20.encodeFunctionData('transfer', [RECEIVER, amount]),
});

async function send(...clauses: TransactionClause[]): Promise<string> {
  const { encoded } = Transaction.of({
    chainTag: Number.parseInt(local.network.genesis!.slice(-2), 16),
    blockRef: local.ledger.best.id.slice(0, 18),
    expiration: 32,
    clauses,
    gas: 500_000,
    dependsOn: null,
    nonce: toBeHex(BigInt(`0x${randomBytes(8).toString('hex')}`)),
    gasPriceCoef: 0,
  }).sign(key);
  const { id } = await local.ledger.post(`0x${Buffer.from(encoded).toString('hex')}`);
  await local.ledger.mine();
  return id;
}

test('VET settles a session at the exchange’s price, after the confirmations', async () => {
  await receive(false, 3);
  const session = await till.session(500);
  const quote = await till.quote(session);
  // A dollar is 55 VET.
  assert.ok(Number(quote.amount) > 200 && Number(quote.amount) < 400, quote.amount);
  const hash = await send(coin(coins(quote)));
  await till.report(session, hash);
  await till.until(session, 'a confirmation', ({ confirmations }) => confirmations === 1);
  await local.ledger.mine();
  await local.ledger.mine();
  await till.paid(session);
  const [received] = await till.received(`?session=${session.id}`);
  assert.deepEqual([received!.state, received!.symbol, received!.to], ['paid', 'VET', RECEIVER]);
});

test('a token transfer among other clauses settles a session without a report', async () => {
  await receive(true);
  const session = await till.session(500);
  const quote = await till.quote(session);
  await send(coin(5n), token(3n), token(dollars(quote)));
  await till.paid(session);
  const other = (await till.received('?state=unassigned')).find(
    ({ amount }) => amount === '0.000000000000000003',
  );
  assert.equal(other?.reason, 'amount');
});

test('one transaction settles one session', async () => {
  await receive(true);
  const [a, b] = await Promise.all([till.session(500), till.session(500)]);
  const [first, second] = await Promise.all([till.quote(a), till.quote(b)]);
  await send(token(dollars(first)), token(dollars(second)));
  await till.paid(a);
  await poll(async () => (await till.received(`?session=${b.id}`)).length === 1, 'the other');
  const [received] = await till.received(`?session=${b.id}`);
  assert.deepEqual([received!.state, received!.reason], ['unassigned', 'shared']);
  assert.equal((await till.shop.read(b.id)).payment_status, 'unpaid');
});

test('a transaction whose last clause fails settles nothing', async () => {
  await receive(false);
  const session = await till.session(500);
  const quote = await till.quote(session);
  const hash = await send(coin(coins(quote)), token(parseEther('1000000000')));
  await till.report(session, hash);
  const reported = await till.until(session, 'the outcome', ({ problem }) => problem !== null);
  assert.deepEqual([reported.state, reported.problem], ['quoted', 'failed']);
  await send(coin(coins(quote)));
  await till.paid(session);
});
