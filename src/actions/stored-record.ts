/** What the page has stored, read without the code that writes it. */
export class StoredRecord {
  readonly key: string;

  constructor(readonly url: URL | undefined) {
    this.key = `carabiner:${url?.origin}`;
  }

  has(what: string): boolean {
    try {
      return Object.keys(JSON.parse(localStorage.getItem(this.key)!)[what]).length > 0;
    } catch {
      return false;
    }
  }

  /** Whether it has linked wallets, or unanswered requests. */
  get isOfUse(): boolean {
    return !!this.url && ['wallets', 'external', 'undelivered'].some((what) => this.has(what));
  }

  /** The browser may have been killed before writing the record; request ids are also in a database, which is durable. */
  async isOwed(): Promise<boolean> {
    if (this.isOfUse) return true;
    // In a page without an origin, Chromium also rejects a promise of `databases()` that nobody holds.
    if (!this.url) return false;
    try {
      return (await indexedDB.databases()).some(({ name }) => name === this.key);
    } catch {
      return false;
    }
  }
}
