/** Addresses and their output scripts, without a signer's weight. */
import { foreignAddress } from '../requests/foreign-address.ts';
import { base58check } from '../../base/base58.ts';
import { concat, hexOf } from '../../base/bytes.ts';
import type { NetworkKind } from '../network.ts';
import { CHAIN_NAMES } from '../secret-type.ts';
import type { ChainAddresses } from '../modules.ts';
import type { UtxoProfile } from './profile.ts';
import { decodeSegwit, encodeSegwit, hasChecksum } from './segwit-address.ts';

const KINDS: readonly NetworkKind[] = ['mainnet', 'testnet', 'local'];
/** No address is longer (BIP-173); decoding base58 takes quadratic time. */
const MAX_LENGTH = 90;

export interface Destination {
  /** The address as it is written: base58 as given, segwit in lower case. */
  address: string;
  /** Output script as `0x…`. */
  script: string;
  /** The networks with this format; base58 addresses of test and local networks are the same. */
  kinds: readonly NetworkKind[];
  /** The address's usual form, where this one is also an address of another chain (Litecoin's 3…). */
  usual?: string | undefined;
}

/** Throws an error whose message follows the field's name. */
export function readDestination(params: UtxoProfile, value: unknown): Destination {
  if (value === undefined || value === null || value === '') throw new Error('is required');
  if (typeof value !== 'string') throw new Error('must be an address as text');
  const decoded = decodeAddress(params, value);
  if (!decoded) throw new Error(problemWith(params, value));
  // Not yet defined; until then anybody may spend coins sent there (BIP-141).
  if (!/^0x(76|a9|0014|0020|5120)/.test(decoded.script))
    throw new Error(
      'is for a kind of address that does not exist yet: coins sent there could be taken by anyone',
    );
  if (decoded.script.startsWith('0x5120') && !isOnCurve(BigInt(`0x${decoded.script.slice(6)}`)))
    throw new Error('is for a public key that does not exist: nobody could ever spend coins sent there');
  return decoded;
}

/** Addresses as their chain writes them, of any network. */
export const withProfile = (profile: UtxoProfile): ChainAddresses => ({
  readAddress: (value) => readDestination(profile, value).address,
});

/** The prime of secp256k1's field. */
const FIELD = 2n ** 256n - 2n ** 32n - 977n;

/** Whether a point has this x coordinate: x³ + 7 is a square, by Euler's criterion (BIP-340, `lift_x`). */
function isOnCurve(x: bigint): boolean {
  if (x >= FIELD) return false;
  let power = 1n;
  let base = (x ** 3n + 7n) % FIELD;
  for (let exponent = (FIELD - 1n) / 2n; exponent > 0n; exponent >>= 1n) {
    if (exponent & 1n) power = (power * base) % FIELD;
    base = (base * base) % FIELD;
  }
  return power === 1n;
}

export function isAddress(params: UtxoProfile, text: string, kind?: NetworkKind): boolean {
  try {
    const { kinds } = readDestination(params, text);
    return kind === undefined || kinds.includes(kind);
  } catch {
    return false;
  }
}

/** Includes segwit versions without rules yet (BIP-350). Returns undefined if it is not an address of the chain. */
export function decodeAddress(params: UtxoProfile, text: string): Destination | undefined {
  if (text.length > MAX_LENGTH) return undefined;
  return segwitDestination(params, text) ?? base58Destination(params, text);
}

function segwitDestination({ hrp }: UtxoProfile, text: string): Destination | undefined {
  const decoded = decodeSegwit(text);
  if (!decoded) return undefined;
  const { prefix, version, program } = decoded;
  const kinds = KINDS.filter((kind) => hrp[kind] === prefix);
  if (kinds.length === 0 || version > 16 || program.length < 2 || program.length > 40) return undefined;
  if (version === 0 && program.length !== 20 && program.length !== 32) return undefined;
  return { address: text.toLowerCase(), script: hexOf(witnessScript(version, program)), kinds };
}

function base58Destination(params: UtxoProfile, text: string): Destination | undefined {
  const { p2pkh, p2sh } = params;
  const payload = decodeBase58check(text);
  if (payload?.length !== 21) return undefined;
  const version = payload[0]!;
  const hash = payload.subarray(1);
  const toKey = KINDS.filter((kind) => p2pkh[kind] === version);
  if (toKey.length > 0) return { address: text, script: hexOf(p2pkhScript(hash)), kinds: toKey };
  const kinds = KINDS.filter((kind) => p2sh[kind].includes(version));
  const [kind] = kinds;
  if (!kind) return undefined;
  const [usual] = p2sh[kind];
  return {
    address: text,
    script: hexOf(p2shScript(hash)),
    kinds,
    ...(usual === version ? {} : { usual: encodeBase58(usual!, hash) }),
  };
}

/** Undefined for a wrong checksum, and for text that is not base58. */
export function decodeBase58check(text: string): Uint8Array | undefined {
  try {
    return base58check.decode(text);
  } catch {
    return undefined;
  }
}

export function encodeBase58(version: number, payload: Uint8Array): string {
  return base58check.encode(concat(Uint8Array.of(version), payload));
}

/** The segwit address of a public key's hash (BIP-84). */
export function p2wpkhAddress({ hrp }: UtxoProfile, hash: Uint8Array, kind: NetworkKind): string {
  return encodeSegwit({ prefix: hrp[kind], version: 0, program: hash });
}

export function p2pkhAddress({ p2pkh }: UtxoProfile, hash: Uint8Array, kind: NetworkKind): string {
  return encodeBase58(p2pkh[kind], hash);
}

export function p2pkhScript(hash: Uint8Array): Uint8Array<ArrayBuffer> {
  return concat(Uint8Array.of(0x76, 0xa9, 20), hash, Uint8Array.of(0x88, 0xac));
}

function p2shScript(hash: Uint8Array): Uint8Array {
  return concat(Uint8Array.of(0xa9, 20), hash, Uint8Array.of(0x87));
}

function witnessScript(version: number, program: Uint8Array): Uint8Array {
  return concat(Uint8Array.of(version === 0 ? 0 : 0x50 + version, program.length), program);
}

function problemWith(params: UtxoProfile, text: string): string {
  const { secretType, hrp, base58, beginsWith } = params;
  const name = CHAIN_NAMES[secretType];
  if (secretType === 'LITECOIN' && /^(ltcmweb|tmweb)1/i.test(text))
    return `is a private (MWEB) address, which this wallet cannot send to; ask for one that begins with ${beginsWith}`;
  const [, prefix] = /^([a-z]+)1/i.exec(text) ?? [];
  if (prefix && Object.values(hrp).includes(prefix.toLowerCase())) {
    if (/[a-z]/.test(text) && /[A-Z]/.test(text))
      return 'mixes upper and lower case: one of them is mistyped';
    return hasChecksum(text)
      ? `is not a valid ${name} address, though its checksum is right`
      : 'has a wrong checksum: a character is mistyped or missing';
  }
  const couldBe = base58.test(text) && /^[1-9A-HJ-NP-Za-km-z]{25,35}$/.test(text);
  if (couldBe && !decodeBase58check(text)) return 'has a wrong checksum: a character is mistyped or missing';
  return foreignAddress(text, secretType) ?? `is not a ${name} address: it begins with ${beginsWith}`;
}
