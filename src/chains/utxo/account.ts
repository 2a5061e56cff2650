/** Keys of P2WPKH wallets (BIP-84), and the forms they are imported from and shown in. */
import type { PrivateKey } from '../chain.ts';
import { deriveSecp256k1, readIndex } from '../keys/derivation.ts';
import type { NetworkKind } from '../network.ts';
import { concat } from '../hex.ts';
import { KeyInvalidError } from '../keys/key-error.ts';
import { CHAIN_NAMES } from '../secret-type.ts';
import { checkedKey, publicKey, readHexKey } from '../secp256k1/secp256k1.ts';
import { decodeBase58check, encodeBase58, p2wpkhAddress } from './utxo-address.ts';
import type { UtxoParams } from './params.ts';
import { hash160 } from './script.ts';

/** First bytes of WIF keys of the other chain, to name it. */
const WIF_OF: Readonly<Record<number, 'BITCOIN' | 'LITECOIN'>> = { 0x80: 'BITCOIN', 0xb0: 'LITECOIN' };

export function address(params: UtxoParams, key: PrivateKey, kind: NetworkKind): string {
  return p2wpkhAddress(params, hash160(publicKey(key, 'compressed')), kind);
}

/** m/84'/coin'/0'/0/index of a BIP-39 seed. The same on test networks, so that a wallet has one key. */
export async function deriveKey(
  { slip44 }: UtxoParams,
  seed: Uint8Array,
  index: number,
): Promise<PrivateKey> {
  return deriveSecp256k1(seed, `m/84'/${slip44}'/0'/0/${readIndex(index)}`);
}

/** A WIF key of a compressed public key, or 64 hex digits. Throws `request.invalid` at `key`. */
export function importKey(params: UtxoParams, text: string, kind?: NetworkKind): PrivateKey {
  const trimmed = text.trim();
  if (/^(0x)?[0-9a-fA-F]*$/.test(trimmed)) return readHexKey(trimmed);
  if (/^6P[1-9A-HJ-NP-Za-km-z]{56}$/.test(trimmed))
    throw new KeyInvalidError(
      'encrypted',
      'is encrypted (BIP-38); decrypt it with the wallet that made it first',
    );
  if (/^[xyztuvLM][a-z]*(prv|pub|pv)[1-9A-HJ-NP-Za-km-z]{100,}$/.test(trimmed))
    throw new KeyInvalidError(
      'extended',
      'is an extended key, which stands for many; give the key of one address',
    );
  const payload = trimmed.length > 60 ? undefined : decodeBase58check(trimmed);
  if (!payload)
    throw /^[1-9A-HJ-NP-Za-km-z]{51,52}$/.test(trimmed)
      ? new KeyInvalidError('checksum', 'has a wrong checksum: a character is mistyped or missing')
      : new KeyInvalidError('form', 'must be a private key as WIF text or 64 hex digits');
  const version = payload[0]!;
  checkVersion(params, version, kind);
  if (payload.length === 33)
    throw new KeyInvalidError(
      'uncompressed',
      'is of the uncompressed form: its coins are on an address that this wallet does not use. Send them from the wallet that made it',
    );
  if (payload.length !== 34 || payload[33] !== 1) throw new KeyInvalidError('form', 'is not a private key');
  return checkedKey(payload.slice(1, 33));
}

/** WIF of the compressed public key. */
export function exportKey({ wif }: UtxoParams, key: PrivateKey, kind: NetworkKind): string {
  return encodeBase58(wif[kind], concat(key, Uint8Array.of(1)));
}

function checkVersion({ secretType, wif }: UtxoParams, version: number, kind: NetworkKind | undefined): void {
  const name = CHAIN_NAMES[secretType];
  if (kind === undefined ? Object.values(wif).includes(version) : wif[kind] === version) return;
  if (version === wif.mainnet)
    throw new KeyInvalidError(
      'live-network',
      `is a key of ${name}’s live network; this wallet is on a test network`,
    );
  if (version === wif.testnet)
    throw new KeyInvalidError(
      'test-network',
      `is a key of a test network; this wallet is on ${name}’s live network`,
    );
  const other = WIF_OF[version];
  throw other
    ? new KeyInvalidError('chain', `is a ${CHAIN_NAMES[other]} key, not a ${name} one`, other)
    : new KeyInvalidError('form', `is not a ${name} private key`);
}
