/**
 * Transaction bytes and signatures. Inputs are P2WPKH (BIP-143 digests, BIP-141 witnesses, BIP-144 bytes) or P2PKH (the original
 * digests); every signature commits to all inputs and outputs (SIGHASH_ALL).
 * https://github.com/bitcoin/bips/blob/master/bip-0143.mediawiki
 */
import { sha256 } from '@noble/hashes/sha2.js';
import type { PrivateKey } from '../terms.ts';
import { bytesOf, concat, hexOf } from '../../base/bytes.ts';
import { invalid } from '../requests/payloads.ts';
import { publicKey, signDigest } from '../keys/secp256k1.ts';
import { p2pkhScript } from './address.ts';
import type { Utxo } from './draft.ts';
import { hash160, keyHashOf } from './script.ts';

export const SIGHASH_ALL = 1;

export interface Input extends Utxo {
  sequence: number;
}

export interface Transaction {
  version: number;
  lockTime: number;
  inputs: readonly Input[];
  outputs: readonly { value: bigint; script: string }[];
}

/** What an input presents to spend its coin. */
interface Proof {
  script: Uint8Array;
  witness: readonly Uint8Array[];
}

const NO_PROOF: Proof = { script: new Uint8Array(), witness: [] };

interface SignedBytes {
  bytes: Uint8Array;
  /** 64 hex digits, no 0x. */
  txid: string;
}

/** Inputs that are signed in one go: about 5 ms. */
const IN_A_ROW = 16;

/** Throws `request.invalid` at `key` when an input belongs to another key. */
export async function signTransaction(transaction: Transaction, key: PrivateKey): Promise<SignedBytes> {
  const proofOf = prover(transaction, key);
  const proofs: Proof[] = [];
  for (const index of transaction.inputs.keys()) {
    proofs.push(proofOf(index));
    // Hundreds take a while: others, such as a service's requests, get their turns.
    if (proofs.length % IN_A_ROW === 0) await new Promise((resolve) => void setTimeout(resolve));
  }
  return { bytes: serialize(transaction, proofs, true), txid: idOf(transaction, proofs) };
}

/** The witness of the only input, serialised. Throws as `signTransaction` does. */
export function witnessOf(transaction: Transaction, key: PrivateKey): Uint8Array {
  return witnessBytes(prover(transaction, key)(0));
}

/** Signs one input. */
function prover(transaction: Transaction, key: PrivateKey): (index: number) => Proof {
  const owner = publicKey(key, 'compressed');
  const ownHash = hexOf(hash160(owner));
  const shared = sharedHashes(transaction);
  return (index) => {
    const spent = keyHashOf(transaction.inputs[index]!.script);
    if (!spent || hexOf(spent.hash) !== ownHash)
      throw invalid('key', `is another key than the one that input ${index} belongs to`);
    const digest = spent.segwit
      ? segwitDigest(transaction, index, spent.hash, shared)
      : legacyDigest(transaction, index);
    const signature = concat(der(signDigest(digest, key)), Uint8Array.of(SIGHASH_ALL));
    return spent.segwit
      ? { script: new Uint8Array(), witness: [signature, owner] }
      : { script: concat(push(signature), push(owner)), witness: [] };
  };
}

/** The id before signing. Undefined where it depends on the signatures: with P2PKH inputs. */
export function unsignedId(transaction: Transaction): string | undefined {
  const isSegwit = transaction.inputs.every(({ script }) => keyHashOf(script)?.segwit);
  return isSegwit ? idOf(transaction, []) : undefined;
}

/** The double SHA-256 of everything but the witnesses, byte-reversed. */
export function transactionId(withoutWitnesses: Uint8Array): string {
  return hexOf(sha256(sha256(withoutWitnesses)).reverse()).slice(2);
}

function idOf(transaction: Transaction, proofs: readonly Proof[]): string {
  return transactionId(serialize(transaction, proofs, false));
}

export function serialize(
  { version, lockTime, inputs, outputs }: Transaction,
  proofs: readonly Proof[],
  witnesses: boolean,
): Uint8Array {
  const segwit = witnesses && proofs.some(({ witness }) => witness.length > 0);
  return concat(
    uint32(version),
    ...(segwit ? [Uint8Array.of(0, 1)] : []),
    varInt(inputs.length),
    ...inputs.flatMap((input, index) => [
      outpoint(input),
      prefixed((proofs[index] ?? NO_PROOF).script),
      uint32(input.sequence),
    ]),
    varInt(outputs.length),
    ...outputs.map(outputBytes),
    ...(segwit ? proofs.map(witnessBytes) : []),
    uint32(lockTime),
  );
}

function witnessBytes({ witness }: Proof): Uint8Array {
  return concat(varInt(witness.length), ...witness.map(prefixed));
}

/** The parts of a BIP-143 digest that all inputs have in common. */
export function sharedHashes({ inputs, outputs }: Transaction) {
  return {
    prevouts: twice(concat(...inputs.map(outpoint))),
    sequence: twice(concat(...inputs.map((input) => uint32(input.sequence)))),
    outputs: twice(concat(...outputs.map(outputBytes))),
  };
}

/** Commits to the input's value: a node that lies about it gets a worthless signature. */
export function segwitDigest(
  transaction: Transaction,
  index: number,
  keyHash: Uint8Array,
  shared: ReturnType<typeof sharedHashes>,
): Uint8Array {
  const input = transaction.inputs[index]!;
  return twice(
    concat(
      uint32(transaction.version),
      shared.prevouts,
      shared.sequence,
      outpoint(input),
      prefixed(p2pkhScript(keyHash)),
      uint64(input.value),
      uint32(input.sequence),
      shared.outputs,
      uint32(transaction.lockTime),
      uint32(SIGHASH_ALL),
    ),
  );
}

/** Does not commit to values: the caller has checked them against the previous transactions. */
function legacyDigest(transaction: Transaction, index: number): Uint8Array {
  const proofs = transaction.inputs.map((input, i) =>
    i === index ? { script: bytesOf(input.script), witness: [] } : NO_PROOF,
  );
  return twice(concat(serialize(transaction, proofs, false), uint32(SIGHASH_ALL)));
}

/** https://github.com/bitcoin/bips/blob/master/bip-0066.mediawiki */
function der({ r, s }: { r: string; s: string }): Uint8Array {
  const integers = [r, s].map((hex) => {
    const bytes = bytesOf(hex);
    const first = bytes.findIndex((byte) => byte !== 0);
    const digits = bytes.subarray(first);
    const positive = digits[0]! < 0x80 ? digits : concat(Uint8Array.of(0), digits);
    return concat(Uint8Array.of(0x02, positive.length), positive);
  });
  const body = concat(...integers);
  return concat(Uint8Array.of(0x30, body.length), body);
}

function outpoint({ txid, vout }: Utxo): Uint8Array {
  return concat(bytesOf(`0x${txid}`).reverse(), uint32(vout));
}

export function outputBytes({ value, script }: { value: bigint; script: string }): Uint8Array {
  return concat(uint64(value), prefixed(bytesOf(script)));
}

export function prefixed(bytes: Uint8Array): Uint8Array {
  return concat(varInt(bytes.length), bytes);
}

/** Of less than 76 bytes. */
function push(bytes: Uint8Array): Uint8Array {
  return concat(Uint8Array.of(bytes.length), bytes);
}

function twice(bytes: Uint8Array): Uint8Array {
  return sha256(sha256(bytes));
}

function uint32(value: number): Uint8Array {
  return Uint8Array.of(value, value >>> 8, value >>> 16, value >>> 24);
}

function uint64(value: bigint): Uint8Array {
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setBigUint64(0, value, true);
  return bytes;
}

function varInt(value: number): Uint8Array {
  return value < 253 ? Uint8Array.of(value) : Uint8Array.of(253, value, value >>> 8);
}
