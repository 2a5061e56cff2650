/**
 * The keys of service wallets. Each wallet's private key is encrypted under its own random data key, which is encrypted under the key of
 * the PIN that spends from it: the wallet's own PIN, or its owner's master PIN (`pins.ts`). Nothing here knows HTTP, or who may do what.
 */
import { randomBytes, randomUUID } from 'node:crypto';
import { type Insertable, sql, type Transaction } from 'kysely';
import type { Chain } from '../../src/chains/chain.ts';
import { loadChain } from '../../src/chains/load.ts';
import type { NetworkKind } from '../../src/chains/network.ts';
import type { SecretType } from '../../src/chains/secret-type.ts';
import { invalid } from '../../src/chains/requests/payloads.ts';
import { ConnectError } from '../../src/errors.ts';
import { acrossAccounts } from '../database/account-scope.ts';
import type { Database } from '../database/database.ts';
import { confirmReplicated } from '../database/replicated.ts';
import type { Schema, WalletRow, WalletSecrets } from '../database/schema.ts';
import type { KeyProvider } from '../keys/key-provider.ts';
import { enrol, isEnrolled, unknownDevice } from './devices.ts';
import {
  archived,
  conflict,
  decryptFailed,
  encryptFailed,
  forbidden,
  secretDamaged,
  secretMissing,
} from './wallet-errors.ts';
import { type MadePin, type PinProof, type PinSettings, type PinState, Pins } from './pins.ts';
import { seal, unseal } from '../keys/sealing.ts';
import { type SessionOrder, type SpendingSession, SpendingSessions } from './spending-sessions.ts';

export interface NewWallet {
  ownerId: string;
  /** The application that creates it. */
  applicationId: string;
  /** Unique per application: repeating it returns the same wallet. */
  identifier?: string | undefined;
  walletType: WalletRow['wallet_type'];
  secretType: SecretType;
  /** Id in `networks.json`; absent for the first of the chain. */
  network?: string | undefined;
  /** That network's kind. */
  kind: NetworkKind;
  alias?: string | undefined;
  description?: string | undefined;
  pin: PinProof;
  /** `account`: the owner's master PIN, which the first such wallet sets. */
  pinOf: 'wallet' | 'account';
  /** An existing private key, as `Chain.importKey` returns it; absent for a new one. The caller overwrites it. */
  key?: Uint8Array | undefined;
  /** Thumbprint of the caller's device key. The wallet that sets the master PIN enrols it; for further wallets it must be enrolled already. */
  device?: string | undefined;
  /** Runs the database transaction that creates the wallet, and records its event in it. Absent: no event. */
  storing?: Storing | undefined;
}

type Storing = <T>(
  work: (tx: Transaction<Schema>, created: (wallet: WalletRow) => Promise<void>) => Promise<T>,
) => Promise<T>;

export interface CreatedWallet {
  wallet: WalletRow;
  /** Present when a PIN was set. Shown once. */
  recoveryCode?: string | undefined;
}

interface Secret {
  wallet: WalletRow;
  pinId: string;
  dataKey: Buffer;
  privateKey: Buffer;
}

/** The first half of the advisory locks of imports. Nothing else may use this number. */
const IMPORT_LOCK = 7_265_006;

/** No passkey sets a PIN. Throws `request.invalid` at `pincode`. */
function newPin(pin: PinProof): string {
  if (typeof pin === 'string') return pin;
  throw invalid('pincode', 'is required to set it');
}

/** Another request set the owner's master PIN in the meantime. */
class PinExists extends Error {}

export class Custody {
  readonly #db: Database;
  readonly #pins: Pins;
  readonly sessions: SpendingSessions;

  constructor(db: Database, keys: KeyProvider, settings?: PinSettings) {
    this.#db = db;
    this.#pins = new Pins(db, keys, settings);
    this.sessions = new SpendingSessions(db, keys, settings?.now);
  }

  /**
   * The wallet and its key are on stable storage when it resolves. Throws as `withKey` does, `wallet.encrypt.internal-error`,
   * `device.unknown`, and `request.invalid` at `pincode` for a new PIN that is easy to guess.
   */
  async createWallet(order: NewWallet): Promise<CreatedWallet> {
    const known = await this.#identified(order);
    if (known) {
      await confirmReplicated(this.#db);
      return { wallet: known };
    }
    const chain = await loadChain(order.secretType);
    const id = randomUUID();
    const pinId = order.pinOf === 'wallet' ? id : order.ownerId;
    const made = (await this.#pins.has(pinId)) ? undefined : await this.#pins.make(pinId, newPin(order.pin));
    // Checked before the PIN, so that nobody can use up its tries with the token alone.
    if (!made && order.device !== undefined && !(await isEnrolled(this.#db, order.ownerId, order.device)))
      throw unknownDevice();
    const pinKey = made?.key ?? (await this.#pins.open(pinId, order.pin));
    const { address, ...secret } = await sealedKey(pinKey, { id, chain, kind: order.kind, given: order.key });
    try {
      const wallet = await this.#store(order, { id, address }, { pin_id: pinId, ...secret }, made);
      if (wallet.id !== id) await confirmReplicated(this.#db);
      return { wallet, ...(made && wallet.id === id ? { recoveryCode: made.recoveryCode } : {}) };
    } catch (error) {
      if (error instanceof PinExists) return this.createWallet(order);
      throw error;
    }
  }

  /**
   * Hands the wallet's private key to `work` and overwrites it afterwards. Throws `wallet.forbidden` (unknown), `wallet.archived`,
   * `pincode.wrong`, `pincode.locked`, `wallet.secret.not-found`, `wallet.secret.internal-error`, `wallet.decrypt.internal-error`.
   */
  async withKey<T>(walletId: string, pin: PinProof, work: (key: Uint8Array) => T | Promise<T>): Promise<T> {
    const secret = await this.#secret(walletId);
    const dataKey = await this.#openDataKey(secret, pin);
    return handKey(secret, dataKey, work);
  }

  /** Throws as `withKey` does. The token is returned once. */
  async openSession(
    walletId: string,
    pin: string,
    order: SessionOrder,
  ): Promise<{ session: SpendingSession; token: string }> {
    const secret = await this.#secret(walletId);
    const { key, byPin } = await this.#pins.openMarked(secret.pinId, pin);
    const dataKey = unsealDataKey(secret, key);
    try {
      return await this.sessions.open(walletId, { dataKey, byPin }, order);
    } finally {
      dataKey.fill(0);
    }
  }

  /**
   * As `withKey`, with the token of a spending session. `work` checks the session's limits, and counts with `sessions.count`. Call it within
   * the wallet's spending lock, whose connection is `held`. Throws `wallet.session.ended` and `wallet.archived`.
   */
  async withSession<T>(
    held: Database,
    walletId: string,
    by: { token: string; applicationId: string },
    work: (key: Uint8Array, session: SpendingSession) => T | Promise<T>,
  ): Promise<T> {
    const { session, secret } = await this.sessions.use(held, { walletId, ...by });
    return handKey(secret, secret.dataKey, (key) => work(key, session));
  }

  /** As the chain's wallets write private keys. */
  async exportKey(walletId: string, pin: PinProof, kind: NetworkKind): Promise<string> {
    const { wallet } = await this.#secret(walletId);
    const chain = await loadChain(wallet.secret_type);
    return this.withKey(walletId, pin, (key) => chain.exportKey(key, kind));
  }

  /** Gives the wallet a PIN of its own in place of the master PIN, and returns its recovery code. A bad PIN is `request.invalid` at `next`. */
  async setOwnPin(walletId: string, masterPin: PinProof, own: string): Promise<string> {
    const secret = await this.#secret(walletId);
    if (secret.pinId === walletId)
      throw conflict('The wallet already has a PIN of its own: change that one.');
    const dataKey = await this.#openDataKey(secret, masterPin);
    try {
      const { row, key, recoveryCode } = await this.#pins.make(walletId, own, 'next');
      const sealed = seal(key, dataKeyLabel(walletId), dataKey);
      key.fill(0);
      await this.#db.transaction().execute(async (tx) => {
        const { numInsertedOrUpdatedRows } = await tx
          .insertInto('pins')
          .values({ ...row, owner_id: secret.wallet.owner_id })
          .onConflict((is) => is.doNothing())
          .executeTakeFirst();
        if (numInsertedOrUpdatedRows === 0n)
          throw conflict('Another request gave the wallet a PIN at the same time.');
        await tx
          .updateTable('wallet_secrets')
          .set({ pin_id: walletId, data_key: sealed })
          .where('wallet_id', '=', walletId)
          .execute();
      });
      return recoveryCode;
    } finally {
      dataKey.fill(0);
    }
  }

  /** `pinId` is an account's id for its master PIN, a wallet's for its own. */
  changePin(pinId: string, current: PinProof, next: string): Promise<void> {
    return this.#pins.change(pinId, current, next);
  }

  /**
   * Sets a new PIN, lifts every lock, enrols `device` for the account of that id, and returns the next recovery code. Throws
   * `request.invalid` at `recoveryCode`.
   */
  recover(pinId: string, recoveryCode: string, next: string, device?: string): Promise<string> {
    return this.#pins.recover(pinId, recoveryCode, next, async (tx) => {
      if (device !== undefined) await enrol(tx, pinId, device);
    });
  }

  /** Returns a new recovery code; the previous one no longer works. */
  renewRecoveryCode(pinId: string, pin: PinProof): Promise<string> {
    return this.#pins.renewRecoveryCode(pinId, pin);
  }

  hasPin(pinId: string): Promise<boolean> {
    return this.#pins.has(pinId);
  }

  /** Undefined where there is none. */
  pinState(pinId: string): Promise<PinState | undefined> {
    return this.#pins.state(pinId);
  }

  /** Re-encrypts everything under the current master key; see `Pins.rewrap`. */
  rewrap(): Promise<{ rewrapped: number; failed: string[] }> {
    return this.#pins.rewrap();
  }

  /** Wraps the key of an account's master PIN with a passkey's secret, which is overwritten. Throws as `withKey` does. */
  wrapByPasskey(accountId: string, pin: string, secret: Buffer): Promise<Buffer> {
    return this.#pins.wrapByPasskey(accountId, pin, secret);
  }

  /** The code stays valid. Throws `request.invalid` at `recoveryCode`. */
  checkRecoveryCode(pinId: string, recoveryCode: string): Promise<void> {
    return this.#pins.checkRecoveryCode(pinId, recoveryCode);
  }

  /** Enrols a further device of an account, with its PIN and its recovery code. */
  async enrolDevice(
    accountId: string,
    thumbprint: string,
    proof: { pin: PinProof; recoveryCode: string },
  ): Promise<void> {
    await this.#pins.checkBoth(accountId, proof.pin, proof.recoveryCode);
    await enrol(this.#db, accountId, thumbprint);
  }

  async #identified({ applicationId, identifier }: NewWallet): Promise<WalletRow | undefined> {
    if (identifier === undefined) return undefined;
    return this.#db
      .selectFrom('wallets')
      .selectAll()
      .where('application_id', '=', applicationId)
      .where('identifier', '=', identifier)
      .executeTakeFirst();
  }

  /** Inserts all rows or none. Returns the existing wallet when a request with the same identifier was faster. */
  async #store(
    order: NewWallet,
    { id, address }: Pick<WalletRow, 'id' | 'address'>,
    secret: Omit<Insertable<WalletSecrets>, 'wallet_id' | 'owner_id'>,
    made: MadePin | undefined,
  ): Promise<WalletRow> {
    const plainly: Storing = (work) => this.#db.transaction().execute((tx) => work(tx, async () => {}));
    const storing = order.storing ?? plainly;
    const store = async (
      tx: Transaction<Schema>,
      created: (wallet: WalletRow) => Promise<void>,
    ): Promise<WalletRow | undefined> => {
      if (order.key) await requireUnknown(tx, order, address);
      const wallet = await tx
        .insertInto('wallets')
        .values({
          id,
          address,
          network: order.network ?? null,
          owner_id: order.ownerId,
          application_id: order.applicationId,
          identifier: order.identifier ?? null,
          wallet_type: order.walletType,
          secret_type: order.secretType,
          alias: order.alias ?? '',
          description: order.description ?? '',
          is_primary: sql<boolean>`not exists (
            select from wallets where owner_id = ${order.ownerId} and secret_type = ${order.secretType} and is_primary)`,
        })
        .onConflict((conflict) => conflict.doNothing())
        .returningAll()
        .executeTakeFirst();
      if (!wallet) return undefined;
      if (made) {
        const { numInsertedOrUpdatedRows } = await tx
          .insertInto('pins')
          .values({ ...made.row, owner_id: order.ownerId })
          .onConflict((conflict) => conflict.doNothing())
          .executeTakeFirst();
        if (numInsertedOrUpdatedRows === 0n) throw new PinExists();
        if (order.device && order.pinOf === 'account') await enrol(tx, order.ownerId, order.device);
      }
      await tx
        .insertInto('wallet_secrets')
        .values({ wallet_id: id, owner_id: order.ownerId, ...secret })
        .execute();
      await created(wallet);
      return wallet;
    };
    const stored = await (order.key ? acrossAccounts('imports', () => storing(store)) : storing(store));
    // The row that conflicted is committed by now: the wallet with this identifier, or the owner's first one of the chain.
    return stored ?? (await this.#identified(order)) ?? this.#store(order, { id, address }, secret, made);
  }

  async #secret(walletId: string): Promise<Secret> {
    const wallet = await this.#db
      .selectFrom('wallets')
      .selectAll()
      .where('id', '=', walletId)
      .executeTakeFirst();
    if (!wallet) throw forbidden();
    if (wallet.archived_at) throw archived();
    const secret = await this.#db
      .selectFrom('wallet_secrets')
      .selectAll()
      .where('wallet_id', '=', walletId)
      .executeTakeFirst()
      .catch((error: unknown) => {
        throw secretDamaged(error);
      });
    if (!secret) throw secretMissing();
    return { wallet, pinId: secret.pin_id, dataKey: secret.data_key, privateKey: secret.private_key };
  }

  async #openDataKey(secret: Secret, pin: PinProof): Promise<Buffer> {
    return unsealDataKey(secret, await this.#pins.open(secret.pinId, pin));
  }
}

/** Overwrites the PIN's key. */
function unsealDataKey({ wallet, dataKey }: Secret, pinKey: Buffer): Buffer {
  const opened = unseal(pinKey, dataKeyLabel(wallet.id), dataKey);
  pinKey.fill(0);
  if (!opened) throw decryptFailed();
  return opened;
}

/** Overwrites the data key, and the wallet's key after the work. */
async function handKey<T>(
  { wallet, privateKey }: { wallet: Parameters<typeof keyLabel>[0]; privateKey: Buffer },
  dataKey: Buffer,
  work: (key: Uint8Array) => T | Promise<T>,
): Promise<T> {
  const key = unseal(dataKey, keyLabel(wallet), privateKey);
  dataKey.fill(0);
  if (!key) throw decryptFailed();
  try {
    return await work(key);
  } finally {
    key.fill(0);
  }
}

/**
 * Two wallets with one key would use the same nonces and coins. Random keys never collide, so only imports are compared, one at a time
 * for each address.
 */
async function requireUnknown(
  tx: Database,
  { ownerId, secretType }: NewWallet,
  address: string,
): Promise<void> {
  await sql`select pg_advisory_xact_lock(${IMPORT_LOCK}, hashtext(${address}))`.execute(tx);
  const known = await tx
    .selectFrom('wallets')
    .select(['id', 'owner_id'])
    .where('secret_type', '=', secretType)
    .where('address', '=', address)
    .where(sql`lower(address)`, '=', address.toLowerCase())
    .executeTakeFirst();
  if (!known) return;
  const isOwn = known.owner_id === ownerId;
  throw new ConnectError(
    'request.conflict',
    isOwn
      ? 'The key is already in another wallet of yours. Use that one; restore it first if it is archived.'
      : 'The key is already in a wallet of another account. Two wallets with one key would interfere with each other: send its coins to a new wallet instead.',
    { field: 'key', ...(isOwn ? { walletId: known.id } : {}) },
  );
}

function dataKeyLabel(walletId: string): string {
  return `data key of ${walletId}`;
}

/** Binds the data to address and chain: a row in which either was changed does not open. */
function keyLabel({ id, secret_type, address }: Pick<WalletRow, 'id' | 'secret_type' | 'address'>): string {
  return `private key of ${id}, ${secret_type} ${address}`;
}

/** Encrypts a private key: the given one, else a random one. Overwrites the PIN's key. */
async function sealedKey(
  pinKey: Buffer,
  { id, chain, kind, given }: { id: string; chain: Chain; kind: NetworkKind; given: Uint8Array | undefined },
): Promise<{ address: string; data_key: Buffer; private_key: Buffer }> {
  const key = given ? Buffer.from(given) : randomBytes(32);
  const dataKey = randomBytes(32);
  try {
    const address = await chain.address(key, kind);
    return {
      address,
      data_key: seal(pinKey, dataKeyLabel(id), dataKey),
      private_key: seal(dataKey, keyLabel({ id, secret_type: chain.secretType, address }), key),
    };
  } catch (error) {
    throw encryptFailed(error);
  } finally {
    for (const secret of [key, dataKey, pinKey]) secret.fill(0);
  }
}
