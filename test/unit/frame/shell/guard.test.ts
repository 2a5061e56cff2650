import { expect } from '@open-wc/testing';
import { DWELL, Guard } from '../../../../src/frame/shell/guard.ts';
import { isFirstParty, isListed, seesCover, servesVault } from '../../../../src/frame/shell/place.ts';
import { enlarge, isOutside, opensTooSmall } from '../../../../src/frame/shell/own-window.ts';
import { shortageOf, type View } from '../../../../src/frame/shell/room.ts';
import { markMade } from '../../../../src/wallets/first-paint.ts';
import { TestClock } from '../../clock.ts';

/** Reports what a browser would, when the test says so. */
class FakeObserver {
  static last: FakeObserver;
  watched: Element[] = [];
  waiting: IntersectionObserverEntry[] = [];
  constructor(
    readonly report: (entries: IntersectionObserverEntry[]) => void,
    readonly options: IntersectionObserverInit & { trackVisibility?: boolean; delay?: number },
  ) {
    FakeObserver.last = this;
  }
  observe(element: Element): void {
    this.watched.push(element);
  }
  disconnect(): void {
    this.watched = [];
  }
  takeRecords(): IntersectionObserverEntry[] {
    return this.waiting.splice(0);
  }
}

/** `cut`: invisible pixels at the bottom. */
const entry = (isVisible: boolean | undefined, cut = 0, target = 0): IntersectionObserverEntry => {
  const whole = new DOMRect(0, 0, 400, 640);
  return {
    target: FakeObserver.last.watched[target],
    isVisible,
    intersectionRatio: (640 - cut) / 640,
    intersectionRect: new DOMRect(0, 0, 400, 640 - cut),
    boundingClientRect: whole,
  } as unknown as IntersectionObserverEntry;
};

/** Scripts cannot create trusted events: this one only looks like one. */
function trusted<E extends Event>(event: E): E {
  return new Proxy(event, {
    get: (target, name) => (name === 'isTrusted' ? true : Reflect.get(target, name, target)),
  });
}
const release = (): Event => trusted(new PointerEvent('click', { pointerType: 'mouse' }));
/** Pressed just now, and released. */
const click = (): Event => {
  FakeWindow.last.press();
  return release();
};
const key = (): Event => trusted(new KeyboardEvent('keydown', { key: 'Enter' }));

class FakeWindow extends EventTarget {
  static last: FakeWindow;
  readonly #onPress: ((event: Event) => void)[] = [];
  innerWidth = 400;
  innerHeight = 640;
  devicePixelRatio = 1;

  constructor() {
    super();
    FakeWindow.last = this;
  }

  override addEventListener(type: string, listener: (event: Event) => void, capture?: boolean): void {
    super.addEventListener(type, listener, capture);
    if (type === 'pointerdown') this.#onPress.push(listener);
  }

  press(): void {
    for (const listener of this.#onPress) listener(trusted(new PointerEvent('pointerdown')));
  }

  become(changed: Partial<Pick<FakeWindow, 'innerWidth' | 'innerHeight' | 'devicePixelRatio'>>): void {
    Object.assign(this, changed);
    this.dispatchEvent(new Event('resize'));
  }
}

function make(surface: 'iframe' | 'popup' = 'iframe', clock = new TestClock()) {
  const view = new FakeWindow();
  const guard = new Guard({
    surface,
    view: view as unknown as Window,
    Observer: FakeObserver as unknown as typeof IntersectionObserver,
    clock,
  });
  const see = (isVisible: boolean | undefined, cut?: number): void =>
    FakeObserver.last.report([entry(isVisible, cut)]);
  guard.watch(document.body);
  return { guard, see, view, clock };
}

describe('the guard of an iframe', () => {
  let clock: TestClock;
  beforeEach(() => void (clock = new TestClock()));

  it('asks for visibility itself, not only for intersection', () => {
    make('iframe', clock);
    expect(FakeObserver.last.options).to.include({ trackVisibility: true, delay: 100 });
    expect(FakeObserver.last.options.threshold).to.include(1);
    class Entry {
      get isVisible(): boolean {
        return true;
      }
    }
    expect(seesCover(Entry as never)).to.equal(true);
    // Of Firefox and Safari.
    expect(seesCover(class {} as never)).to.equal(false);
  });

  it('lets a click through after 800 ms of unbroken visibility, not before', async () => {
    const { guard, see } = make('iframe', clock);
    expect(guard.state).to.equal('waiting');
    see(true);
    await clock.pass(799);
    expect(guard.state).to.equal('waiting');
    await clock.pass(1);
    expect(guard.state).to.equal('clear');
    expect(guard.allows(click())).to.equal(true);
  });

  it('starts again with each press that is refused, so that no series of presses gets through', async () => {
    const { guard, see } = make('iframe', clock);
    see(true);
    for (let presses = 0; presses < 20; presses++) {
      await clock.pass(150);
      expect(guard.allows(click()), `press ${presses}`).to.equal(false);
    }
    await clock.pass(DWELL);
    expect(guard.allows(click(), false), 'on a view that is not ready').to.equal(false);
    expect(guard.allows(click())).to.equal(false);
    await clock.pass(DWELL);
    expect(guard.allows(click())).to.equal(true);
  });

  it('starts again when it was covered for a moment: uncovered 100 ms before the click is too late', async () => {
    const { guard, see } = make('iframe', clock);
    see(true);
    await clock.pass(5000);
    see(false);
    expect(guard.state).to.equal('covered');
    see(true);
    await clock.pass(100);
    expect(guard.state).to.equal('waiting');
    await clock.pass(700);
    expect(guard.allows(click())).to.equal(true);
  });

  it('starts again when it was covered and uncovered between two reports, which come as one', async () => {
    const { guard } = make('iframe', clock);
    FakeObserver.last.report([entry(true)]);
    await clock.pass(5000);
    expect(guard.state).to.equal('clear');
    FakeObserver.last.report([entry(false), entry(true)]);
    expect(guard.state).to.equal('waiting');
    await clock.pass(DWELL - 1);
    expect(guard.state).to.equal('waiting');
    await clock.pass(1);
    expect(guard.allows(click())).to.equal(true);
  });

  it('checks again at the event itself', async () => {
    const { guard, see } = make('iframe', clock);
    see(true);
    await clock.pass(5000);
    FakeObserver.last.waiting = [entry(false)];
    expect(guard.allows(click())).to.equal(false);
    expect(guard.state).to.equal('covered');
  });

  it('finds at the event that it was covered and uncovered before a report came', async () => {
    const { guard, see } = make('iframe', clock);
    see(true);
    await clock.pass(5000);
    FakeObserver.last.waiting = [entry(false), entry(true)];
    expect(guard.allows(click())).to.equal(false);
    expect(guard.state).to.equal('waiting');
  });

  for (const type of ['blur', 'focus', 'visibilitychange'])
    it(`starts again with ${type} of the window: something lay over it that only the user could see`, async () => {
      const { guard, see, view } = make('iframe', clock);
      see(true);
      await clock.pass(5000);
      view.dispatchEvent(new Event(type));
      await clock.pass(DWELL - 1);
      expect(guard.state).to.equal('waiting');
      await clock.pass(1);
      expect(guard.allows(click())).to.equal(true);
    });

  it('does not start again when the focus moves inside the window', async () => {
    const { guard, see, view } = make('iframe', clock);
    see(true);
    await clock.pass(DWELL);
    const moved = new Event('focus');
    Object.defineProperty(moved, 'target', { value: document.body });
    view.dispatchEvent(moved);
    expect(guard.allows(click())).to.equal(true);
  });

  it('is covered when a pixel or more is out of sight, but not by a browser’s rounding', async () => {
    const { guard, see } = make('iframe', clock);
    for (const cut of [64, 2, 1]) {
      see(true, cut);
      expect(guard.state, `${cut} px`).to.equal('covered');
      see(true, 0.4);
      expect(guard.state).to.equal('waiting');
    }
    await clock.pass(DWELL);
    expect(guard.allows(click())).to.equal(true);
  });

  it('needs every element that it watches', async () => {
    const { guard } = make('iframe', clock);
    guard.watch(document.body, document.documentElement);
    FakeObserver.last.report([entry(true, 0, 0)]);
    await clock.pass(5000);
    expect(guard.state).to.equal('waiting');
    FakeObserver.last.report([entry(false, 0, 1)]);
    expect(guard.state).to.equal('covered');
    FakeObserver.last.report([entry(true, 0, 1)]);
    await clock.pass(DWELL);
    expect(guard.state).to.equal('clear');
  });

  it('starts again with each new view', async () => {
    const { guard, see } = make('iframe', clock);
    see(true);
    await clock.pass(DWELL);
    guard.watch(document.body);
    expect(guard.allows(click())).to.equal(false);
  });

  it('refuses a click that was pressed on what was there before, however long the finger stays', async () => {
    const { guard, see, view } = make('iframe', clock);
    see(true);
    await clock.pass(DWELL);
    view.press();
    guard.watch(document.body);
    see(true);
    await clock.pass(DWELL);
    expect(guard.state).to.equal('clear');
    expect(guard.allows(release())).to.equal(false);
    await clock.pass(DWELL);
    expect(guard.allows(click())).to.equal(true);
  });

  it('says when the browser cannot report visibility', () => {
    const { guard, see } = make('iframe', clock);
    see(undefined);
    expect(guard.state).to.equal('unsupported');
    expect(guard.allows(click())).to.equal(false);
  });

  it('refuses events that a script made', async () => {
    const { guard, see } = make('iframe', clock);
    see(true);
    await clock.pass(DWELL);
    expect(guard.allows(new PointerEvent('click', { pointerType: 'mouse' }))).to.equal(false);
  });

  it('takes a key only from a user who has typed in here before', async () => {
    const { guard, see, view } = make('iframe', clock);
    see(true);
    await clock.pass(1000);
    expect(guard.allows(key()), 'no key was pressed in here yet').to.equal(false);
    const stolen = new Event('focus');
    view.dispatchEvent(stolen);
    view.dispatchEvent(new KeyboardEvent('keyup', { key: '1' }));
    await clock.pass(1000);
    expect(guard.allows(key()), 'only a script pressed one').to.equal(false);
  });

  it('calls its listener', async () => {
    const { guard, see } = make('iframe', clock);
    const states: string[] = [];
    guard.onChange = (state) => states.push(state);
    see(true);
    await clock.pass(DWELL);
    see(false);
    see(true);
    await clock.pass(DWELL);
    expect(states).to.deep.equal(['clear', 'covered', 'waiting', 'clear']);
  });
});

describe('the guard of a window of its own', () => {
  it('keeps the second click of a double click from approving what just appeared', async () => {
    const { guard, clock } = make('popup', new TestClock());
    expect(guard.allows(click())).to.equal(false);
    await clock.pass(DWELL);
    expect(guard.allows(click())).to.equal(true);
  });

  for (const type of ['blur', 'focus'])
    it(`starts again with ${type}`, async () => {
      const { guard, view, clock } = make('popup', new TestClock());
      await clock.pass(DWELL);
      view.dispatchEvent(new Event(type));
      expect(guard.allows(click())).to.equal(false);
      await clock.pass(DWELL);
      expect(guard.allows(click())).to.equal(true);
    });
});

for (const surface of ['iframe', 'popup'] as const)
  describe(`the room that an approval needs, in the guard of ${surface === 'iframe' ? 'an iframe' : 'a window'}`, () => {
    type Size = [innerWidth: number, innerHeight: number, devicePixelRatio?: number];
    const enough: Size[] = [
      [320, 480],
      [560, 320],
      [400, 640, 0.75],
      [360, 640, 3],
      [622, 432, 2],
    ];
    // In a window, for two steps.
    const cramped: Size[] = [
      [320, 479],
      [559, 479],
      [560, 319],
      [420, 240],
      // A screen of 1280 × 1024 at 400 %, and what browsers leave of it.
      [320, 256],
      [320, 231],
    ];
    (surface === 'popup' ? enough : []).push(...cramped);
    const short: Size[] = [
      ...(surface === 'iframe' ? cramped : []),
      [319, 480],
      [320, 230],
      [420, 190],
      [200, 200],
      // CSS `zoom: 0.2` on the iframe, and a page that the user zoomed out to half its size.
      [400, 640, 0.2],
      [1200, 900, 0.5],
      [400, 640, 0.74],
    ];
    for (const [innerWidth, innerHeight, devicePixelRatio = 1] of enough)
      it(`is there at ${innerWidth} × ${innerHeight} and ${devicePixelRatio} pixels each`, async () => {
        const { guard, see, view, clock } = make(surface, new TestClock());
        if (surface === 'iframe') see(true);
        view.become({ innerWidth, innerHeight, devicePixelRatio });
        await clock.pass(DWELL);
        expect(guard.allows(click())).to.equal(true);
      });
    for (const [innerWidth, innerHeight, devicePixelRatio = 1] of short)
      it(`is not there at ${innerWidth} × ${innerHeight} and ${devicePixelRatio} pixels each, and 800 ms after there is`, async () => {
        const { guard, see, view, clock } = make(surface, new TestClock());
        if (surface === 'iframe') see(true);
        await clock.pass(5000);
        expect(guard.state).to.equal('clear');
        view.become({ innerWidth, innerHeight, devicePixelRatio });
        expect(guard.state).to.equal('small');
        await clock.pass(5000);
        expect(guard.allows(click())).to.equal(false);
        view.become({ innerWidth: 400, innerHeight: 640, devicePixelRatio: 1 });
        expect(guard.state).to.equal('waiting');
        await clock.pass(DWELL - 1);
        expect(guard.state).to.equal('waiting');
        await clock.pass(1);
        expect(guard.allows(click())).to.equal(true);
      });

    it('is told apart from what one view needs', () => {
      const { guard, view } = make(surface, new TestClock());
      let resized = 0;
      guard.onResize = () => resized++;
      expect(guard.isCramped).to.equal(false);
      view.become({ innerWidth: 320, innerHeight: 256 });
      expect([guard.isCramped, resized]).to.deep.equal([true, 1]);
    });

    it('is measured at the event, whatever was told before', async () => {
      const { guard, see, view, clock } = make(surface, new TestClock());
      if (surface === 'iframe') see(true);
      await clock.pass(5000);
      Object.assign(view, { devicePixelRatio: 0.2 });
      expect(guard.allows(click())).to.equal(false);
    });
  });

describe('what is short', () => {
  const short = (width: number, height: number, ratio = 1) => shortageOf({ width, height, ratio });
  it('is shown with what is needed, as a size or a zoom', () => {
    expect(short(400, 640)).to.equal(undefined);
    expect(short(320, 231)).to.equal(undefined);
    expect(short(300, 420)).to.deep.equal({
      kind: 'size',
      now: { width: 300, height: 420 },
      needed: { width: 320, height: 231 },
    });
    expect(short(1200, 900, 0.5)).to.deep.equal({ kind: 'zoom', now: 50, needed: 75 });
    expect(short(200, 200, 0.5)).to.deep.include({ kind: 'size' });
  });
});

describe('a window of its own', () => {
  const screen = { availLeft: 0, availTop: 0, availWidth: 1280, availHeight: 800, isExtended: false };
  const at = (screenX: number, screenY: number, outerWidth = 420, outerHeight = 720, on = {}) =>
    ({ screenX, screenY, outerWidth, outerHeight, screen: { ...screen, ...on } }) as unknown as View;

  it('is outside the screen when a part of it is, and never where there is a second one', () => {
    expect(isOutside(at(0, 0))).to.equal(false);
    expect(isOutside(at(860, 80))).to.equal(false);
    expect(isOutside(at(-8, -8, 1296, 816)), 'maximised').to.equal(false);
    expect(isOutside(at(1000, 0))).to.equal(true);
    expect(isOutside(at(0, 300))).to.equal(true);
    expect(isOutside(at(-100, 0))).to.equal(true);
    expect(isOutside(at(1000, 0, 420, 720, { isExtended: true }))).to.equal(false);
    expect(isOutside(at(1500, 0, 420, 720, { availLeft: 1280 }))).to.equal(false);
  });

  it('enlarges itself to its intended size, and never shrinks', () => {
    const sizes: number[][] = [];
    const window = (inner: [number, number]) =>
      ({
        innerWidth: inner[0],
        innerHeight: inner[1],
        outerWidth: inner[0] + 10,
        outerHeight: inner[1] + 30,
        resizeTo: (...size: number[]) => sizes.push(size),
      }) as unknown as View;
    expect(opensTooSmall(window([360, 560]))).to.equal(false);
    expect(opensTooSmall(window([359, 560]))).to.equal(true);
    expect(opensTooSmall(window([360, 559]))).to.equal(true);
    enlarge(window([200, 160]));
    enlarge(window([800, 400]));
    expect(sizes).to.deep.equal([
      [430, 750],
      [810, 750],
    ]);
  });
});

describe('storage that is the wallet’s own', () => {
  const at = (
    host: string,
    site?: string,
    parentIsTop = true,
    frame = 'https://connect.example/frame/',
  ): boolean =>
    isFirstParty(
      {
        link: { origin: host, surface: 'iframe' } as never,
        networks: { site, networks: [], reported: [], customNodes: false },
      },
      { location: new URL(frame), parentIsTop },
    );

  it('is there on the same host name or under the configured site, in a page that is top-level', () => {
    expect(at('https://connect.example')).to.equal(true);
    expect(at('https://connect.example:8443')).to.equal(true);
    expect(at('https://shop.example')).to.equal(false);
    expect(at('https://shop.one.example', 'one.example', true, 'https://connect.one.example/')).to.equal(
      true,
    );
    expect(at('https://one.example', 'one.example', true, 'https://connect.one.example/')).to.equal(true);
    expect(at('https://notone.example', 'one.example', true, 'https://connect.one.example/')).to.equal(false);
    expect(at('https://connect.example', undefined, false)).to.equal(false);
    expect(at('http://connect.example')).to.equal(false);
  });
});

describe('a vault that a window has made', () => {
  const at = (surface: 'iframe' | 'popup' = 'iframe', embed = [location.origin]): boolean =>
    servesVault({ link: { origin: location.origin, surface } as never, networks: { embed } });
  const { IntersectionObserverEntry: Real } = window;
  afterEach(() => {
    window.IntersectionObserverEntry = Real;
    localStorage.removeItem('carabiner:vault');
  });

  it('is read in a frame only where the frame shares its storage', () => {
    window.IntersectionObserverEntry = class {} as never;
    expect(at(), 'the storage of frames may be another one').to.equal(false);
    expect(at('popup')).to.equal(true);
    markMade('carabiner', false);
    expect(at(), 'it is here').to.equal(true);
    expect(at('iframe', []), 'the page is not listed').to.equal(false);
    localStorage.removeItem('carabiner:vault');
    window.IntersectionObserverEntry = class {} as never;
    Object.assign(IntersectionObserverEntry.prototype, { isVisible: true });
    expect(at(), 'a frame may have made it').to.equal(true);
  });
});

describe('a page that may embed the wallet', () => {
  const at = (origin: string, embed?: string[], surface: 'iframe' | 'popup' = 'iframe'): boolean =>
    isListed({ link: { origin, surface } as never, networks: { embed } });

  it('is one whose exact origin the operator lists; a window needs no listing', () => {
    expect(at('https://shop.example', ['https://shop.example'])).to.equal(true);
    expect(at('https://shop.example:8443', ['https://shop.example'])).to.equal(false);
    expect(at('http://shop.example', ['https://shop.example'])).to.equal(false);
    expect(at('https://a.shop.example', ['https://shop.example'])).to.equal(false);
    expect(at('https://shop.example', [])).to.equal(false);
    expect(at('https://shop.example')).to.equal(false);
    expect(at('https://shop.example', [], 'popup')).to.equal(true);
  });
});
