/**
 * Everything that touches a key, except unlocking with the PIN: creating the vault, adding to it, the other
 * ways in. Loaded on first use; signing needs none of it.
 */
import type { Chain } from '../chains/chain.ts';
import type { NetworkKind } from '../chains/network.ts';
import type { SecretType } from '../chains/secret-type.ts';
import { ConnectError, RequestInvalidError } from '../base/errors.ts';
import { checkPin, resetAttempts } from './attempts.ts';
import { newDeviceKey, wrappingKey } from './cipher.ts';
import { settled, type Database } from './database.ts';
import { markMade } from './first-paint.ts';
import { exclusive } from './locks.ts';
import { OpenVault } from './open-vault.ts';
import { COST } from './pin-hash.ts';
import type { Place } from './assertion.ts';
import type { RecipientRecord } from './recipient-book.ts';
import {
  type Attempts,
  type Bytes,
  type Cost,
  editVault,
  findVault,
  readVault,
  type VaultRecord,
  type WalletRecord,
} from './records.ts';
import type { NewHome, Vault } from './types.ts';
import { pinKey, unlock, type UnlockOptions, unwrap } from './unlock.ts';
import { newWallet } from './wallet-edits.ts';
import { readWallets, toWallet } from './wallet-list.ts';

/** The vault's dependencies; tests inject their own. */
export interface KeyOptions extends UnlockOptions {
  /** Cost of a new PIN wrap. An existing one is opened at the cost stored beside it. */
  cost?: Cost;
  /** Origin for passkeys; by default this page's. */
  place?: Place;
  chain?: (secretType: SecretType) => Promise<Pick<Chain, 'deriveKey' | 'address'>>;
}

export type Keys = Pick<
  Vault,
  | 'create'
  | 'createWithPasskey'
  | 'restore'
  | 'restoreWithPasskey'
  | 'ownsPhrase'
  | 'changePin'
  | 'choosePin'
  | 'addPasskey'
  | 'removePasskey'
  | 'phrase'
  | 'createWallet'
  | 'importWallet'
  | 'backUp'
  | 'restoreFile'
>;

export function openKeys(db: Database, options: KeyOptions): Keys {
  const {
    now = Date.now,
    cost = COST,
    chain = async (secretType) => (await import('../chains/load.ts')).loadChain(secretType),
  } = options;

  const pinWrap = async (open: OpenVault, pin: string, deviceKey: CryptoKey, signal?: AbortSignal) => {
    const salt = crypto.getRandomValues(new Uint8Array(16));
    const key = await pinKey(options, pin, deviceKey, salt, cost);
    signal?.throwIfAborted();
    return { salt, cost, wrap: await open.wrap('pin', key) };
  };

  const passkeyWrap = async (open: OpenVault, signal?: AbortSignal) => {
    const { makePasskey } = await import('./passkey.ts');
    const { passkey, secret } = await makePasskey(options.place, signal);
    return { ...passkey, wrap: await open.wrap('passkey', await wrappingKey(secret, 'passkey')) };
  };

  /** The first way into a new vault. */
  type FirstWay = (open: OpenVault, deviceKey: CryptoKey) => Promise<Pick<VaultRecord, 'pin' | 'passkey'>>;
  const byPin =
    (pin: string, signal?: AbortSignal): FirstWay =>
    async (open, deviceKey) => ({ pin: await pinWrap(open, pin, deviceKey, signal) });
  const byPasskey =
    (signal?: AbortSignal): FirstWay =>
    async (open) => ({ passkey: await passkeyWrap(open, signal) });

  const putVault = async (tx: IDBTransaction, record: VaultRecord): Promise<void> => {
    const store = tx.objectStore('vault');
    // Another tab may have been faster.
    if ((await settled(store.count('vault'))) > 0) throw exists();
    await settled(store.put(record, 'vault'));
    await settled(store.put({ wrong: 0, at: now() } satisfies Attempts, 'attempts'));
  };

  const make = async (entropy: Bytes, firstWay: FirstWay, backedUp: boolean): Promise<OpenVault> => {
    const open = new OpenVault(db, crypto.getRandomValues(new Uint8Array(32)));
    let way: Awaited<ReturnType<FirstWay>> | undefined;
    try {
      await db.probe();
      // Not awaited: a browser may ask the user, and the vault works either way.
      navigator.storage?.persist?.().catch(() => false);
      const { seedOf } = await import('./phrase.ts');
      const deviceKey = await newDeviceKey();
      way = await firstWay(open, deviceKey);
      const record: VaultRecord = {
        createdAt: now(),
        backedUp,
        seed: await open.seal('seed', entropy),
        deviceKey,
        ...way,
        phrase: { wrap: await open.wrap('phrase', await wrappingKey(await seedOf(entropy), 'phrase')) },
      };
      await db.write(['vault'], async (tx) => {
        await putVault(tx, record);
      });
      markMade(db.name, way.passkey !== undefined);
    } catch (error) {
      open.close();
      if (way?.passkey) await (await import('./passkey.ts')).dropPasskey(way.passkey.id);
      throw error;
    } finally {
      entropy.fill(0);
    }
    return open;
  };

  /** Undefined if the phrase is another one. Overwrites the entropy. */
  const openByPhrase = async (
    record: Pick<VaultRecord, 'phrase'>,
    entropy: Bytes,
  ): Promise<OpenVault | undefined> => {
    const { seedOf } = await import('./phrase.ts');
    const key = await wrappingKey(await seedOf(entropy), 'phrase');
    entropy.fill(0);
    return unwrap(db, key, 'phrase', record.phrase.wrap);
  };

  /** The vault key of a back-up file. Undefined if its passkey is another one. */
  const openByPasskey = async (
    { passkey }: Pick<VaultRecord, 'passkey'>,
    signal?: AbortSignal,
  ): Promise<OpenVault | undefined> => {
    if (!passkey) return undefined;
    const [{ askPasskey }, { placeHere }] = await Promise.all([
      import('./passkey.ts'),
      import('./assertion.ts'),
    ]);
    const challenge = crypto.getRandomValues(new Uint8Array(32));
    const secret = await askPasskey(passkey, challenge, options.place ?? placeHere(), signal);
    return unwrap(db, await wrappingKey(secret, 'passkey'), 'passkey', passkey.wrap);
  };

  /** The vault of this browser by its own phrase, with a new PIN. It lifts all locks. */
  const reopen = async (
    record: VaultRecord,
    entropy: Bytes,
    pin: string,
    signal?: AbortSignal,
  ): Promise<OpenVault> => {
    const open = await openByPhrase(record, entropy);
    if (!open)
      throw new RequestInvalidError([
        { path: 'phrase', message: 'these words belong to another wallet than the one in this browser' },
      ]);
    try {
      const wrap = await pinWrap(open, pin, record.deviceKey, signal);
      await editVault(
        db,
        (vault) => ({ ...vault, pin: { ...wrap, changedAt: now() }, backedUp: true }),
        resetAttempts,
      );
    } catch (error) {
      open.close();
      throw error;
    }
    return open;
  };

  const add = (
    open: OpenVault,
    key: Bytes,
    wallet: Pick<WalletRecord, 'secretType' | 'address' | 'index'>,
    alias: string | undefined,
    home: NewHome | undefined,
  ) => {
    const id = crypto.randomUUID();
    return open.seal(id, key).then((sealed) =>
      db.write(['wallets'], async (tx) => {
        const all = await readWallets(tx);
        const same = all.find((one) => isOn(one, wallet.secretType, home) && one.address === wallet.address);
        if (same)
          throw new ConnectError('request.conflict', `You have this wallet already: “${same.alias}”.`, {
            walletId: same.id,
            alias: same.alias,
            archived: same.archived,
          });
        const record = newWallet(all, { ...wallet, id, network: home?.id, key: sealed }, alias, now());
        await settled(tx.objectStore('wallets').add(record));
        return toWallet(record);
      }),
    );
  };

  return {
    async create(pin, signal) {
      checkPin(pin);
      if (await db.read(['vault'], findVault)) throw exists();
      return make(newEntropy(), byPin(pin, signal), false);
    },
    async createWithPasskey(signal) {
      if (await db.read(['vault'], findVault)) throw exists();
      return make(newEntropy(), byPasskey(signal), false);
    },
    async restore(phrase, pin, signal) {
      checkPin(pin);
      const { entropyOf } = await import('./phrase.ts');
      const entropy = entropyOf(phrase);
      const record = await db.read(['vault'], findVault);
      return record ? reopen(record, entropy, pin, signal) : make(entropy, byPin(pin, signal), true);
    },
    async restoreWithPasskey(phrase, signal) {
      const { entropyOf } = await import('./phrase.ts');
      const entropy = entropyOf(phrase);
      if (await db.read(['vault'], findVault)) throw exists();
      return make(entropy, byPasskey(signal), true);
    },
    async ownsPhrase(phrase) {
      const { entropyOf } = await import('./phrase.ts');
      const open = await openByPhrase(await readVault(db), entropyOf(phrase));
      open?.close();
      return open !== undefined;
    },
    async changePin(current, next, signal) {
      checkPin(current, 'current');
      checkPin(next, 'next');
      const open = await unlock(db, options, current);
      try {
        const wrap = await pinWrap(open, next, (await readVault(db)).deviceKey, signal);
        await editVault(db, (vault) => ({ ...vault, pin: { ...wrap, changedAt: now() } }));
      } finally {
        open.close();
      }
    },
    async choosePin(unlocked, pin, signal) {
      checkPin(pin);
      const wrap = await pinWrap(OpenVault.of(unlocked), pin, (await readVault(db)).deviceKey, signal);
      await editVault(db, (vault) => {
        if (vault.pin) throw new ConnectError('request.conflict', 'A PIN was chosen already. Change it.');
        return { ...vault, pin: wrap };
      });
    },

    async addPasskey(unlocked, signal) {
      const before = (await readVault(db)).passkey;
      const passkey = await passkeyWrap(OpenVault.of(unlocked), signal);
      const { dropPasskey } = await import('./passkey.ts');
      try {
        await editVault(db, (vault) => ({ ...vault, passkey }));
      } catch (error) {
        await dropPasskey(passkey.id);
        throw error;
      }
      if (before) await dropPasskey(before.id);
      markMade(db.name, true);
    },
    async removePasskey() {
      const { passkey } = await readVault(db);
      await editVault(db, (vault) => {
        if (!vault.pin)
          throw new ConnectError(
            'request.conflict',
            'The passkey is all that opens the wallet. Choose a PIN.',
          );
        return { ...vault, passkey: undefined };
      });
      markMade(db.name, false);
      if (passkey) await (await import('./passkey.ts')).dropPasskey(passkey.id);
    },

    async phrase(unlocked) {
      const entropy = await OpenVault.of(unlocked).unseal('seed', (await readVault(db)).seed);
      const { wordsOf } = await import('./phrase.ts');
      const words = wordsOf(entropy);
      entropy.fill(0);
      return words;
    },
    createWallet(unlocked, secretType, alias, home) {
      return exclusive(`${db.name}:create`, async () => {
        const open = OpenVault.of(unlocked);
        const [{ seedOf }, keys] = await Promise.all([import('./phrase.ts'), chain(secretType)]);
        const entropy = await open.unseal('seed', (await readVault(db)).seed);
        const seed = await seedOf(entropy);
        entropy.fill(0);
        const all = await db.read(['wallets'], readWallets);
        const mine = all.filter((one) => isOn(one, secretType, home));
        try {
          // Seed indexes are never reused; one whose key was imported before is skipped.
          for (let index = Math.max(-1, ...mine.map((one) => one.index ?? -1)) + 1; ; index++) {
            const key = new Uint8Array(await keys.deriveKey(seed, index));
            try {
              const address = await keys.address(key, kindOf(home));
              if (mine.some((one) => one.address === address)) continue;
              return await add(open, key, { secretType, address, index }, alias, home);
            } finally {
              key.fill(0);
            }
          }
        } finally {
          seed.fill(0);
        }
      });
    },
    async importWallet(unlocked, secretType, key, alias, home) {
      const address = await (await chain(secretType)).address(key, kindOf(home));
      const copy = new Uint8Array(key);
      try {
        return await add(OpenVault.of(unlocked), copy, { secretType, address, index: null }, alias, home);
      } finally {
        copy.fill(0);
      }
    },
    async backUp(unlocked) {
      const [record, wallets, recipients] = await db.read(['vault', 'wallets', 'recipients'], async (tx) => [
        await findVault(tx),
        await readWallets(tx),
        (await settled(tx.objectStore('recipients').getAll())) as RecipientRecord[],
      ]);
      const { writeBackup } = await import('./backup-file.ts');
      const file = { passkey: record!.passkey?.id, wallets: wallets.map(({ id }) => id) };
      return {
        text: await writeBackup(OpenVault.of(unlocked), record!, wallets, recipients),
        confirm: () => editVault(db, (vault) => ({ ...vault, file })),
      };
    },
    async restoreFile(text, by, signal) {
      if (by !== 'passkey') checkPin(by.pin);
      if (await db.read(['vault'], findVault)) throw exists();
      const { openBackup, readBackup } = await import('./backup-file.ts');
      const file = readBackup(text);
      const open = await (by === 'passkey'
        ? openByPasskey(file, signal)
        : openByPhrase(file, await entropyIn(by)));
      if (!open)
        throw new RequestInvalidError([
          by === 'passkey'
            ? { path: 'file', message: 'belongs to another passkey; use the 12 words' }
            : { path: 'phrase', message: 'these words belong to another wallet than the one in the file' },
        ]);
      try {
        const { createdAt, backedUp, seed, wallets, recipients = [] } = await openBackup(open, file);
        await db.probe();
        navigator.storage?.persist?.().catch(() => false);
        const deviceKey = await newDeviceKey();
        const way =
          by === 'passkey' ? { passkey: file.passkey } : await byPin(by.pin, signal)(open, deviceKey);
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
        await db.write(['vault', 'wallets', 'recipients'], async (tx) => {
          await putVault(tx, record);
          const put = (store: 'wallets' | 'recipients') => (one: object) =>
            settled(tx.objectStore(store).put(one));
          await Promise.all([...wallets.map(put('wallets')), ...recipients.map(put('recipients'))]);
        });
        markMade(db.name, by === 'passkey');
        return open;
      } catch (error) {
        open.close();
        throw error;
      }
    },
  };
}

async function entropyIn({ phrase }: { phrase: string }): Promise<Bytes> {
  return (await import('./phrase.ts')).entropyOf(phrase);
}

function newEntropy(): Bytes {
  return crypto.getRandomValues(new Uint8Array(16));
}

function kindOf(home: NewHome | undefined): NetworkKind {
  return home?.kind ?? 'mainnet';
}

/** The same key may be a wallet on each network of a chain, on some chains with the same address on all. */
function isOn({ secretType, network }: WalletRecord, chain: SecretType, home: NewHome | undefined): boolean {
  return secretType === chain && (network === home?.id || (network === undefined && home?.first === true));
}

function exists(): ConnectError {
  return new ConnectError('request.conflict', 'This browser has a wallet already.');
}
