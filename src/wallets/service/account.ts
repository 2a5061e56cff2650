/** The user's account at the wallet service, as one site's frame needs it: wallets, what the site may see of them, the PIN. */
import {
  addPasskey,
  changePincode,
  createWallet,
  enrolDevice,
  findRecipient,
  listDevices,
  listTransactions,
  listWallets,
  putLinks,
  readAccount,
  readLinks,
  readPasskey,
  recoverPincode,
  removeDevice,
  removePasskey,
  renewRecoveryCode,
  setOwnPincode,
  updateWallet,
} from '../../api/routes.ts';
import type { Account } from '../../api/account.ts';
import type { PasskeyAnswer } from '../../api/passkey.ts';
import type { Input, Route } from '../../api/route.ts';
import type { Wallet } from '../../api/wallet.ts';
import { CHAIN_NAMES, type SecretType } from '../../chains/secret-type.ts';
import { ConnectError } from '../../base/errors.ts';
import { inertText } from '../../base/text.ts';
import type { HeldWallet, PinState, ServiceAccess } from '../types.ts';
import type { CallService } from './calls.ts';
import type { Device } from './device.ts';
import { answerTo, makeFor, type StoredPasskey } from './passkey.ts';

/** A route that takes a PIN, and a passkey's answer if the account has one. */
type Opened = Route & { passkey: 'required' | 'optional' };
/** The other parameters of such a route. */
type Order<R extends Opened> = Omit<Input<R>, 'body'> & { body: Omit<BodyOf<R>, 'pincode' | 'passkey'> };
type BodyOf<R extends Opened> = Input<R> extends { body: infer B } ? B : never;

interface Known {
  /** Including those that this device may not use yet. */
  wallets: readonly HeldWallet[];
  /** Ids of the wallets that the site sees. */
  linked: ReadonlySet<string>;
  /** Undefined for an application's own token. */
  account: Account | undefined;
}

export interface ServiceAccount extends ServiceAccess {
  /** Empty while the service does not answer. `now`: does not wait for the service. */
  wallets(now?: boolean): Promise<readonly HeldWallet[]>;
  /** Also one that this device may not use yet. */
  wallet(id: string): Promise<HeldWallet | undefined>;
  linked(): Promise<ReadonlySet<string>>;
  setLinked(walletIds: Iterable<string>): Promise<void>;
  edit(walletId: string, change: { alias?: string; primary?: true; archived?: boolean }): Promise<void>;
  /** The state of a wallet's PIN, or of the user's PIN if no wallet is given. */
  pinState(wallet?: Wallet): Promise<PinState>;
  /** Runs work that takes the wallet's PIN, and remembers what the service says about the PIN. */
  withPin<T>(wallet: Wallet, work: () => Promise<T>): Promise<T>;
  /**
   * Adds what opens a key to a call: the PIN, and the answer of the account's passkey if it has one; without a PIN, the passkey stands for
   * the master PIN. Call it in a user gesture. `key`: its `Idempotency-Key`. Throws `user.rejected`, `wallet.secret.internal-error`.
   */
  opening<R extends Opened>(
    route: R,
    order: Order<R>,
    pin: string | undefined,
    more?: { key?: string; signal?: AbortSignal | undefined },
  ): Promise<Input<R>>;
}

export function openAccount(call: CallService, origin: string, device: Device): ServiceAccount {
  let asked: Promise<Known> | undefined;
  let known: Known | undefined;
  /** Locks by the PIN's owner: a wallet with a PIN of its own, or the account. Epoch milliseconds. */
  const locks = new Map<string, number>();
  const pinOf = ({ id, hasCustomPin }: Wallet): string => (hasCustomPin ? id : '');
  let passkey: Promise<StoredPasskey> | undefined;

  async function ask(): Promise<Known> {
    const [wallets, links, account] = await Promise.all([
      call(listWallets, { query: {} }),
      call(readLinks, { query: { origin } }).catch((error: unknown) => {
        // On a device that may not sign, a site sees no wallets of the service.
        if (error instanceof ConnectError && error.code === 'device.unknown') return { walletIds: [] };
        throw error;
      }),
      call(readAccount, {}).catch((error: unknown) => {
        // An application has wallets, but is no user.
        if (error instanceof ConnectError && error.code === 'token.scope') return undefined;
        throw error;
      }),
    ]);
    return {
      wallets: wallets.map(held),
      linked: new Set(links.walletIds),
      account,
    };
  }

  /** Shares one answer among all callers, until something changes. */
  function load(): Promise<Known> {
    if (!asked) {
      asked = ask();
      asked.then(
        (answer) => (known = answer),
        () => {},
      );
    }
    return asked;
  }

  async function reload(): Promise<void> {
    asked = passkey = undefined;
    await load().catch(() => {});
  }

  /** Whatever the outcome of the call, the state is read again. */
  async function changing<T>(work: Promise<T>): Promise<T> {
    try {
      return await work;
    } finally {
      await reload();
    }
  }

  /** What the service said about a wallet's PIN; `undefined` once it was right. */
  function notePin(wallet: Wallet, refused?: ConnectError): void {
    const { retryAfter, hard } = refused?.details ?? {};
    if (refused?.code === 'pincode.locked')
      locks.set(pinOf(wallet), hard ? Infinity : Date.now() + Number(retryAfter) * 1000);
    else locks.delete(pinOf(wallet));
  }

  /** Loaded along with the PIN's state: between a click and the device's dialog there is no time for it. */
  function storedPasskey(): Promise<StoredPasskey> {
    if (!passkey) {
      const asking = call(readPasskey, {}).then((found) => {
        if (found.passkey) return found.passkey;
        throw new ConnectError('request.conflict', 'The account has no passkey any more.');
      });
      asking.catch(() => passkey === asking && (passkey = undefined));
      passkey = asking;
    }
    return passkey;
  }

  async function answer(
    route: Opened,
    { params = {}, body }: { params?: Record<string, string>; body: object },
    { key, opens, signal }: { key: string; opens: boolean; signal?: AbortSignal | undefined },
  ): Promise<PasskeyAnswer> {
    const { method, path } = route;
    const question = { method, path, params, body: body as Record<string, unknown>, key };
    return answerTo(await storedPasskey(), question, { at: call.now(), opens, signal });
  }

  /** For calls that are not retried under the same key. */
  async function opened<R extends Opened>(route: R, order: Order<R>, pin: string | undefined) {
    return call(route, await self.opening(route, order, pin));
  }

  const self: ServiceAccount = {
    async opening(route, order, pin, { key = '', signal } = {}) {
      const body = { ...order.body, ...(pin !== undefined && { pincode: pin }) };
      const { account } = await load();
      const said =
        account?.passkeyRequired &&
        (await answer(
          route,
          { ...order, body },
          { key: route.idempotencyKey ? key : '', opens: pin === undefined, signal },
        ));
      return { ...order, body: { ...body, ...(said && { passkey: said }) } } as unknown as Input<
        typeof route
      >;
    },
    pin: { state: () => self.pinState() },
    trouble: () =>
      load().then(
        () => undefined,
        (error: unknown) =>
          error instanceof ConnectError
            ? error
            : new ConnectError('internal.error', 'The wallet service could not be used.'),
      ),
    reload,
    account: async () => (await load()).account,
    async wallets(now = false) {
      const all = now ? known : await load().catch(() => undefined);
      return all?.wallets.filter((wallet) => !isElsewhere(all, wallet)) ?? [];
    },
    async wallet(id) {
      const { wallets = [] } = (await load().catch(() => undefined)) ?? {};
      return wallets.find((wallet) => wallet.id === id);
    },
    async elsewhere() {
      const all = await load().catch(() => undefined);
      return all?.wallets.filter((wallet) => !wallet.archived && isElsewhere(all, wallet)) ?? [];
    },
    linked: () =>
      load().then(
        ({ linked }) => linked,
        () => new Set<string>(),
      ),
    async setLinked(walletIds) {
      await changing(call(putLinks, { body: { origin, walletIds: [...walletIds] } }));
    },
    async edit(id, change) {
      await changing(call(updateWallet, { params: { id }, body: change }));
    },

    async createWallet(secretType, pin, { id: network }) {
      const { wallets, account } = await load();
      const body = {
        pincode: pin,
        secretType,
        walletType: 'THREEWAY_SHARED' as const,
        network,
        alias: freeName(secretType, wallets),
      };
      const { recoveryCode, ...wallet } = await changing(call(createWallet, { body }, crypto.randomUUID()));
      // The answer may have been lost and repeated, and a repeated one leaves the code out.
      const code = recoveryCode ?? (account?.hasMasterPin === false ? await self.renewCode(pin) : undefined);
      return { wallet: held(wallet), recoveryCode: code };
    },
    async enrol(pincode, recoveryCode) {
      await changing(opened(enrolDevice, { body: { recoveryCode } }, pincode));
    },
    async changePin(pincode, next, wallet) {
      if (!wallet) await changing(opened(changePincode, { body: { next } }, pincode));
      else
        await self.withPin(wallet, () =>
          opened(changePincode, { body: { next, walletId: wallet.id } }, pincode),
        );
    },
    async setOwnPin(wallet, pincode, next) {
      const { id } = wallet;
      try {
        const set = opened(setOwnPincode, { params: { id }, body: { next } }, pincode);
        return (await changing(set)).recoveryCode;
      } catch (error) {
        // It may have succeeded, and only the answer was lost.
        const lost = error instanceof ConnectError && error.code === 'service.unreachable';
        const now = lost ? await self.wallet(id) : undefined;
        if (now?.hasCustomPin) return self.renewCode(next, now);
        throw error;
      }
    },
    async recover(recoveryCode, next, walletId) {
      const body = { recoveryCode, next, ...(walletId !== undefined && { walletId }) };
      const answer = await changing(call(recoverPincode, { body }));
      locks.delete(walletId ?? '');
      return answer.recoveryCode;
    },
    async renewCode(pincode, wallet) {
      if (!wallet) return (await opened(renewRecoveryCode, { body: {} }, pincode)).recoveryCode;
      const body = { walletId: wallet.id };
      return (await self.withPin(wallet, () => opened(renewRecoveryCode, { body }, pincode))).recoveryCode;
    },
    async addPasskey(pincode) {
      const { body, credentialId, drop } = await makeFor(pincode, addPasskey, call.now());
      try {
        await changing(call(addPasskey, { body }));
      } catch (error) {
        // It may have been added, and only the answer was lost: then it has to stay on the device.
        const lost = !(error instanceof ConnectError) || error.code === 'service.unreachable';
        const now = lost ? await call(readPasskey, {}).catch(() => undefined) : { passkey: null };
        if (now?.passkey?.credentialId === credentialId) return;
        if (now) await drop();
        throw error;
      }
    },
    async removePasskey(recoveryCode) {
      const body = recoveryCode === undefined ? {} : { recoveryCode };
      const said =
        recoveryCode === undefined && (await answer(removePasskey, { body }, { key: '', opens: false }));
      await changing(call(removePasskey, { body: { ...body, ...(said && { passkey: said }) } }));
    },
    async devices() {
      const [all, own] = await Promise.all([call(listDevices, { query: {} }), device.thumbprint()]);
      return all.map((one) => ({ ...one, own: one.thumbprint === own }));
    },
    async removeDevice(thumbprint) {
      await changing(call(removeDevice, { params: { thumbprint } }));
    },
    sent: ({ id }) => call(listTransactions, { params: { id }, query: { limit: '100' } }),
    async resolve(email, secretType) {
      return (await call(findRecipient, { body: { email, secretType } })).address;
    },

    async pinState(wallet?: Wallet) {
      // While the service cannot be asked, the last known state counts.
      const { account } = (await load().catch(() => known)) ?? {};
      if (account?.passkeyRequired) storedPasskey().catch(() => {});
      const own = locks.get(wallet ? pinOf(wallet) : '');
      const shared = wallet?.hasCustomPin || !account ? undefined : lockOf(account);
      return {
        lockedUntil: own ?? shared ?? null,
        // A wallet's own PIN is needed beside the passkey, which is asked for once that is typed.
        passkey: !!account?.passkeyRequired && !wallet?.hasCustomPin,
        pin: !account?.passkeyRequired || !!wallet?.hasCustomPin,
        recovery: wallet?.hasCustomPin ? { walletId: wallet.id } : {},
        enrolled: !account || account.enrolled,
      };
    },
    async withPin(wallet, work) {
      try {
        const done = await work();
        notePin(wallet);
        return done;
      } catch (error) {
        if (error instanceof ConnectError && /^(pincode|device|passkey)\./.test(error.code)) {
          if (!error.code.startsWith('passkey.')) notePin(wallet, error);
          void reload();
        }
        throw error;
      }
    },
  };
  return self;
}

/**
 * The first holder of the user's token creates the first wallet and its PIN, even a hostile page. So what
 * existed before this device was enrolled, which takes the PIN and the recovery code, is not treated as the
 * user's own: coins sent there may be somebody else's.
 */
function isElsewhere({ account }: Known, { walletType }: Wallet): boolean {
  return account?.enrolled === false && walletType !== 'WHITE_LABEL';
}

function lockOf({ hardLocked, retryAfter }: Account): number | undefined {
  if (hardLocked) return Infinity;
  return retryAfter === null ? undefined : Date.now() + retryAfter * 1000;
}

/** The service's own balance is as old as its answer. */
function held({ balance: _balance, ...wallet }: Wallet): HeldWallet {
  // The name comes from the wallet's creator.
  return { ...wallet, alias: inertText(wallet.alias, 64), imported: false };
}

function freeName(secretType: SecretType, wallets: readonly Wallet[]): string {
  const taken = new Set(wallets.map(({ alias }) => alias));
  const name = `${CHAIN_NAMES[secretType]} service wallet`;
  let alias = name;
  for (let n = 2; taken.has(alias); n++) alias = `${name} ${n}`;
  return alias;
}
