/** The user's account at the wallet service, as one site's frame needs it: wallets, what the site may see of them, the PIN. */
import {
  addPasskey,
  changePincode,
  createWallet,
  enrolDevice,
  findRecipient,
  listDevices,
  listTransactions,
  putLinks,
  readPasskey,
  recoverPincode,
  removeDevice,
  removePasskey,
  renewRecoveryCode,
  setOwnPincode,
  updateWallet,
} from '../../api/routes.ts';
import type { Account } from '../../api/account.ts';
import type { SentTransaction } from '../../api/transaction.ts';
import type { Wallet } from '../../api/wallet.ts';
import { CARDS, CHAIN_NAMES, type SecretType } from '../../chains/secret-type.ts';
import { ConnectError } from '../../base/errors.ts';
import type {
  HeldWallet,
  NewHome,
  PinKeeper,
  ReceivedRecord,
  ServiceAccess,
  ServiceDevice,
} from '../types.ts';
import { AccountCache, type AccountState, toHeld } from './account-state.ts';
import type { CallService } from './calls.ts';
import type { Device } from './device.ts';
import { Openings } from './openings.ts';
import { makeFor } from './passkey.ts';
import { PinLocks } from './pin-locks.ts';

export class ServiceAccount implements ServiceAccess {
  readonly #call: CallService;
  readonly #origin: string;
  readonly #device: Device;
  readonly #cache: AccountCache;
  readonly openings: Openings;
  readonly pinLocks: PinLocks;
  readonly pin: PinKeeper = { state: () => this.pinLocks.state() };

  constructor(call: CallService, origin: string, device: Device) {
    this.#call = call;
    this.#origin = origin;
    this.#device = device;
    this.#cache = new AccountCache(call, origin);
    this.openings = new Openings(call, this.#cache);
    this.pinLocks = new PinLocks(this.#cache);
  }

  async trouble(): Promise<ConnectError | undefined> {
    try {
      await this.#cache.load();
      return undefined;
    } catch (error) {
      return error instanceof ConnectError
        ? error
        : new ConnectError('internal.error', 'The wallet service could not be used.');
    }
  }

  reload(): Promise<void> {
    return this.#cache.reload();
  }

  async account(): Promise<Account | undefined> {
    return (await this.#cache.load()).account;
  }

  /** Empty while the service does not answer. `now`: does not wait for the service. */
  async wallets(now = false): Promise<readonly HeldWallet[]> {
    const state = now ? this.#cache.latest : await this.#loaded();
    return state?.wallets.filter((wallet) => !isElsewhere(state, wallet)) ?? [];
  }

  /** Also one that this device may not use yet. */
  async wallet(id: string): Promise<HeldWallet | undefined> {
    return (await this.#loaded())?.wallets.find((wallet) => wallet.id === id);
  }

  async elsewhere(): Promise<readonly HeldWallet[]> {
    const state = await this.#loaded();
    return state?.wallets.filter((wallet) => !wallet.archived && isElsewhere(state, wallet)) ?? [];
  }

  async linked(): Promise<ReadonlySet<string>> {
    return (await this.#loaded())?.linkedIds ?? new Set();
  }

  async setLinked(walletIds: Iterable<string>): Promise<void> {
    const body = { origin: this.#origin, walletIds: [...walletIds] };
    await this.#cache.changing(this.#call(putLinks, { body }));
  }

  async edit(id: string, change: { alias?: string; primary?: true; archived?: boolean }): Promise<void> {
    await this.#cache.changing(this.#call(updateWallet, { params: { id }, body: change }));
  }

  async createWallet(
    secretType: SecretType,
    pin: string,
    { id: network }: NewHome,
  ): Promise<{ wallet: HeldWallet; recoveryCode?: string | undefined }> {
    const { wallets, account } = await this.#cache.load();
    const body = {
      pincode: pin,
      secretType,
      walletType: 'THREEWAY_SHARED' as const,
      network,
      alias: freeName(secretType, wallets),
    };
    const { recoveryCode, ...wallet } = await this.#cache.changing(
      this.#call(createWallet, { body }, crypto.randomUUID()),
    );
    // The answer may have been lost and repeated, and a repeated one leaves the code out.
    const code = recoveryCode ?? (account?.hasMasterPin === false ? await this.renewCode(pin) : undefined);
    return { wallet: toHeld(wallet), recoveryCode: code };
  }

  async enrol(pin: string | undefined, recoveryCode: string): Promise<void> {
    await this.#cache.changing(this.openings.call(enrolDevice, { body: { recoveryCode } }, pin));
  }

  async changePin(pin: string | undefined, next: string, wallet?: Wallet): Promise<void> {
    if (!wallet) await this.#cache.changing(this.openings.call(changePincode, { body: { next } }, pin));
    else
      await this.pinLocks.watch(wallet, () =>
        this.openings.call(changePincode, { body: { next, walletId: wallet.id } }, pin),
      );
  }

  async setOwnPin({ id }: Wallet, pin: string | undefined, next: string): Promise<string> {
    try {
      const answer = this.openings.call(setOwnPincode, { params: { id }, body: { next } }, pin);
      return (await this.#cache.changing(answer)).recoveryCode;
    } catch (error) {
      // It may have succeeded, and only the answer was lost.
      const now = isUnanswered(error) ? await this.wallet(id) : undefined;
      if (now?.hasCustomPin) return this.renewCode(next, now);
      throw error;
    }
  }

  async recover(recoveryCode: string, next: string, walletId?: string): Promise<string> {
    const body = { recoveryCode, next, ...(walletId !== undefined && { walletId }) };
    const answer = await this.#cache.changing(this.#call(recoverPincode, { body }));
    this.pinLocks.lift(walletId);
    return answer.recoveryCode;
  }

  async renewCode(pin: string | undefined, wallet?: Wallet): Promise<string> {
    const { recoveryCode } = wallet
      ? await this.pinLocks.watch(wallet, () =>
          this.openings.call(renewRecoveryCode, { body: { walletId: wallet.id } }, pin),
        )
      : await this.openings.call(renewRecoveryCode, { body: {} }, pin);
    return recoveryCode;
  }

  async addPasskey(pin: string): Promise<void> {
    const { body, credentialId, drop } = await makeFor(pin, addPasskey, this.#call.now());
    try {
      await this.#cache.changing(this.#call(addPasskey, { body }));
    } catch (error) {
      // It may have been added, and only the answer was lost: then it has to stay on the device.
      const isLost = !(error instanceof ConnectError) || isUnanswered(error);
      const now = isLost ? await this.#call(readPasskey, {}).catch(() => undefined) : { passkey: null };
      if (now?.passkey?.credentialId === credentialId) return;
      if (now) await drop();
      throw error;
    }
  }

  async removePasskey(recoveryCode?: string): Promise<void> {
    const body =
      recoveryCode === undefined
        ? { passkey: await this.openings.answer(removePasskey, { body: {} }, { key: '', opens: false }) }
        : { recoveryCode };
    await this.#cache.changing(this.#call(removePasskey, { body }));
  }

  async devices(): Promise<readonly ServiceDevice[]> {
    const [all, own] = await Promise.all([this.#call(listDevices, { query: {} }), this.#device.thumbprint()]);
    return all.map((one) => ({ ...one, own: one.thumbprint === own }));
  }

  async removeDevice(thumbprint: string): Promise<void> {
    await this.#cache.changing(this.#call(removeDevice, { params: { thumbprint } }));
  }

  sent({ id }: Wallet): Promise<readonly SentTransaction[]> {
    return this.#call(listTransactions, { params: { id }, query: { limit: '100' } });
  }

  async receivedCoins({ id, secretType }: Wallet): Promise<readonly ReceivedRecord[]> {
    if (CARDS[secretType].contracts !== 'evm') return [];
    const query = { direction: 'in', limit: '100' } as const;
    const entries = await this.#call(listTransactions, { params: { id }, query });
    return entries.flatMap((entry): ReceivedRecord[] => {
      const { amount, transactionHash: hash, from, network, status, createdAt, dust } = entry;
      if (entry.direction !== 'in' || !amount || amount.tokenAddress !== undefined) return [];
      if (!/^[0-9]{1,78}$/.test(amount.raw) || amount.decimals === null || amount.symbol === null) return [];
      const { decimals, symbol } = amount;
      return [
        {
          id: `${hash}:coin`,
          hash,
          from,
          network,
          amount: { decimals, symbol, raw: BigInt(amount.raw) },
          at: status === 'confirmed' ? Date.parse(createdAt) || 0 : undefined,
          ...(dust && { dust }),
        },
      ];
    });
  }

  async resolve(email: string, secretType: SecretType): Promise<string> {
    return (await this.#call(findRecipient, { body: { email, secretType } })).address;
  }

  /** Undefined while the service does not answer. */
  #loaded(): Promise<AccountState | undefined> {
    return this.#cache.load().catch(() => undefined);
  }
}

/**
 * The first holder of the user's token creates the first wallet and its PIN, even a hostile page. So what
 * existed before this device was enrolled, which takes the PIN and the recovery code, is not treated as the
 * user's own: coins sent there may be somebody else's.
 */
function isElsewhere({ account }: AccountState, { walletType }: Wallet): boolean {
  return account?.enrolled === false && walletType !== 'WHITE_LABEL';
}

function isUnanswered(error: unknown): boolean {
  return error instanceof ConnectError && error.code === 'service.unreachable';
}

function freeName(secretType: SecretType, wallets: readonly Wallet[]): string {
  const aliases = new Set(wallets.map(({ alias }) => alias));
  const name = `${CHAIN_NAMES[secretType]} service wallet`;
  let alias = name;
  for (let n = 2; aliases.has(alias); n++) alias = `${name} ${n}`;
  return alias;
}
