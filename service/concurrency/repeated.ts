/** Work that this process does again and again, with a pause in between, until it is stopped. */
export class Repeated {
  readonly #work: (isStopped: () => boolean) => Promise<void>;
  readonly #pauseMs: number;
  #timer: NodeJS.Timeout | undefined;
  #running = Promise.resolve();
  #stopped = false;

  /** Begins at once. `work` handles its own errors, and ends soon after `isStopped`. */
  constructor(work: (isStopped: () => boolean) => Promise<void>, pauseMs: number) {
    this.#work = work;
    this.#pauseMs = pauseMs;
    this.#run();
  }

  #run(): void {
    this.#running = this.#work(() => this.#stopped).then(() => {
      if (!this.#stopped) this.#timer = setTimeout(() => this.#run(), this.#pauseMs).unref();
    });
  }

  /** Waits for the end of what is being done. */
  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#timer);
    await this.#running;
  }
}
