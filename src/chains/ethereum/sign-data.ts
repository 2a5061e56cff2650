/**
 * Signatures of data (spec 4.4 "Sign"). With `prefix` the data is a message (ERC-191 version 0x45, "personal_sign"); without, its
 * keccak-256 hash is signed, or with `hash: false` the 32 bytes themselves.
 * https://github.com/ethereum/ERCs/blob/master/ERCS/erc-191.md
 */
import { keccak_256 } from '@noble/hashes/sha3.js';
import type { Known, Node, PrivateKey, Signature, SigningSummary, SignRequest } from '../chain.ts';
import { invalid } from '../payloads.ts';
import { bytesOf, hexOf, signDigest } from './account.ts';
import { describe } from './describe.ts';
import type { EthereumDraft } from './draft.ts';
import { parseUnsigned, resemblesTransaction } from './envelope.ts';
import { type EthereumSignRequest, payloads } from './payload.ts';
import { onItsChain, prepareIntent } from './transaction.ts';

export async function signData(request: SignRequest, key: PrivateKey): Promise<Signature> {
  const { data, prefix, hash } = payloads.parseSigning(request) as EthereumSignRequest;
  const digest = prefix ? messageHash(data) : hash ? hexOf(keccak_256(bytesOf(data))) : data;
  const { r, s, yParity } = await signDigest(bytesOf(digest), key);
  const v = (27 + yParity).toString(16);
  return { r, s, v: `0x${v}`, signature: r + s.slice(2) + v };
}

export async function describeSigning(
  request: SignRequest,
  from: string,
  node: Node,
  known: Known,
): Promise<SigningSummary> {
  const { type, data, prefix, hash } = payloads.parseSigning(request) as EthereumSignRequest;
  if (!prefix && type === 'ETHEREUM_TRANSACTION')
    return { kind: 'transaction', summary: describe(await draftOf(data, from, node, known)) };
  if (!prefix && !hash) return { kind: 'blind', hex: data, reason: 'hash' };
  if (!prefix && resemblesTransaction(data)) return { kind: 'blind', hex: data, reason: 'transaction' };
  const text = readable(data);
  return text === undefined
    ? { kind: 'blind', hex: data, reason: 'bytes' }
    : { kind: 'text', text, hex: data };
}

/** keccak256("\x19Ethereum Signed Message:\n" ‖ length ‖ message) */
export function messageHash(data: string): string {
  const message = bytesOf(data);
  const prefix = new TextEncoder().encode(`\u0019Ethereum Signed Message:\n${message.length}`);
  const all = new Uint8Array(prefix.length + message.length);
  all.set(prefix);
  all.set(message, prefix.length);
  return hexOf(keccak_256(all));
}

/** An unsigned transaction, with what the node says about it, so that it is shown like any other. */
async function draftOf(data: string, from: string, node: Node, known: Known): Promise<EthereumDraft> {
  const envelope = parseUnsigned(data);
  if (!envelope)
    throw invalid(
      'data',
      'is not an unsigned Ethereum transaction of type 0, 1 or 2; to sign other data use ETHEREUM_RAW',
    );
  const { type, chainId, nonce, to, value, gas, gasPrice, maxFeePerGas, maxPriorityFeePerGas } = envelope;
  if (chainId === 0)
    throw invalid(
      'data',
      'is a transaction without chain id, which is valid on every network; add the chain id (EIP-155)',
    );
  return onItsChain(node, async (rpc) => {
    const intent = { to, value, data: envelope.data, gas, gasPrice };
    const draft = await prepareIntent(intent, from, rpc, known);
    if (chainId !== draft.chainId)
      throw invalid('data', `is for chain id ${chainId}, but the wallet is on ${draft.chainId}`);
    return { ...draft, type: type === 2 ? 2 : 0, nonce, gas, gasPrice, maxFeePerGas, maxPriorityFeePerGas };
  });
}

/**
 * UTF-8 text as it is: the view draws what cannot be seen. Undefined for other bytes, and for those that are mostly control characters,
 * which are numbers that happen to be UTF-8.
 */
function readable(data: string): string | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytesOf(data));
    const controls = text.match(CONTROL)?.length ?? 0;
    return controls * 2 < text.length ? text : undefined;
  } catch {
    return undefined;
  }
}

/** All but tabs and line breaks. */
const CONTROL = /[^\P{Cc}\t\n\r]/gu;
