/** A new vault for each test, at argon2's lowest cost, with a clock that the test moves. */
import { TestClock } from '../clock.ts';
import { openVault, type VaultOptions } from '../../../src/wallets/vault.ts';
import { COST, hashPin, type PinHash } from '../../../src/wallets/pin-hash.ts';
import { settled } from '../../../src/wallets/database.ts';
import type { Cost, WalletRecord } from '../../../src/wallets/records.ts';
import type { HeldWallet, Vault } from '../../../src/wallets/types.ts';
import { toWallet } from '../../../src/wallets/wallet-list.ts';
import { HDKey } from '@scure/bip32';
import { computeAddress } from 'ethers/transaction';
import { hexlify } from 'ethers/utils';
import { argon2id } from 'hash-wasm';

export const PIN = '4821';
export const WRONG = '0000';
/** BIP-39's own example (trezor/python-mnemonic vectors.json, MIT): entropy 7f × 16. */
export const PHRASE = 'legal winner thank year wave sausage worth useful legal winner thank yellow';
export const OTHER = 'letter advice cage absurd amount doctor acoustic avoid letter advice cage above';
export const MINUTE = 60_000;

const CHEAP: Cost = { memory: 8, iterations: 1, parallelism: 1 };

/** The same function without the worker: at this cost starting one would take most of the time. */
export const cheapHash: PinHash = async (pin, salt, { memory, iterations, parallelism }) =>
  (await argon2id({
    password: pin,
    salt,
    memorySize: memory,
    iterations,
    parallelism,
    hashLength: 32,
    outputType: 'binary',
  })) as Uint8Array<ArrayBuffer>;

/** BIP-44 with the libraries alone: these tests are about the vault, not about chains. */
const chain = async () => ({
  async deriveKey(seed: Uint8Array, index: number) {
    return HDKey.fromMasterSeed(seed).derive(`m/44'/60'/0'/0/${index}`).privateKey!;
  },
  address: (key: Uint8Array) => computeAddress(hexlify(key)),
});

export interface Setup {
  vault: Vault;
  database: string;
  /** Runs of argon2 since the last call. */
  runs(): number;
  clock: TestClock;
  /** The same browser after a reload, or another tab. */
  again(options?: VaultOptions): Promise<Vault>;
}

const made: string[] = [];
afterEach(() => {
  for (const name of made.splice(0)) indexedDB.deleteDatabase(name);
});

export async function setup(options: VaultOptions = {}): Promise<Setup> {
  const database = `carabiner-${crypto.randomUUID()}`;
  made.push(database);
  const clock = new TestClock(Date.UTC(2026, 10, 21, 11, 30, 5, 250));
  let count = 0;
  const defaults: VaultOptions = {
    database,
    cost: CHEAP,
    chain,
    now: clock.date,
    hashPin: (...work) => {
      count++;
      return cheapHash(...work);
    },
    ...options,
  };
  return {
    vault: await openVault(defaults),
    database,
    clock,
    runs: () => [count, (count = 0)][0]!,
    again: (more = {}) => openVault({ ...defaults, ...more }),
  };
}

export { COST, hashPin };

/** The error with which a promise rejects. */
export async function failure(promise: Promise<unknown>): Promise<Error & Record<string, unknown>> {
  try {
    await promise;
  } catch (error) {
    return error as Error & Record<string, unknown>;
  }
  throw new Error('It did not fail.');
}

export function rawOpen(name: string, version?: number): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(name, version);
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

/** Everything that is stored, by object store, as the browser returns it. */
export async function dump(name: string): Promise<Record<string, { key: IDBValidKey; value: unknown }[]>> {
  const db = await rawOpen(name);
  const all: Record<string, { key: IDBValidKey; value: unknown }[]> = {};
  for (const store of db.objectStoreNames) {
    const tx = db.transaction(store);
    const rows: { key: IDBValidKey; value: unknown }[] = [];
    await new Promise<void>((resolve, reject) => {
      const request = tx.objectStore(store).openCursor();
      request.onerror = () => reject(request.error);
      request.onsuccess = () => {
        const cursor = request.result;
        if (!cursor) return resolve();
        rows.push({ key: cursor.key, value: cursor.value });
        cursor.continue();
      };
    });
    all[store] = rows;
  }
  db.close();
  return all;
}

/** Another record of a wallet, as versions before 0.2 made one for each network at the same address. */
export async function plantTwin(
  name: string,
  id: string,
  fields: { network: string; alias: string },
): Promise<HeldWallet> {
  const db = await rawOpen(name);
  const store = db.transaction('wallets', 'readwrite').objectStore('wallets');
  const record: WalletRecord = await settled(store.get(id));
  const twin: WalletRecord = {
    ...record,
    ...fields,
    id: crypto.randomUUID(),
    primary: false,
    createdAt: record.createdAt + 1,
  };
  await settled(store.add(twin));
  db.close();
  return toWallet(twin);
}
