/** AES-256-GCM and HKDF-SHA-256 as custody uses them. Nothing here knows what it encrypts. */
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

const NONCE = 12;
const TAG = 16;

/** 12 bytes nonce, ciphertext, 16 bytes tag. What was sealed under one label does not open under another. */
export function seal(key: Uint8Array, label: string, plain: Uint8Array): Buffer {
  const nonce = randomBytes(NONCE);
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(label));
  return Buffer.concat([nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
}

/** Undefined when the key, the label or the data is another one. Overwrite the answer after use. */
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

/** One key from parts that are each of a fixed length (RFC 5869). `purpose` keeps keys of the same parts apart. */
export function wrappingKey(parts: readonly Uint8Array[], purpose: string): Buffer {
  const joined = Buffer.concat(parts);
  const key = Buffer.from(hkdfSync('sha256', joined, '', purpose, 32));
  joined.fill(0);
  return key;
}
