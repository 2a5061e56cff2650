/** Entries of a page, and the cursor of the next one. */
export interface Page<T> {
  entries: T[];
  next: string | undefined;
}

/** Without a cursor, the first page. */
export type ReadPage<T> = (cursor: string | undefined) => Promise<Page<T>>;

/**
 * A list of any length, read page by page as it is iterated. Nothing is requested before.
 *
 * ```ts
 * for await (const wallet of service.wallets.list({ secretType: 'ETHEREUM' })) console.log(wallet.address);
 * const wallets = await service.wallets.list().all();
 * ```
 */
export class Pages<T> implements AsyncIterable<T> {
  readonly #start: () => ReadPage<T>;

  /** @internal `start` is called by each loop: several may run at the same time. */
  constructor(start: () => ReadPage<T>) {
    this.#start = start;
  }

  /** The pages, each as an array of at most `limit` entries. */
  async *pages(): AsyncGenerator<T[], void, undefined> {
    const read = this.#start();
    let cursor: string | undefined;
    do {
      const { entries, next } = await read(cursor);
      yield entries;
      cursor = next;
    } while (cursor !== undefined);
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T, void, undefined> {
    for await (const page of this.pages()) yield* page;
  }

  /** The whole list in memory. */
  async all(): Promise<T[]> {
    const all: T[] = [];
    for await (const page of this.pages()) for (const entry of page) all.push(entry);
    return all;
  }
}
