/**
 * Receiving addresses of an account's key, each derived in two ways that share no code, so that a fault of one of them sends nobody's money
 * away: the library's, and the formulas of https://github.com/bitcoin/bips/blob/master/bip-0032.mediawiki and bip-0084.mediawiki.
 */
import { createHash, createHmac } from 'node:crypto';
import { Point } from '@noble/secp256k1';
import { bech32 } from '@scure/base';
import { HDKey } from '@scure/bip32';
import type { KeyChain } from '../../../src/api/secret-type.ts';
import { base58check } from '../../../src/base/base58.ts';
import { bytesOf, concat, hexOf } from '../../../src/base/bytes.ts';
import { BITCOIN } from '../../../src/chains/bitcoin/profile.ts';
import { LITECOIN } from '../../../src/chains/litecoin/profile.ts';
import { p2pkhAddress, p2wpkhAddress } from '../../../src/chains/utxo/address.ts';
import type { UtxoProfile } from '../../../src/chains/utxo/profile.ts';
import { hash160 } from '../../../src/chains/utxo/script.ts';
import type { AccountKey, KeyPurpose } from './extended-keys.ts';

type Key = Pick<AccountKey, 'chainCode' | 'publicKey'>;

export interface DerivedAddress {
  address: string;
  /** Its output script, as `0x…`. */
  script: string;
}

export const PROFILES: Record<KeyChain, UtxoProfile> = { BITCOIN, LITECOIN };

/** Indices from here on are hardened: no public key leads there. */
export const INDEX_END = 2 ** 31;

/** Throws for what is no point of the curve, and where the two ways do not agree. */
export function deriveAddress(key: Key, index: number, { secretType, kind }: KeyPurpose): DerivedAddress {
  if (!Number.isSafeInteger(index) || index < 0 || index >= INDEX_END)
    throw new RangeError('The index is out of range.');
  const profile = PROFILES[secretType];
  const hash = hash160(childKey(childKey(key, 0), index).publicKey);
  const address = p2wpkhAddress(profile, hash, kind);
  if (address !== byLibrary(key, index, profile.hrp[kind]))
    throw new Error('An address was derived in two ways, which do not agree: it is not given to anybody.');
  return { address, script: `0x0014${hexOf(hash).slice(2)}` };
}

/** The addresses of the key at that index that are not native segwit. */
export function legacyAddress(key: Key, index: number, { secretType, kind }: KeyPurpose): string {
  return p2pkhAddress(PROFILES[secretType], hash160(childKey(childKey(key, 0), index).publicKey), kind);
}

/** CKDpub of BIP-32, for an index that is not hardened. */
function childKey({ chainCode, publicKey }: Key, index: number): Key {
  const place = Buffer.alloc(4);
  place.writeUInt32BE(index);
  const mixed = createHmac('sha512', chainCode).update(publicKey).update(place).digest();
  const added = Point.BASE.multiply(BigInt(`0x${mixed.toString('hex', 0, 32)}`));
  return {
    publicKey: added.add(Point.fromBytes(publicKey)).toBytes(true),
    chainCode: Uint8Array.from(mixed.subarray(32)),
  };
}

const XPUB = '0488b21e';

function byLibrary({ chainCode, publicKey }: Key, index: number, hrp: string): string {
  // Depth, parent and place do not matter to the keys below.
  const above = bytesOf(`0x${XPUB}030000000080000000`);
  const account = HDKey.fromExtendedKey(base58check.encode(concat(above, chainCode, publicKey)));
  const child = account.deriveChild(0).deriveChild(index).publicKey!;
  const sha256 = createHash('sha256').update(child).digest();
  const hash = createHash('ripemd160').update(sha256).digest();
  return bech32.encode(hrp, [0, ...bech32.toWords(hash)]);
}
