/**
 * Which parts of a request are still unseen, as text for the Approve button and for the button that scrolls there; and what they say, for
 * those who hear it.
 */
import { html, nothing, type TemplateResult } from 'lit';
import { type Clock, systemClock } from '../../../base/clock.ts';
import { msg, str } from '../../../base/localize.ts';
import { shortText } from '../../../ui/address.ts';
import { icon } from '../../../ui/icons.ts';
import type { Announcement } from '../../../ui/status.ts';
import { isolated } from '../../../ui/text.ts';
import type { PinConsentView } from '../../ui/consent-view.ts';
import { iconDown } from './heading.ts';

/** In a low window every warning has to be seen line by line: whole, it may be higher than the window. */
const WARNING_LINES = '.alert b, .alert p, .note > summary';

export class Sight {
  readonly #seen: SeenParts;
  #isAnnounced = false;

  /** `root`: what the view renders into. `onChange` must rerender it. */
  constructor(
    readonly root: ShadowRoot,
    clock: Clock,
    onChange: () => void,
  ) {
    this.#seen = new SeenParts({ clock, onChange });
  }

  /** Call after each render: describes the PIN field, and tells once what has to be seen, and again each time it all has to be. */
  update(view: PinConsentView<unknown>): void {
    this.#seen.watch(this.root, view.phase ? WARNING_LINES : undefined);
    // What is asked has changed.
    if (view.phase === 'pin' && view.unread) view.phase = 'look';
    const text = this.words();
    if (view.pinRow) view.pinRow.description = text;
    if (this.#isAnnounced) return;
    this.#isAnnounced = true;
    const detail: Announcement = { text };
    // After the title, which a view that opens announces.
    void view.updateComplete.then(() =>
      view.dispatchEvent(new CustomEvent('cbf-announce', { detail, bubbles: true, composed: true })),
    );
  }

  /** Discards everything seen so far. */
  forget(): void {
    this.#isAnnounced = false;
    this.#seen.forget();
  }

  /** Effect, recipients, what is at risk and the total as sentences. `brief`: without terms and risk, with short addresses. */
  words(brief = false): string {
    const { root } = this;
    const all = (selector: string): HTMLElement[] => [...root.querySelectorAll<HTMLElement>(selector)];
    const effect = all(brief ? 'h1' : '.effect .grow > *').map((line) => textOf(line, brief));
    const rows = all('[data-seen="to"]').map((to) => to.closest<HTMLElement>('.party, .kv > div') ?? to);
    const network = all('[data-seen="network"]');
    const lines = [
      ...network,
      ...new Set(rows),
      ...all(brief ? '.sum > .total' : '.sum > :is(.risk, .total)'),
    ];
    return [effect.join(', '), ...lines.map((line) => textOf(line, brief))].join('. ');
  }

  stop(): void {
    this.#seen.stop();
  }

  /** Undefined once everything has been seen. */
  get missing(): string | undefined {
    const parts = this.#seen.missing;
    if (!parts.length) return undefined;
    const hidden = parts.find(({ outside }) => outside);
    // In view, but covered, or not in view for long enough yet.
    if (!hidden) return msg('Just arrived');
    if (hidden.kind === 'end') return msg('Read to the end first');
    if (hidden.kind === 'origin') return msg('See the site first');
    if (hidden.kind === 'network') return msg('See the network first');
    if (hidden.kind === 'warning') return msg('See the warnings first');
    if (hidden.kind !== 'to' && hidden.kind !== 'address') return msg('See the amount first');
    return this.root.querySelectorAll('[data-seen="to"]').length > 1
      ? msg('See every recipient first')
      : msg('See the recipient first');
  }

  /** The first part out of view, and how to scroll there. Never one that is only covered: a button could be the cover, and would stay. */
  get next(): { name: string; show(): void } | undefined {
    const hidden = this.#hidden;
    return hidden && { name: nameOf(hidden), show: () => this.#show(hidden) };
  }

  get #hidden(): Part | undefined {
    return this.#seen.missing.find(({ outside }) => outside);
  }

  /** A button over the end of the body that scrolls to the first part out of view. */
  pill(): TemplateResult | typeof nothing {
    const { next } = this;
    const kind = this.#hidden?.kind;
    // Header and footer do not scroll.
    if (!next || kind === 'origin' || kind === 'total') return nothing;
    return html`<button type="button" class="btn pill" @click=${next.show}>
      ${icon(iconDown(), 's')}<span>${next.name}</span>
    </button>`;
  }

  #show({ kind, element }: Part): void {
    const body = this.root.querySelector('.body');
    if (kind !== 'end') element.scrollIntoView({ block: 'center' });
    // Slightly less than a page, so that no line is skipped.
    else body?.scrollBy(0, body.clientHeight - Math.min(60, body.clientHeight / 4));
  }
}

function nameOf({ kind, number }: Part): string {
  if (kind === 'to' || kind === 'address') return msg(str`Show recipient ${number}`);
  if (kind === 'network') return msg('Show the network');
  if (kind === 'warning') return msg('Show the warnings');
  return kind === 'end' ? msg('Next page') : msg('Show the amount');
}

/** The text of an element as a screen reader reads it, on one line. */
function textOf(node: Node, brief: boolean): string {
  if (!(node instanceof HTMLElement)) return node.nodeType === Node.TEXT_NODE ? node.textContent! : '';
  if (node.ariaHidden === 'true') return '';
  const isMoney = node.localName === 'bdi';
  const text =
    node.title ||
    [...node.childNodes]
      .map((child) => textOf(child, brief))
      .join(isMoney ? '' : ' ')
      .replace(/\s+/g, ' ')
      .trim();
  return isMoney ? isolated(text) : brief && node.getAttribute('translate') === 'no' ? shortText(text) : text;
}

/** This share of a part must be in view, unclipped … */
const SHARE = 0.8;
/** … for this many uninterrupted milliseconds, in a focused window. */
const LONG_ENOUGH = 300;
/** A part smaller than this, in pixels, in width or height does not count as visible. The end of an address may be one narrow letter. */
const MIN = 8;

/**
 * `end` is the end of a message; `origin` the header's line with the site; `network` the line with one that is not the site's last; `address` the first or last groups of a recipient's address, of
 * which `to` may hide a fifth; `warning` the first or last line of the cautions, or a line of any danger or caution.
 */
export type PartKind = 'origin' | 'network' | 'effect' | 'to' | 'address' | 'warning' | 'total' | 'end';

export interface Part {
  kind: PartKind;
  /** Position among its kind, from 1; of an `address`, that of its `to`. */
  number: number;
  element: HTMLElement;
  /** In plain sight: nothing covers it, as far as the browser reports. */
  inView: boolean;
  /** Scrolled out or clipped, so it can be scrolled into view. Not set for a part that is covered or still fading in. */
  outside: boolean;
}

export interface SeenOptions {
  /** Called when a part has been seen, enters the view or leaves it. */
  onChange: () => void;
  clock?: Clock;
  /** For tests. */
  Observer?: typeof IntersectionObserver;
  view?: Pick<Window, 'addEventListener'>;
  /** What the system's keyboard leaves of the window. A frame is not told. */
  rest?: VisualViewport | null;
  /** Whether the window has focus. */
  focused?: () => boolean;
  /** In an iframe, which the page can cover: the browser must also report the part as visible. */
  embedded?: boolean;
}

interface Watched extends Part {
  key: string;
  /** Cancels the running timer. */
  stop: (() => void) | undefined;
}

/**
 * Tracks which parts of a request have been in plain sight since they last changed. The parts are the elements with `data-seen`, and both
 * ends of each address; when the `data-what` of one changes, it has to be seen again.
 */
export class SeenParts {
  readonly #options: Required<SeenOptions>;
  readonly #observer: IntersectionObserver;
  readonly #parts = new Map<Element, Watched>();
  #seen = new Set<string>();
  #stopLooking: (() => void) | undefined;
  readonly #end = new AbortController();

  constructor(options: SeenOptions) {
    this.#options = {
      clock: systemClock,
      Observer: IntersectionObserver,
      view: window,
      rest: visualViewport,
      focused: () => document.hasFocus(),
      embedded: window.parent !== window,
      ...options,
    };
    const { embedded, Observer, view } = this.#options;
    const visible = embedded ? { trackVisibility: true, delay: 100 } : {};
    this.#observer = new Observer((entries) => this.#take(entries), {
      threshold: [0, SHARE, 1],
      ...visible,
    } as IntersectionObserverInit);
    const { rest } = this.#options;
    const { signal } = this.#end;
    for (const type of ['focus', 'blur']) view.addEventListener(type, this.#onFocus, { signal });
    for (const type of ['resize', 'scroll']) rest?.addEventListener(type, this.#onRest, { signal });
  }

  /** Tracks the currently rendered parts, and what `more` selects. Call after each render. */
  watch(root: ParentNode, more?: string): void {
    const elements = partsIn(root, more);
    for (const [element, part] of this.#parts) {
      if (elements.includes(element as HTMLElement)) continue;
      part.stop?.();
      this.#observer.unobserve(element);
      this.#parts.delete(element);
    }
    const numbers = new Map<string, number>();
    for (const element of elements) {
      const kind = kindOf(element);
      const count = (numbers.get(kind) ?? 0) + 1;
      numbers.set(kind, count);
      const number = kind === 'address' ? numbers.get('to')! : count;
      const key = `${kind} ${count} ${contentOf(element)}`;
      const before = this.#parts.get(element);
      if (before?.key === key) continue;
      before?.stop?.();
      this.#parts.set(element, {
        kind,
        number,
        element,
        key,
        inView: before?.inView ?? false,
        outside: before?.outside ?? false,
        stop: undefined,
      });
      this.#askFor(element);
    }
    const keys = new Set([...this.#parts.values()].map(({ key }) => key));
    this.#seen = new Set([...this.#seen].filter((key) => keys.has(key)));
    this.#judge();
  }

  /** Discards everything seen so far. */
  forget(): void {
    this.#seen.clear();
    for (const part of this.#parts.values()) stop(part);
    this.#judge();
  }

  /** The parts not seen yet, in document order. */
  get missing(): Part[] {
    return [...this.#parts.values()].filter(({ key }) => !this.#seen.has(key));
  }

  stop(): void {
    this.#observer.disconnect();
    this.#end.abort();
    this.#stopLooking?.();
    for (const part of this.#parts.values()) part.stop?.();
    this.#parts.clear();
  }

  readonly #onFocus = (): void => {
    if (!this.#options.focused()) for (const part of this.#parts.values()) stop(part);
    this.#judge();
  };

  // The observer does not see a keyboard.
  readonly #onRest = (): void => {
    for (const element of this.#parts.keys()) this.#askFor(element);
  };

  /** Re-observing makes the browser report it even if it is already in view. */
  #askFor(element: Element): void {
    this.#observer.unobserve(element);
    this.#observer.observe(element);
  }

  #take(entries: readonly IntersectionObserverEntry[]): void {
    const { embedded, onChange } = this.#options;
    for (const entry of entries) {
      const part = this.#parts.get(entry.target);
      if (!part) continue;
      const { width, height } = entry.boundingClientRect;
      const size = part.kind === 'address' ? height : Math.min(width, height);
      part.outside =
        !entry.isIntersecting || entry.intersectionRatio < SHARE || size < MIN || this.#isUnderKeys(entry);
      part.inView = !part.outside && (!embedded || (entry as { isVisible?: boolean }).isVisible !== false);
      if (!part.inView) stop(part);
    }
    this.#judge();
    onChange();
  }

  /** Not on a page that is zoomed, which is read piece by piece. */
  #isUnderKeys({ boundingClientRect: { top, bottom, height } }: IntersectionObserverEntry): boolean {
    const { rest, embedded } = this.#options;
    if (embedded || !rest || rest.scale > 1.01) return false;
    const inSight = Math.min(bottom, rest.offsetTop + rest.height) - Math.max(top, rest.offsetTop);
    return inSight < height * SHARE;
  }

  #judge(): void {
    const { clock, focused } = this.#options;
    if (!focused()) {
      // A frame can regain focus without an event.
      if (this.missing.some(({ inView }) => inView))
        this.#stopLooking ??= clock.after(LONG_ENOUGH, () => {
          this.#stopLooking = undefined;
          this.#judge();
        });
      return;
    }
    for (const part of this.missing as Watched[])
      if (part.inView) part.stop ??= clock.after(LONG_ENOUGH, () => this.#mark(part));
  }

  #mark(part: Watched): void {
    part.stop = undefined;
    // It may have left the view since the last report.
    const entries = this.#observer.takeRecords();
    if (entries.length) this.#take(entries);
    if (!part.inView || !this.#options.focused() || this.#parts.get(part.element) !== part) return;
    this.#seen.add(part.key);
    this.#options.onChange();
  }
}

/** Of a view, and of the shell around it. */
function partsIn(root: ParentNode, more?: string): HTMLElement[] {
  const around = root instanceof ShadowRoot ? (root.host.getRootNode() as Document | ShadowRoot) : undefined;
  const selectors = ['[data-seen]', '[data-seen="to"] .groups > b', ...(more ? [more] : [])];
  const all = [
    ...(around?.querySelectorAll<HTMLElement>('header [data-seen]') ?? []),
    ...root.querySelectorAll<HTMLElement>(selectors.join()),
  ];
  // The open PIN pad folds cautions into one line.
  return all.filter((element) => kindOf(element) !== 'warning' || element.checkVisibility());
}

function kindOf(element: HTMLElement): PartKind {
  return (element.dataset['seen'] as PartKind) ?? (recipientAround(element) ? 'address' : 'warning');
}

function recipientAround(element: HTMLElement): HTMLElement | null {
  return element.closest<HTMLElement>('[data-seen="to"]');
}

/** What an element says, which has to be seen again when it changes. */
function contentOf(element: HTMLElement): string {
  const { dataset } = recipientAround(element) ?? element;
  return dataset['what'] ?? (kindOf(element) === 'warning' ? element.textContent : '');
}

function stop(part: Watched): void {
  part.stop?.();
  part.stop = undefined;
}
