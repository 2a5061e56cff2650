import type { Wallet } from '../api/wallet.ts';
import type { HostRecord } from '../channel/host-record.ts';

type Contents = ReturnType<HostRecord['read']>;

/** What a page remembers of its wallets, for as long as one test lives. */
export class MemoryRecord implements HostRecord {
  readonly lost = new Set<string>();
  readonly #contents: Contents = { wallets: [], networks: {}, undelivered: {}, unlinked: [], external: {} };
  readonly #listeners = new Set<(wallets: Wallet[]) => void>();

  constructor(linked: readonly Wallet[]) {
    this.#contents.wallets.push(...linked);
  }

  read(): Contents {
    return this.#contents;
  }

  wallets(): Wallet[] {
    return [...this.#contents.wallets];
  }

  change(edit: (contents: Contents) => void): void {
    const before = JSON.stringify(this.wallets());
    edit(this.#contents);
    if (JSON.stringify(this.wallets()) !== before) this.renew();
  }

  addWallets(wallets: readonly Wallet[]): void {
    const ids = wallets.map(({ id }) => id);
    this.setWallets([...this.wallets().filter(({ id }) => !ids.includes(id)), ...wallets]);
  }

  setWallets(wallets: Wallet[]): void {
    this.change((it) => Object.assign(it, { wallets }));
  }

  onWallets(listener: (wallets: Wallet[]) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  renew(): void {
    for (const listener of this.#listeners) listener(this.wallets());
  }

  destroy(): void {
    this.#listeners.clear();
  }
}
