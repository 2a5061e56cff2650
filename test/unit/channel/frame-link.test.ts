import { expect } from '@open-wc/testing';
import { setViewport } from '@web/test-runner-commands';
import type { Blocked } from '../../../src/channel/blocked.ts';
import { FrameLink } from '../../../src/channel/frame-link.ts';
import type { Surface } from '../../../src/channel/surface.ts';
import { TestClock } from '../clock.ts';

const FRAME = 'https://connect.example';

/** A window of the wallet, as far as a page can see it. */
function fakeSurface(kind: Surface['kind']) {
  const posted: { message: { type: string }; target: string; ports: number }[] = [];
  const ports: MessagePort[] = [];
  const win = {
    postMessage: (message: { type: string }, target: string, transfer: MessagePort[] = []) => {
      posted.push({ message, target, ports: transfer.length });
      ports.push(...transfer);
    },
  };
  const state = { alive: true, closed: 0 };
  const surface: Surface = {
    kind,
    window: win as unknown as Window,
    alive: () => state.alive,
    ready() {},
    present() {},
    hide() {},
    close: () => void state.closed++,
  };
  return { surface, win, posted, ports, state };
}

describe('the page’s link with a frame', () => {
  let clock: TestClock;
  let link: FrameLink | undefined;
  let ends: string[];
  let absence: 'down' | 'missing' | undefined;
  let slow: string[];
  beforeEach(() => {
    clock = new TestClock();
    ends = [];
    absence = undefined;
    slow = [];
  });
  afterEach(() => link?.close());

  const open = (surface: Surface, theme?: 'light' | 'dark'): FrameLink =>
    (link = new FrameLink({
      clock,
      surface,
      frameOrigin: FRAME,
      mode: 'approve',
      theme,
      unlinked: [],
      look: async () => absence,
      onSlow: (isKnown) => void slow.push(isKnown ? 'known' : 'unknown'),
      onMessage() {},
      onConnected() {},
      onEnd: (how: 'closed' | 'gone' | Blocked) => void ends.push(how),
    }));
  const say = (origin: string, source: unknown): void =>
    void dispatchEvent(
      Object.assign(new Event('message'), { origin, source, data: { type: 'carabiner:ready' } }),
    );

  it('gives its port to nobody but the wallet’s own origin, in the wallet’s own window', () => {
    const { surface, win, posted } = fakeSurface('iframe');
    const { connected } = open(surface);
    expect(connected).to.equal(false);
    // The window now shows another site.
    for (const origin of ['https://evil.example', 'null', '', `${FRAME}.evil.example`]) say(origin, win);
    say(FRAME, window);
    say(FRAME, null);
    expect(posted).to.deep.equal([]);
    expect(link!.connected).to.equal(false);
    say(FRAME, win);
    expect(posted.map(({ message, target, ports }) => [message.type, target, ports])).to.deep.equal([
      ['carabiner:init', FRAME, 1],
    ]);
    expect(link!.connected).to.equal(true);
  });

  it('tells the wallet the page’s light or dark by itself: older wallets refuse an `init` that has more', async () => {
    for (const theme of ['dark', undefined] as const) {
      const { surface, win, posted, ports } = fakeSurface('popup');
      open(surface, theme);
      say(FRAME, win);
      expect(Object.keys(posted[0]!.message)).to.deep.equal(['type', 'protocol', 'mode', 'unlinked']);
      const heard = new Promise<unknown>((resolve) => {
        ports[0]!.onmessage = ({ data }) => resolve(data);
      });
      link!.send({ type: 'stay' });
      expect(await heard).to.deep.equal(theme ? { type: 'theme', theme } : { type: 'stay' });
      link!.close();
    }
  });

  it('tells the wallet that it is a sheet, by the width of the page, and when that changes', async () => {
    await setViewport({ width: 479, height: 700 });
    try {
      const { surface, win, ports } = fakeSurface('iframe');
      open(surface);
      say(FRAME, win);
      const heard: unknown[] = [];
      const told = new Promise<void>((resolve) => {
        ports[0]!.onmessage = ({ data }) => {
          heard.push(data);
          if (heard.length === 2) resolve();
        };
      });
      await setViewport({ width: 480, height: 700 });
      await told;
      expect(heard).to.deep.equal([
        { type: 'sheet', on: true },
        { type: 'sheet', on: false },
      ]);
    } finally {
      await setViewport({ width: 800, height: 600 });
    }
  });

  it('tells after four seconds that it takes long, gives up an iframe after twenty, and never a window', async () => {
    for (const [kind, end] of [
      ['popup', []],
      ['iframe', ['silent']],
      ['hidden', ['silent']],
    ] as const) {
      ends = [];
      slow = [];
      open(fakeSurface(kind).surface);
      await clock.pass(3999);
      expect(slow).to.deep.equal([]);
      await clock.pass(1);
      expect(slow).to.deep.equal(['known']);
      await clock.pass(15_999);
      expect(ends).to.deep.equal([]);
      await clock.pass(40_001);
      expect(ends).to.deep.equal(end);
      expect(slow).to.have.length(1);
      link!.close();
    }
  });

  it('does not give up where only the first look finds no wallet', async () => {
    absence = 'down';
    open(fakeSurface('iframe').surface);
    await clock.pass(1500);
    absence = undefined;
    await clock.pass(18_499);
    expect([ends, slow]).to.deep.equal([[], ['known']]);
    await clock.pass(1);
    expect(ends).to.deep.equal(['silent']);
  });

  it('gives up any of them where two looks find no wallet, and then says which', async () => {
    for (const kind of ['popup', 'iframe', 'hidden'] as const)
      for (absence of ['down', 'missing'] as const) {
        ends = [];
        open(fakeSurface(kind).surface);
        await clock.pass(2999);
        expect(ends).to.deep.equal([]);
        await clock.pass(1);
        expect(ends).to.deep.equal([absence]);
      }
    expect(slow).to.deep.equal([]);
  });

  it('looks for nobody who has answered', async () => {
    absence = 'down';
    const { surface, win } = fakeSurface('popup');
    open(surface);
    say(FRAME, win);
    await clock.pass(60_000);
    expect([ends, slow]).to.deep.equal([[], []]);
  });

  it('notices within a quarter of a second that the wallet was taken away', async () => {
    const { surface, win, state } = fakeSurface('iframe');
    open(surface);
    say(FRAME, win);
    await clock.pass(10_000);
    expect(ends).to.deep.equal([]);
    state.alive = false;
    await clock.pass(250);
    expect(ends).to.deep.equal(['gone']);
    expect(state.closed).to.equal(1);
    expect(clock.waiting).to.equal(0);
  });
});
