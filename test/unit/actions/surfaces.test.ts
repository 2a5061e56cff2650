import { expect } from '@open-wc/testing';
import { sendKeys, setViewport } from '@web/test-runner-commands';
import { createConnect } from '../../../src/actions/connect.ts';
import type { CallOptions, Connect, ConnectOptions } from '../../../src/actions/types.ts';
import type { Pending } from '../../../src/channel/messages.ts';
import {
  forgetAll,
  dialogs,
  failure,
  FRAME,
  knowsPlace,
  openDialog,
  openGate,
  roots,
  STORE,
  stored,
  TRANSFER,
  until,
} from './page.ts';

/** Takes the focus back from a frame: its process gets the keys until the browser has heard of it. */
async function focusHere(iframe: HTMLIFrameElement): Promise<void> {
  let heard = false;
  addEventListener('keydown', () => (heard = true), { once: true });
  await until(async () => {
    iframe.blur();
    await sendKeys({ press: 'Shift' });
    return heard;
  });
}

type Blocked = Parameters<NonNullable<CallOptions['onBlocked']>>[0];

describe('the wallet opens', () => {
  const realOpen = window.open;
  let connect: Connect;
  let opened: Window[];
  const open = (options: ConnectOptions = {}): Connect =>
    (connect = createConnect({ frame: FRAME, surface: 'iframe', ...options }));
  const scripted = (alias: string, options?: CallOptions) =>
    connect.transfer({ ...TRANSFER, alias }, options);
  const blockPopups = () => (window.open = () => null);
  const allowPopups = () => {
    window.open = (...all) => {
      const win = realOpen.apply(window, all)!;
      opened.push(win);
      return win;
    };
  };
  beforeEach(async () => {
    await forgetAll();
    opened = [];
    allowPopups();
    open();
  });
  afterEach(() => {
    connect.destroy();
    window.open = realOpen;
    for (const win of opened) win.close();
    expect(roots(), 'surfaces left behind').to.have.length(0);
  });

  describe('in a dialog', () => {
    let opener: HTMLButtonElement;
    beforeEach(() => {
      opener = document.createElement('button');
      opener.textContent = 'Open';
      document.body.append(opener);
      opener.focus();
    });
    afterEach(() => opener.remove());

    it('that is named, focused, and gives the focus back', async () => {
      const call = failure(scripted('hang'));
      const { dialog, iframe, close } = await openDialog();
      expect([dialog.open, dialog.matches(':modal')]).to.deep.equal([true, true]);
      expect(dialog.getAttribute('aria-label')).to.equal('Confirm in your wallet');
      expect(close.getAttribute('aria-label')).to.equal('Close');
      expect(iframe.title).to.equal('Carabiner wallet');
      expect((dialog.getRootNode() as ShadowRoot).activeElement).to.equal(iframe);
      close.click();
      expect((await call).code).to.equal('user.rejected');
      expect(document.activeElement).to.equal(opener);
      const managing = failure(connect.manageWallets({ chain: 'ETHEREUM' }));
      expect((await openDialog()).dialog.getAttribute('aria-label')).to.equal('Your wallet');
      connect.destroy();
      await managing;
    });

    it('that has a Close of its own until the wallet has answered, which has one too', async () => {
      const call = failure(scripted('hang'));
      const dialog = await until(() => dialogs()[0]);
      const close = dialog.querySelector('button')!;
      expect(close.getBoundingClientRect().width).to.equal(44);
      await openDialog();
      expect(close.getBoundingClientRect().width).to.equal(0);
      expect(dialog.getAttribute('aria-label')).to.equal('Confirm in your wallet');
      expect(dialog.querySelector('iframe')!.getBoundingClientRect().height).to.equal(dialog.clientHeight);
      connect.destroy();
      await call;
    });

    it('whose permissions are for the wallet’s origin only, wherever the iframe navigates', async () => {
      const call = failure(scripted('hang'));
      const { iframe } = await openDialog();
      const { origin } = new URL(FRAME);
      expect(iframe.allow.split('; ')).to.deep.equal([
        `publickey-credentials-get ${origin}`,
        `publickey-credentials-create ${origin}`,
        `clipboard-write ${origin}`,
        // Chromium on Linux shares nothing, and warns of a permission that it does not know.
        ...('share' in navigator ? [`web-share ${origin}`] : []),
      ]);
      connect.destroy();
      await call;
    });

    it('that is wide on a low page, and fills the width of a narrow one', async () => {
      const real = { width: innerWidth, height: innerHeight };
      const call = failure(scripted('hang'));
      const { dialog, iframe } = await openDialog();
      // A browser draws a page of another size some frames later.
      const becomes = async (page: [width: number, height: number], size: [number, number]) => {
        await setViewport({ width: page[0], height: page[1] });
        await until(() => {
          const { width, height } = iframe.getBoundingClientRect();
          return width === size[0] && height === size[1];
        });
      };
      await becomes([1000, 800], [398, 686]);
      await becomes([1000, 592], [398, 574]);
      await becomes([1000, 591], [622, 573]);
      // A window of 1280 × 900 at 200 % zoom.
      await becomes([640, 450], [622, 432]);
      // As high as the frame says, as soon as it does. The window of WebKitGTK gets no narrower than 447 pixels.
      await setViewport({ width: 320, height: 640 });
      await until(() => {
        const { width, height } = iframe.getBoundingClientRect();
        return (
          innerWidth < 480 &&
          width === innerWidth &&
          height === (Number.parseFloat(dialog.style.getPropertyValue('--height')) || 592)
        );
      });
      await setViewport(real);
      connect.destroy();
      await call;
    });

    it('that returns focus to the surrounding element if the focused one is gone', async () => {
      class Part extends HTMLElement {
        override focus() {
          opener.focus();
        }
      }
      customElements.define('focus-part', Part);
      const part = document.createElement('focus-part');
      const inner = document.createElement('button');
      part.attachShadow({ mode: 'open' }).append(inner);
      document.body.append(part);
      inner.focus();
      const call = failure(scripted('hang'));
      const { close } = await openDialog();
      inner.remove();
      close.click();
      await call;
      expect(document.activeElement).to.equal(opener);
      part.remove();
    });

    it('that Escape closes while it loads', async () => {
      open({ frame: `${FRAME}none` });
      await knowsPlace(`${FRAME}none`);
      const call = failure(scripted('hang'));
      const dialog = await until(() => dialogs()[0]);
      dialog.querySelector('button')!.focus();
      await sendKeys({ press: 'Escape' });
      expect((await call).code).to.equal('user.rejected');
      await until(() => !dialogs().length);
    });

    it('that Escape closes, once or twice', async function () {
      // Where no dialog opens by itself, the key goes to the frame that has the focus: the wallet closes itself.
      if (!('isVisible' in IntersectionObserverEntry.prototype)) this.skip();
      for (const presses of [1, 2]) {
        const call = failure(scripted('hang'));
        const { iframe } = await openDialog();
        await focusHere(iframe);
        for (let press = 0; press < presses; press++) await sendKeys({ press: 'Escape' });
        expect((await call).code).to.equal('user.rejected');
        await until(() => !dialogs().length);
      }
    });

    for (const theme of ['light', 'dark'] as const)
      it(`that has no accessibility fault while it loads, ${theme}`, async () => {
        open({ theme, frame: `${FRAME}none` });
        await knowsPlace(`${FRAME}none`);
        const call = failure(scripted('hang'));
        const dialog = await until(() => dialogs()[0]);
        expect(dialog.querySelector('[role=status]')!.textContent).to.equal('Opening your wallet…');
        await expect((dialog.getRootNode() as ShadowRoot).host).to.be.accessible();
        dialog.querySelector('button')!.click();
        await call;
      });

    it('that fits a narrow page', async () => {
      const call = failure(scripted('hang'));
      const { dialog } = await openDialog();
      const { width, height } = dialog.getBoundingClientRect();
      expect(width).to.equal(Math.min(400, innerWidth - 16));
      expect(height).to.be.at.most(innerHeight - 16);
      connect.destroy();
      await call;
    });

    it('that moves to a window when the frame asks, with the same request', async () => {
      const stages: string[] = [];
      const options = { onProgress: ({ stage }: { stage: string }) => stages.push(stage) };
      expect(await scripted('window approval answer close', options)).to.deep.equal({
        transactionHash: '0x0',
      });
      expect(stages).to.deep.equal(['approval']);
      expect(opened).to.have.length(1);
      expect(dialogs()).to.have.length(0);
      await until(() => opened[0]!.closed);
    });

    it('that becomes a button when the window it asks for is blocked', async () => {
      const call = (onBlocked?: (blocked: Blocked) => void) =>
        scripted('window answer close', onBlocked && { onBlocked });
      blockPopups();
      const { code, details } = await failure(call());
      expect([code, details['reason']]).to.deep.equal(['frame.blocked', 'popup']);
      const answer = call(({ reason, open }) => {
        expect(reason).to.equal('window');
        expect(dialogs()).to.have.length(0);
        allowPopups();
        open();
        open();
      });
      expect(await answer).to.deep.equal({ transactionHash: '0x0' });
      expect(opened).to.have.length(1);
    });
  });

  describe('in a window', () => {
    beforeEach(() => {
      connect.destroy();
      open({ surface: 'popup' });
    });

    it('within the caller’s own task, and closes when the frame is done', async () => {
      const answer = connect.transfer(TRANSFER);
      expect(opened).to.have.length(1);
      expect(await answer).to.deep.equal({ transactionHash: '0x1' });
      await until(() => opened[0]!.closed);
    });

    it('within that task even if only the frame can validate the request', async () => {
      await connect.wallet('none').catch(() => {});
      const answer = connect.transfer({ ...TRANSFER, to: 'nobody', alias: 'answer close' });
      expect(opened).to.have.length(1);
      expect(await answer).to.deep.equal({ transactionHash: '0x0' });
    });

    it('once for queued requests', async () => {
      const answers = await Promise.all([scripted('sign answer'), scripted('wait wait sign answer close')]);
      expect(answers.map(({ transactionHash }) => transactionHash)).to.deep.equal(['0x1', '0x2']);
      expect(opened).to.have.length(1);
    });

    it('but never for an external wallet, which opens its own, even before anything is loaded', async () => {
      const walletId = 'external-1';
      const wallet = { id: walletId, address: TRANSFER.to, secretType: 'ETHEREUM', walletType: 'EXTERNAL' };
      const external = { [walletId]: { version: 1, by: 'eip6963 example.gone', wallet } };
      localStorage.setItem(STORE, JSON.stringify({ external }));
      connect.destroy();
      open({ surface: 'popup' });
      const one = { type: 'ETH_TRANSACTION', walletId, to: TRANSFER.to, value: 1 } as const;
      const theirs = [connect.transfer({ ...TRANSFER, walletId }), connect.executeAll([one])].map(failure);
      expect(opened).to.have.length(0);
      expect(await connect.transfer(TRANSFER)).to.deep.equal({ transactionHash: '0x1' });
      expect(opened).to.have.length(1);
      connect.destroy();
      await Promise.all(theirs);
      expect(opened).to.have.length(1);
    });

    it('but not for a request that is refused', async () => {
      expect((await failure(connect.transfer({} as never))).code).to.equal('request.invalid');
      await until(() => opened.every((win) => win.closed));
      const before = opened.length;
      expect((await failure(connect.transfer({} as never))).code).to.equal('request.invalid');
      expect(opened).to.have.length(before);
    });

    it('and is rejected when the user closes it, or lost once it was approved', async () => {
      for (const [alias, code] of [
        ['approval hang', 'user.rejected'],
        ['sign hang', 'frame.unreachable'],
      ] as const) {
        const stages: string[] = [];
        const call = failure(scripted(alias, { onProgress: ({ stage }) => stages.push(stage) }));
        await until(() => stages.length === (alias === 'sign hang' ? 2 : 1));
        opened.at(-1)!.close();
        expect((await call).code).to.equal(code);
      }
    });

    it('again, at once after the user closed the one before', async () => {
      await scripted('answer');
      opened[0]!.close();
      expect(await scripted('answer close')).to.deep.equal({ transactionHash: '0x0' });
      expect(opened).to.have.length(2);
    });

    it('or says that it was blocked, and opens in the next click with the same request', async () => {
      blockPopups();
      expect((await failure(scripted('answer'))).details['reason']).to.equal('popup');
      let blocked!: Blocked;
      const answer = scripted('answer close', { onBlocked: (it) => (blocked = it) });
      await until(() => blocked);
      blocked.open();
      expect(blocked.reason).to.equal('popup');
      allowPopups();
      blocked.open();
      expect(await answer).to.deep.equal({ transactionHash: '0x0' });
      blocked.open();
      expect(opened).to.have.length(1);
    });

    it('or is cancelled while it is blocked', async () => {
      blockPopups();
      let blocked!: Blocked;
      const call = failure(scripted('answer', { onBlocked: (it) => (blocked = it) }));
      await until(() => blocked);
      blocked.cancel();
      expect((await call).code).to.equal('user.rejected');
      allowPopups();
      expect(await scripted('answer close')).to.deep.equal({ transactionHash: '0x0' });
    });

    describe('that the page before this one in the tab left', () => {
      const MARK = `${STORE}:window`;
      const stale = (name: string): void => sessionStorage.setItem(MARK, `${name} ${Date.now() - 20_000}`);
      const fresh = (name: string): void => sessionStorage.setItem(MARK, `${name} ${Date.now()}`);
      /** What the browser gives for the name of a window that shows another origin. */
      const other = () => {
        const went: string[] = [];
        const location = { replace: (url: string) => void went.push(url) };
        Object.defineProperty(location, 'href', {
          configurable: true,
          get() {
            throw new DOMException('Blocked', 'SecurityError');
          },
        });
        const focused = { times: 0 };
        const win = {
          closed: false,
          location,
          focus: () => focused.times++,
          close: () => (win.closed = true),
        };
        return { win: win as unknown as Window, went, focused };
      };
      let asked: [url: string, name: string][];
      const gives = (win: Window): void => {
        asked = [];
        window.open = (url, name) => {
          asked.push([String(url), String(name)]);
          return win;
        };
      };
      const realTimeout = window.setTimeout;
      let late: (() => void)[];
      beforeEach(() => {
        late = [];
        window.setTimeout = ((run: () => void, ms?: number) =>
          ms === 1500 ? late.push(run) : realTimeout(run, ms)) as typeof window.setTimeout;
      });
      afterEach(() => {
        window.setTimeout = realTimeout;
        sessionStorage.removeItem(MARK);
      });

      it('by its name, before it was heard: it is not loaded again, and comes to the front', async () => {
        fresh('carabiner-left');
        open({ surface: 'popup' });
        const { win, went, focused } = other();
        gives(win);
        const call = failure(scripted('answer'));
        expect(asked).to.deep.equal([['', 'carabiner-left']]);
        expect(focused.times).to.equal(1);
        expect(went).to.deep.equal([]);
        // It does not speak: it is loaded, as a new one is.
        for (const run of late) run();
        expect(went).to.deep.equal([`${FRAME}frame/`]);
        connect.destroy();
        await call;
      });

      it('unless it is gone: the new one under its name shows the wallet', async () => {
        fresh('carabiner-left');
        open({ surface: 'popup' });
        const { win, went, focused } = other();
        Object.defineProperty(win.location, 'href', { value: 'about:blank' });
        gives(win);
        const call = failure(scripted('answer'));
        expect(went).to.deep.equal([`${FRAME}frame/`]);
        expect(focused.times).to.equal(0);
        connect.destroy();
        await call;
      });

      it('and stays open when the request is refused before it needs a window', async () => {
        fresh('carabiner-left');
        open({ surface: 'popup' });
        const { win } = other();
        gives(win);
        expect((await failure(connect.transfer({} as never))).code).to.equal('request.invalid');
        expect(asked).to.have.length(1);
        expect(win.closed).to.equal(false);
      });

      it('but not after longer than a window waits, nor by a second connect of the page', async () => {
        stale('carabiner-left');
        open({ surface: 'popup' });
        fresh('carabiner-left');
        const first = createConnect({ frame: FRAME, surface: 'popup' });
        open({ surface: 'popup' });
        const { win } = other();
        gives(win);
        const call = failure(scripted('answer'));
        expect(asked).to.have.length(1);
        expect(asked[0]![0]).to.equal(`${FRAME}frame/`);
        expect(asked[0]![1]).not.to.equal('carabiner-left');
        connect.destroy();
        first.destroy();
        await call;
      });

      it('whose name it leaves to the next page when it is left itself, and only then', async () => {
        sessionStorage.setItem(MARK, '1');
        open({ surface: 'popup' });
        expect(sessionStorage.getItem(MARK)).to.equal('1');
        dispatchEvent(new Event('pagehide'));
        expect(sessionStorage.getItem(MARK)).to.match(/^carabiner-\S+ \d+$/);
        sessionStorage.removeItem(MARK);
        dispatchEvent(new Event('pagehide'));
        expect(sessionStorage.getItem(MARK)).to.equal(null);
      });
    });

    it('or says that the page’s own policy cut it off', async () => {
      const realFetch = window.fetch;
      const cutOff = { closed: true, focus() {}, close() {} } as Window;
      try {
        window.open = () => cutOff;
        window.fetch = async () =>
          new Response(null, { headers: { 'Cross-Origin-Opener-Policy': 'same-origin' } });
        expect((await failure(scripted('answer'))).details['reason']).to.equal('coop');
        window.fetch = async () =>
          new Response(null, { headers: { 'Cross-Origin-Opener-Policy': 'same-origin-allow-popups' } });
        expect((await failure(scripted('answer'))).code).to.equal('user.rejected');
      } finally {
        window.fetch = realFetch;
      }
    });
  });

  describe('not at all', () => {
    it('when the page’s policy blocks it, and then a window does from the start', async () => {
      const violate = (blockedURI: string) =>
        document.dispatchEvent(
          new SecurityPolicyViolationEvent('securitypolicyviolation', {
            effectiveDirective: 'frame-src',
            violatedDirective: 'frame-src',
            originalPolicy: '',
            disposition: 'enforce',
            documentURI: location.href,
            statusCode: 200,
            blockedURI,
          }),
        );
      open({ frame: `${FRAME}none` });
      await knowsPlace(`${FRAME}none`);
      let reason: string | undefined;
      const call = failure(
        scripted('hang', {
          onBlocked(blocked) {
            reason = blocked.reason;
            blocked.cancel();
          },
        }),
      );
      await until(() => dialogs().length);
      violate('https://ads.example/');
      expect(reason).to.equal(undefined);
      violate(FRAME);
      await call;
      expect(reason).to.equal('csp');
      const next = failure(scripted('hang'));
      await until(() => opened.length);
      connect.destroy();
      await next;
    });
  });

  describe('forged messages', () => {
    /** From a window of another process: Firefox makes no such event. */
    function forge(init: MessageEventInit): void {
      let event: MessageEvent;
      try {
        event = new MessageEvent('message', init);
      } catch (error) {
        expect(error).to.be.instanceOf(TypeError);
        return;
      }
      dispatchEvent(event);
    }

    it('from the page itself, another frame or another origin do not answer a request', async () => {
      const call = scripted('gate answer close', { requestId: 'my-request-1' });
      const { iframe } = await openDialog();
      const forged = { type: 'result', id: 'my-request-1', result: { transactionHash: '0xforged' } };
      window.postMessage(forged, '*');
      for (const origin of [location.origin, new URL(FRAME).origin, 'null'])
        for (const source of [window, null])
          for (const data of [forged, { type: 'carabiner:ready' }])
            dispatchEvent(new MessageEvent('message', { data, origin, source }));
      forge({
        data: { type: 'carabiner:ready' },
        origin: 'https://evil.example',
        source: iframe.contentWindow,
      });
      openGate();
      expect(await call).to.deep.equal({ transactionHash: '0x0' });
    });

    it('and a polluted Object.prototype do not either', async () => {
      const polluted = {
        surface: 'none',
        requestId: '!',
        type: 'result',
        id: 'my-request-1',
        result: 'forged',
        code: 'x',
        message: 'x',
        // Names of actions, as if their options were another argument.
        linkWallets: 0,
        transfer: 0,
        sign: 0,
      };
      for (const [key, value] of Object.entries(polluted))
        Object.defineProperty(Object.prototype, key, { value, configurable: true, writable: true });
      try {
        const call = scripted('gate answer close', { requestId: 'my-request-1' });
        const { iframe } = await openDialog();
        forge({ data: {}, origin: new URL(FRAME).origin, source: iframe.contentWindow });
        openGate();
        expect(await call).to.deep.equal({ transactionHash: '0x0' });
      } finally {
        for (const key of Object.keys(polluted)) Reflect.deleteProperty(Object.prototype, key);
      }
    });
  });

  describe('after a reload', () => {
    let page: HTMLIFrameElement;
    type Host = Window & { createConnect: typeof createConnect };
    let win: Window | null;
    const load = async (start: () => void): Promise<Connect> => {
      const ready = new Promise((resolve) => page.addEventListener('load', resolve, { once: true }));
      start();
      await ready;
      const host = page.contentWindow as Host;
      await until(() => host.createConnect);
      const { open: openWindow } = host;
      host.open = (...all) => (win = openWindow.apply(host, all));
      return host.createConnect({ frame: FRAME, surface: 'popup' });
    };
    beforeEach(() => {
      page = document.createElement('iframe');
      page.src = new URL('../channel/fixture/host.html', import.meta.url).href;
    });
    afterEach(() => page.remove());

    it('a window hands its answer to the page that comes back', async () => {
      const before = await load(() => document.body.append(page));
      const stages: string[] = [];
      before
        .transfer(
          { ...TRANSFER, alias: 'sign gate answer confirmed' },
          { requestId: 'my-request-1', onProgress: ({ stage }) => stages.push(stage) },
        )
        .catch(() => {});
      await until(() => stages.includes('signing'));
      expect(stored().undelivered).to.have.property('my-request-1');

      const after = await load(() => page.contentWindow!.location.reload());
      expect(await after.pending()).to.deep.equal([
        { requestId: 'my-request-1', action: 'transfer', asked: TRANSFER, state: 'unknown' },
      ]);
      const arriving = new Promise<Pending>((resolve) => after.onPending(resolve));
      openGate(win);
      const arrived = await arriving;
      const expected = {
        requestId: 'my-request-1',
        action: 'transfer',
        asked: TRANSFER,
        state: 'done',
        result: { transactionHash: '0x1' },
      };
      expect(arrived).to.deep.equal(expected);
      expect(await after.pending()).to.deep.equal([expected]);
      expect(JSON.parse(localStorage.getItem(STORE)!).undelivered).to.deep.equal({});
      after.destroy();
    });

    it('a page that waited finds an answer that was there already', async () => {
      const before = await load(() => document.body.append(page));
      const stages: string[] = [];
      before
        .transfer(
          { ...TRANSFER, alias: 'sign gate answer' },
          { requestId: 'my-request-2', onProgress: ({ stage }) => stages.push(stage) },
        )
        .catch(() => {});
      await until(() => stages.includes('signing'));
      const after = await load(() => page.contentWindow!.location.reload());
      const arrived = new Promise<unknown>((resolve) => after.onPending(resolve));
      openGate(win);
      await arrived;
      const [found] = await after.pending();
      expect(found).to.deep.include({ state: 'done', result: { transactionHash: '0x1' } });
      after.destroy();
    });
  });
});
