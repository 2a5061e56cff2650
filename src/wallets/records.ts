/** What the vault keeps in IndexedDB. Validated when read: a browser is not trusted to return what we wrote. */
import * as z from 'zod/mini';
import { SecretTypeSchema } from '../api/secret-type.ts';
import { ConnectError } from '../base/errors.ts';
import { settled, type Database } from './database.ts';

export type Bytes = Uint8Array<ArrayBuffer>;
const Bytes = z.custom<Bytes>((value) => value instanceof Uint8Array);

/** Sealed by AES-256-GCM: 12 random bytes and the ciphertext with its tag. */
export const Sealed = z.object({ iv: Bytes, data: Bytes });
export type Sealed = z.infer<typeof Sealed>;

/** The cost of argon2id; `memory` is in KiB. */
const Cost = z.object({ memory: z.int(), iterations: z.int(), parallelism: z.int() });
export type Cost = z.infer<typeof Cost>;

/** The public key of a passkey, as SubjectPublicKeyInfo, with its COSE algorithm. */
const PublicKey = z.object({ alg: z.int(), spki: Bytes });
export type PublicKey = z.infer<typeof PublicKey>;

/** Each way in is the same vault key, wrapped by another key. The phrase always is one, and so is a PIN or a passkey. */
export const VaultRecord = z.object({
  createdAt: z.number(),
  backedUp: z.boolean(),
  /** The BIP-39 entropy, under the vault key. */
  seed: Sealed,
  /** A key for HMAC-SHA256 that cannot be extracted: a copy of the data is useless without this browser. */
  deviceKey: z.custom<CryptoKey>((value) => value instanceof CryptoKey),
  /** Absent in a wallet created with a passkey, until one is set. */
  pin: z.optional(z.object({ salt: Bytes, cost: Cost, wrap: Sealed, changedAt: z.optional(z.number()) })),
  phrase: z.object({ wrap: Sealed }),
  passkey: z.optional(
    z.object({
      id: Bytes,
      salt: Bytes,
      transports: z.array(z.string()),
      /** Absent in records of older versions. */
      publicKey: z.optional(PublicKey),
      /** It can be found without its id. Absent in records of older versions. */
      discoverable: z.optional(z.boolean()),
      wrap: Sealed,
    }),
  ),
  /** The back-up file that the user has: the passkey that opens it, and the wallets in it. Absent in records of older versions. */
  file: z.optional(z.object({ passkey: z.optional(Bytes), wallets: z.array(z.string()) })),
});
export type VaultRecord = z.infer<typeof VaultRecord>;

/** `wrong` counts PINs since the last right one; `at` is the latest time ever seen at a try. */
export const Attempts = z.object({ wrong: z.int(), at: z.number() });
export type Attempts = z.infer<typeof Attempts>;

export const WalletRecord = z.object({
  id: z.string(),
  secretType: SecretTypeSchema,
  address: z.string(),
  alias: z.string(),
  primary: z.boolean(),
  archived: z.boolean(),
  /** Id of its default network in `networks.json`; absent in records of older versions. */
  network: z.optional(z.string()),
  /** The index in the seed, on Bitcoin and Litecoin counted per network; null for an imported key. */
  index: z.nullable(z.int()),
  /** The private key under the vault key, bound to `id`. */
  key: Sealed,
  /** The user has seen the key: for an imported one, that is the back-up. */
  exported: z.optional(z.boolean()),
  createdAt: z.number(),
  lastUsed: z.number(),
  /** Its place among the chain's wallets, once the user has moved one. Absent in records of older versions. */
  rank: z.optional(z.int()),
});
export type WalletRecord = z.infer<typeof WalletRecord>;

/** Ids of wallets of the service are in it, too, although the service decides which of them are linked. */
export const LinkRecord = z.object({
  origin: z.string(),
  walletIds: z.array(z.string()),
  /** When the first of them was linked. Absent in records of older versions. */
  since: z.optional(z.number()),
  /**
   * The networks that the site asked for, one per chain. Absent in records of older versions. The chain is any text: a later version may know
   * more of them.
   */
  networks: z.optional(z.array(z.object({ secretType: z.string(), id: z.string() }))),
});
export type LinkRecord = z.infer<typeof LinkRecord>;

export async function findVault(tx: IDBTransaction): Promise<VaultRecord | undefined> {
  const record: unknown = await settled(tx.objectStore('vault').get('vault'));
  if (record === undefined) return undefined;
  const parsed = VaultRecord.safeParse(record);
  if (parsed.success) return parsed.data;
  throw new ConnectError(
    'wallet.secret.internal-error',
    'The wallet’s data in this browser is damaged. Restore it from its recovery phrase in another browser.',
  );
}

async function vaultIn(tx: IDBTransaction): Promise<VaultRecord> {
  const record = await findVault(tx);
  if (!record) throw new ConnectError('wallet.secret.not-found', 'There is no wallet in this browser yet.');
  return record;
}

export function readVault(db: Database): Promise<VaultRecord> {
  return db.read(['vault'], vaultIn);
}

export async function editVault(
  db: Database,
  edit: (vault: VaultRecord) => VaultRecord,
  also?: (tx: IDBTransaction) => Promise<void>,
): Promise<void> {
  await db.write(['vault'], async (tx) => {
    const record = await vaultIn(tx);
    await settled(tx.objectStore('vault').put(edit(record), 'vault'));
    await also?.(tx);
  });
}
