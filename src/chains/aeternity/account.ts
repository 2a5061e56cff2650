/** Keys on ed25519 (RFC 8032). A private key is the 32 bytes that the RFC begins with. */
// SHA-512 is the platform's, which is asynchronous.
import { getPublicKeyAsync, signAsync } from '@noble/ed25519';
import type { PrivateKey } from '../terms.ts';
import { encode58 } from './encoding.ts';

export async function address(key: PrivateKey): Promise<string> {
  return encode58('ak', await getPublicKeyAsync(key));
}

/** Deterministic. 64 bytes. */
export function signBytes(message: Uint8Array, key: PrivateKey): Promise<Uint8Array> {
  return signAsync(message, key);
}

/** SLIP-10: m/44'/457'/index'/0'/0' of a BIP-39 seed. */
export async function deriveKey(seed: Uint8Array, index: number): Promise<PrivateKey> {
  const [{ readIndex }, { deriveEd25519 }] = await Promise.all([
    import('../keys/path-index.ts'),
    import('./slip10.ts'),
  ]);
  const account = readIndex(index);
  return deriveEd25519(seed, [44, 457, account, 0, 0]).key;
}

export function exportKey(key: PrivateKey): string {
  return encode58('sk', key);
}
