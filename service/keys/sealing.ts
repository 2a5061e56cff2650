/** Encryption of secrets at rest: AES-256-GCM, with keys by HKDF-SHA-256. */
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

const NONCE = 12;
const TAG = 16;

/** 12 bytes nonce, ciphertext, 16 bytes tag. `label` is authenticated: sealed data opens only with the same label. */
export function seal(key: Uint8Array, label: string, plain: Uint8Array): Buffer {
  const nonce = randomBytes(NONCE);
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(label));
  return Buffer.concat([nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
}

/** Undefined when key, label or data do not fit. Overwrite the answer after use. */
export function unseal(key: Uint8Array, label: string, sealed: Buffer): Buffer | undefined {
  if (sealed.length < NONCE + TAG) return undefined;
  const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, NONCE), { authTagLength: TAG })
    .setAAD(Buffer.from(label))
    .setAuthTag(sealed.subarray(-TAG));
  const plain = decipher.update(sealed.subarray(NONCE, -TAG));
  try {
    decipher.final();
    return plain;
  } catch {
    plain.fill(0);
    return undefined;
  }
}

/** One key from parts of fixed lengths (RFC 5869). Different purposes give different keys. */
export function wrappingKey(parts: readonly Uint8Array[], purpose: string): Buffer {
  const joined = Buffer.concat(parts);
  const key = Buffer.from(hkdfSync('sha256', joined, '', purpose, 32));
  joined.fill(0);
  return key;
}
