import type { PrivateKey } from '../terms.ts';
import { addressOf } from '../contracts/evm-address.ts';
import { hexOf } from '../../base/bytes.ts';
import { publicKey } from '../keys/secp256k1.ts';
import { fromEvm } from './address.ts';

export function address(key: PrivateKey): string {
  return fromEvm(addressOf(publicKey(key, 'uncompressed')));
}

/** BIP-44: m/44'/195'/0'/0/index of a BIP-39 seed. */
export async function deriveKey(seed: Uint8Array, index: number): Promise<PrivateKey> {
  const { deriveSecp256k1, readIndex } = await import('../keys/derivation.ts');
  return deriveSecp256k1(seed, `m/44'/195'/0'/0/${readIndex(index)}`);
}

/** 64 hex digits, with or without 0x. */
export async function importKey(text: string): Promise<PrivateKey> {
  return (await import('../keys/hex-key.ts')).readHexKey(text);
}

/** As Tron's wallets write it: without 0x. */
export function exportKey(key: PrivateKey): string {
  return hexOf(key).slice(2);
}
