/** A clock that a test moves by hand: `Date.now`, `setTimeout`, `clearTimeout`. */
export class FakeClock {
  readonly #real = { now: Date.now, set: window.setTimeout, clear: window.clearTimeout };
  readonly #timers = new Map<number, { at: number; run: () => void }>();
  #now = 1_800_000_000_000;
  #last = 0;

  constructor() {
    Date.now = () => this.#now;
    window.setTimeout = ((run: () => void, delay = 0) => {
      this.#timers.set(++this.#last, { at: this.#now + delay, run });
      return this.#last;
    }) as typeof window.setTimeout;
    window.clearTimeout = ((id: number) => this.#timers.delete(id)) as typeof window.clearTimeout;
  }

  get now(): number {
    return this.#now;
  }

  /** Runs what is due, in order, letting elements redraw in between. */
  async pass(milliseconds: number): Promise<void> {
    const end = this.#now + milliseconds;
    for (;;) {
      const [next] = [...this.#timers].filter(([, { at }]) => at <= end).sort((a, b) => a[1].at - b[1].at);
      if (!next) break;
      const [id, { at, run }] = next;
      this.#timers.delete(id);
      this.#now = Math.max(this.#now, at);
      run();
      await Promise.resolve();
    }
    this.#now = end;
  }

  restore(): void {
    Date.now = this.#real.now;
    window.setTimeout = this.#real.set;
    window.clearTimeout = this.#real.clear;
  }
}
