/**
 * Decides whether a click or key on a consent button (Approve, Link wallets, Show private key) is the user's own.
 *
 * A page can lay its own pixels over an iframe, or slide the iframe under a click that was meant for something else.
 * IntersectionObserver v2 reports what the user can really see: no overlay, no opacity, no transform, on any page above
 * this one. A consent counts after 500 ms of unbroken visibility, checked again at the event itself.
 */

/** Long enough to notice what appeared under the pointer; shorter than anybody reads an approval. */
export const DWELL = 500;
/** How long covered pixels are taken for an animation or a scroll before the guard view replaces the approval. */
export const GRACE = 1500;
const LEAST = { width: 320, height: 480 };

/** `waiting`: seen, but not for long enough. `unsupported`: this browser cannot tell; approve in a window of its own. */
export type GuardState = 'waiting' | 'clear' | 'covered' | 'unsupported';

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
  /** For tests. */
  Observer?: typeof IntersectionObserver;
  view?: Pick<Window, 'innerWidth' | 'innerHeight' | 'addEventListener' | 'removeEventListener'>;
  now?: () => number;
}

export class Guard {
  #state: GuardState = 'waiting';
  /** Called after each change of `state`. */
  onChange: (state: GuardState) => void = () => {};

  readonly #options: Required<GuardOptions>;
  #observer: IntersectionObserver | undefined;
  /** Undefined until the observer has spoken. */
  #seen = new Map<Element, boolean | undefined>();
  #clearSince: number | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** When this document got the keyboard, and whether a real key or pointer was seen in it since. */
  #focusedAt: number;
  #touched = false;
  readonly #undo: (() => void)[] = [];

  constructor(options: GuardOptions) {
    this.#options = {
      Observer: IntersectionObserver,
      view: window,
      now: () => performance.now(),
      ...options,
    };
    this.#focusedAt = this.#options.now();
    const { view } = this.#options;
    const on = (type: string, listener: (event: Event) => void): void => {
      view.addEventListener(type, listener, true);
      this.#undo.push(() => view.removeEventListener(type, listener, true));
    };
    on('resize', () => this.#judge());
    // A page can move the keyboard in here while the user types: a key counts only after another one did not.
    on('focus', (event) => {
      if (event.target !== (view as unknown)) return;
      this.#focusedAt = this.#options.now();
      this.#touched = false;
      if (options.surface === 'popup') this.restart();
    });
    for (const type of ['pointerdown', 'keyup'])
      on(type, (event) => {
        if (event.isTrusted) this.#touched = true;
      });
    if (options.surface === 'popup') return;
    this.#observer = new this.#options.Observer((entries) => this.#take(entries), {
      threshold: [0, 0.99],
      trackVisibility: true,
      delay: 100,
    } as VisibleInit);
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

  /** What the user sees has changed: the dwell starts anew. */
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
    return byPointer || (this.#touched && this.#options.now() - this.#focusedAt >= DWELL);
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#observer?.disconnect();
    for (const undo of this.#undo) undo();
  }

  #take(entries: readonly VisibleEntry[]): void {
    for (const { target, isVisible, intersectionRatio } of entries) {
      if (isVisible === undefined) return this.#become('unsupported');
      // Every entry is a change: what was visible before it does not count.
      this.#clearSince = null;
      if (this.#seen.has(target)) this.#seen.set(target, isVisible && intersectionRatio >= 0.99);
    }
    this.#judge();
  }

  #judge(): void {
    if (this.#state === 'unsupported') return;
    clearTimeout(this.#timer);
    const { surface, view, now } = this.#options;
    // A window of its own has nothing above it; only what opens under a double click is kept from taking it.
    const seen = [...this.#seen.values()];
    const small = view.innerWidth < LEAST.width || view.innerHeight < LEAST.height;
    if (surface === 'iframe' && (small || !seen.length || seen.some((visible) => !visible))) {
      this.#clearSince = null;
      return this.#become(small || seen.includes(false) ? 'covered' : 'waiting');
    }
    this.#clearSince ??= now();
    const left = DWELL - (now() - this.#clearSince);
    if (left <= 0) return this.#become('clear');
    this.#become('waiting');
    this.#timer = setTimeout(() => this.#judge(), left);
  }

  #become(state: GuardState): void {
    if (state === this.#state) return;
    this.#state = state;
    this.onChange(state);
  }
}
