/** Keys of P2WPKH wallets (BIP-84), and their export format. */
import type { PrivateKey } from '../terms.ts';
import type { NetworkKind } from '../network.ts';
import { concat } from '../../base/bytes.ts';
import { publicKey } from '../keys/secp256k1.ts';
import { encodeBase58, p2wpkhAddress } from './address.ts';
import type { UtxoProfile } from './profile.ts';
import { hash160 } from './script.ts';

export function address(params: UtxoProfile, key: PrivateKey, kind: NetworkKind): string {
  return p2wpkhAddress(params, hash160(publicKey(key, 'compressed')), kind);
}

/** m/84'/coin'/0'/0/index of a BIP-39 seed. The same on test networks, so that a wallet has one key. */
export async function deriveKey(
  { slip44 }: UtxoProfile,
  seed: Uint8Array,
  index: number,
): Promise<PrivateKey> {
  const { deriveSecp256k1, readIndex } = await import('../keys/derivation.ts');
  return deriveSecp256k1(seed, `m/84'/${slip44}'/0'/0/${readIndex(index)}`);
}

/** WIF of the compressed public key. */
export function exportKey({ wif }: UtxoProfile, key: PrivateKey, kind: NetworkKind): string {
  return encodeBase58(wif[kind], concat(key, Uint8Array.of(1)));
}
