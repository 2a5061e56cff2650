import type { ReactiveController, ReactiveControllerHost } from 'lit';

const FIRST_MS = 1500;
const MAX_MS = 15_000;
const GROWTH = 1.4;

/**
 * Polls while the page is visible, often after a change, then with a growing interval. A hidden page does not poll, and polls at once
 * when shown again.
 */
export class Watch implements ReactiveController {
  #delay = FIRST_MS;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #on = false;
  #looking = false;
  #shown = false;

  constructor(
    host: ReactiveControllerHost,
    /** Polls once; returns whether anything changed. */
    private readonly look: () => Promise<boolean>,
  ) {
    host.addController(this);
  }

  /** Whether there is anything to poll for. */
  set on(on: boolean) {
    if (this.#on === on) return;
    this.#on = on;
    this.soon();
  }

  /** A change is expected soon: polls often again. */
  soon(): void {
    this.#delay = FIRST_MS;
    this.#schedule();
  }

  hostConnected(): void {
    this.#shown = true;
    document.addEventListener('visibilitychange', this.#onVisible);
    this.soon();
  }

  hostDisconnected(): void {
    document.removeEventListener('visibilitychange', this.#onVisible);
    clearTimeout(this.#timer);
    this.#shown = false;
  }

  readonly #onVisible = (): void => {
    clearTimeout(this.#timer);
    if (document.visibilityState === 'visible') void this.#tick();
  };

  #schedule(): void {
    clearTimeout(this.#timer);
    if (this.#on && this.#shown && document.visibilityState === 'visible')
      this.#timer = setTimeout(() => void this.#tick(), this.#delay);
  }

  async #tick(): Promise<void> {
    if (!this.#on || this.#looking) return;
    this.#looking = true;
    // A failed poll counts as no change.
    const news = await this.look().catch(() => false);
    this.#looking = false;
    this.#delay = news ? FIRST_MS : Math.min(this.#delay * GROWTH, MAX_MS);
    this.#schedule();
  }
}
