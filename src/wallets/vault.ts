/**
 * The browser vault. A random key encrypts the seed and each wallet's private key; it is itself wrapped once per way in: PIN, recovery
 * phrase, passkey. SECURITY.md says what each of them protects against.
 */
import { openActivity } from './activity.ts';
import { lockedUntil, readAttempts } from './attempts.ts';
import { exclusive, openDatabase, settled, type Database } from './database.ts';
import { openJournal } from './journal.ts';
import type { KeyOptions } from './keys.ts';
import { findVault, LinkRecord, WalletRecord } from './records.ts';
import type { Unsaved, Vault, Settings, HeldWallet, LinkNetwork, SiteLinks } from './types.ts';
import { unlock } from './unlock.ts';
import { distinctWallets, openWalletList, readWallets, toWallet, walletOrder } from './wallet-list.ts';
import { storedLanguage, storedTheme } from './first-paint.ts';

export interface VaultOptions extends KeyOptions {
  /** The name of the database, of its locks and of its channel between tabs. */
  database?: string;
}

/** Throws `storage.unavailable` if the browser stores nothing for us; its message says what to do. */
export async function openVault(options: VaultOptions = {}): Promise<Vault> {
  const { database: name = 'carabiner', now = Date.now } = options;
  const db = await openDatabase(name);
  const keys = lazily(async () => new (await import('./keys.ts')).Keys(db, options));
  const edits = lazily(async () => (await import('./wallet-edits.ts')).openWalletEdits(db));

  const vault: Vault = {
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
        pin: record?.pin !== undefined,
        pinChangedAt: record?.pin?.changedAt,
      };
    },
    ...methodsOf(
      async () => (await keys()).creation,
      ['create', 'createWithPasskey', 'restore', 'restoreWithPasskey', 'restoreFile'],
    ),
    ...methodsOf(
      async () => (await keys()).ways,
      ['ownsPhrase', 'changePin', 'choosePin', 'replacePin', 'addPasskey', 'removePasskey'],
    ),
    ...methodsOf(keys, ['phrase', 'createWallet', 'importWallet', 'backUp', 'parts']),
    ...methodsOf(edits, [
      'rename',
      'makePrimary',
      'move',
      'clearPrimary',
      'setArchived',
      'confirmBackup',
      'confirmExport',
      'sites',
      'servedSites',
      'unlinkSite',
    ]),
    unlock: (pin) => unlock(db, options, pin),
    holder: () => vault,
    passkeyAvailable: async () => (await import('./passkey.ts')).passkeyAvailable(),
    unlockWithPasskey: async (intent, signal) =>
      (await import('./passkey.ts')).unlockWithPasskey(db, intent, options.place, signal),
    async unsaved() {
      const [record, wallets] = await db.read(['vault', 'wallets'], async (tx) => [
        await findVault(tx),
        await readWallets(tx),
      ]);
      const { backedUp, file, passkey } = record ?? {};
      const opens = backedUp || (file?.passkey && String(file.passkey) === String(passkey?.id));
      const unsaved = new Map<string, Unsaved>();
      for (const { id, index, exported } of distinctWallets(wallets))
        if (index !== null) {
          if (!opens) unsaved.set(id, 'phrase');
        } else if (!exported && !(opens && file?.wallets.includes(id))) unsaved.set(id, 'key');
      return unsaved;
    },

    ...openWalletList(db),
    ...openLinks(db, now),
    recipients: () => db.read(['recipients'], (tx) => settled(tx.objectStore('recipients').getAll())),
    recipientBook: async () => (await import('./recipient-book.ts')).openRecipientBook(db, vault),
    journal: openJournal(db, now),
    activity: openActivity(db),
    history: lazily(async () => (await import('./history.ts')).openHistory(db)),
    settings: openSettings(db),
    exclusive: ({ secretType, address }, networkId, work) =>
      exclusive(`${name}:wallet:${secretType} ${address} ${networkId}`, work),
    onChange: db.onChange,
  };
  return vault;
}

/** A part that is created on first use. One that failed to load is requested again. */
function lazily<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () =>
    (made ??= make().catch((error: unknown) => {
      made = undefined;
      throw error;
    }));
}

/** Methods of a part that is loaded when the first of them is called. */
function methodsOf<T, N extends keyof T>(load: () => Promise<T>, names: readonly N[]): Pick<T, N> {
  return Object.fromEntries(
    names.map((name) => [
      name,
      async (...values: unknown[]) =>
        ((await load()) as Record<N, (...of: unknown[]) => unknown>)[name](...values),
    ]),
  ) as Pick<T, N>;
}

type Theme = ReturnType<Settings['theme']>;

export function openSettings(db: Database): Settings {
  // What could not be stored, because storage is full or denied, holds for this page only.
  let theme: Theme | undefined;
  let language: string | undefined;
  const store = <T extends string>(name: string, value: T): T | undefined => {
    try {
      localStorage.setItem(`${db.name}:${name}`, value);
      return undefined;
    } catch {
      return value;
    }
  };
  return {
    theme: () => theme ?? storedTheme(db.name),
    async setTheme(next) {
      theme = store('theme', next);
      db.announce(['settings']);
    },
    language: () => language ?? storedLanguage(db.name),
    setLanguage(next) {
      language = store('language', next);
      db.announce(['settings']);
    },
  };
}

/** Which wallets a site may see. */
export function openLinks(
  db: Database,
  now: () => number,
): Omit<SiteLinks, 'sites' | 'servedSites' | 'unlinkSite'> {
  const change = (origin: string, next: (ids: string[]) => Iterable<string>, network?: LinkNetwork) =>
    db.write(['links'], async (tx) => {
      const before = await read(tx, origin);
      const walletIds = [...new Set(next(before.walletIds))];
      const networks = network
        ? [...(before.networks ?? []).filter((one) => one.secretType !== network.secretType), network]
        : before.networks;
      const store = tx.objectStore('links');
      if (walletIds.length)
        await settled(
          store.put({
            origin,
            walletIds,
            since: before.walletIds.length ? before.since : now(),
            ...(networks && { networks }),
          } satisfies LinkRecord),
        );
      else await settled(store.delete(origin));
    });

  return {
    linked(origin, archived = false, id) {
      return db.read(['links', 'wallets'], async (tx): Promise<HeldWallet[]> => {
        const store = tx.objectStore('wallets');
        const records: unknown[] = await Promise.all(
          (await read(tx, origin)).walletIds
            .filter((each) => id === undefined || each === id)
            .map((each) => settled(store.get(each))),
        );
        return records
          .flatMap((record) => (record === undefined ? [] : [WalletRecord.parse(record)]))
          .filter((record) => archived || !record.archived)
          .sort(walletOrder)
          .map(toWallet);
      });
    },
    link: (origin, ids) => change(origin, (before) => [...before, ...ids]),
    setLinked: (origin, ids, network) => change(origin, () => ids, network),
    linkNetworks: (origin) => db.read(['links'], async (tx) => (await read(tx, origin)).networks ?? []),
    unlink: (origin, id) => change(origin, (before) => before.filter((other) => other !== id)),
  };
}

async function read(tx: IDBTransaction, origin: string): Promise<LinkRecord> {
  const record: unknown = await settled(tx.objectStore('links').get(origin));
  return record === undefined ? { origin, walletIds: [] } : LinkRecord.parse(record);
}
