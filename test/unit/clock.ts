import type { Clock } from '../../src/base/clock.ts';

/** 2027-01-15, 08:00 UTC. */
const START = 1_800_000_000_000;

/** A clock that a test moves by hand. */
export class TestClock implements Clock {
  readonly #waiting = new Set<{ at: number; work: () => void }>();
  #date: number;
  #passed = 0;

  constructor(date = START) {
    this.#date = date;
  }

  // Arrow functions, so that a part can be given one of them: `now: clock.now`.
  readonly date = (): number => this.#date + this.#passed;
  readonly now = (): number => this.#passed;

  readonly after = (milliseconds: number, work: () => void): (() => void) => {
    const wait = { at: this.#passed + milliseconds, work };
    this.#waiting.add(wait);
    return () => void this.#waiting.delete(wait);
  };

  readonly every = (milliseconds: number, work: () => void): (() => void) => {
    let stop = (): void => {};
    const wait = (): void => {
      stop = this.after(milliseconds, () => {
        wait();
        work();
      });
    };
    wait();
    return () => stop();
  };

  /** The number of pending timers. */
  get waiting(): number {
    return this.#waiting.size;
  }

  /** Somebody sets the computer's clock: the date changes, but no timer fires sooner. */
  setDate(date: number): void {
    this.#date = date - this.#passed;
  }

  /** Runs what is due, in order, letting elements redraw in between. */
  async pass(milliseconds: number): Promise<void> {
    const end = this.#passed + milliseconds;
    for (;;) {
      const [next] = [...this.#waiting].filter(({ at }) => at <= end).sort((a, b) => a.at - b.at);
      if (!next) break;
      this.#waiting.delete(next);
      this.#passed = Math.max(this.#passed, next.at);
      next.work();
      await Promise.resolve();
    }
    this.#passed = end;
  }
}

/** Replaces the page's own `Date.now`, `setTimeout` and `clearTimeout`, for code without a clock parameter. */
export class PageClock extends TestClock {
  readonly #real = { now: Date.now, set: window.setTimeout, clear: window.clearTimeout };
  readonly #undo = new Map<number, () => void>();
  #last = 0;

  constructor(date?: number) {
    super(date);
    Date.now = this.date;
    window.setTimeout = ((run: () => void, delay = 0) => {
      this.#undo.set(++this.#last, this.after(delay, run));
      return this.#last;
    }) as typeof window.setTimeout;
    window.clearTimeout = ((id: number) => this.#undo.get(id)?.()) as typeof window.clearTimeout;
  }

  restore(): void {
    Date.now = this.#real.now;
    window.setTimeout = this.#real.set;
    window.clearTimeout = this.#real.clear;
  }
}
