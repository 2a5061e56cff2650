/** Output scripts, their sizes and those of the inputs that spend them before signing, and the dust limit. */
import { ripemd160 } from '@noble/hashes/legacy.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesOf } from '../../base/bytes.ts';
import type { UtxoProfile } from './profile.ts';

export function hash160(bytes: Uint8Array): Uint8Array {
  return ripemd160(sha256(bytes));
}

/** The public key's hash that a P2WPKH or P2PKH output pays to, with which of them it is. Undefined for others. */
export function keyHashOf(script: string): { segwit: boolean; hash: Uint8Array } | undefined {
  const [, witness, legacy] = /^0x(?:0014([0-9a-f]{40})|76a914([0-9a-f]{40})88ac)$/.exec(script) ?? [];
  const hash = witness ?? legacy;
  return hash === undefined ? undefined : { segwit: witness !== undefined, hash: bytesOf(`0x${hash}`) };
}

/** The script of an output that carries at most 255 bytes and no coins. */
export function dataScript(data: string): string {
  const digits = data.slice(2);
  const size = digits.length / 2;
  return `0x6a${size < 76 ? '' : '4c'}${size.toString(16).padStart(2, '0')}${digits}`;
}

/** `0x…`: what an output script only carries; undefined if it pays somebody. */
export function dataOf(script: string): string | undefined {
  const [, data] = /^0x6a(?:4c)?..(.*)$/.exec(script) ?? [];
  return data === undefined ? undefined : `0x${data}`;
}

/** The longest DER signature with its hash type, and a compressed public key, each with its length byte. */
const SIGNATURE_AND_KEY = 1 + 72 + 1 + 33;

/** Bytes of an output. */
function outputSize(script: string): number {
  return 8 + 1 + (script.length - 2) / 2;
}

/** Of an output script that an address stands for. */
export function isSegwit(script: string): boolean {
  return /^0x(00|5|60)/.test(script);
}

/**
 * Maximum virtual bytes (BIP-141) of a transaction that spends P2WPKH and P2PKH outputs with these scripts: a
 * signature is 71 or 72 bytes long, which is unknown before signing.
 */
export function virtualSize(inputs: readonly string[], outputs: readonly string[]): number {
  const segwit = inputs.filter(isSegwit).length;
  const legacy = inputs.length - segwit;
  const base =
    4 + // version
    varSize(inputs.length) +
    inputs.length * (36 + 1 + 4) +
    legacy * SIGNATURE_AND_KEY +
    varSize(outputs.length) +
    outputs.reduce((size, script) => size + outputSize(script), 0) +
    4; // lock time
  // Marker and flag, then for each input the number of its witness items and the items.
  const witness = segwit ? 2 + inputs.length + segwit * SIGNATURE_AND_KEY : 0;
  return Math.ceil((base * 4 + witness) / 4);
}

function varSize(count: number): number {
  return count < 253 ? 1 : 3;
}

/** Satoshi for these virtual bytes, at a rate in satoshi per 1000 of them. */
export function feeFor(size: number, rate: bigint): bigint {
  return (BigInt(size) * rate + 999n) / 1000n;
}

/**
 * The minimum that nodes relay to this script: anything that costs more than its value to spend at the dust
 * rate is dust (Bitcoin Core, GetDustThreshold). Bitcoin: 546 for P2PKH, 540 for P2SH, 294 for P2WPKH, 330
 * for P2WSH and P2TR.
 */
export function dustLimit({ dustRate }: UtxoProfile, script: string): bigint {
  const spending = isSegwit(script) ? 67 : 148;
  return (BigInt(outputSize(script) + spending) * dustRate) / 1000n;
}
