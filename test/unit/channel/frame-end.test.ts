import { expect } from '@open-wc/testing';
import { connectHost } from '../../../src/channel/frame-end.ts';
import { UserRejectedError } from '../../../src/base/errors.ts';
import type { HostRequest } from '../../../src/channel/link.ts';
import type { FromFrame } from '../../../src/channel/messages.ts';
import { TestClock } from '../clock.ts';
import { INIT, quiet, type RawHost, rawHost, TRANSFER } from './raw-host.ts';

/** WebKit walks the empty places of what a page sends, in the page: seven minutes for the most that an array can have. */
const isWebKit = /AppleWebKit(?!.*Chrome)/.test(navigator.userAgent);
/** A sparse array of this length. */
const places = (length: number): unknown[] => Object.assign([], { length });
const MAX = isWebKit ? 2 ** 16 : 2 ** 32 - 1;
const refused = (message: FromFrame) => (message.type === 'error' ? message.error : undefined);

describe('the frame’s end', () => {
  let host: RawHost;
  beforeEach(async () => {
    host = await rawHost();
  });
  afterEach(() => host.iframe.remove());

  it('takes the page’s identity from the browser', async () => {
    host.init({ ...INIT, unlinked: ['gone-1'] });
    expect((await host.told())[0]).to.deep.equal({
      origin: location.origin,
      mode: 'approve',
      surface: 'iframe',
      unlinked: ['gone-1'],
    });
  });

  it('learns that it is a sheet, and says its height in whole pixels', async () => {
    host.init();
    host.say({ type: 'sheet', on: 'yes' });
    host.say({ type: 'sheet', on: true });
    expect(await host.hear(({ type }) => type === 'height')).to.deep.equal({ type: 'height', height: 601 });
    host.say({ type: 'sheet', on: false });
    const told = (await host.told()).filter((each) => 'sheet' in each);
    expect(told).to.deep.equal([{ sheet: true }, { sheet: false }]);
  });

  it('is light or dark as the page says first, and ignores messages that it does not know', async () => {
    host.init();
    host.say({ type: 'theme', theme: 'pink' });
    host.say({ type: 'of a later version', with: 'more' });
    for (const theme of ['dark', 'light']) host.say({ type: 'theme', theme });
    await host.told();
    expect(host.heard.filter(({ type }) => type === 'error')).to.deep.equal([]);
    expect(host.window.document.documentElement.style.colorScheme).to.equal('dark');
  });

  it('answers a request once, with what came first', async () => {
    host.init();
    host.request('request-1', { ...TRANSFER, alias: 'sign answer twice refuse' });
    expect(await host.answer('request-1')).to.deep.equal({
      type: 'result',
      id: 'request-1',
      result: { transactionHash: '0x1' },
    });
    await quiet();
    expect(host.heard.filter((it) => it.type === 'result' || it.type === 'error')).to.have.length(1);
  });

  it('keeps a bigint exact', async () => {
    host.init();
    host.request('request-1', { ...TRANSFER, value: 123456789012345678901234567890n, alias: 'echo' });
    const answer = (await host.answer('request-1')) as { result: { value: bigint } };
    expect(answer.result.value).to.equal(123456789012345678901234567890n);
  });

  it('reveals nothing about an unexpected error', async () => {
    host.init();
    host.request('request-1', { ...TRANSFER, alias: 'fail' });
    const error = refused(await host.answer('request-1'));
    expect(error?.code).to.equal('internal.error');
    expect(JSON.stringify(error)).not.to.contain('secret');
  });

  it('says which protocols it speaks, for a page that speaks several', () => {
    expect(host.announced).to.deep.equal({ type: 'carabiner:ready', protocols: [1] });
  });

  for (const [age, protocol, words] of [
    ['older', 0, 'This page is older than the wallet: the page speaks protocol 0, the wallet 1. Reload it'],
    [
      'newer',
      2,
      'This wallet is older than this page: the page speaks protocol 2, the wallet 1. The wallet’s',
    ],
  ] as const)
    it(`refuses a page that is too much ${age}, and says so`, async () => {
      host.init({ ...INIT, protocol, more: 'than this version knows' });
      // Whatever it sends besides, and whatever its requests look like.
      host.say({ type: 'hello' });
      host.request('request-1');
      host.say({ type: 'ask', id: 'request-2' });
      for (const id of ['request-1', 'request-2']) {
        const error = refused(await host.answer(id));
        expect(error?.code).to.equal('frame.unreachable');
        expect(error?.details).to.deep.equal({ reason: 'version' });
        expect(error?.message).to.contain(words);
      }
      expect(await host.hear(({ type }) => type === 'close')).to.deep.equal({ type: 'close' });
      // It never connected: the flows hear only of this page.
      host.init();
      expect(await host.told()).to.have.length(2);
    });

  describe('ignores', () => {
    it('a request by window.postMessage, before init', async () => {
      host.window.postMessage(
        { type: 'request', id: 'request-1', action: 'transfer', params: TRANSFER },
        '*',
      );
      await quiet();
      host.init();
      expect(await host.told()).to.have.length(2); // the link itself, and this question
    });

    for (const [what, message] of [
      ['a protocol that is no number', { ...INIT, protocol: '2' }],
      ['an unknown mode', { ...INIT, mode: 'all' }],
      ['an unknown field', { ...INIT, origin: 'https://bank.example' }],
      ['a list that is none', { ...INIT, unlinked: 'x' }],
    ] as const)
      it(`an init with ${what}`, async () => {
        host.init(message);
        host.request('request-1');
        await quiet();
        expect(host.heard).to.have.length(0);
        host.init();
        expect(await host.told()).to.have.length(2);
      });

    it('an init without a port, or with two', async () => {
      host.window.postMessage(INIT, '*');
      host.window.postMessage(INIT, '*', [new MessageChannel().port2, new MessageChannel().port2]);
      await quiet();
      host.init();
      expect(await host.told()).to.have.length(2);
    });

    it('an init from another frame of the page, even the first one', async () => {
      const other = document.createElement('iframe');
      document.body.append(other);
      const { port1, port2 } = new other.contentWindow!.window.MessageChannel();
      Object.assign(other.contentWindow!, { target: host.window, init: INIT, port2 });
      (other.contentWindow as unknown as { eval(code: string): void }).eval(
        'target.postMessage(init, "*", [port2])',
      );
      let heard = false;
      port1.onmessage = () => (heard = true);
      port1.postMessage({ type: 'request', id: 'request-1', action: 'transfer', params: TRANSFER });
      await quiet();
      expect(heard).to.equal(false);
      host.init();
      expect(await host.told()).to.have.length(2);
      other.remove();
    });

    it('a second init', async () => {
      const first = host.init();
      await host.told();
      const told = host.heard.length;
      const second = host.init();
      second.postMessage({ type: 'request', id: 'request-2', action: 'transfer', params: TRANSFER });
      await quiet();
      expect(host.heard).to.have.length(told);
      first.postMessage({ type: 'request', id: 'request-1', action: 'transfer', params: TRANSFER });
      await host.answer('request-1');
    });

    it('junk over the port', async () => {
      host.init();
      const junk = [
        null,
        7,
        'request',
        [],
        {},
        { type: 'request' },
        { type: 'constructor', id: 5 },
        { id: '' },
      ];
      for (const each of junk) host.say(each);
      await host.told();
      expect(host.heard).to.have.length(1);
    });

    it('a request that is repeated while it is open', async () => {
      host.init();
      for (let times = 0; times < 3; times++) host.request('request-1', { ...TRANSFER, alias: 'sign hang' });
      const told = await host.told();
      expect(told.filter(({ id }) => id === 'request-1')).to.have.length(1);
    });
  });

  describe('refuses', () => {
    beforeEach(() => void host.init());

    it('params that are no object', async () => {
      host.request('request-1', null);
      const error = refused(await host.answer('request-1'))!;
      expect(error.code).to.equal('request.invalid');
      expect(await host.told()).to.have.length(2);
    });

    it('an unknown action, and one that only exists on Object.prototype', async () => {
      for (const action of ['export', '__proto__', 'constructor', 'toString']) {
        host.request(`id-of-${action}`, TRANSFER, action);
        expect(refused(await host.answer(`id-of-${action}`))?.code).to.equal('request.invalid');
      }
    });

    it('to be polluted by a request', async () => {
      const params = JSON.parse(
        '{"walletId":"w","type":"ETH_TRANSACTION","__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}',
      );
      host.request('request-1', params, 'execute');
      await host.answer('request-1');
      const realm = host.window as unknown as { Object: ObjectConstructor };
      expect((new realm.Object() as { polluted?: unknown }).polluted).to.equal(undefined);
    });

    it('a cycle, and a request of more than a million characters', async () => {
      const cycle: Record<string, unknown> = { type: 'ETH_TRANSACTION', walletId: 'w' };
      cycle['self'] = cycle;
      host.request('request-1', cycle, 'execute');
      expect(refused(await host.answer('request-1'))?.code).to.equal('request.invalid');
      host.request(
        'request-2',
        { type: 'ETH_TRANSACTION', walletId: 'w', data: 'f'.repeat(1_000_000) },
        'execute',
      );
      expect(refused(await host.answer('request-2'))?.code).to.equal('request.invalid');
    });

    for (const [what, action, params, path] of [
      ['a list of as many empty places as there can be', 'executeAll', { requests: places(MAX) }, 'requests'],
      ['such a list of secret types', 'linkWallets', { secretTypes: places(MAX) }, 'secretTypes'],
      ['such a list in a request', 'execute', { type: 'x', walletId: 'w', all: places(MAX) }, 'all'],
      ['such a list of ids', 'pending', { requestIds: places(MAX) }, 'requestIds'],
    ] as const)
      it(`${what}, without walking it`, async () => {
        host.request('request-1', params, action);
        const error = refused(await host.answer('request-1'))!;
        expect(error.code).to.equal('request.invalid');
        expect((error.details!['issues'] as { path: string }[])[0]!.path).to.equal(path);
        expect(await host.told()).to.have.length(2);
      });

    it('a request of 3,000 levels, with an answer', async () => {
      let deep: unknown = 1;
      for (let level = 0; level < 3000; level++) deep = level % 2 ? [deep] : { in: deep };
      host.request('request-1', { type: 'ETH_TRANSACTION', walletId: 'w', deep }, 'execute');
      expect(refused(await host.answer('request-1'))?.code).to.equal('request.invalid');
    });

    it('another request under an id that is open, and goes on with the first', async () => {
      host.request('request-1', { ...TRANSFER, alias: 'approval wait answer' });
      await host.hear((it) => it.type === 'progress');
      host.request('request-1', { ...TRANSFER, value: '2' });
      expect(refused(await host.answer('request-1'))?.code).to.equal('request.conflict');
      expect((await host.hear((it) => it.type === 'result' && it.id === 'request-1')).type).to.equal(
        'result',
      );
      expect((await host.told()).filter(({ id }) => id === 'request-1')).to.have.length(1);
    });

    it('the 21st request that would wait for the user, until one of the others ends', async () => {
      const id = (n: number) => `request-${String(n).padStart(2, '0')}`;
      for (let n = 1; n <= 21; n++) host.request(id(n), { ...TRANSFER, alias: 'approval hang' });
      expect(refused(await host.answer(id(21)))?.code).to.equal('request.rate-limited');
      expect((await host.told()).filter((it) => it['action'] === 'transfer')).to.have.length(20);
      host.say({ type: 'abort', id: id(7) });
      await host.answer(id(7));
      host.request(id(22), { ...TRANSFER, alias: 'answer' });
      expect((await host.answer(id(22))).type).to.equal('result');
    });

    it('the 501st read that is open', async () => {
      const never = { secretType: 'ETHEREUM', address: 'never' };
      for (let n = 0; n < 501; n++) host.request(`read-${n}-of-many`, never, 'balance');
      expect(refused(await host.answer('read-500-of-many'))?.code).to.equal('request.rate-limited');
    });

    it('another request under an id that was answered, and repeats the answer of the same', async () => {
      host.request('request-1');
      const first = await host.answer('request-1');
      host.heard.length = 0;
      host.request('request-1', Object.fromEntries(Object.entries(TRANSFER).reverse()));
      expect(await host.answer('request-1')).to.deep.equal(first);
      host.heard.length = 0;
      host.request('request-1', { ...TRANSFER, value: '2' });
      expect(refused(await host.answer('request-1'))?.code).to.equal('request.conflict');
      expect((await host.told()).filter(({ id }) => id === 'request-1')).to.have.length(1);
    });
  });

  it('serves no approval to a hidden frame', async () => {
    host.init({ ...INIT, mode: 'read' });
    host.request('request-1');
    expect(refused(await host.answer('request-1'))?.code).to.equal('request.invalid');
  });

  it('lets a request be withdrawn until it is approved, and not after', async () => {
    host.init();
    host.request('request-1', { ...TRANSFER, alias: 'approval hang' });
    await host.hear((it) => it.type === 'progress');
    host.say({ type: 'abort', id: 'request-1' });
    expect(refused(await host.answer('request-1'))?.code).to.equal('user.rejected');
    host.request('request-2', { ...TRANSFER, alias: 'sign wait answer' });
    host.say({ type: 'abort', id: 'request-2' });
    expect((await host.answer('request-2')).type).to.equal('result');
    const told = await host.told();
    expect(told.filter((it) => 'aborted' in it)).to.deep.equal([{ aborted: 'request-1' }]);
  });

  it('rejects what is open when it closes', async () => {
    host.init();
    host.request('request-1', { ...TRANSFER, alias: 'close' });
    expect(refused(await host.answer('request-1'))?.code).to.equal('user.rejected');
    await host.hear((it) => it.type === 'close');
  });

  it('tells the flows of an acknowledged answer', async () => {
    host.init();
    host.request('request-1');
    await host.answer('request-1');
    host.say({ type: 'ack', id: 'request-1' });
    expect(await host.told()).to.deep.include({ ack: 'request-1' });
  });

  describe('in a window whose page went away', () => {
    const ORIGIN = 'https://shop.example';
    /** A window with an opener, as far as the frame looks at one. */
    function aWindow() {
      const opener = { announced: 0, postMessage: () => void opener.announced++ };
      const win = Object.assign(new EventTarget(), {
        opener,
        closed: false,
        close: () => (win.closed = true),
        reloads: 0,
        location: { reload: () => void win.reloads++ },
      });
      const alone = Object.assign(win, { parent: win }) as unknown as Window;
      const init = (origin: string): MessagePort => {
        const { port1, port2 } = new MessageChannel();
        const event = Object.assign(new Event('message'), {
          data: INIT,
          origin,
          source: opener,
          ports: [port2],
        });
        win.dispatchEvent(event);
        return port1;
      };
      return { alone, opener, init, win };
    }
    /** The messages over the port until the next turn of the event loop. */
    async function heard(port: MessagePort): Promise<FromFrame[]> {
      const all: FromFrame[] = [];
      port.onmessage = ({ data }) => all.push(data);
      await quiet();
      return all;
    }

    it('is never taken by a page without an origin', async () => {
      const { alone, init } = aWindow();
      let taken = false;
      void connectHost(alone, new TestClock()).then(() => (taken = true));
      init('null');
      await quiet();
      expect(taken).to.equal(false);
      init(ORIGIN);
      await quiet();
      expect(taken).to.equal(true);
    });

    it('waits for that site: no other origin takes it over, and gets none of its answers', async () => {
      const clock = new TestClock();
      const { alone, opener, init, win } = aWindow();
      const connected = connectHost(alone, clock);
      const first = init(ORIGIN);
      const link = await connected;
      let request: HostRequest | undefined;
      link.onRequest = (it) => (request = it);
      first.postMessage({ type: 'request', id: 'request-1', action: 'transfer', params: TRANSFER });
      while (!request) await quiet();
      request.progress('signing');
      first.postMessage({ type: 'bye' });
      await quiet();
      const before = opener.announced;
      await clock.pass(1000);
      expect(opener.announced - before).to.equal(5);

      const evil = init('https://evil.example');
      const stolen = heard(evil);
      request.resolve({ transactionHash: '0x1' });
      evil.postMessage({ type: 'request', id: 'request-2', action: 'linkWallets', params: {} });
      expect(await stolen).to.deep.equal([]);
      expect([link.origin, request.id]).to.deep.equal([ORIGIN, 'request-1']);

      // The site itself comes back and gets its answer.
      expect(win.reloads).to.equal(0);
      const [answer] = await heard(init(ORIGIN));
      expect(answer).to.deep.include({ type: 'result', id: 'request-1' });
    });

    it('learns that its page has not answered for 10 s, and takes its answer later all the same', async () => {
      const clock = new TestClock();
      const { alone, init } = aWindow();
      let silent = 0;
      const connected = connectHost(alone, clock, () => silent++);
      await clock.pass(9999);
      expect(silent).to.equal(0);
      await clock.pass(1);
      expect(silent).to.equal(1);
      init(ORIGIN);
      expect((await connected).origin).to.equal(ORIGIN);
    });

    it('hears nothing of a page that answered in time', async () => {
      const clock = new TestClock();
      const { alone, init } = aWindow();
      let silent = 0;
      const connected = connectHost(alone, clock, () => silent++);
      init(ORIGIN);
      await connected;
      await clock.pass(20_000);
      expect(silent).to.equal(0);
    });

    /** A window whose page has asked to link wallets, and went away. */
    async function left(clock = new TestClock()) {
      const made = aWindow();
      const connected = connectHost(made.alone, clock);
      const port = made.init(ORIGIN);
      const link = await connected;
      const asked: HostRequest[] = [];
      link.onRequest = (request) => void asked.push(request);
      port.postMessage({ type: 'request', id: 'request-1', action: 'linkWallets', params: {} });
      while (!asked[0]) await quiet();
      const leave = async (): Promise<void> => {
        port.postMessage({ type: 'bye' });
        await quiet();
      };
      return { ...made, clock, link, request: asked[0]!, asked, port, leave };
    }

    it('starts over, as a new document, for a page of another origin, once nothing of the first is left', async () => {
      const { init, win, link, request, port, leave } = await left();
      // A page that is still there cannot be put out by another.
      init('https://evil.example');
      expect(win.reloads).to.equal(0);
      await leave();
      init('https://evil.example');
      expect(win.reloads, 'a request is open').to.equal(0);
      request.resolve([]);
      init('https://evil.example');
      expect(win.reloads, 'its answer is undelivered').to.equal(0);
      expect(link.undelivered).to.equal(true);
      // The same page takes its answer, and leaves again.
      const back = init(ORIGIN);
      back.postMessage({ type: 'ack', id: 'request-1' });
      back.postMessage({ type: 'bye' });
      await quiet();
      expect(link.undelivered).to.equal(false);
      init('null');
      expect(win.reloads).to.equal(0);
      init('https://evil.example');
      expect([win.reloads, link.origin]).to.deep.equal([1, ORIGIN]);
      port.close();
    });

    for (const [what, stays] of [
      ['closes when it is done', false],
      ['stays when it is done, if the page has another request to write down', true],
    ] as const)
      it(what, async () => {
        const { win, link, request, port, clock } = await left();
        request.reject(new UserRejectedError());
        link.close();
        if (stays) port.postMessage({ type: 'stay' });
        await quiet();
        await clock.pass(3000);
        expect(win.closed).to.equal(!stays);
        link.close();
        await clock.pass(200);
        expect(win.closed).to.equal(true);
      });

    it('announces itself although nothing is owed, until it is told that the page stays away', async () => {
      const { opener, link, request, port, leave, clock } = await left();
      request.resolve([]);
      port.postMessage({ type: 'ack', id: 'request-1' });
      await leave();
      const before = opener.announced;
      await clock.pass(1000);
      expect(opener.announced - before).to.equal(5);
      link.forsake();
      await clock.pass(1000);
      expect(opener.announced - before).to.equal(5);
    });

    it('keeps announcing what was approved, and rejects what was not, once the page stays away', async () => {
      const { opener, link, request, leave, clock, init } = await left();
      request.progress('signing');
      await leave();
      const next = init(ORIGIN);
      next.postMessage({ type: 'request', id: 'request-2', action: 'linkWallets', params: {} });
      await quiet();
      next.postMessage({ type: 'bye' });
      await quiet();
      link.forsake();
      const before = opener.announced;
      await clock.pass(1000);
      expect(opener.announced - before).to.equal(5);
      request.resolve([]);
      const [first, second] = await heard(init(ORIGIN));
      expect(first).to.deep.include({ type: 'result', id: 'request-1' });
      expect(second).to.deep.include({ type: 'error', id: 'request-2' });
      expect(second?.type === 'error' && second.error.details).to.deep.include({ reason: 'closed' });
    });
  });

  it('has no page to talk to in a window without an opener', async () => {
    const alone = { opener: null } as unknown as Window & { parent: Window };
    alone.parent = alone;
    let reason: unknown;
    await connectHost(alone).catch((error) => (reason = error.details.reason));
    expect(reason).to.equal('coop');
  });
});
