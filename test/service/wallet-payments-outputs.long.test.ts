/** Outputs to a session's own address in Bitcoin and Litecoin that are unusual: in parts, replaced, reorganised, forgotten, or of another form. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { address as addresses, networks, payments } from 'bitcoinjs-lib';
import { litecoindPath } from '../../demo/networks/litecoind-path.ts';
import { LITECOIN_REGTEST } from '../../demo/networks/litecoind.ts';
import { parseUnits } from '../../src/base/amount.ts';
import type { CheckoutSession } from '../../src/api/checkout.ts';
import type { WalletPayment } from '../../src/api/pay.ts';
import { poll } from '../waiting.ts';
import { UtxoRail } from './utxo-rails.ts';
import { type FaultyNode, startFaultyNode, startMarket } from './wallet-payments-rails.ts';
import { openTill, type Till } from './wallet-payments-setup.ts';

const skip = litecoindPath() ? false : 'litecoind is not installed';
const CHAINS = [
  { secretType: 'BITCOIN', name: 'BTC', encoding: networks.regtest },
  { secretType: 'LITECOIN', name: 'LTC', encoding: LITECOIN_REGTEST },
] as const;

for (const { secretType, name, encoding } of CHAINS) {
  let market: Awaited<ReturnType<typeof startMarket>>;
  let rail: UtxoRail;
  let node: FaultyNode;
  let till: Till;

  before(async () => {
    if (skip) return;
    market = await startMarket();
    rail = await UtxoRail.start(secretType);
    node = await startFaultyNode(rail.local.url);
    const { network } = rail.local;
    till = await openTill([{ ...network, nodes: [node.url], prices: market.prices(network) }]);
    await till.receiveAtKey({ secretType, key: rail.newKey(), confirmations: 2 });
  });
  after(async () => {
    await till?.close();
    await Promise.all([market?.close(), node?.close(), rail?.close()]);
  });

  interface Quoted {
    session: CheckoutSession;
    to: string;
    price: bigint;
  }

  const quoted = async (): Promise<Quoted> => {
    const session = await till.session();
    const { to, amount } = await till.quote(session);
    return { session, to, price: parseUnits(amount, 8) };
  };
  const events = async ({ id }: CheckoutSession): Promise<string[]> =>
    (await till.shop.events(id)).map(({ type }) => type);
  const listed = async ({ id }: CheckoutSession): Promise<string[]> =>
    (await till.received(`?session=${id}`)).map(({ state, reason }) => `${state} ${reason}`);
  const isSeen = (session: CheckoutSession, state: WalletPayment['state']) =>
    till.until(session, state, (payment) => payment.state === state && payment.confirmations === 0);
  const checkBooks = async ({ session, to }: Quoted): Promise<void> => {
    const transfers = await till.received(`?session=${session.id}`);
    const sum = transfers.reduce((all, { amount }) => all + parseUnits(amount, 8), 0n);
    assert.equal(sum, await rail.balance([to]));
  };

  test(`${name}: three outputs in two transactions pay once all are confirmed`, { skip }, async () => {
    const made = await quoted();
    const { session, to, price } = made;
    await rail.send([
      [to, price - 50_000n],
      [to, 20_000n],
    ]);
    await rail.mine();
    await till.until(session, 'what is missing', ({ problem }) => problem === 'underpaid');
    await rail.send([[to, 30_000n]]);
    await rail.mine();
    await till.until(session, 'a confirmation', ({ confirmations }) => confirmations === 1);
    assert.equal(await till.stateOf(session), 'open unpaid');
    await rail.mine();
    await till.paid(session);
    assert.deepEqual(await listed(session), ['paid null', 'paid null', 'paid null']);
    assert.deepEqual(await events(session), ['payment.underpaid', 'payment.succeeded']);
    await checkBooks(made);
  });

  test(`${name}: replaced by one of another amount to the same address, the other one counts`, {
    skip,
  }, async () => {
    const made = await quoted();
    const { session, to, price } = made;
    const replaces = await rail.send([[to, price]]);
    await isSeen(session, 'pending');
    await rail.send([[to, price - 10_000n]], { replaces });
    const waiting = await till.until(session, 'what is missing', ({ problem }) => problem === 'underpaid');
    assert.deepEqual([waiting.state, waiting.difference], ['quoted', '0.0001']);
    await rail.mine(3);
    await poll(async () => String(await listed(session)) === 'unassigned amount', 'the other one');
    assert.equal(await till.stateOf(session), 'open unpaid');
    await rail.send([[to, 10_000n]]);
    await rail.mine(2);
    await till.paid(session);
    assert.deepEqual(await events(session), ['payment.underpaid', 'payment.succeeded']);
    await checkBooks(made);
  });

  test(`${name}: what nodes forget is not on its way any more, and pays when it comes again`, {
    skip,
  }, async () => {
    const made = await quoted();
    const { session, to, price } = made;
    await rail.send([[to, price]]);
    await isSeen(session, 'pending');
    node.fault = (path) => (path === `/address/${to}/txs/mempool` ? '[]' : undefined);
    await isSeen(session, 'quoted');
    assert.match(await till.refused(session, 'quote'), /^200/);
    node.fault = () => undefined;
    await isSeen(session, 'pending');
    await rail.mine(2);
    await till.paid(session);
    assert.deepEqual(await events(session), ['payment.succeeded']);
    await checkBooks(made);
  });

  test(`${name}: a reorganisation after it was paid changes nothing, and tells nothing`, {
    skip,
  }, async () => {
    const made = await quoted();
    const { session, to, price } = made;
    await rail.send([[to, price]]);
    await rail.mine(2);
    await till.paid(session);
    await rail.reorganise(2);
    // Another session's payment shows that the new blocks were read.
    const next = await quoted();
    await rail.send([[next.to, next.price]]);
    await rail.mine(2);
    await till.paid(next.session);
    assert.equal(await till.stateOf(session), 'complete paid');
    assert.deepEqual(await events(session), ['payment.succeeded']);
    assert.deepEqual(await listed(session), ['paid null']);
    await checkBooks(made);
  });

  test(`${name}: an output to the older form of the same key is not the session's`, { skip }, async () => {
    const made = await quoted();
    const { session, to, price } = made;
    const hash = addresses.fromBech32(to).data;
    const legacy = payments.p2pkh({ hash, network: encoding }).address!;
    await rail.send([[legacy, price]]);
    await rail.mine(2);
    const next = await quoted();
    await rail.send([[next.to, next.price]]);
    await rail.mine(2);
    await till.paid(next.session);
    assert.equal(await till.stateOf(session), 'open unpaid');
    assert.deepEqual(await listed(session), []);
    await rail.send([[to, price]]);
    await rail.mine(2);
    await till.paid(session);
    await checkBooks(made);
  });
}
