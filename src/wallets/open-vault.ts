import type { Wallet } from '../api/wallet.ts';
import type { Chain } from '../chains/chain.ts';
import type { AnySignature, Draft, Signed, ParsedSigning } from '../chains/terms.ts';
import type { NetworkKind } from '../chains/network.ts';
import { ConnectError } from '../base/errors.ts';
import { aesKey, seal, unseal } from './cipher.ts';
import { settled, type Database } from './database.ts';
import { WalletRecord, type Bytes, type Sealed } from './records.ts';
import type { Unlocked } from './types.ts';

/** What a passkey approved when it opened the vault: `assert` throws for anything else. */
export interface Approval {
  assert(action: 'send' | 'sign' | 'export', walletId: string, content: unknown): Promise<void>;
}

/**
 * The vault key in memory. Private fields: whoever is handed an `Unlocked` can take only one wallet's key at
 * a time.
 */
export class OpenVault implements Unlocked {
  #db: Database;
  #key: Bytes | undefined;
  #approval: Approval | undefined;

  /** Takes over `key` and overwrites it at `close()`. */
  constructor(db: Database, key: Bytes, approval?: Approval) {
    this.#db = db;
    this.#key = key;
    this.#approval = approval;
  }

  /** Throws if `unlocked` was not made by this module. */
  static of(unlocked: Unlocked): OpenVault {
    if (unlocked instanceof OpenVault) return unlocked;
    throw new TypeError('Not an unlocked browser vault.');
  }

  async key(walletId: string): Promise<Bytes> {
    const record: unknown = await this.#db.read(['wallets'], (tx) =>
      settled(tx.objectStore('wallets').get(walletId)),
    );
    if (record === undefined)
      throw new ConnectError('wallet.secret.not-found', 'This wallet’s key is not in this browser.');
    return this.unseal(walletId, WalletRecord.parse(record).key);
  }

  async sign({ id }: Wallet, chain: Chain, draft: Draft): Promise<Signed> {
    await this.#approval?.assert('send', id, draft);
    return this.#using(id, (key) => chain.sign(draft, key));
  }

  async signData({ id }: Wallet, { signData }: Chain, request: ParsedSigning): Promise<AnySignature> {
    await this.#approval?.assert('sign', id, request);
    return this.#using(id, (key) => signData!(request, key));
  }

  async exportKey({ id }: Wallet, chain: Chain, kind: NetworkKind): Promise<string> {
    await this.#approval?.assert('export', id, null);
    return this.#using(id, async (key) => chain.exportKey(key, kind));
  }

  /** The key exists only during `work`. */
  async #using<T>(id: string, work: (key: Bytes) => Promise<T>): Promise<T> {
    const key = await this.key(id);
    try {
      return await work(key);
    } finally {
      key.fill(0);
    }
  }

  async seal(label: string, plain: Bytes): Promise<Sealed> {
    return seal(await aesKey(this.#held()), label, plain);
  }

  async unseal(label: string, sealed: Sealed): Promise<Bytes> {
    try {
      return await unseal(await aesKey(this.#held()), label, sealed);
    } catch (cause) {
      if (cause instanceof ConnectError) throw cause;
      throw new ConnectError(
        'wallet.decrypt.internal-error',
        'The stored key is damaged. Restore the wallet with its recovery phrase.',
        {},
        { cause },
      );
    }
  }

  /** Seals the vault key itself for another way in. */
  wrap(way: 'pin' | 'phrase' | 'passkey', key: CryptoKey): Promise<Sealed> {
    return seal(key, way, this.#held());
  }

  close(): void {
    this.#key?.fill(0);
    this.#key = undefined;
  }

  #held(): Bytes {
    if (!this.#key) throw new ConnectError('internal.error', 'The wallet was locked meanwhile.');
    return this.#key;
  }
}
