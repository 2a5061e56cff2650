/**
 * Decides whether a click or key on a consent button (Approve, Link wallets, Show private key) is the user's own.
 *
 * A page can draw over an iframe, slide it under a click meant for something else, or cover it with a window that closes under the
 * pointer. IntersectionObserver v2 reports whether the user can really see an iframe: no overlay, opacity or transform in any ancestor
 * page. It misses masks, clip paths and rounded corners on the iframe element itself, and zoom: so only listed pages may embed the wallet,
 * and size and pixel ratio are measured here. Consent counts after 800 ms in plain sight, in a window that neither lost nor gained focus
 * meanwhile and since the last press that did not count, and is checked again at the event itself. A click counts only if it was pressed
 * within that time: a finger may lie on the glass for longer than a view takes to come.
 */
import { type Clock, systemClock } from '../../base/clock.ts';
import { isEnough, isEnoughForSteps, roomOf, type View } from './room.ts';

/** Long enough to notice what appeared under the pointer; shorter than it takes to read an approval. */
export const DWELL = 800;
/** How long a cover may last, as an animation or a scroll does, before the guard view replaces the approval. */
export const GRACE = 1500;

/** `waiting`: visible, but not for long enough yet. `unsupported`: this browser cannot tell; approve in a window of its own. */
export type GuardState = 'waiting' | 'clear' | 'covered' | 'small' | 'unsupported';

/** IntersectionObserver v2; not in TypeScript's DOM library. */
interface VisibleEntry extends IntersectionObserverEntry {
  readonly isVisible?: boolean;
}
interface VisibleInit extends IntersectionObserverInit {
  trackVisibility: boolean;
  delay: number;
}

export interface GuardOptions {
  surface: 'iframe' | 'popup';
  clock?: Clock;
  /** For tests. */
  Observer?: typeof IntersectionObserver;
  view?: Pick<Window, 'addEventListener' | 'removeEventListener'> & View;
}

/** Dense near 1: a clip of one pixel is reported only when it crosses a threshold. */
const THRESHOLDS = [0, 0.9, 0.99, 0.995, 0.998, 1];

export class Guard {
  #state: GuardState = 'waiting';
  /** Called after each change of `state`. */
  onChange: (state: GuardState) => void = () => {};
  /** Called after each change of the window's size. */
  onResize: () => void = () => {};

  readonly #options: Required<GuardOptions>;
  #observer: IntersectionObserver | undefined;
  /** Undefined until the observer's first report. */
  #seen = new Map<Element, boolean | undefined>();
  #clearSince: number | null = null;
  #stopWaiting: () => void = () => {};
  /** When this document last gained or lost focus, and whether a trusted key or pointer event was seen since. */
  #focusedAt: number;
  #touched = false;
  /** `#clearSince` at the last press. */
  #pressedIn: number | null = null;
  readonly #undo: (() => void)[] = [];

  constructor(options: GuardOptions) {
    this.#options = { Observer: IntersectionObserver, view: window, clock: systemClock, ...options };
    const { view, clock } = this.#options;
    this.#focusedAt = clock.now();
    const on = (type: string, listener: (event: Event) => void): void => {
      view.addEventListener(type, listener, true);
      this.#undo.push(() => view.removeEventListener(type, listener, true));
    };
    on('resize', () => {
      this.#judge();
      this.onResize();
    });
    // Nothing else reveals that another window was on top. The same events from elements inside do not count.
    for (const type of ['blur', 'focus', 'visibilitychange'])
      on(type, (event) => {
        if (event.target instanceof Element) return;
        // A page can move focus here while the user types, so a key counts only after an earlier key or press.
        this.#focusedAt = clock.now();
        this.#touched = false;
        this.restart();
      });
    for (const type of ['pointerdown', 'keyup'])
      on(type, (event) => {
        if (!event.isTrusted) return;
        this.#touched = true;
        this.#pressedIn = this.#clearSince;
      });
    if (options.surface === 'popup') return;
    this.#observer = new this.#options.Observer((entries) => this.#take(entries), {
      threshold: THRESHOLDS,
      trackVisibility: true,
      delay: 100,
    } as VisibleInit);
  }

  get clock(): Clock {
    return this.#options.clock;
  }

  get state(): GuardState {
    return this.#state;
  }

  /** There is no room for everything at once. */
  get isCramped(): boolean {
    return !isEnough(roomOf(this.#options.view));
  }

  /** Watches these elements, and only these. Restarts the dwell. */
  watch(...elements: Element[]): void {
    this.#observer?.disconnect();
    this.#seen = new Map(elements.map((element) => [element, undefined]));
    for (const element of elements) this.#observer?.observe(element);
    this.restart();
  }

  /** Restarts the dwell after a change in what the user sees, or in focus. */
  restart(): void {
    this.#clearSince = null;
    this.#judge();
  }

  /** Whether `event` may consent, if the view is `ready` for it. Call this first in the listener, with the event itself. */
  allows(event: Event, ready = true): boolean {
    const isAllowed = this.#counts(event) && ready;
    // Pressed again and again, it would sooner or later be allowed.
    if (!isAllowed) this.restart();
    return isAllowed;
  }

  #counts(event: Event): boolean {
    const records = this.#observer?.takeRecords();
    if (records?.length) this.#take(records);
    this.#judge();
    if (!event.isTrusted || this.#state !== 'clear') return false;
    // A keyboard click has no pointer type; Enter in a field is a keydown.
    const byPointer = event instanceof PointerEvent && event.pointerType !== '';
    return byPointer
      ? this.#pressedIn === this.#clearSince
      : this.#touched && this.#options.clock.now() - this.#focusedAt >= DWELL;
  }

  stop(): void {
    this.#stopWaiting();
    this.#observer?.disconnect();
    for (const undo of this.#undo) undo();
  }

  #take(entries: readonly VisibleEntry[]): void {
    for (const entry of entries) {
      const { target, isVisible } = entry;
      if (isVisible === undefined) return this.#become('unsupported');
      // Every entry is a change, even if a later one in the batch reverts it, so the dwell starts over.
      this.#clearSince = null;
      if (this.#seen.has(target)) this.#seen.set(target, isVisible && isWhole(entry));
    }
    this.#judge();
  }

  #judge(): void {
    if (this.#state === 'unsupported') return;
    this.#stopWaiting();
    const { surface, view, clock } = this.#options;
    const seen = [...this.#seen.values()];
    const room = roomOf(view);
    // The size of an iframe is its page's choice.
    const small = surface === 'iframe' ? !isEnough(room) : !isEnoughForSteps(room);
    // No page can draw over the wallet's own window.
    const hidden = surface === 'iframe' && (!seen.length || seen.some((visible) => !visible));
    if (small || hidden) {
      this.#clearSince = null;
      return this.#become(small ? 'small' : seen.includes(false) ? 'covered' : 'waiting');
    }
    this.#clearSince ??= clock.now();
    const left = DWELL - (clock.now() - this.#clearSince);
    if (left <= 0) return this.#become('clear');
    this.#become('waiting');
    this.#stopWaiting = clock.after(left, () => this.#judge());
  }

  #become(state: GuardState): void {
    if (state === this.#state) return;
    this.#state = state;
    this.onChange(state);
  }
}

/** Zoomed browsers round edges between pixels; less than one pixel cannot hide anything. */
function isWhole({ intersectionRatio, intersectionRect, boundingClientRect: whole }: VisibleEntry): boolean {
  return (
    intersectionRatio === 1 ||
    (intersectionRatio > 0.99 &&
      whole.width - intersectionRect.width < 1 &&
      whole.height - intersectionRect.height < 1)
  );
}
