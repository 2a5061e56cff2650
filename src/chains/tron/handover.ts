/**
 * Transactions and messages that external wallets sign. They take a transaction as nodes write it: https://developers.tron.network/reference
 * (`/wallet/createtransaction`, with hex addresses).
 */
import { sha256 } from '@noble/hashes/sha2.js';
import { utf8ToBytes } from '@noble/hashes/utils.js';
import { keccak256 } from 'ethers/crypto';
import { bytesOf, concat, hexDigits, hexOf } from '../../base/bytes.ts';
import { ConnectError } from '../../base/errors.ts';
import { recoverKey } from '../keys/secp256k1.ts';
import type { AnySignature, Signed } from '../terms.ts';
import { addressBytes } from './address.ts';
import { requiredOf } from './costs.ts';
import { coinsOf, type Contract, type TronDraft } from './draft.ts';
import { bytes, rawData } from './envelope.ts';
import type { TronSignRequest } from './payload.ts';
import { messageHash } from './sign-message.ts';

/** What is read again of a transaction that was handed over. */
interface Written {
  raw_data: { contract: [{ parameter: { value: { owner_address: string } } }] };
  raw_data_hex: string;
}

/** As JSON. */
export async function unsigned(draft: TronDraft): Promise<string> {
  const { contract, facts, from, feeLimit, memo } = draft;
  if (coinsOf(contract) + requiredOf(facts.costs) > facts.balance)
    throw new ConnectError(
      'transaction.insufficient-funds',
      'The wallet does not hold enough for the amount and the fee.',
    );
  if (facts.willFail !== undefined)
    throw new ConnectError('transaction.refused', `The transaction would fail: ${facts.willFail}`, {
      reason: facts.willFail,
    });
  const { type, value } = messageOf(contract, hexDigits(addressBytes(from)));
  const raw = rawData(draft);
  return JSON.stringify({
    visible: false,
    txID: hexDigits(sha256(raw)),
    raw_data: {
      contract: [{ parameter: { value, type_url: `type.googleapis.com/protocol.${type}` }, type }],
      ref_block_bytes: draft.refBlockBytes.slice(2),
      ref_block_hash: draft.refBlockHash.slice(2),
      expiration: draft.expiration,
      timestamp: draft.timestamp,
      ...(feeLimit && { fee_limit: exact(feeLimit) }),
      ...(memo !== '0x' && { data: memo.slice(2) }),
    },
    raw_data_hex: hexDigits(raw),
  });
}

/** Its signature has to be the sender's, of exactly these bytes: what else the wallet returns is not used. */
export async function signed(given: string, answer: string): Promise<Signed> {
  try {
    const { raw_data, raw_data_hex }: Written = JSON.parse(given);
    const [signature, ...others] = (JSON.parse(answer) as { signature: string[] }).signature;
    const raw = bytesOf(`0x${raw_data_hex}`);
    const hash = sha256(raw);
    const proof = proofOf(signature);
    if (others.length === 0 && signerOf(hash, proof) === raw_data.contract[0].parameter.value.owner_address)
      return { raw: hexOf(concat(bytes(1, raw), bytes(2, proof))), hash: hexDigits(hash) };
  } catch {
    // Not even the form of a transaction.
  }
  throw new ConnectError(
    'transaction.refused',
    'The other wallet did not sign this transaction. It was not sent.',
    { reason: 'changed' },
  );
}

/** Of a message (TIP-191). */
export async function isSignedBy(
  { data }: TronSignRequest,
  answer: AnySignature,
  address: string,
): Promise<boolean> {
  try {
    const signer = signerOf(bytesOf(messageHash(data)), proofOf(answer.signature));
    return signer === hexDigits(addressBytes(address));
  } catch {
    return false;
  }
}

function messageOf(contract: Contract, owner: string): { type: string; value: object } {
  const to = hexDigits(addressBytes(contract.to));
  switch (contract.kind) {
    case 'coin':
      return {
        type: 'TransferContract',
        value: { amount: exact(contract.amount), owner_address: owner, to_address: to },
      };
    case 'asset':
      return {
        type: 'TransferAssetContract',
        value: {
          amount: exact(contract.amount),
          asset_name: hexDigits(utf8ToBytes(contract.token)),
          owner_address: owner,
          to_address: to,
        },
      };
    case 'call':
      return {
        type: 'TriggerSmartContract',
        value: {
          data: contract.data.slice(2),
          owner_address: owner,
          contract_address: to,
          ...(contract.value && { call_value: exact(contract.value) }),
        },
      };
  }
}

/** Wallets read JSON with JavaScript's numbers. */
function exact(value: bigint): number {
  if (value <= BigInt(Number.MAX_SAFE_INTEGER)) return Number(value);
  throw new ConnectError('chain.not-supported', 'Other wallets take no amounts above 2^53 smallest units.');
}

/** 65 bytes, of which some wallets return 0 or 1 for the last. Throws for anything else. */
function proofOf(given: unknown): Uint8Array {
  const [, rs, last] = /^(?:0x)?([0-9a-f]{128})(00|01|1b|1c)$/i.exec(String(given))!;
  return bytesOf(`0x${rs}${(27 + (Number.parseInt(last!, 16) % 27)).toString(16)}`);
}

/** The 21 bytes of the signer's address, in hex; undefined if nobody made the signature. */
function signerOf(digest: Uint8Array, proof: Uint8Array): string | undefined {
  const [r, s] = [hexOf(proof.subarray(0, 32)), hexOf(proof.subarray(32, 64))];
  const key = recoverKey(digest, { r, s, yParity: proof[64]! - 27 });
  return key && `41${keccak256(key.subarray(1)).slice(-40)}`;
}
