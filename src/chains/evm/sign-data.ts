/**
 * Signatures of data. With `prefix` the data is a message (ERC-191 version 0x45, "personal_sign"); without, its
 * keccak-256 hash is signed, or with `hash: false` the 32 bytes themselves. Typed data (EIP-712) is a type of its own.
 * https://github.com/ethereum/ERCs/blob/master/ERCS/erc-191.md
 */
import { keccak256, SigningKey } from 'ethers/crypto';
import { hashMessage } from 'ethers/hash';
import { getBytes } from 'ethers/utils';
import type { SigningScene, SigningSummary } from '../chain.ts';
import type { Known, Node, PrivateKey, Signature } from '../terms.ts';
import { addressOfKey } from '../approval/owner.ts';
import { invalid } from '../requests/payloads.ts';
import { looksLikeSignIn } from '../messages/sign-in-head.ts';
import { isHash, readable } from '../messages/signed-message.ts';
import { CHAIN_NAMES } from '../secret-type.ts';
import { readingOf } from '../contracts/readings.ts';
import { OWNERSHIP, onItsChain, prepareIntent } from './transaction.ts';
import { describe } from './describe.ts';
import type { EvmDraft } from './draft.ts';
import type { EvmSignRequest } from './payload.ts';
import type { EvmProfile } from './profile.ts';
import { parseUnsigned, resemblesTransaction, type TransactionFields } from './raw-transaction.ts';

/** Few signatures are of typed data, or sign somebody in. */
const typedData = () => import('./typed-data.ts');
const typedSummary = () => import('./typed-summary.ts');
const signIn = () => import('./sign-in.ts');

/** Throws `request.invalid` for what `describeSigning` refuses, as far as that needs no node. */
export async function signData(
  request: EvmSignRequest,
  key: PrivateKey,
  profile: EvmProfile,
): Promise<Signature> {
  const { r, s, v, serialized } = new SigningKey(key).sign(await digestOf(request, key, profile));
  return { r, s, v: `0x${v.toString(16)}`, signature: serialized };
}

async function digestOf(request: EvmSignRequest, key: PrivateKey, profile: EvmProfile): Promise<string> {
  if (!('prefix' in request)) {
    const { readTypedData, refuseOwn, typedDataDigest } = await typedData();
    const typed = readTypedData(request.data, profile.secretType, request.unsignedFields);
    refuseOwn(typed, [await addressOfKey(key, OWNERSHIP)]);
    return typedDataDigest(typed);
  }
  const { type, data, prefix, hash } = request;
  if (!prefix && type === profile.transactionSignature) readTransaction(data, profile);
  return prefix ? messageHash(data) : hash ? keccak256(data) : data;
}

export async function describeSigning(
  request: EvmSignRequest,
  from: string,
  node: Node,
  known: Known,
  profile: EvmProfile,
  scene?: SigningScene,
): Promise<SigningSummary> {
  if (!('prefix' in request)) {
    const [{ readTypedData }, { describeTyped }] = await Promise.all([typedData(), typedSummary()]);
    const data = readTypedData(request.data, profile.secretType, request.unsignedFields);
    return describeTyped(data, from, node, known, profile, scene);
  }
  const { type, data, prefix } = request;
  if (!prefix && type === profile.transactionSignature)
    return {
      kind: 'transaction',
      summary: await describe(await draftOf(data, from, node, known, profile), profile),
    };
  if (isHash(data)) return { kind: 'blind', hex: data, reason: 'hash' };
  if (!prefix && resemblesTransaction(data)) return { kind: 'blind', hex: data, reason: 'transaction' };
  const text = readable(data);
  if (text === undefined) return { kind: 'blind', hex: data, reason: 'bytes' };
  const shown = { text, hex: data, ...(!prefix && { unprefixed: true as const }) };
  if (!scene || !looksLikeSignIn(text)) return { kind: 'text', ...shown };
  const { readSignIn } = await signIn();
  const read = await readSignIn(text, scene, { address: from, chainId: node.network.chainId! });
  return read ? { kind: 'sign-in', ...shown, ...read } : { kind: 'text', ...shown };
}

/** keccak256("\x19Ethereum Signed Message:\n" ‖ length ‖ message) */
export function messageHash(data: string): string {
  return hashMessage(getBytes(data));
}

/** An unsigned transaction, with what the node says about it, so that it is shown like any other. */
async function draftOf(
  data: string,
  from: string,
  node: Node,
  known: Known,
  profile: EvmProfile,
): Promise<EvmDraft> {
  const { type, chainId, nonce, to, value, gas, gasPrice, maxFeePerGas, maxPriorityFeePerGas, ...envelope } =
    readTransaction(data, profile);
  const { accessList } = envelope;
  return onItsChain(node, async (rpc) => {
    const intent = { to, value, data: envelope.data, gas, gasPrice };
    const context = { from, node: rpc, known, profile };
    const draft = await prepareIntent(intent, await readingOf(intent, from), context);
    if (chainId !== draft.chainId)
      throw invalid('data', `is for chain id ${chainId}, but the wallet is on ${draft.chainId}`);
    const signed = { nonce, gas, gasPrice, maxFeePerGas, maxPriorityFeePerGas, accessList };
    return { ...draft, type: type === 2 ? 2 : 0, ...signed };
  });
}

/** The unsigned transaction that the bytes are. Throws `request.invalid` at `data` for others, and for one of every network. */
function readTransaction(data: string, { legacy, rawSignature, secretType }: EvmProfile): TransactionFields {
  const envelope = parseUnsigned(data);
  if (!envelope || (legacy && envelope.type))
    throw invalid(
      'data',
      `is not an unsigned ${CHAIN_NAMES[secretType]} transaction of type ${legacy ? '0' : '0, 1 or 2'}; to sign other data use ${rawSignature}`,
    );
  if (envelope.chainId === 0)
    throw invalid(
      'data',
      'is a transaction without chain id, which is valid on every network; add the chain id (EIP-155)',
    );
  return envelope;
}
