/** What the wallet service last said about the user's account, shared by all callers until something changes. */
import type { Account } from '../../api/account.ts';
import { listWallets, readAccount, readLinks, readPasskey } from '../../api/routes.ts';
import type { Wallet } from '../../api/wallet.ts';
import { ConnectError } from '../../base/errors.ts';
import { inertText } from '../../base/text.ts';
import type { HeldWallet } from '../types.ts';
import type { CallService } from './calls.ts';
import type { StoredPasskey } from './passkey.ts';

export interface AccountState {
  /** Including those that this device may not use yet. */
  wallets: readonly HeldWallet[];
  /** Ids of the wallets that the site sees. */
  linkedIds: ReadonlySet<string>;
  /** Undefined for an application's own token. */
  account: Account | undefined;
}

export class AccountCache {
  readonly #call: CallService;
  readonly #origin: string;
  #answer: Promise<AccountState> | undefined;
  #latest: AccountState | undefined;
  #passkey: Promise<StoredPasskey> | undefined;

  constructor(call: CallService, origin: string) {
    this.#call = call;
    this.#origin = origin;
  }

  /** The last state that was read, without waiting for the service. */
  get latest(): AccountState | undefined {
    return this.#latest;
  }

  load(): Promise<AccountState> {
    if (!this.#answer) {
      this.#answer = this.#read();
      this.#answer.then(
        (state) => (this.#latest = state),
        () => {},
      );
    }
    return this.#answer;
  }

  async reload(): Promise<void> {
    this.#answer = this.#passkey = undefined;
    await this.load().catch(() => {});
  }

  /** Reads the state again after `work`, whatever its outcome. */
  async changing<T>(work: Promise<T>): Promise<T> {
    try {
      return await work;
    } finally {
      await this.reload();
    }
  }

  /** Loaded along with the PIN's state: between a click and the device's dialog there is no time for it. */
  passkey(): Promise<StoredPasskey> {
    if (!this.#passkey) {
      const answer = this.#call(readPasskey, {}).then(({ passkey }) => {
        if (passkey) return passkey;
        throw new ConnectError('request.conflict', 'The account has no passkey any more.');
      });
      answer.catch(() => this.#passkey === answer && (this.#passkey = undefined));
      this.#passkey = answer;
    }
    return this.#passkey;
  }

  async #read(): Promise<AccountState> {
    const [wallets, links, account] = await Promise.all([
      this.#call(listWallets, { query: {} }),
      this.#call(readLinks, { query: { origin: this.#origin } }).catch((error: unknown) => {
        // On a device that may not sign, a site sees no wallets of the service.
        if (error instanceof ConnectError && error.code === 'device.unknown') return { walletIds: [] };
        throw error;
      }),
      this.#call(readAccount, {}).catch((error: unknown) => {
        // An application has wallets, but is no user.
        if (error instanceof ConnectError && error.code === 'token.scope') return undefined;
        throw error;
      }),
    ]);
    return { wallets: wallets.map(toHeld), linkedIds: new Set(links.walletIds), account };
  }
}

/** Leaves out the service's own balance, which is as old as its answer. */
export function toHeld({ balance: _balance, ...wallet }: Wallet): HeldWallet {
  // The name comes from the wallet's creator.
  return { ...wallet, alias: inertText(wallet.alias, 64), imported: false };
}
