/**
 * The keys of the copy. A passkey's PRF output gives the keys of its slot, which holds R; R gives the keys of the vault object, which holds
 * the content. Both secrets, and what is derived from them, are only ever in memory.
 */
import { getPublicKeyAsync, signAsync, verifyAsync } from '@noble/ed25519';
import { hkdf } from '@noble/hashes/hkdf.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { type CopyKind, idText } from '../api/copy-object.ts';
import { utf8 } from '../base/bytes.ts';
import { aesKey } from '../wallets/cipher.ts';
import type { Bytes } from '../wallets/records.ts';
import { OpeningKey } from './hpke.ts';

export type Kind = CopyKind;

/** Signs for an object: its public key is the owner of one, or the writer of slots. */
export class Signer {
  readonly publicKey: Bytes;
  readonly #seed: Bytes;

  private constructor(seed: Bytes, publicKey: Bytes) {
    this.#seed = seed;
    this.publicKey = publicKey;
  }

  /** Takes over the seed, and overwrites it at `close()`. */
  static async from(seed: Bytes): Promise<Signer> {
    return new Signer(seed, new Uint8Array(await getPublicKeyAsync(seed)));
  }

  async sign(message: Uint8Array): Promise<Bytes> {
    return new Uint8Array(await signAsync(message, this.#seed));
  }

  close(): void {
    this.#seed.fill(0);
  }
}

/** Of one passkey. */
export interface SlotKeys {
  signer: Signer;
  opening: OpeningKey;
  commitment: Bytes;
}

/** Of the vault object. */
export interface VaultKeys {
  signer: Signer;
  sealing: CryptoKey;
  commitment: Bytes;
}

/** `prf`: the 32 bytes that the passkey gives for the copy; it does not overwrite them. */
export async function slotKeys(prf: Uint8Array, rpId: string): Promise<SlotKeys> {
  const of = derivation(prf, rpId);
  const secret = of('slot open');
  try {
    return {
      signer: await Signer.from(of('slot sign')),
      opening: await OpeningKey.from(secret),
      commitment: of('slot commit'),
    };
  } finally {
    secret.fill(0);
  }
}

/** `root`: R; it does not overwrite it. */
export async function vaultKeys(root: Uint8Array, rpId: string): Promise<VaultKeys> {
  const of = derivation(root, rpId);
  const secret = of('vault seal');
  try {
    return {
      signer: await Signer.from(of('vault sign')),
      sealing: await aesKey(secret),
      commitment: of('vault commit'),
    };
  } finally {
    secret.fill(0);
  }
}

function derivation(secret: Uint8Array, rpId: string): (info: string) => Bytes {
  if (secret.length !== 32) throw new TypeError('A secret of the copy has 32 bytes.');
  return (info) => new Uint8Array(hkdf(sha256, secret, siteHash(rpId), utf8(info), 32));
}

/** Names the site in every object, and salts its keys. */
export function siteHash(rpId: string): Bytes {
  return new Uint8Array(sha256(utf8(rpId)));
}

export function objectId(kind: Kind, owner: Uint8Array): Bytes {
  return new Uint8Array(sha256(idText(kind, owner)));
}

/** False for anything that is not a signature by this key, bad encodings included. */
export async function isSignedBy(
  publicKey: Uint8Array,
  message: Uint8Array,
  signature: Uint8Array,
): Promise<boolean> {
  try {
    return await verifyAsync(signature, message, publicKey, { zip215: false });
  } catch {
    return false;
  }
}

/** Of whole objects, as the next one and the server name them. */
export function hashOf(bytes: Uint8Array): Bytes {
  return new Uint8Array(sha256(bytes));
}
