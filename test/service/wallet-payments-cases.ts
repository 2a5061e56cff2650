/** What becomes of payments at an address of the shop, the same on every chain that has one: paid, under, over, again, late, reorganised. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseUnits } from '../../src/base/amount.ts';
import type { CheckoutSession } from '../../src/api/checkout.ts';
import type { WalletPayment } from '../../src/api/pay.ts';
import { poll } from '../waiting.ts';
import type { Rail } from './wallet-payments-rails.ts';
import type { Till } from './wallet-payments-setup.ts';

export interface Quoted {
  session: CheckoutSession;
  quote: WalletPayment;
}

export class Cases {
  constructor(private readonly till: () => Till) {}

  static unitsOf({ decimals }: Rail, { amount }: WalletPayment): bigint {
    return parseUnits(amount, decimals);
  }

  async events({ id }: CheckoutSession): Promise<string[]> {
    return (await this.till().shop.events(id)).map(({ type }) => type);
  }

  /** The transfer of a transaction, once it is decided. */
  async arrived(hash: string): Promise<string> {
    const one = async () =>
      (await this.till().received('?limit=100')).find(({ transactionHash }) => transactionHash === hash);
    await poll(async () => !['pending', undefined].includes((await one())?.state), 'the transfer');
    const { state, reason, sessionId } = (await one())!;
    return [state, reason, sessionId].join(' ');
  }

  /** Two confirmations, so that what is in one block is not settled yet. */
  async quoted(rail: Rail, currency = 'EUR'): Promise<Quoted> {
    await this.till().receive({ confirmations: 2, ...rail.receiving });
    const session = await this.till().session(2999, currency);
    return { session, quote: await this.till().quote(session) };
  }

  async quoteState({ id }: CheckoutSession): Promise<string> {
    const { state } = await this.till()
      .tested.service.db.selectFrom('wallet_quotes')
      .select('state')
      .where('session_id', '=', id)
      .executeTakeFirstOrThrow();
    return state;
  }

  async paid(rail: Rail): Promise<void> {
    const till = this.till();
    const { session, quote } = await this.quoted(rail);
    const hash = await rail.pay(Cases.unitsOf(rail, quote));
    assert.equal((await till.report(session, hash)).state, 'pending');
    await till.until(session, 'a confirmation', ({ confirmations }) => confirmations === 1);
    assert.equal(await till.stateOf(session), 'open unpaid');
    await rail.mine();
    await till.paid(session);
    assert.deepEqual(await this.events(session), ['payment.succeeded']);
    assert.equal(await this.arrived(hash), `paid  ${session.id}`);
  }

  async lessAndMore(rail: Rail): Promise<void> {
    const till = this.till();
    const { session, quote } = await this.quoted(rail);
    const price = Cases.unitsOf(rail, quote);
    const less = await rail.pay(price - 1n);
    await till.report(session, less);
    await till.until(session, 'the outcome', ({ problem }) => problem === 'underpaid');
    const more = await rail.pay(price + 2n);
    await till.report(session, more);
    const both = await till.until(session, 'the sum', ({ problem }) => problem === 'overpaid');
    assert.equal(parseUnits(both.received!, rail.decimals), 2n * price + 1n);
    assert.equal(await till.stateOf(session), 'open unpaid');
    assert.deepEqual(await this.events(session), ['payment.underpaid', 'payment.overpaid']);
    assert.equal(await this.arrived(less), `unassigned amount ${session.id}`);
    const alone = await this.quoted(rail);
    await till.report(alone.session, await rail.pay(Cases.unitsOf(rail, alone.quote) + 2n));
    const told = await till.until(alone.session, 'the outcome', ({ problem }) => problem === 'overpaid');
    assert.equal(parseUnits(told.difference!, rail.decimals), 2n);
    assert.equal(await till.stateOf(alone.session), 'open unpaid');
    assert.deepEqual(await this.events(alone.session), ['payment.overpaid']);
  }

  async againAndLate(rail: Rail): Promise<void> {
    const till = this.till();
    const { session, quote } = await this.quoted(rail);
    const price = Cases.unitsOf(rail, quote);
    await rail.pay(price);
    await rail.mine();
    await till.paid(session);
    assert.equal(await this.arrived(await rail.pay(price)), `unassigned complete ${session.id}`);
    assert.deepEqual(await this.events(session), ['payment.succeeded', 'payment.unassigned']);
    const other = await this.quoted(rail);
    await till.endQuotes(other.session, 30);
    // The chain's time is that of its blocks.
    await rail.mine();
    await poll(async () => (await this.quoteState(other.session)) === 'expired', 'the end of the price');
    const late = await rail.pay(Cases.unitsOf(rail, other.quote));
    assert.equal(await this.arrived(late), `unassigned late ${other.session.id}`);
    assert.equal((await till.shop.read(other.session.id)).payment_status, 'unpaid');
    assert.deepEqual(await this.events(other.session), ['payment.unassigned']);
  }

  async books(rail: Rail): Promise<void> {
    const { secretType, address, tokenAddress = null } = rail.receiving;
    const transfers = (await this.till().received('?limit=100')).filter(
      (one) =>
        one.network === rail.network.id && one.to === address && one.tokenAddress === (tokenAddress ?? null),
    );
    const sum = transfers.reduce((all, { amount }) => all + parseUnits(amount, rail.decimals), 0n);
    assert.ok(transfers.length >= 6, `${transfers.length} on ${secretType}`);
    assert.equal(sum, await rail.balance());
  }

  /** Anybody sends nothing of a token in anybody's name, so that victims copy the wrong address. */
  async nothing(rail: Rail): Promise<void> {
    const till = this.till();
    const { session, quote } = await this.quoted(rail);
    const nothing = await rail.pay(0n);
    const hash = await rail.pay(Cases.unitsOf(rail, quote));
    await rail.mine();
    await till.paid(session);
    const listed = (await till.received('?limit=100')).map(({ transactionHash }) => transactionHash);
    assert.deepEqual([listed.includes(hash), listed.includes(nothing)], [true, false]);
  }

  /** Once the shop was told that it is paid, it stays paid. */
  async reorganisedLate(rail: Rail): Promise<void> {
    const till = this.till();
    const { session, quote } = await this.quoted(rail);
    const hash = await rail.pay(Cases.unitsOf(rail, quote));
    await rail.mine();
    await till.paid(session);
    await rail.remove(hash);
    // Another session's payment shows that the new blocks were read.
    const next = await this.quoted(rail);
    await rail.pay(Cases.unitsOf(rail, next.quote));
    await rail.mine(3);
    await till.paid(next.session);
    assert.equal(await till.stateOf(session), 'complete paid');
    assert.deepEqual(await this.events(session), ['payment.succeeded']);
    assert.equal(await this.arrived(hash), `paid  ${session.id}`);
  }

  async reorganised(rail: Rail): Promise<void> {
    const till = this.till();
    const { session, quote } = await this.quoted(rail);
    const hash = await rail.pay(Cases.unitsOf(rail, quote));
    await till.until(session, 'a confirmation', ({ confirmations }) => confirmations === 1);
    await rail.remove(hash);
    await till.until(session, 'that it is gone', ({ confirmations }) => confirmations === 0);
    assert.equal((await till.received(`?session=${session.id}`)).length, 0);
    await rail.mine(3);
    assert.equal(await till.stateOf(session), 'open unpaid');
    const again = await rail.pay(Cases.unitsOf(rail, quote));
    await rail.mine();
    await till.paid(session);
    assert.equal(await this.arrived(again), `paid  ${session.id}`);
    assert.deepEqual(await this.events(session), ['payment.succeeded']);
  }
}

export interface NamedRail {
  name: string;
  /** Called when its tests run. */
  rail: () => Rail;
}

export function chainCases(rails: readonly NamedRail[], till: () => Till): void {
  const cases = new Cases(till);
  for (const { name, rail } of rails) {
    test(`${name}: paid once it has its confirmations, with one event`, () => cases.paid(rail()));
    test(`${name}: less and more pay nothing, and are the session's once they are reported`, () =>
      cases.lessAndMore(rail()));
    test(`${name}: what comes late, or a second time, is listed and refundable, and pays nothing`, () =>
      cases.againAndLate(rail()));
    test(`${name}: the books have what the chain has`, () => cases.books(rail()));
  }
  for (const { name, rail } of rails)
    test(`${name}: a payment whose block is replaced counts only if it comes again`, () =>
      cases.reorganised(rail()));
}

/** After everything else: the books have then what the chain has no more. */
export function lateCases(rails: readonly NamedRail[], till: () => Till): void {
  const cases = new Cases(till);
  for (const { name, rail } of rails)
    test(`${name}: a payment whose block is replaced after it was settled stays paid, and nothing more is told`, () =>
      cases.reorganisedLate(rail()));
}

export function nothingCases(rails: readonly NamedRail[], till: () => Till): void {
  const cases = new Cases(till);
  for (const { name, rail } of rails)
    test(`${name}: a transfer of nothing is not listed`, () => cases.nothing(rail()));
}
