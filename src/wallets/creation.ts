/** Creates the vault of this browser: new, from a recovery phrase, or from a back-up file. */
import { ConnectError, RequestInvalidError } from '../base/errors.ts';
import { checkPin, resetAttempts } from './attempts.ts';
import { newDeviceKey, wrappingKey } from './cipher.ts';
import { settled, type Database } from './database.ts';
import { markMade } from './first-paint.ts';
import { OpenVault } from './open-vault.ts';
import { type Attempts, type Bytes, editVault, findVault, type VaultRecord } from './records.ts';
import type { Passkey } from './passkey.ts';
import type { FileOpener, KeyStore, SettingsAndBackup } from './types.ts';
import type { WaysIn } from './ways-in.ts';

/** Makes the first way into a new vault. */
type FirstWay = (
  open: OpenVault,
  deviceKey: CryptoKey,
) => Promise<Pick<VaultRecord, 'pin' | 'passkey'> & { /** The passkey was made for it. */ isNew?: true }>;

/** A passkey of this origin, and its secret for this salt. */
export interface PasskeyAtHand extends Passkey {
  secret: Bytes;
}

/** What is the vault's own. What its wallets did stays with their ids. */
const OWN = ['vault', 'wallets', 'links', 'recipients', 'sync'] as const;

/** What a new vault has from the start: both are there, or neither. */
export interface VaultContents {
  /** It takes the place of the vault that is here, of which nothing stays. */
  replaces?: boolean;
  /** Called before anything is written. What it returns writes to the stores of the vault, in one transaction with it. */
  prepare(open: OpenVault): Promise<(tx: IDBTransaction) => Promise<unknown>>;
}

type Creating = Pick<KeyStore, 'create' | 'createWithPasskey' | 'restore' | 'restoreWithPasskey'> &
  Pick<SettingsAndBackup, 'restoreFile'>;

export class Creation implements Creating {
  readonly #db: Database;
  readonly #ways: WaysIn;
  readonly #now: () => number;

  constructor(db: Database, ways: WaysIn, now: () => number) {
    this.#db = db;
    this.#ways = ways;
    this.#now = now;
  }

  async create(pin: string, signal?: AbortSignal): Promise<OpenVault> {
    checkPin(pin);
    await this.#assertNone();
    return this.#make(newEntropy(), this.#byPin(pin, signal), false);
  }

  async createWithPasskey(signal?: AbortSignal): Promise<OpenVault> {
    await this.#assertNone();
    return this.#make(newEntropy(), this.#byPasskey(signal), false);
  }

  async restore(phrase: string, pin: string, signal?: AbortSignal): Promise<OpenVault> {
    checkPin(pin);
    const entropy = await entropyIn(phrase);
    const record = await this.#db.read(['vault'], findVault);
    return record
      ? this.#reopen(record, entropy, pin, signal)
      : this.#make(entropy, this.#byPin(pin, signal), true);
  }

  async restoreWithPasskey(phrase: string, signal?: AbortSignal): Promise<OpenVault> {
    const entropy = await entropyIn(phrase);
    await this.#assertNone();
    return this.#make(entropy, this.#byPasskey(signal), true);
  }

  /**
   * As `restore`, by the entropy itself, which it overwrites. `ways`: a new PIN, a passkey that the user has already, or both. `backedUp`: the
   * user has confirmed the words before.
   */
  async restoreEntropy(
    entropy: Bytes,
    { pin, passkey }: { pin?: string | undefined; passkey?: PasskeyAtHand | undefined },
    backedUp: boolean,
    contents: VaultContents,
    signal?: AbortSignal,
  ): Promise<OpenVault> {
    if (pin !== undefined) checkPin(pin);
    if (!contents.replaces) await this.#assertNone();
    const ways: FirstWay = async (open, deviceKey) => ({
      ...(passkey && (await byPasskeyAtHand(open, passkey))),
      ...(pin !== undefined && (await this.#byPin(pin, signal)(open, deviceKey))),
    });
    return this.#make(entropy, ways, backedUp, contents, signal);
  }

  async restoreFile(text: string, by: FileOpener, signal?: AbortSignal): Promise<OpenVault> {
    if (by !== 'passkey') checkPin(by.pin);
    await this.#assertNone();
    const { openBackup, readBackup } = await import('./backup-file.ts');
    const file = readBackup(text);
    const open = await (by === 'passkey'
      ? this.#ways.openByPasskey(file, signal)
      : this.#ways.openByPhrase(file, await entropyIn(by.phrase)));
    if (!open)
      throw new RequestInvalidError([
        by === 'passkey'
          ? { path: 'file', message: 'belongs to another passkey; use the 12 words' }
          : { path: 'phrase', message: 'these words belong to another wallet than the one in the file' },
      ]);
    try {
      const { createdAt, backedUp, seed, wallets, recipients = [] } = await openBackup(open, file);
      await this.#claimStorage();
      const deviceKey = await newDeviceKey();
      const way =
        by === 'passkey' ? { passkey: file.passkey } : await this.#byPin(by.pin, signal)(open, deviceKey);
      signal?.throwIfAborted();
      const record: VaultRecord = {
        createdAt,
        backedUp: backedUp || by !== 'passkey',
        seed,
        deviceKey,
        ...way,
        phrase: file.phrase,
        file: { passkey: file.passkey?.id, wallets: wallets.map(({ id }) => id) },
      };
      await this.#db.write(['vault', 'wallets', 'recipients'], async (tx) => {
        await this.#put(tx, record);
        const put = (store: 'wallets' | 'recipients') => (one: object) =>
          settled(tx.objectStore(store).put(one));
        await Promise.all([...wallets.map(put('wallets')), ...recipients.map(put('recipients'))]);
      });
      markMade(this.#db.name, by === 'passkey');
      return open;
    } catch (error) {
      open.close();
      throw error;
    }
  }

  #byPin(pin: string, signal?: AbortSignal): FirstWay {
    return async (open, deviceKey) => ({ pin: await this.#ways.wrapForPin(open, pin, deviceKey, signal) });
  }

  #byPasskey(signal?: AbortSignal): FirstWay {
    return async (open) => ({ passkey: await this.#ways.wrapForPasskey(open, signal), isNew: true });
  }

  async #make(
    entropy: Bytes,
    firstWay: FirstWay,
    backedUp: boolean,
    contents?: VaultContents,
    signal?: AbortSignal,
  ): Promise<OpenVault> {
    const open = new OpenVault(this.#db, crypto.getRandomValues(new Uint8Array(32)));
    let way: Awaited<ReturnType<FirstWay>> | undefined;
    try {
      await this.#claimStorage();
      const { seedOf } = await import('./phrase.ts');
      const deviceKey = await newDeviceKey();
      way = await firstWay(open, deviceKey);
      const { pin, passkey } = way;
      const record: VaultRecord = {
        createdAt: this.#now(),
        backedUp,
        seed: await open.seal('seed', entropy),
        deviceKey,
        pin,
        passkey,
        phrase: { wrap: await open.wrap('phrase', await wrappingKey(await seedOf(entropy), 'phrase')) },
      };
      const fill = await contents?.prepare(open);
      signal?.throwIfAborted();
      await this.#db.write(contents ? OWN : ['vault'], async (tx) => {
        if (contents?.replaces) await Promise.all(OWN.map((name) => settled(tx.objectStore(name).clear())));
        await this.#put(tx, record);
        await fill?.(tx);
      });
      markMade(this.#db.name, way.passkey !== undefined);
    } catch (error) {
      open.close();
      if (way?.isNew) await (await import('./passkey.ts')).dropPasskey(way.passkey!.id);
      throw error;
    } finally {
      entropy.fill(0);
    }
    return open;
  }

  /** Opens the vault of this browser by its own phrase, sets a new PIN and lifts all locks. */
  async #reopen(record: VaultRecord, entropy: Bytes, pin: string, signal?: AbortSignal): Promise<OpenVault> {
    const open = await this.#ways.openByPhrase(record, entropy);
    if (!open)
      throw new RequestInvalidError([
        { path: 'phrase', message: 'these words belong to another wallet than the one in this browser' },
      ]);
    try {
      const wrap = await this.#ways.wrapForPin(open, pin, record.deviceKey, signal);
      await editVault(
        this.#db,
        (vault) => ({ ...vault, pin: { ...wrap, changedAt: this.#now() }, backedUp: true }),
        resetAttempts,
      );
    } catch (error) {
      open.close();
      throw error;
    }
    return open;
  }

  async #claimStorage(): Promise<void> {
    await this.#db.probe();
    // Not awaited: a browser may ask the user, and the vault works either way.
    navigator.storage?.persist?.().catch(() => false);
  }

  async #assertNone(): Promise<void> {
    if (await this.#db.read(['vault'], findVault)) throw exists();
  }

  async #put(tx: IDBTransaction, record: VaultRecord): Promise<void> {
    const store = tx.objectStore('vault');
    // Another tab may have been faster.
    if ((await settled(store.count('vault'))) > 0) throw exists();
    await settled(store.put(record, 'vault'));
    await settled(store.put({ wrong: 0, at: this.#now() } satisfies Attempts, 'attempts'));
  }
}

/** One that other browsers use, too: it is never dropped here. */
async function byPasskeyAtHand(
  open: OpenVault,
  { secret, ...passkey }: PasskeyAtHand,
): Promise<Pick<VaultRecord, 'passkey'>> {
  return {
    passkey: { ...passkey, wrap: await open.wrap('passkey', await wrappingKey(secret, 'passkey')) },
  };
}

async function entropyIn(phrase: string): Promise<Bytes> {
  return (await import('./phrase.ts')).entropyOf(phrase);
}

function newEntropy(): Bytes {
  return crypto.getRandomValues(new Uint8Array(16));
}

function exists(): ConnectError {
  return new ConnectError('request.conflict', 'This browser has a wallet already.');
}
