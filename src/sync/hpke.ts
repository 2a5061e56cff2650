/**
 * HPKE (RFC 9180), mode base, one message per context: DHKEM(X25519, HKDF-SHA256), HKDF-SHA256, AES-256-GCM. Whoever has the public key
 * seals; only the private key opens. Checked against the published vector of this suite.
 */
import { expand, extract } from '@noble/hashes/hkdf.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesOf, concat, utf8 } from '../base/bytes.ts';
import type { Bytes } from '../wallets/records.ts';
import { SyncError } from './sync-error.ts';

const KEM = Uint8Array.of(...utf8('KEM'), 0x00, 0x20);
const SUITE = Uint8Array.of(...utf8('HPKE'), 0x00, 0x20, 0x00, 0x01, 0x00, 0x02);
const NONE = new Uint8Array();
/** The base point of X25519: multiplied by a private key, it gives the public key. */
const BASE_POINT = Uint8Array.of(9, ...new Uint8Array(31));
/** What precedes the 32 bytes of a private X25519 key in PKCS #8 (RFC 8410): Web Cryptography imports no raw ones. */
const PKCS8 = bytesOf('0x302e020100300506032b656e04220420');

export interface Envelope {
  /** The ephemeral public key: `enc` of the RFC. */
  enc: Bytes;
  ciphertext: Bytes;
}

export class OpeningKey {
  readonly publicKey: Bytes;
  readonly #key: CryptoKey;

  private constructor(key: CryptoKey, publicKey: Bytes) {
    this.#key = key;
    this.publicKey = publicKey;
  }

  /** Of 32 secret bytes, which it does not overwrite. Throws `copy.unsupported` in a browser without X25519. */
  static async from(secret: Uint8Array): Promise<OpeningKey> {
    const encoded = concat(PKCS8, secret);
    try {
      const key = await crypto.subtle.importKey('pkcs8', encoded, 'X25519', false, ['deriveBits']);
      return new OpeningKey(key, await sharedPoint(key, BASE_POINT));
    } catch {
      throw new SyncError('copy.unsupported', 'This browser cannot open the copy. Update it.');
    } finally {
      encoded.fill(0);
    }
  }

  /** Throws if the public key is one of the few that give the same result with every private key. */
  agree(publicKey: Uint8Array): Promise<Bytes> {
    return sharedPoint(this.#key, publicKey);
  }
}

/** `secret`: the ephemeral private key, which only a test chooses. */
export async function sealTo(
  publicKey: Uint8Array,
  info: Uint8Array,
  aad: Bytes,
  plain: Bytes,
  secret: Uint8Array = crypto.getRandomValues(new Uint8Array(32)),
): Promise<Envelope> {
  const ephemeral = await OpeningKey.from(secret);
  secret.fill(0);
  const enc = ephemeral.publicKey;
  const { key, iv } = await context(
    await ephemeral.agree(publicKey),
    concat(enc, publicKey),
    info,
    'encrypt',
  );
  const data = await crypto.subtle.encrypt({ name: 'AES-GCM', iv, additionalData: aad }, key, plain);
  return { enc, ciphertext: new Uint8Array(data) };
}

/** Throws whatever Web Cryptography throws if the key, `info`, `aad` or the envelope does not match. */
export async function openWith(
  key: OpeningKey,
  info: Uint8Array,
  aad: Bytes,
  { enc, ciphertext }: Envelope,
): Promise<Bytes> {
  const opened = await context(await key.agree(enc), concat(enc, key.publicKey), info, 'decrypt');
  const algorithm = { name: 'AES-GCM', iv: opened.iv, additionalData: aad };
  return new Uint8Array(await crypto.subtle.decrypt(algorithm, opened.key, ciphertext));
}

async function sharedPoint(key: CryptoKey, publicKey: Uint8Array): Promise<Bytes> {
  const other = await crypto.subtle.importKey('raw', new Uint8Array(publicKey), 'X25519', true, []);
  return new Uint8Array(await crypto.subtle.deriveBits({ name: 'X25519', public: other }, key, 256));
}

/** The key schedule. Overwrites the shared point. */
async function context(
  point: Bytes,
  keys: Uint8Array,
  info: Uint8Array,
  usage: 'encrypt' | 'decrypt',
): Promise<{ key: CryptoKey; iv: Bytes }> {
  const shared = labeledExpand(KEM, labeledExtract(KEM, NONE, 'eae_prk', point), 'shared_secret', keys, 32);
  point.fill(0);
  const schedule = concat(
    Uint8Array.of(0),
    labeledExtract(SUITE, NONE, 'psk_id_hash', NONE),
    labeledExtract(SUITE, NONE, 'info_hash', info),
  );
  const secret = labeledExtract(SUITE, shared, 'secret', NONE);
  const raw = labeledExpand(SUITE, secret, 'key', schedule, 32);
  const iv = labeledExpand(SUITE, secret, 'base_nonce', schedule, 12);
  const key = await crypto.subtle.importKey('raw', raw, 'AES-GCM', false, [usage]);
  for (const each of [shared, secret, raw]) each.fill(0);
  return { key, iv };
}

function labeledExtract(suite: Uint8Array, salt: Uint8Array, label: string, ikm: Uint8Array): Bytes {
  return new Uint8Array(extract(sha256, concat(utf8('HPKE-v1'), suite, utf8(label), ikm), salt));
}

function labeledExpand(
  suite: Uint8Array,
  prk: Uint8Array,
  label: string,
  info: Uint8Array,
  length: number,
): Bytes {
  const labeled = concat(Uint8Array.of(0, length), utf8('HPKE-v1'), suite, utf8(label), info);
  return new Uint8Array(expand(sha256, prk, labeled, length));
}
