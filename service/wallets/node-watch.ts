/** Remembers which networks' nodes answered last time, so that a list of wallets need not wait for each. */
import type { WalletRow } from '../database/schema.ts';
import type { ServiceNetworks } from '../networks/service-networks.ts';
import { readNativeIfAny } from './balances.ts';

/** After this time the next list has the node checked again. */
const FRESH_MS = 30_000;

type Watched = Pick<WalletRow, 'secret_type' | 'network' | 'address'>;

export class NodeWatch {
  readonly #seen = new Map<string, { answered: boolean; at: number }>();

  constructor(readonly networks: ServiceNetworks) {}

  note(wallet: Watched, answered: boolean): void {
    this.#seen.set(placeOf(wallet), { answered, at: Date.now() });
  }

  /** False when there is no node, or it did not answer last time. */
  isUp(wallet: Watched): boolean {
    if (!this.networks.has(wallet.secret_type, wallet.network)) return false;
    return this.#seen.get(placeOf(wallet))?.answered ?? true;
  }

  /** Checks, in the background, each network of the wallets that was not checked recently. */
  ask(wallets: readonly Watched[]): void {
    const now = Date.now();
    for (const wallet of wallets) {
      const seen = this.#seen.get(placeOf(wallet));
      if (seen && now - seen.at < FRESH_MS) continue;
      if (!this.networks.has(wallet.secret_type, wallet.network)) continue;
      this.note(wallet, seen?.answered ?? true);
      readNativeIfAny(this.networks, wallet, () => {}).then(
        ({ available }) => this.note(wallet, available),
        () => {},
      );
    }
  }
}

function placeOf({ secret_type: secretType, network }: Watched): string {
  return `${secretType} ${network ?? ''}`;
}
