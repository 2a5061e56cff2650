/**
 * Signatures of data (spec 4.4 "Sign"). With `prefix` the data is a message (ERC-191 version 0x45, "personal_sign"); without, its
 * keccak-256 hash is signed, or with `hash: false` the 32 bytes themselves.
 * https://github.com/ethereum/ERCs/blob/master/ERCS/erc-191.md
 */
import { keccak256, SigningKey } from 'ethers/crypto';
import { Transaction } from 'ethers/transaction';
import type { Known, Node, PrivateKey, Signature, SigningSummary, SignRequest } from '../chain.ts';
import { rpcOf } from '../json-rpc.ts';
import { invalid } from '../payloads.ts';
import { bytesOf, hexOf } from './account.ts';
import { describe } from './describe.ts';
import type { EthereumDraft } from './draft.ts';
import { type EthereumSignRequest, payloads } from './payload.ts';
import { onItsChain, prepareIntent } from './transaction.ts';

export async function signData(request: SignRequest, key: PrivateKey): Promise<Signature> {
  const { data, prefix, hash } = payloads.parseSigning(request) as EthereumSignRequest;
  const digest = prefix ? messageHash(data) : hash ? keccak256(data) : data;
  const { r, s, v, serialized } = new SigningKey(hexOf(key)).sign(digest);
  return { r, s, v: `0x${v.toString(16)}`, signature: serialized };
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
  if (!prefix && transactionOf(data)) return { kind: 'blind', hex: data, reason: 'transaction' };
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
  return keccak256(all);
}

/** An unsigned transaction, with what the node says about it, so that it is shown like any other. */
async function draftOf(data: string, from: string, node: Node, known: Known): Promise<EthereumDraft> {
  const transaction = unsignedTransaction(data);
  if (!transaction)
    throw invalid(
      'data',
      'is not an unsigned Ethereum transaction of type 0, 1 or 2; to sign other data use ETHEREUM_RAW',
    );
  const { type, nonce, to, value, gasLimit, gasPrice, maxFeePerGas, maxPriorityFeePerGas } = transaction;
  if (transaction.chainId === 0n)
    throw invalid(
      'data',
      'is a transaction without chain id, which is valid on every network; add the chain id (EIP-155)',
    );
  return onItsChain(node, async (rpc) => {
    const intent = { to, value, data: transaction.data, gas: gasLimit, gasPrice: gasPrice ?? undefined };
    const draft = await prepareIntent(intent, from, rpc, known);
    if (transaction.chainId !== BigInt(rpcOf(node).chainId!))
      throw invalid('data', `is for chain id ${transaction.chainId}, but the wallet is on ${draft.chainId}`);
    const dynamic = type === 2;
    return {
      ...draft,
      type: dynamic ? 2 : 0,
      nonce,
      gas: gasLimit,
      gasPrice: dynamic ? undefined : (gasPrice ?? 0n),
      maxFeePerGas: dynamic ? (maxFeePerGas ?? 0n) : undefined,
      maxPriorityFeePerGas: dynamic ? (maxPriorityFeePerGas ?? 0n) : undefined,
    };
  });
}

function transactionOf(data: string): Transaction | undefined {
  try {
    return Transaction.from(data);
  } catch {
    return undefined;
  }
}

/** A transaction that can be drawn. Only in its canonical form: any other would be signed as other bytes than are shown. */
function unsignedTransaction(data: string): Transaction | undefined {
  const transaction = transactionOf(data);
  if (!transaction || ![0, 1, 2].includes(transaction.type ?? -1) || transaction.signature) return undefined;
  return transaction.unsignedSerialized === data ? transaction : undefined;
}

/** Text that a person can read: UTF-8 without control characters other than tabs and line breaks. */
function readable(data: string): string | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytesOf(data));
    return text !== '' && !/[^\P{Cc}\t\n\r]/u.test(text) ? text : undefined;
  } catch {
    return undefined;
  }
}
