/**
 * Signatures of data (spec 4.4 "Sign"). With `prefix` the data is a message (ERC-191 version 0x45, "personal_sign"); without, its
 * keccak-256 hash is signed, or with `hash: false` the 32 bytes themselves.
 * https://github.com/ethereum/ERCs/blob/master/ERCS/erc-191.md
 */
import { keccak_256 } from '@noble/hashes/sha3.js';
import type { Known, Node, PrivateKey, Signature, SigningSummary } from '../chain.ts';
import { bytesOf, hexOf } from '../hex.ts';
import { invalid } from '../payloads.ts';
import { signDigest } from '../secp256k1.ts';
import { prefixedMessage, readable } from '../signed-message.ts';
import { CHAIN_NAMES } from '../secret-type.ts';
import { describe } from './describe.ts';
import type { EvmDraft } from './draft.ts';
import { parseUnsigned, resemblesTransaction } from './envelope.ts';
import type { EvmSignRequest } from './payload.ts';
import type { EvmProfile } from './profile.ts';
import { onItsChain, prepareIntent } from './transaction.ts';

export async function signData({ data, prefix, hash }: EvmSignRequest, key: PrivateKey): Promise<Signature> {
  const digest = prefix ? messageHash(data) : hash ? hexOf(keccak_256(bytesOf(data))) : data;
  const { r, s, yParity } = await signDigest(bytesOf(digest), key);
  const v = (27 + yParity).toString(16);
  return { r, s, v: `0x${v}`, signature: r + s.slice(2) + v };
}

export async function describeSigning(
  { type, data, prefix, hash }: EvmSignRequest,
  from: string,
  node: Node,
  known: Known,
  profile: EvmProfile,
): Promise<SigningSummary> {
  if (!prefix && type === profile.transactionSignature)
    return {
      kind: 'transaction',
      summary: describe(await draftOf(data, from, node, known, profile), profile),
    };
  if (!prefix && !hash) return { kind: 'blind', hex: data, reason: 'hash' };
  if (!prefix && resemblesTransaction(data)) return { kind: 'blind', hex: data, reason: 'transaction' };
  const text = readable(data);
  return text === undefined
    ? { kind: 'blind', hex: data, reason: 'bytes' }
    : { kind: 'text', text, hex: data };
}

/** keccak256("\x19Ethereum Signed Message:\n" ‖ length ‖ message) */
export function messageHash(data: string): string {
  return hexOf(keccak_256(prefixedMessage(data)));
}

/** An unsigned transaction, with what the node says about it, so that it is shown like any other. */
async function draftOf(
  data: string,
  from: string,
  node: Node,
  known: Known,
  profile: EvmProfile,
): Promise<EvmDraft> {
  const envelope = parseUnsigned(data);
  const { legacy, rawSignature, secretType } = profile;
  if (!envelope || (legacy && envelope.type))
    throw invalid(
      'data',
      `is not an unsigned ${CHAIN_NAMES[secretType]} transaction of type ${legacy ? '0' : '0, 1 or 2'}; to sign other data use ${rawSignature}`,
    );
  const { type, chainId, nonce, to, value, gas, gasPrice, maxFeePerGas, maxPriorityFeePerGas, accessList } =
    envelope;
  if (chainId === 0)
    throw invalid(
      'data',
      'is a transaction without chain id, which is valid on every network; add the chain id (EIP-155)',
    );
  return onItsChain(node, async (rpc) => {
    const intent = { to, value, data: envelope.data, gas, gasPrice };
    const draft = await prepareIntent(intent, from, rpc, known, profile);
    if (chainId !== draft.chainId)
      throw invalid('data', `is for chain id ${chainId}, but the wallet is on ${draft.chainId}`);
    const signed = { nonce, gas, gasPrice, maxFeePerGas, maxPriorityFeePerGas, accessList };
    return { ...draft, type: type === 2 ? 2 : 0, ...signed };
  });
}
