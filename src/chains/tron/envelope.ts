/**
 * The bytes of a transaction, all ours: what a node built is never signed.
 * https://github.com/tronprotocol/java-tron/blob/develop/protocol/src/main/protos/core/Tron.proto
 */
import { sha256 } from '@noble/hashes/sha2.js';
import { utf8ToBytes } from '@noble/hashes/utils.js';
import type { PrivateKey, Signed } from '../terms.ts';
import { bytesOf, concat, hexOf } from '../../base/bytes.ts';
import { checkOwner } from '../approval/owner.ts';
import { signDigest } from '../keys/secp256k1.ts';
import { address } from './account.ts';
import { addressBytes } from './address.ts';
import type { Contract, TronDraft } from './draft.ts';

type Envelope = Omit<TronDraft, 'facts' | 'network' | 'secretType'>;

/** Transaction.raw. */
export function rawData(draft: Envelope): Uint8Array {
  return concat(
    bytes(1, bytesOf(draft.refBlockBytes)),
    bytes(4, bytesOf(draft.refBlockHash)),
    integer(8, draft.expiration),
    bytes(10, bytesOf(draft.memo)),
    bytes(11, contractMessage(draft.contract, draft.from)),
    integer(14, draft.timestamp),
    integer(18, draft.feeLimit),
  );
}

/** Offline and deterministic (RFC 6979). The hash is Tron's transaction id: hex without 0x. Throws `request.invalid` at `key` for another's. */
export async function sign(draft: TronDraft, key: PrivateKey): Promise<Signed> {
  await checkOwner(key, draft.from, { addressOf: address, digest: sha256 });
  const raw = rawData(draft);
  const id = sha256(raw);
  const { r, s, yParity } = signDigest(id, key);
  const signature = bytesOf(r + s.slice(2) + (27 + yParity).toString(16));
  return { raw: hexOf(concat(bytes(1, raw), bytes(2, signature))), hash: hexOf(id).slice(2) };
}

/** Bandwidth of a transaction: its bytes with one signature, and 64 that the node adds for the result. */
export function bandwidthOf(raw: Uint8Array): bigint {
  return BigInt(bytes(1, raw).length + 67 + 64);
}

/** Bytes that count for a transaction that creates an account: java-tron deducts 65 for the signature, which has 67. */
export function sizeWithoutSignature(raw: Uint8Array): number {
  return bytes(1, raw).length + 2;
}

/** Milliseconds, of the wire bytes of a transaction; undefined for other bytes. */
export function expirationOf(wire: string): number | undefined {
  try {
    const raw = find(bytesOf(wire), 1);
    const expiration = raw instanceof Uint8Array ? find(raw, 8) : undefined;
    return typeof expiration === 'bigint' ? Number(expiration) : undefined;
  } catch {
    return undefined;
  }
}

function find(message: Uint8Array, number: number): bigint | Uint8Array | undefined {
  for (const [field, value] of fields(message)) if (field === number) return value;
  return undefined;
}

/** Transaction.Contract: the kind, and the message as a google.protobuf.Any. */
function contractMessage(contract: Contract, from: string): Uint8Array {
  const owner = addressBytes(from);
  const to = addressBytes(contract.to);
  switch (contract.kind) {
    case 'coin':
      return wrapped(
        1,
        'TransferContract',
        concat(bytes(1, owner), bytes(2, to), integer(3, contract.amount)),
      );
    case 'asset':
      return wrapped(
        2,
        'TransferAssetContract',
        concat(
          bytes(1, utf8ToBytes(contract.token)),
          bytes(2, owner),
          bytes(3, to),
          integer(4, contract.amount),
        ),
      );
    case 'call':
      return wrapped(
        31,
        'TriggerSmartContract',
        concat(bytes(1, owner), bytes(2, to), integer(3, contract.value), bytes(4, bytesOf(contract.data))),
      );
  }
}

function wrapped(type: number, name: string, message: Uint8Array): Uint8Array {
  const any = concat(bytes(1, utf8ToBytes(`type.googleapis.com/protocol.${name}`)), bytes(2, message));
  return concat(integer(1, type), bytes(2, any));
}

// The part of protobuf that a transaction needs: integers and bytes. Fields with their default value are omitted, as in proto3.
// https://protobuf.dev/programming-guides/encoding/

/** A non-negative integer below 2^63. */
export function integer(field: number, value: bigint | number): Uint8Array {
  return value ? concat(varint(field << 3), varint(value)) : new Uint8Array();
}

/** Bytes, or a message inside. */
export function bytes(field: number, value: Uint8Array): Uint8Array {
  return value.length ? concat(varint((field << 3) | 2), varint(value.length), value) : new Uint8Array();
}

/** Fields of a message in order: integers as bigint, the rest as bytes. Throws `RangeError` if it is not a message. */
export function* fields(message: Uint8Array): Generator<[field: number, value: bigint | Uint8Array]> {
  let at = 0;
  const next = (): bigint => {
    let value = 0n;
    for (let shift = 0n; shift < 70n; shift += 7n) {
      const byte = message[at++];
      if (byte === undefined) break;
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
    throw new RangeError('a number does not end');
  };
  while (at < message.length) {
    const tag = Number(next());
    const value = next();
    if ((tag & 7) === 0) yield [tag >> 3, value];
    else if ((tag & 7) === 2 && at + Number(value) <= message.length)
      yield [tag >> 3, message.subarray(at, (at += Number(value)))];
    else throw new RangeError('not a field of integers or bytes');
  }
}

function varint(value: bigint | number): Uint8Array {
  const groups: number[] = [];
  let rest = BigInt(value);
  for (; rest > 0x7fn; rest >>= 7n) groups.push(Number(rest & 0x7fn) | 0x80);
  return Uint8Array.of(...groups, Number(rest));
}
