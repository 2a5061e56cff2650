import { expect } from '@open-wc/testing';
import { type RequestStore, requestStore, hostRecord } from '../../../src/channel/host-record.ts';
import { type HostEnd, openHostEnd } from '../../../src/channel/host-end.ts';
import type { CallOptions } from '../../../src/channel/host-call.ts';
import type { Pending, Replaced, TransactionResult } from '../../../src/channel/messages.ts';
import type { ConnectError } from '../../../src/base/errors.ts';
import { TestClock } from '../clock.ts';
import { MAIN, VAULT } from '../elements/fake-connect.ts';
import { FakeFrame, FRAME } from './fake-frame.ts';
import { TRANSFER as PARAMS } from './raw-host.ts';

const TRANSFER = { ...PARAMS, secretType: 'ETHEREUM' as const };
const result = { transactionHash: '0x1' };
/** As a page keeps it until it has the answer. */
const ASKED = { walletId: 'wallet-1', secretType: 'ETHEREUM', to: '0x1', value: '1' };
const MARK = `carabiner:${FRAME}:window`;
const STORE = `carabiner:${FRAME}`;

/** A database under the test's control. */
class FakeRequests implements RequestStore {
  readonly entries: Awaited<ReturnType<RequestStore['all']>> = {};
  commit = async (): Promise<void> => {};
  async keep(id: string, asked: (typeof this.entries)[string]): Promise<void> {
    await this.commit();
    this.entries[id] = asked;
  }
  async forget(id: string): Promise<void> {
    delete this.entries[id];
  }
  async all(): Promise<typeof this.entries> {
    return { ...this.entries };
  }
}

const failure = (call: Promise<unknown>): Promise<ConnectError> =>
  call.then(
    () => expect.fail('it did not fail'),
    (error) => error,
  );

describe('the page’s end', () => {
  let clock: TestClock;
  let frame: FakeFrame;
  let asked: FakeRequests;
  let host: HostEnd;
  let arrived: Pending[];
  let replaced: Replaced[];
  beforeEach(() => {
    localStorage.clear();
    sessionStorage.clear();
    clock = new TestClock();
    frame = new FakeFrame();
    asked = new FakeRequests();
    arrived = [];
    replaced = [];
    host = open();
  });
  afterEach(() => host.destroy());

  const open = (
    requests: RequestStore = asked,
    more: Partial<Parameters<typeof openHostEnd>[0]> = {},
  ): HostEnd =>
    openHostEnd({
      clock,
      url: new URL(`${FRAME}/frame/`),
      record: hostRecord(FRAME, clock),
      requests,
      surface: () => 'popup',
      leave: () => {},
      popup: () => frame.surface,
      reachesVault: async () => false,
      getAccessToken: () => undefined,
      onReplaced: (one) => void replaced.push(one),
      onOrphan: (pending) => arrived.push(pending) > 0,
      ...more,
    });
  /** As after a reload of the page. */
  const reopen = (requests: RequestStore = asked): void => {
    host.destroy();
    frame = new FakeFrame();
    host = open(requests);
  };
  /** As after a kill of the page before `localStorage` was written. */
  const kill = (): void => {
    const kept = { ...asked.entries };
    host.destroy();
    localStorage.clear();
    Object.assign(asked.entries, kept);
    reopen();
  };
  const pending = async (take?: (each: Pending) => boolean): Promise<Pending[]> => {
    const found = host.pending(take);
    await frame.settle();
    await clock.pass(700);
    return found;
  };

  describe('sends a request', () => {
    it('only once its id is on disk, however soon the wallet is ready', async () => {
      let commit!: () => void;
      asked.commit = () => new Promise((resolve) => (commit = resolve));
      host.approve('transfer', TRANSFER, { requestId: 'request-1' }).catch(() => {});
      frame.ready();
      await frame.settle();
      expect(frame.heard).to.deep.equal([]);
      commit();
      await frame.settle();
      expect(frame.requests()).to.deep.equal(['request-1']);
      expect(asked.entries['request-1']).to.deep.equal({
        action: 'transfer',
        at: clock.date(),
        asked: ASKED,
      });
    });

    it('by redirect at once, so that none leaves later by itself, without a press', async () => {
      host.destroy();
      const parting: string[] = [];
      host = open(asked, { surface: () => 'redirect', leave: ({ id }) => void parting.push(id) });
      for (const requestId of ['request-1', 'request-2'])
        host.approve('transfer', TRANSFER, { requestId }).catch(() => {});
      expect(parting).to.deep.equal(['request-1', 'request-2']);
      expect(frame.heard).to.deep.equal([]);
    });

    it('also without a database, and after three seconds of one that hangs', async () => {
      asked.commit = () => Promise.reject(new Error('denied'));
      host.approve('transfer', TRANSFER, { requestId: 'request-1' }).catch(() => {});
      frame.ready();
      await frame.settle();
      expect(frame.requests()).to.deep.equal(['request-1']);
      reopen();
      asked.commit = () => new Promise(() => {});
      host.approve('transfer', TRANSFER, { requestId: 'request-2' }).catch(() => {});
      frame.ready();
      await frame.settle();
      await clock.pass(2999);
      await frame.settle();
      expect(frame.requests()).to.deep.equal([]);
      await clock.pass(1);
      await frame.settle();
      expect(frame.requests()).to.deep.equal(['request-2']);
    });

    it('never if it was withdrawn while it was stored', async () => {
      let commit!: () => void;
      asked.commit = () => new Promise((resolve) => (commit = resolve));
      const abort = new AbortController();
      const call = failure(
        host.approve('transfer', TRANSFER, { requestId: 'request-1', signal: abort.signal }),
      );
      frame.ready();
      abort.abort();
      commit();
      await frame.settle();
      await clock.pass(300);
      expect((await call).code).to.equal('user.rejected');
      expect(frame.requests()).to.deep.equal([]);
    });
  });

  describe('knows of a request after the browser was killed', () => {
    it('although `localStorage` was not written, and until its answer was taken', async () => {
      host.approve('transfer', TRANSFER, { requestId: 'request-1' }).catch(() => {});
      frame.ready();
      await frame.settle();
      kill();
      expect(await pending()).to.deep.equal([
        { requestId: 'request-1', action: 'transfer', asked: ASKED, state: 'unknown' },
      ]);
      reopen();
      const resumed = host.approve('resume', { requestId: 'request-1' }, { requestId: 'resume-01' });
      frame.ready();
      await frame.settle();
      frame.say({ type: 'result', id: 'resume-01', result });
      expect(await resumed).to.deep.equal(result);
      host.delivered('request-1');
      await frame.settle();
      expect(frame.heard).to.deep.include({ type: 'ack', id: 'request-1' });
      kill();
      expect(await pending()).to.deep.equal([]);
    });

    it('of other requests than transfers by their wallet alone, as amounts there are in other units', async () => {
      const body = { type: 'ETH_TRANSACTION', walletId: 'wallet-1', to: '0x1', value: '1' };
      host.approve('execute', body, { requestId: 'request-1' }).catch(() => {});
      frame.ready();
      await frame.settle();
      kill();
      expect((await pending())[0]?.asked).to.deep.equal({ walletId: 'wallet-1' });
    });

    it('but not of one whose answer the page has', async () => {
      const call = host.approve('transfer', TRANSFER, { requestId: 'request-1' });
      frame.ready();
      await frame.settle();
      frame.say({ type: 'result', id: 'request-1', result });
      expect(await call).to.deep.equal(result);
      expect(asked.entries).to.deep.equal({});
      kill();
      expect(await pending()).to.deep.equal([]);
    });

    it('for a month at most, and of nothing that is not a request', async () => {
      Object.assign(asked.entries, {
        'request-1': { action: 'transfer', at: clock.date() - 31 * 24 * 60 * 60 * 1000 },
        'request-2': { action: 'sign', at: clock.date() },
        short: { action: 'sign', at: clock.date() },
        'request-3': null,
      });
      reopen();
      expect((await pending()).map(({ requestId }) => requestId)).to.deep.equal(['request-2']);
      expect(Object.keys(asked.entries)).to.deep.equal(['request-2']);
    });

    it('in a real database, which is written through to the disk', async () => {
      const name = `${STORE}:test`;
      const real = IDBDatabase.prototype.transaction;
      const durable: unknown[] = [];
      IDBDatabase.prototype.transaction = function (this: IDBDatabase, ...all: Parameters<typeof real>) {
        if (all[1] === 'readwrite') durable.push(all[2]?.durability);
        return real.apply(this, all);
      };
      try {
        const requests = requestStore(name);
        await requests.keep('request-1', { action: 'transfer', at: 1 });
        await requests.keep('request-2', { action: 'sign', at: 2 });
        await requests.forget('request-2');
        expect(durable).to.deep.equal(['strict', 'strict', 'strict']);
        expect(await requestStore(name).all()).to.deep.equal({ 'request-1': { action: 'transfer', at: 1 } });
      } finally {
        IDBDatabase.prototype.transaction = real;
        indexedDB.deleteDatabase(name);
      }
    });
  });

  describe('keeps an answer that nobody takes', () => {
    const answered = async (isTaken: () => boolean): Promise<TransactionResult> => {
      const call = host.approve('transfer', TRANSFER, { requestId: 'request-1', isTaken });
      frame.ready();
      await frame.settle();
      frame.say({ type: 'progress', id: 'request-1', stage: 'signing' });
      frame.say({ type: 'result', id: 'request-1', result });
      return call;
    };
    const acks = (): unknown[] => frame.heard.filter(({ type }) => type === 'ack');
    const done: Pending = { requestId: 'request-1', action: 'transfer', asked: ASKED, state: 'done', result };

    it('until somebody takes it', async () => {
      expect(await answered(() => false)).to.deep.equal(result);
      await frame.settle();
      expect(acks()).to.deep.equal([]);
      // Looking does not take it.
      expect(await pending(() => false)).to.deep.equal([done]);
      await frame.settle();
      expect(acks()).to.deep.equal([]);
      expect(Object.keys(asked.entries)).to.deep.equal(['request-1']);
      expect(await pending()).to.deep.equal([done]);
      await frame.settle();
      expect(acks()).to.deep.equal([{ type: 'ack', id: 'request-1' }]);
      expect(asked.entries).to.deep.equal({});
      reopen();
      expect(await pending()).to.deep.equal([]);
    });

    it('and across a reload', async () => {
      await answered(() => false);
      reopen();
      expect(await pending()).to.deep.equal([
        { requestId: 'request-1', action: 'transfer', asked: ASKED, state: 'unknown' },
      ]);
    });

    it('but not one that was taken', async () => {
      await answered(() => true);
      await frame.settle();
      expect(acks()).to.deep.equal([{ type: 'ack', id: 'request-1' }]);
      expect(await pending()).to.deep.equal([]);
    });
  });

  it('hears what took the place of a transaction that was answered long ago', async () => {
    host.approve('linkWallets', {}, { requestId: 'request-1' }).catch(() => {});
    frame.ready();
    await frame.settle();
    const one: Replaced = { transactionHash: '0x1', by: '0x2', how: 'cancel' };
    frame.say({ type: 'replaced', replaced: [one] });
    await frame.settle();
    expect(replaced).to.deep.equal([one]);
  });

  describe('uses the open window again', () => {
    /** As after a first request. */
    async function opened(): Promise<void> {
      const call = host.approve('linkWallets', {}, { requestId: 'request-1' });
      frame.ready();
      await frame.settle();
      frame.say({ type: 'result', id: 'request-1', result: [] });
      await call;
    }

    it('within the click', async () => {
      await opened();
      host.approve('transfer', TRANSFER, { requestId: 'request-2' }).catch(() => {});
      expect(frame.presented).to.equal(1);
      await frame.settle();
      expect(frame.requests()).to.deep.equal(['request-1', 'request-2']);
    });

    it('after a rejection, and after the page took its request back, which close no window', async () => {
      await opened();
      const call = failure(host.approve('transfer', TRANSFER, { requestId: 'request-2' }));
      await frame.settle();
      frame.say({ type: 'error', id: 'request-2', error: { code: 'user.rejected', message: 'No.' } });
      await call;
      const abort = new AbortController();
      const { signal } = abort;
      const taken = failure(host.approve('transfer', TRANSFER, { requestId: 'request-3', signal }));
      await frame.settle();
      abort.abort();
      await frame.settle();
      frame.say({ type: 'error', id: 'request-3', error: { code: 'user.rejected', message: 'No.' } });
      await taken;
      expect(frame.closed).to.equal(0);
      host.approve('transfer', TRANSFER, { requestId: 'request-4' }).catch(() => {});
      await frame.settle();
      expect(frame.requests().at(-1)).to.equal('request-4');
    });

    it('and is closed once the page has taken all of its requests back, even if the wallet does not answer', async () => {
      await opened();
      const abort = new AbortController();
      const ids = ['request-2', 'request-3'];
      const withdrawn = ids.map((requestId) =>
        failure(host.approve('transfer', TRANSFER, { requestId, signal: abort.signal })),
      );
      await frame.settle();
      abort.abort();
      await frame.settle();
      expect(frame.closed).to.equal(0);
      await clock.pass(300);
      await Promise.all(withdrawn);
      expect(frame.closed).to.equal(1);
    });

    const record = () => hostRecord(FRAME, clock);
    const unlink = (id: string): void => record().change((it) => void it.unlinked.push(id));
    const unlinked = (): string[] => record().read().unlinked;
    const actions = (): [action: string, params: unknown][] =>
      frame.heard.flatMap((it) => (it.type === 'request' ? [[it.action, it.params]] : []));

    it('and tells it first what the page has unlinked meanwhile', async () => {
      await opened();
      unlink('wallet-1');
      host.approve('linkWallets', {}, { requestId: 'request-2' }).catch(() => {});
      await frame.settle();
      expect(actions().slice(1)).to.deep.equal([
        ['unlink', { walletId: 'wallet-1' }],
        ['linkWallets', {}],
      ]);
      expect(unlinked(), 'until the vault has learnt of it').to.deep.equal(['wallet-1']);
      frame.say({ type: 'result', id: frame.requests()[1]!, result: null });
      await frame.settle();
      expect(unlinked()).to.deep.equal([]);
    });

    it('which is not linked again by what the window said before it knew', async () => {
      await opened();
      unlink(MAIN.id);
      frame.say({ type: 'wallets', wallets: [MAIN, VAULT] });
      await frame.settle();
      expect(
        record()
          .wallets()
          .map(({ id }) => id),
      ).to.deep.equal([VAULT.id]);
      expect(unlinked()).to.deep.equal([MAIN.id]);
    });

    it('after a reload of the page, with what was unlinked before', async () => {
      sessionStorage.setItem(MARK, '1');
      unlink('wallet-1');
      reopen();
      const left = new FakeFrame();
      const win = left.surface.window!;
      Object.assign(win, { opener: window, top: win, focus() {}, close() {} });
      left.ready();
      await left.settle();
      // It has read the vault already.
      left.say({ type: 'wallets', wallets: [] });
      host.approve('transfer', TRANSFER, { requestId: 'request-2' }).catch(() => {});
      await left.settle();
      expect(unlinked()).to.deep.equal(['wallet-1']);
      expect(left.heard.map((it) => (it.type === 'request' ? it.action : it.type))).to.deep.equal([
        'unlink',
        'transfer',
      ]);
    });

    it('and tells it again what its vault could not be told', async () => {
      unlink('wallet-1');
      host.approve('linkWallets', {}, { requestId: 'request-1' }).catch(() => {});
      frame.ready();
      await frame.settle();
      const [told] = frame.requests();
      frame.say({ type: 'error', id: told!, error: { code: 'frame.unreachable', message: 'No vault.' } });
      await frame.settle();
      host.approve('transfer', TRANSFER, { requestId: 'request-2' }).catch(() => {});
      await frame.settle();
      expect(actions().map(([action]) => action)).to.deep.equal([
        'unlink',
        'linkWallets',
        'unlink',
        'transfer',
      ]);
    });

    it('and asks it to stay while a request is being written down', async () => {
      await opened();
      let written = (): void => {};
      asked.commit = () => new Promise<void>((resolve) => (written = resolve));
      host.approve('transfer', TRANSFER, { requestId: 'request-2' }).catch(() => {});
      frame.say({ type: 'close' });
      await frame.settle();
      expect(frame.heard.at(-1)).to.deep.equal({ type: 'stay' });
      expect(frame.closed).to.equal(0);
      written();
      await frame.settle();
      expect(frame.requests().at(-1)).to.equal('request-2');
    });

    it('and says so where it stays behind the page, each time', async () => {
      await opened();
      const told: Parameters<NonNullable<CallOptions['onBlocked']>>[0][] = [];
      const onBlocked = (blocked: (typeof told)[0]): void => void told.push(blocked);
      const call = host.approve('transfer', TRANSFER, { requestId: 'request-2', onBlocked });
      call.catch(() => {});
      await frame.settle();
      await clock.pass(299);
      expect(told).to.deep.equal([]);
      await clock.pass(1);
      expect(told.map(({ reason }) => reason)).to.deep.equal(['behind']);
      told[0]!.open();
      expect(frame.presented).to.equal(2);
      await frame.settle();
      await clock.pass(300);
      expect(told).to.have.length(2);
      told[1]!.open();
      frame.say({ type: 'front' });
      await frame.settle();
      await clock.pass(300);
      expect(told).to.have.length(2);
      told[1]!.cancel();
      await frame.settle();
      expect(frame.heard.at(-1)).to.deep.equal({ type: 'abort', id: 'request-2' });
    });

    it('but not where it came to the front', async () => {
      await opened();
      let told = 0;
      const onBlocked = (): void => void told++;
      host.approve('transfer', TRANSFER, { requestId: 'request-2', onBlocked }).catch(() => {});
      await frame.settle();
      frame.say({ type: 'front' });
      await frame.settle();
      await clock.pass(300);
      expect(told).to.equal(0);
    });

    it('after a reload, even if no answer is owed', async () => {
      sessionStorage.setItem(MARK, '1');
      reopen();
      const left = new FakeFrame();
      const win = left.surface.window!;
      Object.assign(win, { opener: window, top: win, focus() {}, close() {} });
      left.ready();
      await left.settle();
      host.approve('transfer', TRANSFER, { requestId: 'request-2' }).catch(() => {});
      await left.settle();
      expect(left.requests()).to.deep.equal(['request-2']);
      frame.ready();
      await frame.settle();
      expect(frame.heard).to.deep.equal([]);
    });

    it('but one that the user closed counts no more', async () => {
      await opened();
      expect(sessionStorage.getItem(MARK)).to.equal('1');
      frame.alive = false;
      await clock.pass(250);
      expect(sessionStorage.getItem(MARK)).to.equal(null);
      frame = new FakeFrame();
      host.approve('transfer', TRANSFER, { requestId: 'request-2' }).catch(() => {});
      frame.ready();
      await frame.settle();
      expect(frame.requests()).to.deep.equal(['request-2']);
    });
  });

  describe('offers a window where its dialog takes long', () => {
    const realFetch = window.fetch;
    beforeEach(() => {
      window.fetch = async () => new Response('{"embed":[]}');
    });
    afterEach(() => {
      window.fetch = realFetch;
    });

    /** The dialog never answers. Returns what its button does. */
    const wait = async (): Promise<{ press: () => void; dialog: FakeFrame }> => {
      const dialog = frame;
      let press: (() => void) | undefined;
      const { surface } = dialog;
      Object.assign(surface, { kind: 'iframe', slow: (openWindow: () => void) => (press = openWindow) });
      await clock.pass(3999);
      expect(press).to.equal(undefined);
      await clock.pass(1);
      return { press: press!, dialog };
    };

    it('which gets the same request', async () => {
      const call = host.approve('transfer', TRANSFER, { requestId: 'request-1' });
      const { press, dialog } = await wait();
      frame = new FakeFrame();
      press();
      expect(dialog.closed).to.equal(1);
      frame.ready();
      await frame.settle();
      expect(frame.requests()).to.deep.equal(['request-1']);
      await clock.pass(60_000);
      frame.say({ type: 'result', id: 'request-1', result });
      expect(await call).to.deep.equal(result);
      expect(dialog.heard).to.deep.equal([]);
    });

    it('and goes on in the element if the browser blocks that', async () => {
      const reasons: string[] = [];
      const call = host.approve('transfer', TRANSFER, { onBlocked: ({ reason }) => reasons.push(reason) });
      call.catch(() => {});
      const { press, dialog } = await wait();
      frame = { surface: null } as unknown as FakeFrame;
      press();
      expect([dialog.closed, reasons]).to.deep.equal([1, ['popup']]);
    });
  });

  it('tells a request that ended with its window from one that was rejected', async () => {
    const call = failure(host.approve('linkWallets', {}, { requestId: 'request-1' }));
    frame.ready();
    await frame.settle();
    frame.alive = false;
    await clock.pass(250);
    const { code, details } = await call;
    expect([code, details['reason']]).to.deep.equal(['user.rejected', 'closed']);
  });

  it('lets 20 requests wait, and refuses the next', async () => {
    const calls = Array.from({ length: 20 }, (_, n) =>
      host.approve('transfer', TRANSFER, { requestId: `request-${n}` }),
    );
    for (const call of calls) call.catch(() => {});
    expect(() => host.approve('transfer', TRANSFER, { requestId: 'request-20' })).to.throw(
      'Too many requests',
    );
    // The same request again is not another one.
    expect(host.approve('transfer', TRANSFER, { requestId: 'request-19' })).to.equal(calls[19]);
  });
});
