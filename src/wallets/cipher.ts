/** The vault's use of WebCrypto. Nothing here knows what it encrypts. */
import type { Bytes, Sealed } from './records.ts';

/** `label` is authenticated with the data: what was sealed as one thing cannot be opened as another. */
export async function seal(key: CryptoKey, label: string, plain: Bytes): Promise<Sealed> {
  const iv = crypto.getRandomValues(new Uint8Array(12));
  return { iv, data: new Uint8Array(await crypto.subtle.encrypt(gcm(iv, label), key, plain)) };
}

/** Throws a DOMException `OperationError` if the key, the label or the data does not match. */
export async function unseal(key: CryptoKey, label: string, { iv, data }: Sealed): Promise<Bytes> {
  return new Uint8Array(await crypto.subtle.decrypt(gcm(iv, label), key, data));
}

const gcm = (iv: Bytes, label: string) => ({
  name: 'AES-GCM',
  iv,
  additionalData: new TextEncoder().encode(label),
});

export function aesKey(raw: Bytes): Promise<CryptoKey> {
  return crypto.subtle.importKey('raw', raw, 'AES-GCM', false, ['encrypt', 'decrypt']);
}

/** HKDF-SHA256 (RFC 5869) of a secret with enough entropy or already stretched. Overwrites the secret. */
export async function wrappingKey(secret: Bytes, way: 'pin' | 'phrase' | 'passkey'): Promise<CryptoKey> {
  const base = await crypto.subtle.importKey('raw', secret, 'HKDF', false, ['deriveKey']);
  secret.fill(0);
  return crypto.subtle.deriveKey(
    {
      name: 'HKDF',
      hash: 'SHA-256',
      salt: new Uint8Array(32),
      info: new TextEncoder().encode(`carabiner ${way}`),
    },
    base,
    { name: 'AES-GCM', length: 256 },
    false,
    ['encrypt', 'decrypt'],
  );
}

export function newDeviceKey(): Promise<CryptoKey> {
  return crypto.subtle.generateKey({ name: 'HMAC', hash: 'SHA-256', length: 256 }, false, ['sign']);
}

/** Overwrites `data`. */
export async function mac(deviceKey: CryptoKey, data: Bytes): Promise<Bytes> {
  const result = new Uint8Array(await crypto.subtle.sign('HMAC', deviceKey, data));
  data.fill(0);
  return result;
}
