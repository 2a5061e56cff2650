/**
 * The keys that sign our tokens. A new one is published before it signs, and an old one stays published until its last token has expired,
 * so that a cached key set always has the key that is needed. The private keys are stored encrypted under the master key.
 */
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes, randomUUID } from 'node:crypto';
import { exportJWK, exportPKCS8, generateKeyPair, importJWK, importPKCS8, type JWK } from 'jose';
import { type Selectable, sql } from 'kysely';
import type { Database } from '../database/database.ts';
import type { SigningKeys as SigningKeyRow } from '../database/schema.ts';
import type { KeyProvider } from '../keys/key-provider.ts';

export const ALGORITHM = 'ES256';

/** How long a new key is published before it signs. Verifiers cache a key set for some minutes. */
const AHEAD_MS = 15 * 60_000;
/** How long the keys that were read from the database are cached. */
const FRESH_MS = 30_000;
/** A token with an unknown key id makes us read the keys again, but no more often than this. */
const LOOK_AGAIN_MS = 2000;
const DAY_MS = 86_400_000;
const ROTATION_LOCK = 7_265_002;

interface SigningKey {
  id: string;
  publicJwk: JWK;
  verify: CryptoKey;
  /** Decrypted on first use. */
  sign: () => Promise<CryptoKey>;
  createdAt: number;
  activeAt: number;
}

export interface SigningKeySettings {
  signingKeyDays: number;
  /** The longest life of a token, in seconds. */
  tokenSeconds: number;
}

export class SigningKeys {
  readonly #db: Database;
  readonly #provider: KeyProvider;
  readonly #settings: SigningKeySettings;
  #keys: SigningKey[] = [];
  /** On the monotonic clock. */
  #readAt = Number.NEGATIVE_INFINITY;
  #reading: Promise<void> | undefined;
  /** Holds one database connection while it waits for another, so only one may run at a time. */
  #making: Promise<void> | undefined;

  constructor(db: Database, provider: KeyProvider, settings: SigningKeySettings) {
    this.#db = db;
    this.#provider = provider;
    this.#settings = settings;
  }

  /** The key that signs now. */
  async current(): Promise<{ id: string; key: CryptoKey }> {
    await this.#refresh(FRESH_MS);
    let newest = this.#active();
    if (!newest || this.#isDue()) {
      this.#making ??= this.#makeNext().finally(() => {
        this.#making = undefined;
      });
      await this.#making;
      newest = this.#active()!;
    }
    return { id: newest.id, key: await newest.sign() };
  }

  /** Undefined for an id that is not ours. */
  async verificationKey(id: string): Promise<CryptoKey | undefined> {
    await this.#refresh(FRESH_MS);
    if (!this.#find(id)) await this.#refresh(LOOK_AGAIN_MS);
    return this.#find(id)?.verify;
  }

  /** The public key set, newest first. */
  async published(): Promise<JWK[]> {
    await this.current();
    return this.#keys.map(({ publicJwk }) => publicJwk);
  }

  /** Makes a key that signs at once. `forget` also revokes every token that the other keys signed. */
  async rotate({ forget }: { forget: boolean }): Promise<void> {
    if (forget)
      await this.#db
        .updateTable('signing_keys')
        .set({ retired_at: new Date(0) })
        .execute();
    await this.#insert(new Date());
  }

  #find(id: string): SigningKey | undefined {
    return this.#keys.find((key) => key.id === id);
  }

  #active(): SigningKey | undefined {
    return this.#keys.find(({ activeAt }) => activeAt <= Date.now());
  }

  #isDue(): boolean {
    return this.#keys[0]!.createdAt + this.#settings.signingKeyDays * DAY_MS < Date.now();
  }

  /** One process makes it; the others find it. */
  async #makeNext(): Promise<void> {
    await this.#db.transaction().execute(async (tx) => {
      await sql`select pg_advisory_xact_lock(${ROTATION_LOCK})`.execute(tx);
      await this.#read();
      if (!this.#active()) await this.#insert(new Date());
      else if (this.#isDue()) await this.#insert(new Date(Date.now() + AHEAD_MS));
    });
  }

  async #insert(activeAt: Date): Promise<void> {
    const id = randomUUID();
    const pair = await generateKeyPair(ALGORITHM, { extractable: true });
    const version = await this.#provider.current();
    const wrapped = wrap(await exportPKCS8(pair.privateKey), await this.#wrappingKey(id, version), id);
    const publicJwk = { ...(await exportJWK(pair.publicKey)), kid: id, alg: ALGORITHM, use: 'sig' };
    await this.#db
      .updateTable('signing_keys')
      .set({ retired_at: activeAt })
      .where('retired_at', 'is', null)
      .execute();
    await this.#db
      .insertInto('signing_keys')
      .values({
        id,
        algorithm: ALGORITHM,
        public_jwk: JSON.stringify(publicJwk),
        wrapped,
        master_version: version,
        active_at: activeAt,
      })
      .execute();
    await this.#read();
  }

  async #refresh(maxAgeMs: number): Promise<void> {
    if (performance.now() - this.#readAt < maxAgeMs) return;
    this.#reading ??= this.#read().finally(() => {
      this.#reading = undefined;
    });
    await this.#reading;
  }

  async #read(): Promise<void> {
    // A process that has not read the keys since then signs with a retired key a little longer.
    const needed = new Date(Date.now() - this.#settings.tokenSeconds * 1000 - 2 * FRESH_MS);
    const rows = await this.#db
      .selectFrom('signing_keys')
      .selectAll()
      .where((is) => is.or([is('retired_at', 'is', null), is('retired_at', '>', needed)]))
      .orderBy('created_at', 'desc')
      .execute();
    const byId = new Map(this.#keys.map((key) => [key.id, key]));
    this.#keys = await Promise.all(rows.map(async (row) => byId.get(row.id) ?? (await this.#keyOf(row))));
    this.#readAt = performance.now();
  }

  async #keyOf(row: Selectable<SigningKeyRow>): Promise<SigningKey> {
    const unwrapped = async (): Promise<string> => {
      const key = await this.#wrappingKey(row.id, row.master_version);
      try {
        return unwrap(row.wrapped, key, row.id);
      } catch (error) {
        throw new Error(
          'The master key (MASTER_KEY_FILE, or VAULT_KEY) is not the one that this database was made with.',
          { cause: error },
        );
      }
    };
    return {
      id: row.id,
      publicJwk: row.public_jwk as JWK,
      verify: (await importJWK(row.public_jwk as JWK, ALGORITHM)) as CryptoKey,
      sign: once(async () => importPKCS8(await unwrapped(), ALGORITHM)),
      createdAt: row.created_at.getTime(),
      activeAt: row.active_at.getTime(),
    };
  }

  async #wrappingKey(id: string, version: number): Promise<Uint8Array> {
    const mac = await this.#provider.mac(`signing-key:${id}`, version);
    return new Uint8Array(hkdfSync('sha256', mac, '', 'carabiner signing key', 32));
  }
}

function once<T>(work: () => Promise<T>): () => Promise<T> {
  let result: Promise<T> | undefined;
  return () => {
    result ??= work().catch((error: unknown) => {
      result = undefined;
      throw error;
    });
    return result;
  };
}

/** AES-256-GCM: 12 bytes nonce, ciphertext, 16 bytes tag; the key's id is authenticated with it. */
function wrap(text: string, key: Uint8Array, id: string): Buffer {
  const nonce = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(id));
  return Buffer.concat([nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
}

function unwrap(wrapped: Buffer, key: Uint8Array, id: string): string {
  const decipher = createDecipheriv('aes-256-gcm', key, wrapped.subarray(0, 12)).setAAD(Buffer.from(id));
  decipher.setAuthTag(wrapped.subarray(-16));
  return Buffer.concat([decipher.update(wrapped.subarray(12, -16)), decipher.final()]).toString('utf8');
}
