/**
 * The browser vault. A random key encrypts the seed and each wallet's private key; it is itself wrapped once per way in: PIN, recovery
 * phrase, passkey. SECURITY.md says what each of them protects against.
 */
import { openActivity } from './activity.ts';
import { lockedUntil, readAttempts } from './attempts.ts';
import { openDatabase } from './database.ts';
import { openJournal } from './journal.ts';
import type { KeyOptions, Keys } from './keys.ts';
import { openLinks } from './links.ts';
import { exclusive } from './locks.ts';
import { openSettings } from './settings.ts';
import type { Vault } from './types.ts';
import { editVault, findVault } from './vault-record.ts';
import { openWalletList } from './wallet-list.ts';

export interface VaultOptions extends KeyOptions {
  /** Name of the database, of its locks and of its channel between tabs. */
  database?: string;
}

/** Throws `storage.unavailable` where the browser keeps nothing for us; its message says what to do. */
export async function openVault(options: VaultOptions = {}): Promise<Vault> {
  const { database: name = 'carabiner', now = Date.now } = options;
  const db = await openDatabase(name);
  let loaded: Promise<Keys> | undefined;
  const keys = () => {
    loaded ??= import('./keys.ts').then(
      ({ openKeys }) => openKeys(db, options),
      (error: unknown) => {
        loaded = undefined;
        throw error;
      },
    );
    return loaded;
  };

  return {
    async state() {
      const [record, attempts] = await db.read(['vault'], async (tx) => [
        await findVault(tx),
        await readAttempts(tx),
      ]);
      return {
        exists: record !== undefined,
        backedUp: record?.backedUp ?? false,
        wrongPins: attempts.wrong,
        lockedUntil: lockedUntil(attempts, now()),
        passkey: record?.passkey !== undefined,
      };
    },
    create: async (pin) => (await keys()).create(pin),
    restore: async (phrase, pin) => (await keys()).restore(phrase, pin),
    unlock: async (pin) => (await keys()).unlock(pin),
    changePin: async (current, next) => (await keys()).changePin(current, next),
    passkeyAvailable: async () => (await import('./passkey.ts')).passkeyAvailable(),
    addPasskey: async (unlocked) => (await keys()).addPasskey(unlocked),
    removePasskey: async () => (await keys()).removePasskey(),
    unlockWithPasskey: async () => (await keys()).unlockWithPasskey(),
    phrase: async (unlocked) => (await keys()).phrase(unlocked),
    confirmBackup: () => editVault(db, (vault) => ({ ...vault, backedUp: true })),

    ...openWalletList(db),
    createWallet: async (unlocked, secretType, alias) =>
      (await keys()).createWallet(unlocked, secretType, alias),
    importWallet: async (unlocked, secretType, key, alias) =>
      (await keys()).importWallet(unlocked, secretType, key, alias),

    ...openLinks(db),
    journal: openJournal(db, now),
    activity: openActivity(db),
    settings: openSettings(db),
    exclusive: (walletId, work) => exclusive(`${name}:wallet:${walletId}`, work),
    onChange: db.onChange,
  };
}
