/**
 * Certificates: text that the wallet signs together with who asked for it and when.
 * https://github.com/vechain/VIPs/blob/master/vips/VIP-192.md. Encoded as VeChain's SDK does: JSON with sorted
 * keys, in Unicode normalization form C.
 */
import { blake2b } from '@noble/hashes/blake2.js';
import type { SigningScene, SigningSummary } from '../chain.ts';
import type { AnySignature, CertificateAnnex, CertificateSignature, PrivateKey } from '../terms.ts';
import { addressOf } from '../contracts/evm-address.ts';
import { signInTrouble } from '../messages/describe-message.ts';
import { readable } from '../messages/signed-message.ts';
import { invalid } from '../requests/payloads.ts';
import { publicKey, recoverKey, signDigest } from '../keys/secp256k1.ts';
import type { CertificateRequest, VechainSignRequest } from './payload.ts';

export function signCertificate(request: CertificateRequest, key: PrivateKey): CertificateSignature {
  const { annex } = request;
  if (!annex) throw missingAnnex();
  const { domain, timestamp } = annex;
  const signer = addressOf(publicKey(key, 'uncompressed')).toLowerCase();
  const { r, s, yParity } = signDigest(digestOf(request, { domain, timestamp, signer }), key);
  return { annex: { domain, timestamp, signer }, signature: `${r}${s.slice(2)}0${yParity}` };
}

/** Of the certificate with the fields that the answer has. */
export async function isSignedBy(
  request: VechainSignRequest,
  answer: AnySignature,
  address: string,
): Promise<boolean> {
  const { annex, signature } = answer as CertificateSignature;
  const [, r, s, last] = /^0x([0-9a-f]{64})([0-9a-f]{64})0([01])$/i.exec(String(signature)) ?? [];
  if (!('purpose' in request) || !annex || annex.signer?.toLowerCase() !== address.toLowerCase())
    return false;
  const proof = { r: `0x${r}`, s: `0x${s}`, yParity: Number(last) };
  const key = recoverKey(digestOf(request, annex), proof);
  return key !== undefined && addressOf(key) === address;
}

function digestOf(
  request: CertificateRequest,
  { domain, timestamp, signer }: CertificateAnnex & { signer: string },
): Uint8Array {
  const { purpose } = request;
  const payload = { content: textOf(request), type: 'text' };
  // In the order of their names. As VeChain's SDK does, the address is signed in lower case.
  const fields = { domain, payload, purpose, signer: signer.toLowerCase(), timestamp };
  const text = JSON.stringify(fields).normalize();
  return blake2b(new TextEncoder().encode(text), { dkLen: 32 });
}

export function describeCertificate(request: CertificateRequest, scene?: SigningScene): SigningSummary {
  const text = textOf(request);
  const domain = scene ? new URL(scene.origin).host : request.annex?.domain;
  if (domain === undefined) throw missingAnnex();
  const mismatches = scene && signInTrouble(text, scene);
  return { kind: 'certificate', purpose: request.purpose, text, domain, mismatches };
}

function textOf({ data }: CertificateRequest): string {
  const text = readable(data);
  if (text === undefined) throw invalid('data', 'must be text in UTF-8: a certificate holds no other bytes');
  return text;
}

function missingAnnex(): Error {
  return invalid(
    'annex',
    'is required: the domain that the certificate is for, and its timestamp in seconds',
  );
}
