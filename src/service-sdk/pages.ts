/** Entries of a page, and the cursor of the next one. */
export interface Page<T> {
  entries: T[];
  next: string | undefined;
}

/**
 * A list of any length, read page by page as it is iterated. Nothing is requested before.
 *
 * ```ts
 * for await (const wallet of service.wallets.list({ secretType: 'ETHEREUM' })) console.log(wallet.address);
 * const wallets = await service.wallets.list().all();
 * ```
 */
export class Pages<T> implements AsyncIterable<T> {
  readonly #read: (cursor: string | undefined) => Promise<Page<T>>;

  /** @internal */
  constructor(read: (cursor: string | undefined) => Promise<Page<T>>) {
    this.#read = read;
  }

  /** The pages, each as an array of at most `limit` entries. */
  async *pages(): AsyncGenerator<T[], void, undefined> {
    let cursor: string | undefined;
    do {
      const { entries, next } = await this.#read(cursor);
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
