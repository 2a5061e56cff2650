import type { Limit } from '../base/clock.ts';
import { claimedWindows, popup, windowMark, windowSurface } from '../channel/popup.ts';
import type { Surface } from '../channel/surface.ts';

/** A window that has lost its page says so at least once a second, later in a busy browser. */
const LOST_MS = 1500;
/** A window waits this long for its page. */
const WAITS_MS = 10_000;

/** The wallet's window. A popup opens only in the user's click, which the engine may miss. */
export class WalletWindow {
  readonly name: string;
  readonly #url: URL;
  /** The name that the tab's previous page left. */
  readonly #leftName: string | undefined;
  readonly #born = performance.now();
  /** Opened in the user's click, while the engine was still loading; null if it was blocked. */
  #early: Surface | null | undefined;
  /** A wallet window left open by the tab's previous page, of whatever site, and when it last announced itself. */
  #lost: Window | undefined;
  #lostAt = 0;
  /** A window that existed before the click. */
  #earlier: unknown;

  constructor(url: URL) {
    this.#url = url;
    this.#leftName = leftName(url.origin);
    // A unique name, so that two connects of a page do not share a window.
    this.name = this.#leftName ?? `carabiner-${Math.random()}`;
  }

  listen(): void {
    addEventListener('message', ({ origin, source, data }) => {
      const win = source as Window | null;
      if (origin !== this.#url.origin || data?.type !== 'carabiner:ready' || win?.opener !== window) return;
      this.#lost = win;
      this.#lostAt = performance.now();
    });
  }

  open(): Surface | null {
    const early = this.#early;
    this.#early = undefined;
    if (early) return early;
    const lost = this.#lostWindow();
    return lost ? windowSurface(lost) : this.#openNamed();
  }

  openEarly(): void {
    if (this.#early !== undefined) return;
    const lost = this.#lostWindow();
    if (lost) lost.focus();
    else this.#early = this.open();
  }

  closeEarly(): void {
    this.#early?.close();
    this.#early = undefined;
  }

  /** Closes what no request took: it was refused before it needed a window. */
  closeUnused(): void {
    if (this.#early?.window === this.#earlier) this.#early = undefined;
    this.closeEarly();
  }

  /** In a page's first moments its window may not have been heard from yet: then it is found by its name. */
  #openNamed(): Surface | null {
    const { href } = this.#url;
    if (!this.#leftName || performance.now() - this.#born > LOST_MS) return popup(href, this.name);
    return popup(href, this.name, (win) => {
      this.#earlier = win;
      win.focus();
      // It has given up on its page, or is no longer the wallet's.
      setTimeout(
        () => this.#lost !== win && !win.closed && win.location.replace(href),
        LOST_MS,
        'limit' satisfies Limit,
      );
    });
  }

  #lostWindow(): Window | undefined {
    const lost = this.#lost;
    return lost && !lost.closed && !claimedWindows.has(lost) && performance.now() - this.#lostAt < LOST_MS
      ? lost
      : undefined;
  }
}

/** The name left by the previous page, while its window waits. */
function leftName(frameOrigin: string): string | undefined {
  const [name, at] = windowMark(frameOrigin)?.split(' ') ?? [];
  if (at === undefined) return undefined;
  windowMark(frameOrigin, '1');
  return Date.now() - Number(at) < WAITS_MS ? name : undefined;
}
