import { expect, fixture, html } from '@open-wc/testing';
import { render } from 'lit';
import { cautions } from '../../../../../src/frame/approve/drawing/blocks.ts';
import { SeenParts } from '../../../../../src/frame/approve/drawing/sight.ts';
import { fullAddress } from '../../../../../src/ui/address.ts';
import { TestClock } from '../../../clock.ts';
import { frame } from '../../../turns.ts';

type Entry = Partial<IntersectionObserverEntry> & { isVisible?: boolean };

/** Reports what a browser would, when the test says so. */
class FakeObserver {
  static last: FakeObserver;
  readonly watched = new Set<Element>();
  waiting: IntersectionObserverEntry[] = [];
  constructor(readonly report: (entries: IntersectionObserverEntry[]) => void) {
    FakeObserver.last = this;
  }
  observe(element: Element): void {
    this.watched.add(element);
  }
  unobserve(element: Element): void {
    this.watched.delete(element);
  }
  disconnect(): void {
    this.watched.clear();
  }
  takeRecords(): IntersectionObserverEntry[] {
    return this.waiting.splice(0);
  }
}

/** What the system's keyboard leaves of a window of 600 pixels. */
class Rest extends EventTarget {
  scale = 1;
  offsetTop = 0;
  height = 600;

  become(changed: Partial<Pick<Rest, 'scale' | 'offsetTop' | 'height'>>, type = 'resize'): void {
    Object.assign(this, changed);
    this.dispatchEvent(new Event(type));
  }
}

const BOX = { width: 300, height: 40 } as DOMRectReadOnly;

function entry(target: Element, ratio: number, more: Entry = {}): IntersectionObserverEntry {
  return {
    target,
    isIntersecting: ratio > 0,
    intersectionRatio: ratio,
    boundingClientRect: BOX,
    ...more,
  } as IntersectionObserverEntry;
}

async function make({ embedded = false, rest = null as Rest | null } = {}) {
  const root = await fixture<HTMLElement>(html`<div>
    <p data-seen="effect" data-what="1 ETH"></p><p data-seen="to" data-what="Ada"></p><p data-seen="to" data-what="Bob"></p>
  </div>`);
  const clock = new TestClock();
  const view = new EventTarget();
  const scene = { focused: true, changes: 0 };
  const seen = new SeenParts({
    clock,
    Observer: FakeObserver as unknown as typeof IntersectionObserver,
    view: view as unknown as Window,
    rest: rest as VisualViewport | null,
    focused: () => scene.focused,
    onChange: () => scene.changes++,
    embedded,
  });
  seen.watch(root);
  const [effect, ada, bob] = root.querySelectorAll<HTMLElement>('p') as unknown as HTMLElement[];
  const observer = FakeObserver.last;
  return {
    root,
    clock,
    scene,
    seen,
    effect: effect!,
    ada: ada!,
    bob: bob!,
    observer,
    report: (...entries: IntersectionObserverEntry[]) => observer.report(entries),
    all: () => observer.report([effect!, ada!, bob!].map((element) => entry(element, 1))),
    missing: () => seen.missing.map(({ kind, number }) => `${kind} ${number}`),
    focus(on: boolean) {
      scene.focused = on;
      view.dispatchEvent(new Event(on ? 'focus' : 'blur'));
    },
  };
}

describe('what has to be seen', () => {
  it('counts the end of an address that is one narrow letter', async () => {
    const root = await fixture<HTMLElement>(
      html`<p data-seen="to" data-what="Ada"><span class="groups"><b>ak_x</b><b>i</b></span></p>`,
    );
    const clock = new TestClock();
    const seen = new SeenParts({
      clock,
      Observer: FakeObserver as unknown as typeof IntersectionObserver,
      view: new EventTarget() as unknown as Window,
      focused: () => true,
      onChange: () => {},
      embedded: false,
    });
    seen.watch(root);
    const { report, watched } = FakeObserver.last;
    const letter = { boundingClientRect: { width: 3, height: 20 } as DOMRectReadOnly };
    report([...watched].map((element) => entry(element, 1, element.textContent === 'i' ? letter : {})));
    await clock.pass(300);
    expect(seen.missing).to.deep.equal([]);
  });

  it('counts once 80 % of it was in view for 300 ms', async () => {
    const { report, clock, missing, effect, ada, bob } = await make();
    report(entry(effect, 1), entry(ada, 0.8), entry(bob, 0.79));
    await clock.pass(299);
    expect(missing()).to.deep.equal(['effect 1', 'to 1', 'to 2']);
    await clock.pass(1);
    expect(missing()).to.deep.equal(['to 2']);
  });

  it('counts only without a break', async () => {
    const { report, clock, missing, effect, all } = await make();
    all();
    await clock.pass(200);
    report(entry(effect, 0.2));
    report(entry(effect, 1));
    await clock.pass(200);
    expect(missing()).to.deep.equal(['effect 1']);
    await clock.pass(100);
    expect(missing()).to.deep.equal([]);
  });

  it('does not count a part that left before the browser’s next report', async () => {
    const { clock, missing, observer, ada, all } = await make();
    all();
    await clock.pass(299);
    observer.waiting = [entry(ada, 0)];
    await clock.pass(1);
    expect(missing()).to.include('to 1');
  });

  describe('under the keyboard of the system', () => {
    const at = (top: number): Entry => ({ boundingClientRect: new DOMRect(0, top, 300, 40) });

    it('does not count, and can be scrolled to, until the keyboard is gone', async () => {
      const rest = new Rest();
      rest.become({ height: 300 });
      const { report, clock, missing, seen, observer, effect, ada, bob } = await make({ rest });
      // The keyboard may hide a fifth of a part.
      report(entry(effect, 1, at(0)), entry(ada, 1, at(268)), entry(bob, 1, at(269)));
      await clock.pass(300);
      expect(missing()).to.deep.equal(['to 2']);
      expect(seen.missing[0]!.outside).to.equal(true);
      const again: Element[] = [];
      observer.observe = (element) => void again.push(element);
      rest.become({ height: 600 });
      expect(again, 'the browser is asked').to.include(bob);
      report(entry(bob, 1, at(269)));
      await clock.pass(300);
      expect(missing()).to.deep.equal([]);
    });

    it('does not count above what is in sight of it, either', async () => {
      const rest = new Rest();
      rest.become({ height: 300, offsetTop: 300 }, 'scroll');
      const { report, clock, missing, effect, ada, bob } = await make({ rest });
      report(entry(effect, 1, at(0)), entry(ada, 1, at(291)), entry(bob, 1, at(560)));
      await clock.pass(300);
      expect(missing()).to.deep.equal(['effect 1', 'to 1']);
    });

    it('counts on a zoomed page, which is read piece by piece, and in a frame, which knows of no keyboard', async () => {
      const rest = new Rest();
      rest.become({ height: 300, scale: 2 });
      const zoomed = await make({ rest });
      zoomed.report(
        entry(zoomed.effect, 1, at(0)),
        entry(zoomed.ada, 1, at(400)),
        entry(zoomed.bob, 1, at(500)),
      );
      await zoomed.clock.pass(300);
      expect(zoomed.missing()).to.deep.equal([]);
      rest.become({ scale: 1 });
      const embedded = await make({ rest, embedded: true });
      embedded.report(entry(embedded.bob, 1, { ...at(500), isVisible: true }));
      await embedded.clock.pass(300);
      expect(embedded.missing()).to.deep.equal(['effect 1', 'to 1']);
    });
  });

  it('does not count if the focus is gone by then, even without an event', async () => {
    const { clock, missing, all, scene } = await make();
    all();
    await clock.pass(299);
    scene.focused = false;
    await clock.pass(1);
    expect(missing()).to.have.length(3);
  });

  it('does not count in a window without focus', async () => {
    const { clock, missing, all, focus } = await make();
    focus(false);
    all();
    await clock.pass(1000);
    expect(missing()).to.have.length(3);
    focus(true);
    await clock.pass(200);
    focus(false);
    focus(true);
    await clock.pass(299);
    expect(missing()).to.have.length(3);
    await clock.pass(1);
    expect(missing()).to.deep.equal([]);
  });

  it('does not count what has no size, or what the browser does not vouch for inside a page', async () => {
    const flat = await make();
    flat.report(entry(flat.ada, 1, { boundingClientRect: { width: 300, height: 0 } as DOMRectReadOnly }));
    await flat.clock.pass(300);
    expect(flat.missing()).to.include('to 1');
    const covered = await make({ embedded: true });
    covered.report(entry(covered.ada, 1, { isVisible: false }), entry(covered.bob, 1, { isVisible: true }));
    await covered.clock.pass(300);
    expect(covered.missing()).to.deep.equal(['effect 1', 'to 1']);
  });

  it('is outside only where scrolling brings it into view: not where something covers it, or it fades in', async () => {
    const { report, seen, effect, ada, bob } = await make({ embedded: true });
    const outside = (): string[] => seen.missing.filter((part) => part.outside).map((part) => part.kind);
    expect(outside(), 'before the first report').to.deep.equal([]);
    report(entry(effect, 1, { isVisible: false }), entry(ada, 0.5, { isVisible: true }), entry(bob, 1));
    expect(outside()).to.deep.equal(['to']);
    report(entry(ada, 1, { isVisible: false }));
    expect(outside()).to.deep.equal([]);
  });

  it('has to be seen again when it changes, even back to what it was', async () => {
    const { clock, missing, all, seen, root, ada } = await make();
    all();
    await clock.pass(300);
    expect(missing()).to.deep.equal([]);
    ada.dataset['what'] = 'Eve';
    seen.watch(root);
    expect(missing()).to.deep.equal(['to 1']);
    ada.dataset['what'] = 'Ada';
    seen.watch(root);
    expect(missing()).to.deep.equal(['to 1']);
    all();
    await clock.pass(300);
    expect(missing()).to.deep.equal([]);
    seen.forget();
    expect(missing()).to.have.length(3);
  });

  it('asks the browser again for what is new, and not for what is gone', async () => {
    const { seen, root, ada, observer } = await make();
    ada.remove();
    seen.watch(root);
    expect(observer.watched.has(ada)).to.equal(false);
    expect(observer.watched.size).to.equal(2);
    seen.stop();
    expect(observer.watched.size).to.equal(0);
  });
});

describe('what is in a real window', () => {
  it('is what is inside it and unclipped: not what is below, hidden, or cut off by its box', async () => {
    const root =
      await fixture<HTMLElement>(html`<div style="block-size: 100px; overflow: auto; position: relative">
      <p data-seen="effect" style="block-size: 40px; margin: 0"></p>
      <div style="overflow: hidden; block-size: 5px"><p data-seen="to" style="block-size: 40px; margin: 0"></p></div>
      <p data-seen="to" style="display: none; block-size: 40px"></p>
      <p data-seen="to" style="block-size: 40px; margin-block-start: 200px"></p>
    </div>`);
    const clock = new TestClock();
    let told = 0;
    const seen = new SeenParts({ clock, onChange: () => told++, focused: () => true });
    seen.watch(root);
    const frames = async (): Promise<void> => {
      const before = told;
      for (let i = 0; i < 60 && told === before; i++) await frame();
      await clock.pass(300);
    };
    await frames();
    expect(seen.missing.map(({ number }) => number)).to.deep.equal([1, 2, 3]);
    root.scrollTo(0, 1000);
    await frames();
    expect(seen.missing.map(({ number }) => number)).to.deep.equal([1, 2]);
    seen.stop();
  });
});

describe('in a view', () => {
  const ADDRESS = '0x71C7656EC7ab88b098defB751B7401B5f6d8976F';

  /** A view inside a shell with a header, whose cautions the pad folds. */
  async function inShell() {
    const shell = await fixture<HTMLElement>(html`<div></div>`);
    const around = shell.attachShadow({ mode: 'open' });
    const host = document.createElement('div');
    render(
      html`<header><span data-seen="origin" data-what="https://shop.example"></span></header>${host}`,
      around,
    );
    const root = host.attachShadow({ mode: 'open' });
    const draw = (folded = false, known = true) =>
      render(
        html`<style>.folded details, .count { display: none; } .folded .count { display: block; }</style>
          <div class=${folded ? 'folded' : ''}>
            <span data-seen="to" data-what=${ADDRESS}>${fullAddress(ADDRESS)}</span>
            ${cautions(
              ['One', ...(known ? ['Two'] : []), 'Three', 'Four', 'Five'].map((title) => ({
                title,
                text: '',
              })),
            )}
          </div>`,
        root,
      );
    draw();
    const clock = new TestClock();
    const seen = new SeenParts({
      clock,
      Observer: FakeObserver as unknown as typeof IntersectionObserver,
      view: new EventTarget() as unknown as Window,
      focused: () => true,
      onChange: () => {},
    });
    seen.watch(root);
    const observer = FakeObserver.last;
    const missing = () =>
      seen.missing.map(({ kind, number, element }) => `${kind} ${number} ${element.innerText.trim()}`.trim());
    return {
      draw,
      seen,
      root,
      missing,
      show: async (...texts: string[]): Promise<void> => {
        for (const { element, kind } of seen.missing)
          if (texts.includes(element.innerText.trim()) || texts.includes(kind))
            observer.report([entry(element, 1)]);
        await clock.pass(300);
      },
    };
  }

  it('the site, both ends of an address and the first and last line of the cautions have to be seen', async () => {
    const { missing, show } = await inShell();
    expect(missing().map((part) => part.replace(/^(to 1).*/s, '$1'))).to.deep.equal([
      'origin 1',
      'to 1',
      'address 1 71C7',
      'address 1 976F',
      'warning 1 One',
      'warning 2 3 more',
    ]);
    await show('origin', 'to', '71C7', 'One');
    expect(missing()).to.deep.equal(['address 1 976F', 'warning 2 3 more']);
    await show('976F', '3 more');
    expect(missing()).to.deep.equal([]);
  });

  it('the number of cautions stands for them while the pad folds them', async () => {
    const { draw, seen, root, missing, show } = await inShell();
    await show('origin', 'to', 'address', 'warning');
    expect(missing()).to.deep.equal([]);
    draw(true);
    seen.watch(root);
    expect(missing()).to.deep.equal(['warning 1 5 cautions']);
  });

  it('a caution that takes another’s place has to be seen again', async () => {
    const { draw, seen, root, missing, show } = await inShell();
    await show('origin', 'to', 'address', 'warning');
    draw(false, false);
    seen.watch(root);
    expect(missing()).to.deep.equal(['warning 2 2 more']);
  });
});
