/**
 * One request at a time asks the user, in whichever of the wallet's windows and dialogs. A request that is drawn behind another one would
 * get the digits typed for that one when its window is closed.
 *
 * The turn is a Web Lock, which windows and first-party dialogs of one browser profile share, whatever site opened them. It ends with its
 * document, however that ends, and the user can take it from a window that does not react.
 */
const NAME = 'carabiner:turn';

/** Something that asks the user, and what is called if the user goes on in another window instead. */
export interface Asker {
  onLost: () => void;
}

export class Turn {
  readonly #origin: string;
  readonly #locks: LockManager | null;
  /** What asks in this document: a request, and settings or a transaction of the user's own over it. */
  readonly #askers = new Set<Asker>();
  #release: (() => void) | undefined;

  /** `origin`: of the page that this document serves. `locks`: null where there are none; then it is every document's turn. */
  constructor(origin: string, locks: LockManager | null = navigator.locks ?? null) {
    this.#origin = origin;
    this.#locks = locks;
  }

  /** The origin of the page for which the user was asked last; empty if unknown. */
  get site(): string {
    try {
      return localStorage.getItem(NAME) ?? '';
    } catch {
      return '';
    }
  }

  /**
   * Takes it for `asker` if it is free (`ifAvailable`), waits until it is (until `signal` aborts), or takes it from the document that has
   * it (`steal`). Returns whether this document has it.
   */
  take(asker: Asker, options: LockOptions): Promise<boolean> {
    this.#askers.add(asker);
    const locks = this.#locks;
    if (this.#release || !locks) return Promise.resolve(true);
    return new Promise((answer) => {
      let release: (() => void) | undefined;
      const refuse = (): void => {
        const has = this.#release !== undefined;
        if (!has) this.#askers.delete(asker);
        answer(has);
      };
      const hold = (lock: Lock | null): Promise<void> | undefined => {
        if (!lock) return void refuse();
        answer(true);
        // Nobody waits for it any longer.
        if (!this.#askers.size) return undefined;
        this.#sign();
        return new Promise((end) => (this.#release = release = end));
      };
      locks.request(NAME, options, hold).catch((error: unknown) => {
        // Any other error: storage is denied, as the request will say.
        if ((error as Error).name !== 'AbortError') answer(true);
        else if (!release) refuse();
        else if (release === this.#release) this.#lose();
      });
    });
  }

  /** `asker` is done. */
  leave(asker: Asker): void {
    this.#askers.delete(asker);
    if (this.#askers.size) return;
    this.#release?.();
    this.#release = undefined;
  }

  /** Leaves it to other documents during `work`, and has it again afterwards: who asks here still does, unless `work` fails. */
  async lend<T>(work: () => Promise<T>): Promise<T> {
    this.#release?.();
    this.#release = undefined;
    const result = await work();
    await Promise.all([...this.#askers].map((asker) => this.take(asker, {})));
    return result;
  }

  #lose(): void {
    this.#release = undefined;
    const askers = [...this.#askers];
    this.#askers.clear();
    for (const asker of askers) asker.onLost();
  }

  #sign(): void {
    try {
      localStorage.setItem(NAME, this.#origin);
    } catch {
      // Full or denied: other windows cannot say for whom this one asks.
    }
  }
}
