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
import { bytes, fields, integer } from './protobuf.ts';

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
