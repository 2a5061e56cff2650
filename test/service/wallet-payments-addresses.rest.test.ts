/** Payments in Bitcoin and Litecoin, each session at an address of its own: what settles it, what does not, and that the books equal the chain. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { parseUnits } from '../../src/base/amount.ts';
import type { CheckoutSession } from '../../src/api/checkout.ts';
import type { ReceivedPayment } from '../../src/api/receiving-wallet.ts';
import type { WalletPayment } from '../../src/api/pay.ts';
import { litecoindPath } from '../../demo/networks/litecoind-path.ts';
import { poll } from '../waiting.ts';
import { UtxoRail } from './utxo-rails.ts';
import { startMarket } from './wallet-payments-rails.ts';
import { openTill, type Till } from './wallet-payments-setup.ts';

const missing = litecoindPath() ? false : 'litecoind is not installed';
/** Above one euro, so that two confirmations are needed. */
const TWO = { confirmations: 1, confirmationsAbove: [{ amount: 1, confirmations: 2 }] };

let market: Awaited<ReturnType<typeof startMarket>>;
let rails: UtxoRail[] = [];
let till: Till;

before(async () => {
  if (missing) return;
  market = await startMarket();
  rails = await Promise.all([UtxoRail.start('BITCOIN'), UtxoRail.start('LITECOIN')]);
  const networks = rails.map(({ local }) => ({ ...local.network, prices: market.prices(local.network) }));
  till = await openTill(networks as never);
});
after(async () => {
  await till?.close();
  await Promise.all([market?.close(), ...rails.map((rail) => rail.close())]);
});

interface Quoted {
  session: CheckoutSession;
  quote: WalletPayment;
  price: bigint;
}

async function quoted(rail: UtxoRail, total = 2999): Promise<Quoted> {
  const session = await till.session(total);
  const quote = await till.quote(session);
  assert.match(quote.to, rail.secretType === 'BITCOIN' ? /^bcrt1q/ : /^rltc1q/);
  return { session, quote, price: parseUnits(quote.amount, 8) };
}

const events = async ({ id }: CheckoutSession): Promise<string[]> =>
  (await till.shop.events(id)).map(({ type }) => type);

const listed = async ({ id }: CheckoutSession): Promise<string[]> =>
  (await till.received(`?session=${id}`)).map(({ state, reason }) => `${state} ${reason}`).sort();

/** Polls until the session's transfers are these. */
async function untilListed(session: CheckoutSession, ...states: string[]): Promise<void> {
  await poll(async () => String(await listed(session)) === String(states.toSorted()), String(states));
}

async function seenInTime(
  { session, quote }: Quoted,
  state: WalletPayment['state'] = 'pending',
): Promise<void> {
  await till.until(
    session,
    'that it is seen',
    (payment) => payment.state === state && payment.confirmations === 0,
  );
  assert.deepEqual(await listed(session), [], quote.to);
}

const quoteState = async ({ id }: CheckoutSession): Promise<string> => {
  const { state } = await till.tested.service.db
    .selectFrom('wallet_quotes')
    .select('state')
    .where('session_id', '=', id)
    .executeTakeFirstOrThrow();
  return state;
};

for (const chain of [0, 1]) {
  const name = ['BTC', 'LTC'][chain]!;
  const options = { skip: missing };
  const railOf = (): UtxoRail => rails[chain]!;
  const used: string[] = [];
  let key = '';
  /** All that was sent to an address of a session. */
  const quote = async (total?: number): Promise<Quoted> => {
    const made = await quoted(railOf(), total);
    used.push(made.quote.to);
    return made;
  };

  test(`${name}: seen at once, paid with the last confirmation, one event`, options, async () => {
    const rail = railOf();
    await till.receiveNowhere();
    key = rail.newKey();
    await till.receiveAtKey({ secretType: rail.secretType, key, ...TWO });
    const { session, quote: first, price } = await quote();
    assert.deepEqual(await till.quote(session), first);
    const hash = await rail.send([[first.to, price]]);
    await seenInTime({ session, quote: first, price });
    assert.equal((await till.page(session)).wallet!.payment!.transactionHash, hash);
    assert.equal(await till.refused(session, 'cancel'), '409 checkout.payment.pending');
    assert.equal((await till.page(session)).wallet!.needed, 2);
    await rail.mine();
    await till.until(session, 'a confirmation', ({ confirmations }) => confirmations === 1);
    assert.equal(await till.stateOf(session), 'open unpaid');
    await rail.mine();
    await till.paid(session);
    assert.deepEqual(await events(session), ['payment.succeeded']);
    assert.deepEqual(await listed(session), ['paid null']);
    const { wallet_payment, payment_intent } = await till.shop.read(session.id);
    assert.deepEqual(wallet_payment!.payments, [payment_intent]);
    assert.deepEqual([wallet_payment!.missing, wallet_payment!.excess], [null, null]);
  });

  test(
    `${name}: what is too little is told, and the rest pays, in whichever transaction it comes`,
    options,
    async () => {
      const rail = railOf();
      const { session, quote: first, price } = await quote();
      await rail.send([[first.to, price - 10_000n]]);
      const waiting = await till.until(session, 'what is missing', ({ problem }) => problem === 'underpaid');
      assert.deepEqual([waiting.state, waiting.difference], ['quoted', '0.0001']);
      await rail.mine();
      await untilListed(session, 'unassigned amount');
      assert.deepEqual(await events(session), ['payment.underpaid']);
      await rail.mine(2);
      assert.equal(await till.stateOf(session), 'open unpaid');
      await rail.send([[first.to, 10_000n]]);
      await till.until(session, 'the rest', ({ state }) => state === 'pending');
      await rail.mine(2);
      await till.paid(session);
      assert.deepEqual(await listed(session), ['paid null', 'paid null']);
      assert.deepEqual(await events(session), ['payment.underpaid', 'payment.succeeded']);
      assert.equal((await till.shop.read(session.id)).wallet_payment!.missing, null);
    },
  );

  test(
    `${name}: two outputs of one transaction add up, and a transaction pays several sessions`,
    options,
    async () => {
      const rail = railOf();
      const [one, other] = [await quote(), await quote()];
      await rail.send([
        [one.quote.to, one.price - 10_000n],
        [other.quote.to, other.price],
        [one.quote.to, 10_000n],
      ]);
      await rail.mine(2);
      await till.paid(one.session);
      await till.paid(other.session);
      assert.deepEqual(await events(one.session), ['payment.succeeded']);
      assert.deepEqual(await events(other.session), ['payment.succeeded']);
      assert.deepEqual(await listed(one.session), ['paid null', 'paid null']);
    },
  );

  test(`${name}: too much is paid at once, with the excess told`, options, async () => {
    const rail = railOf();
    const { session, quote: first, price } = await quote();
    await rail.send([[first.to, price + 2500n]]);
    await rail.mine(2);
    await till.paid(session);
    assert.deepEqual(await events(session), ['payment.succeeded']);
    const { status, excess } = (await till.shop.read(session.id)).wallet_payment!;
    assert.deepEqual([status, excess], ['paid', '0.000025']);
  });

  test(
    `${name}: what the shop tolerates may be missing, in one output or several, and no more`,
    options,
    async () => {
      const rail = railOf();
      const set = (tolerance: number) =>
        till.receiveAtKey({ secretType: rail.secretType, key, tolerance, ...TWO });
      await set(2.5);
      const [whole, parts, less, over] = [await quote(), await quote(), await quote(), await quote()];
      // It holds for prices that were made with it.
      await set(0);
      const strict = await quote();
      const least = ({ price }: Quoted): bigint => price - (price * 25n) / 1000n;
      await rail.send([
        [whole.quote.to, least(whole)],
        [parts.quote.to, 10_000n],
        [less.quote.to, least(less) - 1n],
        [over.quote.to, over.price + 1n],
        [parts.quote.to, least(parts) - 10_000n],
        [strict.quote.to, least(strict)],
      ]);
      await seenInTime(whole);
      await seenInTime(parts);
      const waiting = await till.until(
        less.session,
        'what is missing',
        ({ problem }) => problem === 'underpaid',
      );
      assert.equal(parseUnits(waiting.difference!, 8), less.price - least(less) + 1n);
      await rail.mine();
      for (const { session } of [whole, parts])
        await till.until(session, 'a confirmation', ({ confirmations }) => confirmations === 1);
      assert.equal(await till.stateOf(whole.session), 'open unpaid');
      await rail.mine();
      for (const { session } of [whole, parts, over]) {
        await till.paid(session);
        assert.deepEqual(await events(session), ['payment.succeeded']);
      }
      const paid = async ({ session }: Quoted) => (await till.shop.read(session.id)).wallet_payment!;
      for (const made of [whole, parts]) {
        const { status, missing, excess, within_tolerance } = await paid(made);
        assert.deepEqual([status, excess, within_tolerance], ['paid', null, true]);
        assert.equal(parseUnits(missing!, 8), made.price - least(made));
      }
      assert.deepEqual([(await paid(over)).missing, (await paid(over)).excess], [null, '0.00000001']);
      for (const { session } of [less, strict]) {
        await untilListed(session, 'unassigned amount');
        assert.equal(await till.stateOf(session), 'open unpaid');
        assert.deepEqual(await events(session), ['payment.underpaid']);
      }
      assert.equal((await paid(less)).within_tolerance, false);
    },
  );

  test(`${name}: what pays an earlier price in full is not less of a later one`, options, async () => {
    const rail = railOf();
    await till.receiveAtKey({ secretType: rail.secretType, key, tolerance: 5, ...TWO });
    const made = await quote();
    await till.endQuotes(made.session, 1);
    await till.quote(made.session);
    const dearer = made.price + made.price / 100n;
    await till.tested.service.db
      .updateTable('wallet_quotes')
      .set({ amount: String(dearer) })
      .where('session_id', '=', made.session.id)
      .where('expires_at', '>', new Date())
      .execute();
    await rail.send([[made.quote.to, made.price]]);
    await rail.mine(2);
    await till.paid(made.session);
    const { expected, missing } = (await till.shop.read(made.session.id)).wallet_payment!;
    assert.deepEqual([parseUnits(expected, 8), missing], [made.price, null]);
    await till.receiveAtKey({ secretType: rail.secretType, key, ...TWO });
  });

  test(`${name}: what comes again or late is listed, and pays nothing`, options, async () => {
    const rail = railOf();
    const { session, quote: first, price } = await quote();
    await rail.send([[first.to, price]]);
    await rail.mine(2);
    await till.paid(session);
    await rail.send([
      [first.to, price],
      [first.to, 10_000n],
    ]);
    await rail.mine();
    await untilListed(session, 'paid null', 'unassigned complete', 'unassigned complete');
    assert.deepEqual(await events(session), ['payment.succeeded', 'payment.unassigned']);
    const late = await quote();
    await till.endQuotes(late.session, 30);
    await poll(async () => (await quoteState(late.session)) === 'expired', 'the end of the price');
    await rail.send([[late.quote.to, late.price]]);
    await rail.mine();
    await untilListed(late.session, 'unassigned late');
    await rail.mine(2);
    assert.equal((await till.shop.read(late.session.id)).payment_status, 'unpaid');
    assert.equal((await events(late.session)).at(-1), 'payment.unassigned');
  });

  test(
    `${name}: seen before the price's end, it counts whenever a block has it within a day`,
    options,
    async () => {
      const rail = railOf();
      const made = await quote();
      await rail.send([[made.quote.to, made.price]]);
      await seenInTime(made);
      await till.tested.service.db
        .updateTable('wallet_sightings')
        .set({ seen_at: new Date(Date.now() - 3 * 3_600_000) })
        .where('session_id', '=', made.session.id)
        .execute();
      await till.endQuotes(made.session, 120);
      const { requests } = rail.local;
      const looks = () =>
        requests.filter((path) => path.includes(`/address/${made.quote.to}/txs/mempool`)).length;
      const before = looks();
      await poll(() => looks() > before + 2, 'further looks');
      assert.equal(await quoteState(made.session), 'quoted');
      await rail.mine(2);
      await till.paid(made.session);
      assert.deepEqual(await events(made.session), ['payment.succeeded']);
    },
  );

  test(
    `${name}: seen before the price's end, but in no block within a day, it is late`,
    options,
    async () => {
      const rail = railOf();
      const made = await quote();
      await rail.send([[made.quote.to, made.price]]);
      await seenInTime(made);
      await till.tested.service.db
        .updateTable('wallet_sightings')
        .set({ seen_at: new Date(Date.now() - 30 * 3_600_000) })
        .where('session_id', '=', made.session.id)
        .execute();
      await till.endQuotes(made.session, 29 * 60);
      await poll(async () => (await quoteState(made.session)) === 'expired', 'the end of the price');
      await rail.mine();
      await untilListed(made.session, 'unassigned late');
    },
  );

  test(`${name}: replaced by a payment elsewhere, it is not on its way any more`, options, async () => {
    const rail = railOf();
    const made = await quote();
    const replaces = await rail.send([[made.quote.to, made.price]]);
    await seenInTime(made);
    const elsewhere = await rail.local.node.rpc<string>('getnewaddress', '', 'bech32');
    await rail.send([[elsewhere, made.price]], { replaces });
    await seenInTime(made, 'quoted');
    await rail.mine(3);
    assert.equal(await till.stateOf(made.session), 'open unpaid');
    assert.deepEqual(await listed(made.session), []);
    await rail.send([[made.quote.to, made.price]]);
    await rail.mine(2);
    await till.paid(made.session);
    assert.deepEqual(await events(made.session), ['payment.succeeded']);
  });

  test(`${name}: replaced by one of the same amount, it is as timely`, options, async () => {
    const rail = railOf();
    const made = await quote();
    const replaces = await rail.send([[made.quote.to, made.price]]);
    await seenInTime(made);
    await till.tested.service.db
      .updateTable('wallet_sightings')
      .set({ seen_at: new Date(Date.now() - 3 * 3_600_000) })
      .where('session_id', '=', made.session.id)
      .execute();
    await till.endQuotes(made.session, 120);
    const hash = await rail.send([[made.quote.to, made.price]], { replaces });
    await till.until(made.session, 'the other', ({ transactionHash }) => transactionHash === hash);
    await rail.mine(2);
    await till.paid(made.session);
  });

  test(
    `${name}: a reorganisation puts a payment back, which counts when it comes again`,
    options,
    async () => {
      const rail = railOf();
      const made = await quote();
      await rail.send([[made.quote.to, made.price]]);
      await rail.mine();
      await till.until(made.session, 'a confirmation', ({ confirmations }) => confirmations === 1);
      await till.endQuotes(made.session, 60);
      await rail.reorganise();
      await seenInTime(made);
      assert.equal(await till.stateOf(made.session), 'open unpaid');
      await rail.mine();
      await till.until(made.session, 'a confirmation', ({ confirmations }) => confirmations === 1);
      await rail.mine();
      await till.paid(made.session);
      assert.deepEqual(await events(made.session), ['payment.succeeded']);
      assert.deepEqual(await listed(made.session), ['paid null']);
    },
  );

  test(`${name}: what is unassigned is told once, whatever is reorganised`, options, async () => {
    const rail = railOf();
    const { session, quote: first, price } = await quote();
    await rail.send([[first.to, price]]);
    await rail.mine(2);
    await till.paid(session);
    await rail.send([[first.to, 10_000n]]);
    await rail.mine();
    await untilListed(session, 'paid null', 'unassigned complete');
    const { id } = (await till.received(`?session=${session.id}&state=unassigned`))[0]!;
    const { node } = rail.local;
    await node.rpc('invalidateblock', await node.rpc('getbestblockhash'));
    await rail.mine(2);
    const row = () =>
      till.tested.service.db
        .selectFrom('wallet_transfers')
        .select('block_hash')
        .where('id', '=', id)
        .executeTakeFirst();
    const height = await node.rpc<number>('getblockcount');
    const hash = await node.rpc<string>('getblockhash', height - 1);
    await poll(async () => (await row())?.block_hash === hash, 'the other block');
    assert.deepEqual(await events(session), ['payment.succeeded', 'payment.unassigned']);
  });

  test(`${name}: totals above an amount need more confirmations, others do not`, options, async () => {
    const rail = railOf();
    const [large, small] = [await quote(101), await quote(100)];
    assert.deepEqual([large.quote.needed, small.quote.needed], [2, 1]);
    await rail.send([
      [large.quote.to, large.price],
      [small.quote.to, small.price],
    ]);
    await rail.mine();
    await till.paid(small.session);
    assert.equal(await till.stateOf(large.session), 'open unpaid');
    await rail.mine();
    await till.paid(large.session);
  });

  test(`${name}: less than a hundred minor units is not offered`, options, async () => {
    const session = await till.session(99);
    assert.equal((await till.page(session)).wallet, null);
    assert.equal(await till.refused(session, 'quote'), '404 checkout.wallet.unavailable');
  });

  test(
    `${name}: what comes when the address is not searched for any more is found when the shop asks`,
    options,
    async () => {
      const rail = railOf();
      const made = await quote();
      const { db } = till.tested.service;
      await till.endQuotes(made.session, 30);
      await poll(async () => (await quoteState(made.session)) === 'expired', 'the end of the price');
      const network = rail.local.network.id;
      await db
        .updateTable('payment_addresses')
        .set({ watched_until: new Date(Date.now() - 1000) })
        .where('network', '=', network)
        .execute();
      const lane = () =>
        db
          .selectFrom('wallet_lanes')
          .select('next_look_at')
          .where('network', '=', network)
          .executeTakeFirstOrThrow();
      await poll(async () => (await lane()).next_look_at === null, 'that nothing is searched for');
      const hash = await rail.send([[made.quote.to, made.price]]);
      await rail.mine();
      assert.deepEqual(await listed(made.session), []);
      const search = (id: string) =>
        till.tested.post(`/checkout/sessions/${id}/search`, {}, till.shop.headers);
      const answer = await search(made.session.id);
      assert.equal(answer.status, 200, await answer.clone().text());
      const [payment] = (await answer.json()) as ReceivedPayment[];
      assert.deepEqual([payment!.transactionHash, payment!.reason], [hash, 'late']);
      assert.notEqual((await lane()).next_look_at, null);
      await search(made.session.id);
      assert.deepEqual(await listed(made.session), ['unassigned late']);
      assert.equal((await events(made.session)).filter((type) => type === 'payment.unassigned').length, 1);
      assert.equal((await search((await till.session()).id)).status, 404);
    },
  );

  test(`${name}: the books have what the chain has`, options, async () => {
    const rail = railOf();
    const at = new Set(used);
    const transfers = (await till.received('?limit=100')).filter(({ to }) => at.has(to));
    const sum = transfers.reduce((all, { amount }) => all + parseUnits(amount, 8), 0n);
    assert.ok(transfers.length >= 12);
    assert.equal(sum, await rail.balance(used));
  });
}
