/**
 * The keys of service wallets. Each wallet's private key is encrypted under its own random data key, which is encrypted under the key of
 * the PIN that spends from it: the wallet's own PIN, or its owner's master PIN (`pins.ts`). Nothing here knows HTTP, or who may do what.
 */
import { randomUUID } from 'node:crypto';
import type { NetworkKind } from '../../src/chains/network.ts';
import { invalid } from '../../src/chains/requests/payloads.ts';
import type { Database } from '../database/database.ts';
import { confirmReplicated } from '../database/replicated.ts';
import type { WalletRow } from '../database/schema.ts';
import type { KeyProvider } from '../keys/key-provider.ts';
import { loadChain } from '../networks/chains.ts';
import { enrol, isEnrolled, unknownDevice } from './devices.ts';
import type { PinProof } from './pin-opener.ts';
import { type PinSettings, Pins } from './pins.ts';
import { type NewSpendingSession, type SpendingSession, SpendingSessions } from './spending-sessions.ts';
import { findIdentified, type NewWallet, PinExists, storeWallet } from './store-wallet.ts';
import { archived, conflict, forbidden, secretDamaged, secretMissing } from './wallet-errors.ts';
import { handKey, openDataKey, sealDataKey, sealedKey } from './wallet-keys.ts';

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

/** No passkey sets a PIN. Throws `request.invalid` at `pincode`. */
function newPin(pin: PinProof): string {
  if (typeof pin === 'string') return pin;
  throw invalid('pincode', 'is required to set it');
}

export class Custody {
  readonly #db: Database;
  /** Each under the id of its account, if it is the master PIN, or of its wallet. */
  readonly pins: Pins;
  readonly sessions: SpendingSessions;

  constructor(db: Database, keys: KeyProvider, settings?: PinSettings) {
    this.#db = db;
    this.pins = new Pins(db, keys, settings);
    this.sessions = new SpendingSessions(db, keys, settings?.now);
  }

  /**
   * The wallet and its key are on stable storage when it resolves. Throws as `withKey` does, `wallet.encrypt.internal-error`,
   * `device.unknown`, and `request.invalid` at `pincode` for a new PIN that is easy to guess.
   */
  async createWallet(order: NewWallet): Promise<CreatedWallet> {
    const existingWallet = await findIdentified(this.#db, order);
    if (existingWallet) {
      await confirmReplicated(this.#db);
      return { wallet: existingWallet };
    }
    const chain = await loadChain(order.secretType);
    const id = randomUUID();
    const pinId = order.pinOf === 'wallet' ? id : order.ownerId;
    const made = (await this.pins.has(pinId)) ? undefined : await this.pins.make(pinId, newPin(order.pin));
    // Checked before the PIN, so that nobody can use up its tries with the token alone.
    if (!made && order.device !== undefined && !(await isEnrolled(this.#db, order.ownerId, order.device)))
      throw unknownDevice();
    const pinKey = made?.key ?? (await this.pins.open(pinId, order.pin));
    const { address, ...secret } = await sealedKey(pinKey, { id, chain, kind: order.kind, given: order.key });
    try {
      const wallet = await storeWallet(this.#db, order, { id, address }, { pin_id: pinId, ...secret }, made);
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
    order: NewSpendingSession,
  ): Promise<{ session: SpendingSession; token: string }> {
    const secret = await this.#secret(walletId);
    const { key, byPin } = await this.pins.openMarked(secret.pinId, pin);
    const dataKey = openDataKey(walletId, secret.dataKey, key);
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
      const { row, key, recoveryCode } = await this.pins.make(walletId, own, 'next');
      const sealed = sealDataKey(walletId, dataKey, key);
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

  /** As `Pins.recover`, and enrols `device` for the account of that id. */
  recover(pinId: string, recoveryCode: string, next: string, device?: string): Promise<string> {
    return this.pins.recover(pinId, recoveryCode, next, async (tx) => {
      if (device !== undefined) await enrol(tx, pinId, device);
    });
  }

  /** Enrols a further device of an account, with its PIN and its recovery code. */
  async enrolDevice(
    accountId: string,
    thumbprint: string,
    proof: { pin: PinProof; recoveryCode: string },
  ): Promise<void> {
    await this.pins.checkBoth(accountId, proof.pin, proof.recoveryCode);
    await enrol(this.#db, accountId, thumbprint);
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
    return openDataKey(secret.wallet.id, secret.dataKey, await this.pins.open(secret.pinId, pin));
  }
}
