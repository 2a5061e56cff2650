/** How long the service accepts no PIN, by what it said when one was used. */
import type { Account } from '../../api/account.ts';
import type { Wallet } from '../../api/wallet.ts';
import { ConnectError } from '../../base/errors.ts';
import type { PinState } from '../types.ts';
import type { AccountCache } from './account-state.ts';

/** A wallet with a PIN of its own, or the account, whose PIN all others have. */
const ownerOf = (wallet: Wallet | undefined): string => (wallet?.hasCustomPin ? wallet.id : '');

export class PinLocks {
  readonly #cache: AccountCache;
  /** Epoch milliseconds by the PIN's owner. */
  readonly #endByOwner = new Map<string, number>();

  constructor(cache: AccountCache) {
    this.#cache = cache;
  }

  /** The state of a wallet's PIN, or of the user's PIN if no wallet is given. */
  async state(wallet?: Wallet): Promise<PinState> {
    // While the service cannot be asked, the last known state counts.
    const { account } = (await this.#cache.load().catch(() => this.#cache.latest)) ?? {};
    if (account?.passkeyRequired) this.#cache.passkey().catch(() => {});
    const shared = wallet?.hasCustomPin || !account ? undefined : lockOf(account);
    return {
      lockedUntil: this.#endByOwner.get(ownerOf(wallet)) ?? shared ?? null,
      // A wallet's own PIN is needed beside the passkey, which is asked for once that is typed.
      passkey: !!account?.passkeyRequired && !wallet?.hasCustomPin,
      pin: !account?.passkeyRequired || !!wallet?.hasCustomPin,
      recovery: wallet?.hasCustomPin ? { walletId: wallet.id } : {},
      enrolled: !account || account.enrolled,
    };
  }

  /** Runs work that takes the wallet's PIN, and notes what the service says about the PIN. */
  async watch<T>(wallet: Wallet, work: () => Promise<T>): Promise<T> {
    try {
      const result = await work();
      this.#note(wallet);
      return result;
    } catch (error) {
      if (error instanceof ConnectError && /^(pincode|device|passkey)\./.test(error.code)) {
        if (!error.code.startsWith('passkey.')) this.#note(wallet, error);
        void this.#cache.reload();
      }
      throw error;
    }
  }

  /** `walletId`: of a wallet with a PIN of its own. */
  lift(walletId?: string): void {
    this.#endByOwner.delete(walletId ?? '');
  }

  #note(wallet: Wallet, refusal?: ConnectError): void {
    const { retryAfter, hard } = refusal?.details ?? {};
    if (refusal?.code === 'pincode.locked')
      this.#endByOwner.set(ownerOf(wallet), hard ? Infinity : Date.now() + Number(retryAfter) * 1000);
    else this.#endByOwner.delete(ownerOf(wallet));
  }
}

function lockOf({ hardLocked, retryAfter }: Account): number | undefined {
  if (hardLocked) return Infinity;
  return retryAfter === null ? undefined : Date.now() + retryAfter * 1000;
}
