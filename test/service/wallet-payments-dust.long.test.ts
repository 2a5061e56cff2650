/** Dust to a session's own address in Bitcoin and Litecoin, which anybody can send: it pays nothing, hides nothing, and costs no more than its bounds. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { litecoindPath } from '../../demo/networks/litecoind-path.ts';
import { dustLimit } from '../../src/chains/utxo/script.ts';
import { BITCOIN } from '../../src/chains/bitcoin/profile.ts';
import { LITECOIN } from '../../src/chains/litecoin/profile.ts';
import { parseUnits } from '../../src/base/amount.ts';
import type { CheckoutSession } from '../../src/api/checkout.ts';
import { poll } from '../waiting.ts';
import { type Outputs, UtxoRail } from './utxo-rails.ts';
import { type FaultyNode, startFaultyNode, startMarket } from './wallet-payments-rails.ts';
import { openTill, type Till } from './wallet-payments-setup.ts';

const skip = litecoindPath() ? false : 'litecoind is not installed';
/** Outputs of less than a hundredth of the price that are kept of a session. */
const KEPT = 100;

for (const profile of [BITCOIN, LITECOIN]) {
  const { secretType } = profile;
  const name = secretType === 'BITCOIN' ? 'BTC' : 'LTC';
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
    /** The smallest amount that nodes relay to it. */
    least: bigint;
  }

  const quoted = async (): Promise<Quoted> => {
    const session = await till.session();
    const { to, amount } = await till.quote(session);
    const price = parseUnits(amount, 8);
    const least = dustLimit(profile, `0x${rail.scriptOf(to)}`);
    assert.ok(least * 100n < price);
    return { session, to, price, least };
  };
  const many = (count: number, to: string, amount: bigint): Outputs =>
    Array.from({ length: count }, () => [to, amount] as const);
  const events = async ({ id }: CheckoutSession): Promise<string[]> =>
    (await till.shop.events(id)).map(({ type }) => type);
  const rows = async (table: 'wallet_transfers' | 'wallet_sightings', { id }: CheckoutSession) =>
    Number(
      (
        await till.tested.service.db
          .selectFrom(table)
          .select((is) => is.fn.countAll<string>().as('count'))
          .where('session_id', '=', id)
          .executeTakeFirstOrThrow()
      ).count,
    );
  const isSeen = ({ session }: Quoted) =>
    till.until(
      session,
      'that it is seen',
      ({ state, confirmations }) => state === 'pending' && !confirmations,
    );
  /** Another session's payment shows that all blocks were read. */
  const readAll = async (): Promise<void> => {
    const next = await quoted();
    await rail.send([[next.to, next.price]]);
    await rail.mine(2);
    await till.paid(next.session);
  };

  test(`${name}: what is too small for nodes to relay is nothing, even in a block`, { skip }, async () => {
    const { session, to, least } = await quoted();
    for (let i = 0; i < 3; i++) await rail.mineUnrelayed(many(1000, to, least - 1n));
    await readAll();
    assert.equal(await till.stateOf(session), 'open unpaid');
    assert.deepEqual(await events(session), []);
    assert.deepEqual(
      [await rows('wallet_transfers', session), await rows('wallet_sightings', session)],
      [0, 0],
    );
  });

  test(`${name}: a flood of the smallest outputs does not pay, and the payment among them does`, {
    skip,
  }, async () => {
    const made = await quoted();
    const { session, to, price, least } = made;
    for (let i = 0; i < 2; i++) await rail.send(many(500, to, least));
    await poll(async () => (await rows('wallet_sightings', session)) > 0, 'the flood');
    await rail.send([[to, price]]);
    await isSeen(made);
    // Each look is one request, whatever waits.
    const looks = () => rail.local.requests.filter((path) => path.includes(to));
    const seen = looks().length;
    await poll(() => looks().length > seen + 3, 'further looks');
    assert.deepEqual(new Set(looks()), new Set([`GET /address/${to}/txs/mempool`]));
    assert.ok((await rows('wallet_sightings', session)) <= KEPT + 1);
    await rail.mine(2);
    await till.paid(session);
    assert.deepEqual(await events(session), ['payment.succeeded']);
    assert.equal(await rows('wallet_transfers', session), KEPT + 1);
    await rail.send(many(1000, to, least));
    await readAll();
    assert.equal(await rows('wallet_transfers', session), KEPT + 1);
    assert.deepEqual(await events(session), ['payment.succeeded']);
  });

  test(`${name}: small outputs in block after block do not add up to a payment`, {
    skip,
  }, async () => {
    const { session, to, price } = await quoted();
    const small = price / 100n - 1n;
    for (let i = 0; i < 3; i++) {
      // Together they are more than the price.
      await rail.send(many(2 * KEPT, to, small));
      await rail.mine();
    }
    await readAll();
    assert.equal(await till.stateOf(session), 'open unpaid');
    assert.equal(await rows('wallet_transfers', session), KEPT);
    const told = await till.shop.events(session.id);
    assert.deepEqual(new Set(told.map(({ type }) => type)), new Set(['payment.underpaid']));
    assert.ok(told.length <= KEPT);
    await rail.send([[to, price]]);
    await rail.mine(2);
    await till.paid(session);
  });

  test(`${name}: a payment that was seen stays seen when nodes tell of 50 newer transactions only`, {
    skip,
  }, async () => {
    const made = await quoted();
    const { session, to, price, least } = made;
    const hash = await rail.send([[to, price]]);
    await isSeen(made);
    const dust = await rail.send([[to, least]]);
    const one = (await (await fetch(`${rail.local.url}/tx/${dust}`)).json()) as object;
    const newest = Array.from({ length: 50 }, (_, i) => ({
      ...one,
      txid: i.toString(16).padStart(64, '0'),
    }));
    const path = `/address/${to}/txs/mempool`;
    node.fault = (asked) => (asked === path ? JSON.stringify(newest) : undefined);
    await poll(async () => (await rows('wallet_sightings', session)) >= 51, 'the others');
    await till.tested.service.db
      .updateTable('wallet_sightings')
      .set({ seen_at: new Date(Date.now() - 3 * 3_600_000) })
      .where('transaction_hash', '=', hash)
      .execute();
    await till.endQuotes(session, 120);
    await poll(
      () => rail.local.requests.some((each) => each.endsWith(`/tx/${hash}`)),
      'that it is asked for',
    );
    assert.equal((await till.page(session)).wallet!.payment!.state, 'pending');
    await rail.mine(2);
    await till.paid(session);
    // The dust came too late.
    assert.deepEqual((await events(session)).toSorted(), ['payment.succeeded', 'payment.unassigned']);
    node.fault = () => undefined;
  });

  test(`${name}: an address of which nodes tell too much hides no other, and is paid by what blocks have`, {
    skip,
  }, async () => {
    const [flooded, other] = [await quoted(), await quoted()];
    const path = `/address/${flooded.to}/txs/mempool`;
    node.fault = (asked) => (asked === path ? `[${' '.repeat(6 * 1024 * 1024)}]` : undefined);
    await rail.send([[flooded.to, flooded.price]]);
    await rail.send([[other.to, other.price]]);
    await isSeen(other);
    await rail.mine(2);
    await till.paid(flooded.session);
    await till.paid(other.session);
    node.fault = () => undefined;
  });
}
