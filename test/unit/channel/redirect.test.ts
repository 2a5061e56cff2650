/** Page and wallet by redirect, both ends, with a browser that only notes where they lead. */
import { expect } from '@open-wc/testing';
import { createConnect } from '../../../src/actions/connect.ts';
import type { Wallet } from '../../../src/api/wallet.ts';
import type { Action } from '../../../src/base/actions.ts';
import { toBase64Url } from '../../../src/base/base64.ts';
import { utf8 } from '../../../src/base/bytes.ts';
import { type ConnectError, UserRejectedError } from '../../../src/base/errors.ts';
import { Call } from '../../../src/channel/host-call.ts';
import { type HostRecord, hostRecord, requestStore } from '../../../src/channel/host-record.ts';
import type { HostLink, HostRequest } from '../../../src/channel/link.ts';
import type { FromFrame, Pending } from '../../../src/channel/messages.ts';
import { connectSite, type Tab } from '../../../src/channel/redirect-frame.ts';
import {
  arrive,
  comeBack,
  depart,
  LEAVING_MS,
  LIFE_MS,
  MAX_BYTES,
  MAX_UNLINKED,
  type RedirectOptions,
  REQUEST,
} from '../../../src/channel/redirect.ts';
import { poll } from '../../waiting.ts';
import { TestClock } from '../clock.ts';

/** On the developer's own machine, as the page of this test is. */
const WALLET = 'http://connect.localhost';
const OTHER_WALLET = 'http://other.localhost';
const HERE = location.href.split('#')[0]!;
const ID = 'redirect-1';
const SIGNED = { success: true, result: { signature: '0x01' } };

/** One user's tab, in which page and wallet follow each other. */
class Trip {
  readonly clock = new TestClock();
  /** Where the tab is led, in order. */
  readonly steps: string[] = [];
  readonly heard: FromFrame[] = [];
  readonly storage = new Map<string, string>();
  redirects = [location.origin];
  registration: unknown = { version: 1, redirect: { returns: [HERE] } };
  type = 'application/json';
  status = 200;
  isTop = true;
  /** Of the wallet. */
  origin = WALLET;
  readonly asked: [url: string, how: RequestInit | undefined][] = [];
  /** What the wallet does when its user leaves. */
  leaving = (): void => {};
  readonly record: HostRecord;

  constructor() {
    this.record = hostRecord(WALLET, this.clock);
  }

  get options(): RedirectOptions {
    return {
      url: new URL(`${this.origin}/frame/`),
      record: this.record,
      host: {
        receive: (message) => {
          this.heard.push(message);
          if (message.type === 'wallets') this.record.setWallets(message.wallets, message.networks);
        },
      },
      returnTo: HERE,
      clock: this.clock,
      go: (address) => void this.steps.push(address),
    };
  }

  /** Of the request that left first. */
  get id(): string {
    return String(requestOf(this.steps[0]!)['trip']);
  }

  get last(): string {
    return this.steps.at(-1)!;
  }

  tab(fragment: string): Tab {
    return {
      origin: this.origin,
      isTop: this.isTop,
      storage: {
        getItem: (key) => this.storage.get(key) ?? null,
        setItem: (key, value) => void this.storage.set(key, value),
        removeItem: (key) => void this.storage.delete(key),
      },
      take: () => fragment,
      go: (address) => void this.steps.push(address),
      onLeave: (work) => void (this.leaving = work),
      redirects: async () => this.redirects,
      fetch: async (url, how) => {
        this.asked.push([String(url), how]);
        return new Response(
          typeof this.registration === 'string' ? this.registration : JSON.stringify(this.registration),
          { status: this.status, headers: { 'Content-Type': this.type } },
        );
      },
    };
  }

  call(
    action: Action = 'sign',
    params: unknown = { type: 'ETHEREUM_RAW', walletId: 'w', data: '0x01' },
  ): Call {
    const call = new Call(ID, action, params, '', {}, undefined, () => {});
    call.promise.catch(() => {});
    return call;
  }

  /** The page's step, after which it is gone. */
  async leave(call = this.call()): Promise<void> {
    await depart(call, this.options);
    call.settle(call.closedError());
  }

  /** The wallet's step, with what the tab was led to. */
  wallet(fragment = new URL(this.last).hash): Promise<HostLink> {
    return connectSite(this.tab(fragment), this.clock);
  }

  /** The wallet sends a challenge. */
  async challenged(fragment?: string): Promise<void> {
    const before = this.steps.length;
    let refusal: unknown;
    this.wallet(fragment).catch((error: unknown) => (refusal = error));
    await poll(() => refusal !== undefined || this.steps.length > before, 'a step of the wallet');
    if (refusal) throw refusal;
  }

  async arrive(fragment = new URL(this.last).hash): Promise<void> {
    await arrive({ fragment, letters: new Map() }, this.options);
  }

  /** Until the wallet serves the request. */
  async begin(call?: Call): Promise<[HostLink, HostRequest]> {
    await this.leave(call);
    await this.challenged();
    await this.arrive();
    return this.served();
  }

  async served(): Promise<[HostLink, HostRequest]> {
    const link = await this.wallet();
    const requests: HostRequest[] = [];
    link.onRequest = (request) => void requests.push(request);
    return [link, requests[0]!];
  }

  /** The wallet has left again. */
  async left(): Promise<void> {
    const before = this.steps.length;
    await this.clock.pass(1000);
    await poll(() => this.steps.length > before, 'the way back');
  }
}

async function refused(work: Promise<unknown>): Promise<unknown[]> {
  const error = await work.then(
    () => undefined,
    (each: ConnectError) => each,
  );
  return [error?.code, error?.details['reason'], error?.details['site']];
}

const unproven = ['frame.blocked', 'redirect', location.origin];
const over = ['frame.blocked', 'redirect', undefined];

async function codeOf(call: Call): Promise<unknown> {
  return call.promise.then(
    () => undefined,
    ({ code }: ConnectError) => code,
  );
}

async function withoutDepartures(): Promise<void> {
  localStorage.clear();
  for (const origin of [WALLET, OTHER_WALLET])
    await new Promise((done) => {
      const request = indexedDB.deleteDatabase(`carabiner:${origin}:redirect`);
      request.onsuccess = request.onerror = request.onblocked = done;
    });
}

describe('a request by redirect', () => {
  let trip: Trip;
  beforeEach(async () => {
    await withoutDepartures();
    trip = new Trip();
  });

  it('goes there, is proven, and its answer comes back sealed, once', async () => {
    const [link, request] = await trip.begin();
    expect(link.origin).to.equal(location.origin);
    expect([request.id, request.action, request.params]).to.deep.equal([
      ID,
      'sign',
      { type: 'ETHEREUM_RAW', walletId: 'w', data: '0x01' },
    ]);
    link.sendWallets([], {});
    request.progress('signing');
    request.resolve(SIGNED);
    await trip.left();
    expect(trip.last.startsWith(`${HERE}#carabiner-answer=${trip.id}.`)).to.equal(true);
    expect(trip.last).not.to.contain(ID);
    expect(trip.last).not.to.contain(toBase64Url(utf8('signature')).slice(2, 9));
    const fragment = new URL(trip.last).hash;
    await trip.arrive(fragment);
    const answer = { type: 'result', id: ID, result: SIGNED };
    expect(trip.heard).to.deep.equal([{ type: 'wallets', wallets: [], networks: {} }, answer]);
    await trip.arrive(fragment);
    expect(trip.heard).to.have.length(2);
    const [[url, how]] = trip.asked as [[string, RequestInit]];
    expect([trip.asked.length, url]).to.deep.equal([1, `${location.origin}/.well-known/carabiner.json`]);
    expect([how.redirect, how.credentials, how.cache]).to.deep.equal(['error', 'omit', 'no-store']);
  });

  it('is rejected by closing the wallet, and shows other failures before it leaves', async () => {
    const [link, request] = await trip.begin();
    request.reject(new Error('a fault'));
    expect(trip.steps).to.have.length(3);
    link.close();
    await trip.left();
    await trip.arrive();
    expect(trip.heard).to.have.length(1);
    expect(trip.heard[0]).to.deep.include({ type: 'error', id: ID });

    trip = new Trip();
    const [other] = await trip.begin();
    other.close();
    await trip.left();
    await trip.arrive();
    const [rejection] = trip.heard as Extract<FromFrame, { type: 'error' }>[];
    expect([rejection!.error.code, rejection!.error.details]).to.deep.equal([
      'user.rejected',
      { reason: 'closed' },
    ]);
  });

  it('ends after ten minutes, unless it is being signed', async () => {
    const [, request] = await trip.begin();
    await trip.clock.pass(LIFE_MS);
    expect(request.signal.aborted).to.equal(true);
    await trip.left();
    await trip.arrive();
    expect((trip.heard[0] as Extract<FromFrame, { type: 'error' }>).error.code).to.equal('user.rejected');

    trip = new Trip();
    const [, late] = await trip.begin();
    late.progress('signing');
    await trip.clock.pass(LIFE_MS);
    expect(late.signal.aborted).to.equal(false);
  });

  it('is not proven after ten minutes, nor with a clock that was set back', async () => {
    for (const milliseconds of [LIFE_MS, -1]) {
      trip = new Trip();
      await trip.leave();
      await trip.challenged();
      await trip.arrive();
      trip.clock.setDate(trip.clock.date() + milliseconds);
      expect(await refused(trip.wallet()), String(milliseconds)).to.deep.equal(over);
    }
  });

  it('is not signed after ten minutes on a machine that slept, whose timers stood still', async () => {
    const [, request] = await trip.begin();
    trip.clock.setDate(trip.clock.date() + LIFE_MS);
    expect(() => request.progress('signing')).to.throw(UserRejectedError);
    expect(request.signal.aborted).to.equal(true);

    trip = new Trip();
    const [, signed] = await trip.begin();
    signed.progress('signing');
    trip.clock.setDate(trip.clock.date() + LIFE_MS);
    signed.progress('broadcast');
    expect(signed.signal.aborted).to.equal(false);
  });

  it('is over when its user leaves, unless it is being signed', async () => {
    const [, request] = await trip.begin();
    trip.leaving();
    expect(request.signal.aborted).to.equal(true);
    // The browser shows the page again as it was.
    await trip.left();
    await trip.arrive();
    expect((trip.heard[0] as Extract<FromFrame, { type: 'error' }>).error.code).to.equal('user.rejected');

    trip = new Trip();
    const [link, signed] = await trip.begin();
    signed.progress('signing');
    trip.leaving();
    expect(signed.signal.aborted).to.equal(false);
    link.close();
    await trip.left();
    await trip.arrive();
    const { error } = trip.heard[0] as Extract<FromFrame, { type: 'error' }>;
    expect([error.code, error.details]).to.deep.equal(['frame.unreachable', { requestId: ID }]);
  });

  it('takes its answer at the return address if the page that asked leads there', async () => {
    const asking = `${location.pathname}?asking`;
    const here = location.href;
    history.replaceState(null, '', asking);
    await trip.leave();
    history.replaceState(null, '', here);
    await trip.challenged();
    await trip.arrive();
    const [, request] = await trip.served();
    request.resolve(SIGNED);
    await trip.left();
    const fragment = new URL(trip.last).hash;
    await trip.arrive(fragment);
    expect(trip.last).to.equal(`${location.origin}${asking}${fragment}`);
    expect(trip.heard).to.deep.equal([]);
    await trip.arrive(fragment);
    expect(trip.heard).to.deep.equal([{ type: 'result', id: ID, result: SIGNED }]);
  });

  it('asks for the answer of an earlier one under that one’s id', async () => {
    await trip.begin(trip.call('resume', { requestId: 'earlier-request' })).then(async ([, request]) => {
      request.resolve(SIGNED);
      await trip.left();
      await trip.arrive();
    });
    expect(trip.heard).to.deep.equal([{ type: 'result', id: 'earlier-request', result: SIGNED }]);
  });

  it('of a page with two wallets finds the one that it was for, whichever was made first', async () => {
    trip = new Trip();
    trip.origin = OTHER_WALLET;
    // What the connects below take for now.
    trip.clock.setDate(Date.now());
    const [, request] = await trip.begin();
    request.resolve(SIGNED);
    await trip.left();
    const here = location.href;
    const base = Object.assign(document.createElement('base'), { href: 'https://cdn.example/' });
    const connects: ReturnType<typeof createConnect>[] = [];
    try {
      history.replaceState(null, '', new URL(trip.last).hash);
      // Another page may have one, too.
      document.head.append(base);
      for (const frame of [WALLET, OTHER_WALLET])
        connects.push(createConnect({ frame, surface: 'redirect', returnTo: HERE }));
      expect(location.hash).to.equal('');
      base.remove();
      const heard: [number, Pending][] = [];
      connects.forEach((connect, i) => connect.onPending((pending) => void heard.push([i, pending])));
      await poll(() => heard.length > 0, 'the answer');
      expect(heard.map(([i, { requestId, state }]) => [i, requestId, state])).to.deep.equal([
        [1, ID, 'done'],
      ]);
    } finally {
      base.remove();
      connects.forEach((connect) => connect.destroy());
      history.replaceState(null, '', here);
    }
  });

  it('is told to every connect of its wallet, and opened once', async () => {
    const [link, request] = await trip.begin();
    link.sendWallets([wallet('w1')], {});
    request.resolve(SIGNED);
    await trip.left();
    const other = new Trip();
    const lists: string[][] = [];
    other.record.onWallets((wallets) => lists.push(wallets.map(({ id }) => id)));
    const arrival = { fragment: new URL(trip.last).hash, letters: new Map() };
    await Promise.all([arrive(arrival, trip.options), arrive(arrival, other.options)]);
    const answer = { type: 'result', id: ID, result: SIGNED };
    expect(trip.heard).to.deep.equal([{ type: 'wallets', wallets: [wallet('w1')], networks: {} }, answer]);
    expect(other.heard).to.deep.equal([answer]);
    expect(lists).to.deep.equal([['w1']]);
    // A connect that is made later does not bring back what was unlinked, or asked for again, since.
    trip.record.change((it) => Object.assign(it, { wallets: [], undelivered: {} }));
    await arrive(arrival, other.options);
    expect(other.record.read()).to.deep.include({ wallets: [], undelivered: {} });
  });

  it('leaves alone: another one at the same time is refused, also one for another wallet', async () => {
    const first = trip.call('linkWallets', {});
    const second = trip.call('linkWallets', {});
    const other = new Trip();
    other.origin = OTHER_WALLET;
    await Promise.all([depart(first, trip.options), depart(second, other.options)]);
    expect(await codeOf(second)).to.equal('request.conflict');
    expect([first.settled, trip.steps.length, other.steps.length]).to.deep.equal([false, 1, 0]);
    first.settle(undefined, []);
    const third = other.call('linkWallets', {});
    await other.leave(third);
    expect(other.steps).to.have.length(1);
  });

  it('ends if the page stays, as when its user does not want to leave', async () => {
    const [signs, links] = [trip.call(), trip.call('linkWallets', {})];
    await depart(signs, trip.options);
    await trip.clock.pass(LEAVING_MS);
    // The wallet may have it by now.
    expect(await codeOf(signs)).to.equal('frame.unreachable');
    await depart(links, trip.options);
    await trip.clock.pass(LEAVING_MS);
    expect(await codeOf(links)).to.equal('user.rejected');

    // Its database never answers.
    const stuck = trip.call();
    stuck.stored = new Promise(() => {});
    void depart(stuck, trip.options);
    await trip.clock.pass(LEAVING_MS);
    expect(await codeOf(stuck)).to.equal('user.rejected');
  });

  it('that the page withdraws before it leaves stays; after that, nobody says that nothing was signed', async () => {
    const early = trip.call();
    early.stored = Promise.resolve().then(() => early.settle(early.closedError()));
    await depart(early, trip.options);
    expect([trip.steps.length, await codeOf(early)]).to.deep.equal([0, 'user.rejected']);
    expect(await kept()).to.equal(0);

    const late = trip.call();
    await depart(late, trip.options);
    late.settle(late.closedError());
    expect([trip.steps.length, await codeOf(late)]).to.deep.equal([1, 'frame.unreachable']);
  });

  it('says so where the page cannot keep its key', async () => {
    const call = trip.call();
    const { open } = indexedDB;
    Object.assign(indexedDB, {
      open: () => {
        throw new DOMException('denied', 'SecurityError');
      },
    });
    try {
      await depart(call, trip.options);
    } finally {
      Object.assign(indexedDB, { open });
    }
    expect((await refused(call.promise)).slice(0, 2)).to.deep.equal(['frame.blocked', 'redirect']);
    expect(trip.steps).to.deep.equal([]);
  });

  it('is over when the user comes back before the page has proven itself', async () => {
    const call = trip.call();
    await depart(call, trip.options);
    await trip.challenged();
    const challenge = new URL(trip.last).hash;
    await comeBack(trip.id, call, trip.options);
    expect(await codeOf(call)).to.equal('user.rejected');
    const steps = trip.steps.length;
    await trip.arrive(challenge);
    expect(trip.steps).to.have.length(steps);

    trip = new Trip();
    const proven = trip.call();
    await depart(proven, trip.options);
    await trip.challenged();
    await trip.arrive();
    await comeBack(trip.id, proven, trip.options);
    expect(await codeOf(proven)).to.equal('frame.unreachable');
    // It may still be on its way.
    const [, request] = await trip.served();
    request.resolve(SIGNED);
    await trip.left();
    await trip.arrive();
    expect(trip.heard).to.have.length(1);
  });

  it('is not proven by a page that was asked for it ten minutes ago', async () => {
    await trip.leave();
    await trip.challenged();
    trip.clock.setDate(trip.clock.date() + LIFE_MS);
    await trip.arrive();
    expect(trip.steps).to.have.length(2);
  });

  it('tells the wallet what the page has unlinked, and links it again', async () => {
    const ids = Array.from({ length: MAX_UNLINKED + 1 }, (_, i) => `w${i}`);
    trip.record.change((it) => (it.unlinked = [...ids]));
    const [link, request] = await trip.begin(trip.call('linkWallets', {}));
    expect(link.unlinked).to.deep.equal(ids.slice(0, MAX_UNLINKED));
    link.sendWallets([wallet('w0')], {});
    request.resolve([wallet('w0')]);
    await trip.left();
    await trip.arrive();
    expect(trip.record.wallets().map(({ id }) => id)).to.deep.equal(['w0']);
    expect(trip.record.read().unlinked).to.deep.equal([`w${MAX_UNLINKED}`]);

    // A list that was too long for an address: the answer alone names what is linked now.
    trip.record.change((it) => (it.unlinked = ['w0']));
    const [longer, again] = await trip.begin(trip.call('linkWallets', {}));
    longer.sendWallets(
      Array.from({ length: 60 }, (_, i) => wallet(`w${i}`)),
      {},
    );
    again.resolve([wallet('w0')]);
    await trip.left();
    await trip.arrive();
    expect(trip.record.wallets().map(({ id }) => id)).to.deep.equal(['w0']);
  });

  it('of more than 8 KiB does not leave, and is not read', async () => {
    const call = trip.call('sign', { data: 'x'.repeat(MAX_BYTES) });
    await trip.leave(call);
    expect(await refused(call.promise)).to.deep.equal(['request.too-large', undefined, undefined]);
    expect(trip.steps).to.deep.equal([]);
    await trip.leave();
    const long = { ...requestOf(trip.last), params: { data: 'x'.repeat(MAX_BYTES) } };
    expect(await refused(trip.challenged(fragmentOf(long)))).to.deep.equal(over);
  });

  it('leaves only for an answer at its own origin', async () => {
    for (const returnTo of ['https://elsewhere.example/', '/#state', '/#', 'data:text/html,x']) {
      const call = trip.call();
      await depart(call, { ...trip.options, returnTo });
      expect((await refused(call.promise)).slice(0, 2), returnTo).to.deep.equal([
        'frame.blocked',
        'redirect',
      ]);
    }
    const framed = trip.call();
    await depart(framed, { ...trip.options, isTop: false });
    expect((await refused(framed.promise)).slice(0, 2)).to.deep.equal(['frame.blocked', 'redirect']);
    expect(trip.steps).to.deep.equal([]);
  });

  it('of an origin that registers nothing, or that the operator does not list, is unproven', async () => {
    await trip.leave();
    const fragment = new URL(trip.last).hash;
    for (const registration of [
      '',
      'null',
      { version: 1 },
      { version: 2, redirect: { returns: [HERE] } },
      { version: 1, redirect: { returns: [`${HERE}x`, location.origin, ''] } },
      `${' '.repeat(20_000)}${JSON.stringify({ version: 1, redirect: { returns: [HERE] } })}`,
    ]) {
      trip.registration = registration;
      expect(await refused(trip.challenged(fragment)), JSON.stringify(registration)).to.deep.equal(unproven);
    }
    trip.registration = { version: 1, redirect: { returns: [HERE] } };
    for (const [type, status] of [
      ['text/plain', 200],
      ['application/jsonp', 200],
      ['application/json', 404],
    ] as const) {
      Object.assign(trip, { type, status });
      expect(await refused(trip.challenged(fragment)), `${type} ${status}`).to.deep.equal(unproven);
    }
    Object.assign(trip, { type: 'application/json; charset=utf-8', status: 200 });
    trip.redirects = ['https://other.example'];
    trip.asked.length = 0;
    expect(await refused(trip.challenged(fragment))).to.deep.equal(unproven);
    // Nobody is asked for the file of an origin that the operator does not list.
    expect(trip.asked).to.deep.equal([]);
    expect(trip.steps).to.have.length(1);
  });

  it('answers only at an https address without user, fragment or detours', async () => {
    await trip.leave();
    const request = requestOf(trip.last);
    for (const returnTo of [
      'http://shop.example/pay',
      'https://user:secret@shop.example/pay',
      'https://shop.example/pay#x',
      'https://shop.example/pay#',
      'https://shop.example:443/pay',
      'https://shop.example./pay',
      'https://café.example/pay',
      'https://shop.example/a/../pay',
      'HTTPS://shop.example/pay',
      'javascript:alert(1)',
      'data:text/html,x',
      'shop.example',
      `${WALLET}/frame/`,
    ]) {
      trip.redirects = ['https://shop.example', 'http://shop.example', WALLET];
      trip.registration = { version: 1, redirect: { returns: [returnTo] } };
      const [code, reason] = await refused(trip.challenged(fragmentOf({ ...request, returnTo })));
      expect([code, reason], returnTo).to.deep.equal(['frame.blocked', 'redirect']);
    }
    expect([trip.steps.length, trip.storage.size]).to.deep.equal([1, 0]);
  });

  it('answers by http only if the wallet is on the developer’s own machine, too', async () => {
    await trip.leave();
    const fragment = new URL(trip.last).hash;
    trip.origin = 'https://connect.example';
    expect(await refused(trip.challenged(fragment))).to.deep.equal(over);
    expect(trip.steps).to.have.length(1);
    trip.origin = WALLET;
    await trip.challenged(fragment);
  });

  it('takes nothing but a request that a page sends', async () => {
    await trip.leave();
    const request = requestOf(trip.last);
    for (const wrong of [
      { ...request, version: 2 },
      { ...request, id: 'short' },
      { ...request, trip: 'short' },
      { ...request, action: 'balance' },
      { ...request, action: 'constructor' },
      { ...request, key: 'AA' },
      { ...request, origin: 'https://bank.example' },
      { ...request, params: [] },
      [],
      null,
    ])
      expect(await refused(trip.challenged(fragmentOf(wrong))), JSON.stringify(wrong)).to.deep.equal(over);
    for (const fragment of [
      '#',
      '#x',
      `${REQUEST}%`,
      `${REQUEST}AAAA`,
      '#carabiner-proof=',
      '#carabiner-proof=a.b',
    ])
      expect(await refused(trip.challenged(fragment)), fragment).to.deep.equal(over);
    // A point that is not on the curve.
    const key = `BA${'A'.repeat(85)}`;
    expect(await refused(trip.challenged(fragmentOf({ ...request, key })))).to.deep.equal(over);
    trip.isTop = false;
    expect(await refused(trip.challenged(new URL(trip.last).hash))).to.deep.equal(over);
  });
});

describe('an attacker of a request by redirect', () => {
  let trip: Trip;
  beforeEach(async () => {
    localStorage.clear();
    trip = new Trip();
    await trip.leave();
  });

  it('with a key of their own gets no proof from the page that they name', async () => {
    const { publicKey } = await crypto.subtle.generateKey({ name: 'ECDH', namedCurve: 'P-256' }, false, [
      'deriveBits',
    ]);
    const key = toBase64Url(new Uint8Array(await crypto.subtle.exportKey('raw', publicKey)));
    const other = 'A'.repeat(22);
    // The same trip with another key, and another trip.
    for (const name of [trip.id, other]) {
      await trip.challenged(fragmentOf({ ...requestOf(trip.steps[0]!), trip: name, key }));
      const before = trip.steps.length;
      await trip.arrive();
      if (trip.steps.length > before) expect(await refused(trip.wallet())).to.deep.equal(over);
      else expect(name).to.equal(other);
    }
  });

  it('cannot change what was asked', async () => {
    const request = requestOf(trip.last);
    for (const change of [{ params: { data: '0x02' } }, { action: 'linkWallets' }, { locale: 'de' }]) {
      const other = new Trip();
      await other.challenged(fragmentOf({ ...request, ...change }));
      const challenge = new URL(other.last).hash;
      // The page answers for its own request.
      trip.steps.length = 0;
      await trip.arrive(challenge);
      const proof = trip.steps.length ? new URL(trip.last).hash : '#';
      expect(await refused(other.wallet(proof))).to.deep.equal(over);
      await trip.leave();
    }
  });

  it('cannot replay a challenge, a proof or an answer, nor use a proof in another tab', async () => {
    await trip.challenged();
    const challenge = new URL(trip.last).hash;
    await trip.arrive();
    const proof = new URL(trip.last).hash;
    const second = new Trip();
    expect(await refused(second.wallet(proof))).to.deep.equal(over);
    // What another site makes up ends nothing.
    expect(await refused(trip.wallet(`#carabiner-proof=${'A'.repeat(22)}.AAAA`))).to.deep.equal(over);

    const steps = trip.steps.length;
    await trip.arrive(challenge);
    expect(trip.steps).to.have.length(steps);

    const [link, request] = await trip.served();
    expect(link.origin).to.equal(location.origin);
    expect(await refused(trip.wallet(proof))).to.deep.equal(over);
    request.reject(new UserRejectedError());
    await trip.left();
    expect(await refused(trip.wallet(proof))).to.deep.equal(over);
  });

  it('cannot forge an answer, and a forged one leaves the request open', async () => {
    await trip.arrive(`#carabiner-answer=${trip.id}.${'A'.repeat(80)}`);
    expect(trip.heard).to.deep.equal([]);
    await trip.challenged();
    await trip.arrive();
    for (const text of ['A', 'A'.repeat(80), '-_-'])
      await trip.arrive(`#carabiner-answer=${trip.id}.${text}`);
    expect(trip.heard).to.deep.equal([]);
    const [, request] = await trip.served();
    request.resolve(SIGNED);
    await trip.left();
    await trip.arrive();
    expect(trip.heard).to.deep.equal([{ type: 'result', id: ID, result: SIGNED }]);
  });

  it('finds nothing at names that every object has', async () => {
    for (const id of ['constructor', 'hasOwnProperty', '__proto__', `__proto__${'x'.repeat(13)}`])
      for (const kind of ['challenge', 'answer']) await trip.arrive(`#carabiner-${kind}=${id}.AAAA`);
    expect([trip.heard, trip.steps.length]).to.deep.equal([[], 1]);
  });
});

/** How many departures the page keeps. */
async function kept(): Promise<number> {
  return Object.keys(await requestStore(`carabiner:${WALLET}:redirect`).all()).length;
}

function wallet(id: string): Wallet {
  const address = `0x${'1'.repeat(40)}`;
  return {
    id,
    address,
    secretType: 'ETHEREUM',
    walletType: 'BROWSER',
    status: 'ACTIVE',
  } as unknown as Wallet;
}

function requestOf(address: string): Record<string, unknown> {
  return JSON.parse(atob(address.split(REQUEST)[1]!.replaceAll('-', '+').replaceAll('_', '/')));
}

function fragmentOf(request: unknown): string {
  return REQUEST + toBase64Url(utf8(JSON.stringify(request)));
}
