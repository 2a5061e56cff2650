/** The ways into the vault besides opening it with its PIN: they wrap its key for a PIN or a passkey, and open it by phrase or back-up file. */
import { ConnectError } from '../base/errors.ts';
import type { Place } from './assertion.ts';
import { checkPin, resetAttempts } from './attempts.ts';
import { wrappingKey } from './cipher.ts';
import type { Database } from './database.ts';
import { markMade } from './first-paint.ts';
import { OpenVault } from './open-vault.ts';
import { COST } from './pin-hash.ts';
import { type Bytes, type Cost, editVault, readVault, type VaultRecord } from './records.ts';
import type { KeyStore, Unlocked } from './types.ts';
import { pinKey, unlock, type UnlockOptions, unwrap } from './unlock.ts';

export interface WaysInOptions extends UnlockOptions {
  /** Cost of a new PIN wrap. An existing one is opened at the cost stored beside it. */
  cost?: Cost;
  /** Origin for passkeys; by default this page's. */
  place?: Place;
}

type Changes = Pick<
  KeyStore,
  'ownsPhrase' | 'changePin' | 'choosePin' | 'replacePin' | 'addPasskey' | 'removePasskey'
>;

export class WaysIn implements Changes {
  readonly #db: Database;
  readonly #options: WaysInOptions;
  readonly #now: () => number;

  constructor(db: Database, options: WaysInOptions) {
    this.#db = db;
    this.#options = options;
    this.#now = options.now ?? Date.now;
  }

  async wrapForPin(
    open: OpenVault,
    pin: string,
    deviceKey: CryptoKey,
    signal?: AbortSignal,
  ): Promise<NonNullable<VaultRecord['pin']>> {
    const { cost = COST } = this.#options;
    const salt = crypto.getRandomValues(new Uint8Array(16));
    const key = await pinKey(this.#options, pin, deviceKey, salt, cost);
    signal?.throwIfAborted();
    return { salt, cost, wrap: await open.wrap('pin', key) };
  }

  /** Creates the passkey. */
  async wrapForPasskey(
    open: OpenVault,
    signal?: AbortSignal,
    others?: Bytes[],
  ): Promise<NonNullable<VaultRecord['passkey']>> {
    const [{ keepCopySecret, makePasskey, newPasskey }, { placeHere }] = await Promise.all([
      import('./passkey.ts'),
      import('./assertion.ts'),
    ]);
    const place = this.#options.place ?? placeHere();
    const { passkey, secret, second } = await makePasskey(place, signal, newPasskey(this.#now(), others));
    if (second) keepCopySecret(open, second, true);
    return { ...passkey, wrap: await open.wrap('passkey', await wrappingKey(secret, 'passkey')) };
  }

  /** Undefined if the phrase is another one. Overwrites the entropy. */
  async openByPhrase(record: Pick<VaultRecord, 'phrase'>, entropy: Bytes): Promise<OpenVault | undefined> {
    const { seedOf } = await import('./phrase.ts');
    const key = await wrappingKey(await seedOf(entropy), 'phrase');
    entropy.fill(0);
    return unwrap(this.#db, key, 'phrase', record.phrase.wrap);
  }

  /** Opens the vault key of a back-up file. Undefined if its passkey is another one. */
  async openByPasskey(
    { passkey }: Pick<VaultRecord, 'passkey'>,
    signal?: AbortSignal,
  ): Promise<OpenVault | undefined> {
    if (!passkey) return undefined;
    const [{ askPasskey }, { placeHere }] = await Promise.all([
      import('./passkey.ts'),
      import('./assertion.ts'),
    ]);
    const challenge = crypto.getRandomValues(new Uint8Array(32));
    const secret = await askPasskey(passkey, challenge, this.#options.place ?? placeHere(), signal);
    return unwrap(this.#db, await wrappingKey(secret, 'passkey'), 'passkey', passkey.wrap);
  }

  async ownsPhrase(phrase: string): Promise<boolean> {
    const { entropyOf } = await import('./phrase.ts');
    const open = await this.openByPhrase(await readVault(this.#db), entropyOf(phrase));
    open?.close();
    return open !== undefined;
  }

  async changePin(current: string, next: string, signal?: AbortSignal): Promise<void> {
    checkPin(current, 'current');
    checkPin(next, 'next');
    const open = await unlock(this.#db, this.#options, current);
    try {
      const { deviceKey } = await readVault(this.#db);
      const wrap = await this.wrapForPin(open, next, deviceKey, signal);
      await editVault(this.#db, (vault) => ({ ...vault, pin: { ...wrap, changedAt: this.#now() } }));
    } finally {
      open.close();
    }
  }

  async choosePin(unlocked: Unlocked, pin: string, signal?: AbortSignal): Promise<void> {
    checkPin(pin);
    const open = OpenVault.of(unlocked);
    const { deviceKey } = await readVault(this.#db);
    const wrap = await this.wrapForPin(open, pin, deviceKey, signal);
    await editVault(this.#db, (vault) => {
      if (vault.pin) throw new ConnectError('request.conflict', 'A PIN was chosen already. Change it.');
      return { ...vault, pin: wrap };
    });
  }

  /** Without the current one: the vault was opened in another way. Lifts the lock after wrong PINs. */
  async replacePin(unlocked: Unlocked, pin: string, signal?: AbortSignal): Promise<void> {
    checkPin(pin);
    const { deviceKey } = await readVault(this.#db);
    const wrap = await this.wrapForPin(OpenVault.of(unlocked), pin, deviceKey, signal);
    await editVault(
      this.#db,
      (vault) => ({ ...vault, pin: { ...wrap, changedAt: this.#now() } }),
      resetAttempts,
    );
  }

  async addPasskey(unlocked: Unlocked, signal?: AbortSignal): Promise<void> {
    const before = (await readVault(this.#db)).passkey;
    const passkey = await this.wrapForPasskey(OpenVault.of(unlocked), signal, before && [before.id]);
    const { dropPasskey } = await import('./passkey.ts');
    try {
      await editVault(this.#db, (vault) => ({ ...vault, passkey }));
    } catch (error) {
      await dropPasskey(passkey.id);
      throw error;
    }
    if (before) await dropPasskey(before.id);
    markMade(this.#db.name, true);
  }

  async removePasskey(keepsIt = false): Promise<void> {
    const { passkey } = await readVault(this.#db);
    await editVault(this.#db, (vault) => {
      if (!vault.pin)
        throw new ConnectError('request.conflict', 'The passkey is all that opens the wallet. Choose a PIN.');
      return { ...vault, passkey: undefined };
    });
    markMade(this.#db.name, false);
    if (passkey && !keepsIt) await (await import('./passkey.ts')).dropPasskey(passkey.id);
  }
}
