/**
 * Decides whether a click or key on a consent button (Approve, Link wallets, Show private key) is the user's own.
 *
 * A page can lay its own pixels over an iframe, or slide the iframe under a click that was meant for something else, or open a
 * window over it that goes away under the pointer. IntersectionObserver v2 reports what the user can really see of an iframe: no
 * overlay, no opacity, no transform, on any page above this one. It sees no mask, no clip path on the iframe's own element and no
 * zoom: only listed pages embed the wallet, and size and pixels are measured here. A consent counts after 800 ms in plain sight, in a
 * window that was not left or entered meanwhile, checked again at the event itself.
 */
import { type Clock, systemClock } from '../../clock.ts';
import { isEnough, roomOf, type View } from './room.ts';

/** Long enough to notice what appeared under the pointer; shorter than anybody reads an approval. */
export const DWELL = 800;
/** How long covered pixels are taken for an animation or a scroll before the guard view replaces the approval. */
export const GRACE = 1500;

/** `waiting`: seen, but not for long enough. `unsupported`: this browser cannot tell; approve in a window of its own. */
export type GuardState = 'waiting' | 'clear' | 'covered' | 'small' | 'unsupported';

/** What version 2 adds to the observer; not in TypeScript's DOM library. */
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

/** Several near 1: of a part that is cut off by a pixel only a crossed threshold is told. */
const THRESHOLDS = [0, 0.9, 0.99, 0.995, 0.998, 1];

export class Guard {
  #state: GuardState = 'waiting';
  /** Called after each change of `state`. */
  onChange: (state: GuardState) => void = () => {};

  readonly #options: Required<GuardOptions>;
  #observer: IntersectionObserver | undefined;
  /** Undefined until the observer has spoken. */
  #seen = new Map<Element, boolean | undefined>();
  #clearSince: number | null = null;
  #stopWaiting: () => void = () => {};
  /** When this document got the keyboard, and whether a real key or pointer was seen in it since. */
  #focusedAt: number;
  #touched = false;
  readonly #undo: (() => void)[] = [];

  constructor(options: GuardOptions) {
    this.#options = { Observer: IntersectionObserver, view: window, clock: systemClock, ...options };
    const { view, clock } = this.#options;
    this.#focusedAt = clock.now();
    const on = (type: string, listener: (event: Event) => void): void => {
      view.addEventListener(type, listener, true);
      this.#undo.push(() => view.removeEventListener(type, listener, true));
    };
    on('resize', () => this.#judge());
    // Of a window that lay over this one nothing else tells. Elements inside fire the same events.
    for (const type of ['blur', 'focus', 'visibilitychange'])
      on(type, (event) => {
        if (event.target instanceof Element) return;
        // A page can move the keyboard in here while the user types: a key counts only after another one did not.
        this.#focusedAt = clock.now();
        this.#touched = false;
        this.restart();
      });
    for (const type of ['pointerdown', 'keyup'])
      on(type, (event) => {
        if (event.isTrusted) this.#touched = true;
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

  /** Watches these elements, and only these; the dwell starts anew. */
  watch(...elements: Element[]): void {
    this.#observer?.disconnect();
    this.#seen = new Map(elements.map((element) => [element, undefined]));
    for (const element of elements) this.#observer?.observe(element);
    this.restart();
  }

  /** What the user sees has changed, or whether they look: the dwell starts anew. */
  restart(): void {
    this.#clearSince = null;
    this.#judge();
  }

  /** Whether `event` may consent. Call it first thing in the listener, with the event itself. */
  allows(event: Event): boolean {
    const records = this.#observer?.takeRecords();
    if (records?.length) this.#take(records);
    this.#judge();
    if (!event.isTrusted || this.#state !== 'clear') return false;
    // A click by keyboard has no pointer type; Enter in a field is a keydown.
    const byPointer = event instanceof PointerEvent && event.pointerType !== '';
    return byPointer || (this.#touched && this.#options.clock.now() - this.#focusedAt >= DWELL);
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
      // Every entry is a change, also one that a later entry of the same batch takes back: what was visible before does not count.
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
    const small = !isEnough(roomOf(view));
    // Nothing that a page does lies above a window of its own.
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

/** Edges lie between pixels, where a zoomed browser rounds: less than one is nothing that anybody could hide. */
function isWhole({ intersectionRatio, intersectionRect, boundingClientRect: whole }: VisibleEntry): boolean {
  return (
    intersectionRatio === 1 ||
    (intersectionRatio > 0.99 &&
      whole.width - intersectionRect.width < 1 &&
      whole.height - intersectionRect.height < 1)
  );
}
