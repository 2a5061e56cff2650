/**
 * Signatures of data, and certificates. With `prefix` the data is a message, prefixed as
 * Ethereum's are; without, it is an unsigned transaction. Either way its blake2b-256 hash is signed.
 */
import { RequestInvalidError } from '../../base/errors.ts';
import type { SigningScene, SigningSummary } from '../chain.ts';
import type { AnySignature, Known, Node, PrivateKey } from '../terms.ts';
import { hexOf } from '../../base/bytes.ts';
import { invalid } from '../requests/payloads.ts';
import { signDigest } from '../keys/secp256k1.ts';
import { describeMessage } from '../messages/describe-message.ts';
import { isHash, prefixedMessage } from '../messages/signed-message.ts';
import { describe } from './describe.ts';
import type { VechainDraft } from './draft.ts';
import { type Body, parseUnsigned, signingHash } from './envelope.ts';
import type { VechainSignRequest } from './payload.ts';
import { prepareIntent, readingsOf, withTrial } from './transaction.ts';

const certificates = () => import('./certificate.ts');

/** Throws `request.invalid` at `data` for what `describeSigning` refuses, as far as that needs no node. */
export async function signData(request: VechainSignRequest, key: PrivateKey): Promise<AnySignature> {
  if ('purpose' in request) return (await certificates()).signCertificate(request, key);
  const { data, prefix } = request;
  if (!prefix) readTransaction(data);
  const bytes = prefix ? hexOf(prefixedMessage(data)) : data;
  const { r, s, yParity } = signDigest(signingHash(bytes), key);
  const v = `0${yParity}`;
  return { r, s, v: `0x${v}`, signature: r + s.slice(2) + v };
}

export async function describeSigning(
  request: VechainSignRequest,
  from: string,
  node: Node,
  known: Known,
  scene?: SigningScene,
): Promise<SigningSummary> {
  if ('purpose' in request) return (await certificates()).describeCertificate(request, scene);
  const { data, prefix } = request;
  if (!prefix)
    return { kind: 'transaction', summary: await describe(await draftOf(data, from, node, known)) };
  return isHash(data) ? { kind: 'blind', hex: data, reason: 'hash' } : describeMessage(data, scene);
}

/** An unsigned transaction, with what the node says about it, so that it is shown like any other. */
async function draftOf(data: string, from: string, node: Node, known: Known): Promise<VechainDraft> {
  const body = readTransaction(data);
  try {
    const readings = await readingsOf(body.clauses, from);
    const intent = { ...body, clauses: [...body.clauses] };
    return await withTrial(await prepareIntent(intent, readings, { from, node, known }), node);
  } catch (error) {
    if (!(error instanceof RequestInvalidError)) throw error;
    // The fields are the bytes' own.
    throw invalid('data', error.issues.map(({ path, message }) => `its ${path} ${message}`).join('; '));
  }
}

function readTransaction(data: string): Body {
  const body = parseUnsigned(data);
  if (!body)
    throw invalid('data', 'is not an unsigned VeChain transaction, which is what is signed without prefix');
  if (body.clauses.length === 0)
    throw invalid('data', 'is a transaction without clauses, which does nothing');
  return body;
}
