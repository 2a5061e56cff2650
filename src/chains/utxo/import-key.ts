/** Keys in the formats of Bitcoin and Litecoin wallets. Loaded when one is imported. */
import type { PrivateKey } from '../terms.ts';
import { readHexKey, checkedKey } from '../keys/hex-key.ts';
import { KeyInvalidError } from '../keys/key-error.ts';
import type { NetworkKind } from '../network.ts';
import { CHAIN_NAMES } from '../secret-type.ts';
import type { UtxoProfile } from './profile.ts';
import { decodeBase58check } from './address.ts';

/** First bytes of WIF keys of the other chain, to name it. */
const WIF_OF: Readonly<Record<number, 'BITCOIN' | 'LITECOIN'>> = { 0x80: 'BITCOIN', 0xb0: 'LITECOIN' };

/** A WIF key of a compressed public key, or 64 hex digits. Throws `request.invalid` at `key`. */
export function importKey(params: UtxoProfile, text: string, kind?: NetworkKind): PrivateKey {
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

function checkVersion(
  { secretType, wif }: UtxoProfile,
  version: number,
  kind: NetworkKind | undefined,
): void {
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
