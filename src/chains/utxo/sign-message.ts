/**
 * Messages of P2WPKH wallets: BIP-322 in its simple form, or in the older form that BIP-137 describes.
 * https://github.com/bitcoin/bips/blob/master/bip-0322.mediawiki
 * https://github.com/bitcoin/bips/blob/master/bip-0137.mediawiki
 */
import { sha256 } from '@noble/hashes/sha2.js';
import { fromBase64, toBase64 } from '../../base/base64.ts';
import { bytesOf, concat, hexOf } from '../../base/bytes.ts';
import type { SigningScene, SigningSummary } from '../chain.ts';
import type { AnySignature, MessageSignature, PrivateKey } from '../terms.ts';
import { describeMessage } from '../messages/describe-message.ts';
import { sizedMessage } from '../messages/signed-message.ts';
import { publicKey, recoverKey, signDigest } from '../keys/secp256k1.ts';
import { readDestination } from './address.ts';
import {
  segwitDigest,
  sharedHashes,
  SIGHASH_ALL,
  type Transaction,
  transactionId,
  witnessOf,
} from './envelope.ts';
import type { UtxoProfile } from './profile.ts';
import { hash160, keyHashOf } from './script.ts';
import type { UtxoSignRequest } from './payload.ts';

/** BIP-137. Litecoin's nodes have their own prefix; BIP-322 has one for all chains. */
const MARKS = {
  BITCOIN: 'Bitcoin Signed Message:\n',
  LITECOIN: 'Litecoin Signed Message:\n',
} as const satisfies Record<UtxoProfile['secretType'], string>;
/** First byte of a BIP-137 signature of a P2WPKH address, before the number of the public key is added. */
const P2WPKH = 39;

export function signMessage(
  { secretType }: UtxoProfile,
  { data, format }: UtxoSignRequest,
  key: PrivateKey,
): MessageSignature {
  const bytes = format === 'bip137' ? recoverable(MARKS[secretType], data, key) : simple(data, key);
  return { signature: toBase64(bytes) };
}

export function describeSigning({ data }: UtxoSignRequest, scene?: SigningScene): SigningSummary {
  return describeMessage(data, scene);
}

function recoverable(mark: string, data: string, key: PrivateKey): Uint8Array {
  const { r, s, yParity } = signDigest(markedHash(mark, data), key);
  return concat(Uint8Array.of(P2WPKH + yParity), bytesOf(r), bytesOf(s));
}

/**
 * The witness of a transaction that spends the only output of another: that one pays nothing to the wallet's own script, has the message's
 * hash in its input, and spends what does not exist. So neither is ever valid on the chain.
 */
function simple(data: string, key: PrivateKey): Uint8Array {
  return witnessOf(toSign(data, ownScript(key)), key);
}

function toSign(data: string, script: string): Transaction {
  return {
    version: 0,
    lockTime: 0,
    inputs: [{ txid: toSpendId(data, script), vout: 0, value: 0n, script, sequence: 0 }],
    outputs: [{ value: 0n, script: '0x6a' }],
  };
}

function markedHash(mark: string, data: string): Uint8Array {
  return sha256(sha256(sizedMessage(mark, data)));
}

/** Of P2WPKH addresses; false for others. */
export function isSignedBy(
  profile: UtxoProfile,
  { data, format }: UtxoSignRequest,
  { signature }: AnySignature,
  address: string,
): boolean {
  try {
    const { script } = readDestination(profile, address);
    const { segwit, hash } = keyHashOf(script)!;
    const bytes = fromBase64(signature);
    const keys =
      format === 'bip137'
        ? recoverableKeys(MARKS[profile.secretType], data, bytes)
        : simpleKeys(data, script, bytes);
    return segwit && keys.some((key) => hexOf(hash160(key)) === hexOf(hash));
  } catch {
    return false;
  }
}

/** The public key that made a BIP-137 signature. What kind of address it has is not read from it: wallets differ in that. */
function recoverableKeys(mark: string, data: string, bytes: Uint8Array): Uint8Array[] {
  if (bytes.length !== 65) return [];
  const [r, s] = [hexOf(bytes.subarray(1, 33)), hexOf(bytes.subarray(33))];
  const key = recoverKey(markedHash(mark, data), { r, s, yParity: (bytes[0]! - 27) & 3 });
  return key ? [compressed(key)] : [];
}

/** The public key of a BIP-322 witness, if it made the signature there. */
function simpleKeys(data: string, script: string, witness: Uint8Array): Uint8Array[] {
  const [items, size = 0] = witness;
  const proof = witness.subarray(2, 2 + size);
  const owner = witness.subarray(3 + size);
  if (items !== 2 || witness[2 + size] !== 33 || proof.at(-1) !== SIGHASH_ALL) return [];
  const transaction = toSign(data, script);
  const digest = segwitDigest(transaction, 0, keyHashOf(script)!.hash, sharedHashes(transaction));
  const [r, s] = integersOf(proof);
  return [0, 1].flatMap((yParity) => {
    const key = recoverKey(digest, { r, s, yParity });
    return key && hexOf(compressed(key)) === hexOf(owner) ? [owner] : [];
  });
}

/** `r` and `s` of a DER signature. */
function integersOf(der: Uint8Array): [r: string, s: string] {
  const size = der[3]!;
  return [hexOf(der.subarray(4, 4 + size)), hexOf(der.subarray(6 + size, 6 + size + der[5 + size]!))];
}

/** Of 65 bytes. */
function compressed(key: Uint8Array): Uint8Array {
  return concat(Uint8Array.of(2 + (key[64]! & 1)), key.subarray(1, 33));
}

/** Output script as `0x…`. */
function ownScript(key: PrivateKey): string {
  return `0x0014${hexOf(hash160(publicKey(key, 'compressed'))).slice(2)}`;
}

/** Id of BIP-322's `to_spend`. */
export function toSpendId(data: string, script: string): string {
  const to = bytesOf(script);
  return transactionId(
    concat(
      // Version 0, and one input: output 2^32 - 1 of the transaction 0.
      bytesOf(`0x00000000${'01'}${'00'.repeat(32)}ffffffff`),
      // OP_0, and a push of 32 bytes. Sequence 0.
      bytesOf('0x220020'),
      messageHash(data),
      bytesOf('0x00000000'),
      // One output of value 0. Lock time 0.
      bytesOf(`0x${'01'}${'00'.repeat(8)}`),
      Uint8Array.of(to.length),
      to,
      bytesOf('0x00000000'),
    ),
  );
}

/** A tagged hash, as BIP-340 defines them. */
export function messageHash(data: string): Uint8Array {
  const tag = sha256(new TextEncoder().encode('BIP0322-signed-message'));
  return sha256(concat(tag, tag, bytesOf(data)));
}
