import { expect } from '@open-wc/testing';
import { Guard } from '../../../../src/frame/guard.ts';
import { isFirstParty, seesCover } from '../../../../src/frame/place.ts';
import { PageClock } from '../../clock.ts';

/** What a browser would report, when the test says so. */
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

const entry = (isVisible: boolean | undefined, intersectionRatio = 1): IntersectionObserverEntry =>
  ({
    target: FakeObserver.last.watched[0],
    isVisible,
    intersectionRatio,
  }) as unknown as IntersectionObserverEntry;

/** Events that a browser vouches for cannot be made by a script: only their shape is. */
function trusted<E extends Event>(event: E): E {
  return new Proxy(event, {
    get: (target, name) => (name === 'isTrusted' ? true : Reflect.get(target, name, target)),
  });
}
const click = (): Event => trusted(new PointerEvent('click', { pointerType: 'mouse' }));
const key = (): Event => trusted(new KeyboardEvent('keydown', { key: 'Enter' }));

class FakeWindow extends EventTarget {
  innerWidth = 400;
  innerHeight = 640;
}

function make(surface: 'iframe' | 'popup' = 'iframe', clock = new PageClock()) {
  const view = new FakeWindow();
  const guard = new Guard({
    surface,
    view: view as unknown as Window,
    Observer: FakeObserver as unknown as typeof IntersectionObserver,
    now: () => clock.date(),
  });
  const see = (isVisible: boolean | undefined, ratio?: number): void =>
    FakeObserver.last.report([entry(isVisible, ratio)]);
  guard.watch(document.body);
  return { guard, see, view, clock };
}

describe('the guard of an iframe', () => {
  let clock: PageClock;
  beforeEach(() => void (clock = new PageClock()));
  afterEach(() => clock.restore());

  it('asks for visibility itself, not only for intersection', () => {
    make('iframe', clock);
    expect(FakeObserver.last.options).to.include({ trackVisibility: true, delay: 100 });
    expect(seesCover()).to.equal(true);
  });

  it('lets a click through after 500 ms of unbroken visibility, not before', async () => {
    const { guard, see } = make('iframe', clock);
    expect(guard.state).to.equal('waiting');
    see(true);
    await clock.pass(499);
    expect(guard.allows(click())).to.equal(false);
    await clock.pass(1);
    expect(guard.state).to.equal('clear');
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
    expect(guard.allows(click())).to.equal(false);
    await clock.pass(400);
    expect(guard.allows(click())).to.equal(true);
  });

  it('looks once more at the event itself', async () => {
    const { guard, see } = make('iframe', clock);
    see(true);
    await clock.pass(5000);
    FakeObserver.last.waiting = [entry(false)];
    expect(guard.allows(click())).to.equal(false);
    expect(guard.state).to.equal('covered');
  });

  it('is covered when part of it is out of sight or it is smaller than 320 × 480', async () => {
    const { guard, see, view } = make('iframe', clock);
    see(true, 0.9);
    expect(guard.state).to.equal('covered');
    see(true);
    await clock.pass(500);
    expect(guard.state).to.equal('clear');
    view.innerHeight = 479;
    view.dispatchEvent(new Event('resize'));
    expect(guard.state).to.equal('covered');
    expect(guard.allows(click())).to.equal(false);
  });

  it('starts again with each new view', async () => {
    const { guard, see } = make('iframe', clock);
    see(true);
    await clock.pass(500);
    guard.watch(document.body);
    expect(guard.allows(click())).to.equal(false);
  });

  it('says when the browser cannot tell', () => {
    const { guard, see } = make('iframe', clock);
    see(undefined);
    expect(guard.state).to.equal('unsupported');
    expect(guard.allows(click())).to.equal(false);
  });

  it('refuses events that a script made', async () => {
    const { guard, see } = make('iframe', clock);
    see(true);
    await clock.pass(500);
    expect(guard.allows(new PointerEvent('click', { pointerType: 'mouse' }))).to.equal(false);
  });

  it('takes a key only from somebody who is at the keyboard in here', async () => {
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

  it('tells whoever listens', async () => {
    const { guard, see } = make('iframe', clock);
    const states: string[] = [];
    guard.onChange = (state) => states.push(state);
    see(true);
    await clock.pass(500);
    see(false);
    see(true);
    await clock.pass(500);
    expect(states).to.deep.equal(['clear', 'covered', 'waiting', 'clear']);
  });
});

describe('the guard of a window of its own', () => {
  it('only keeps the second click of a double click from approving what just appeared', async () => {
    const clock = new PageClock();
    const { guard, view } = make('popup', clock);
    view.innerHeight = 300;
    expect(guard.allows(click())).to.equal(false);
    await clock.pass(500);
    expect(guard.allows(click())).to.equal(true);
    clock.restore();
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
