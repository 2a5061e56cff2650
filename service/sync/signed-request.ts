/** Who signed a request for an encrypted copy: `Authorization: Sync <key>:<time>:<signature>`, over what `requestText` says. */
import { createPublicKey, hash, verify } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { CLOCK_TOLERANCE_MS, requestText } from '../../src/api/copy-object.ts';

const FORM = /^Sync ([\w-]{43}):(\d{1,15}):([\w-]{86})$/;
/** What precedes the 32 bytes of an Ed25519 key in SubjectPublicKeyInfo (RFC 8410). */
const SPKI = Buffer.from('302a300506032b6570032100', 'hex');
/** Checked in place of what a request lacks, so that an answer takes as long without it. */
const NOBODY = { key: 'A'.repeat(43), time: '0', signature: 'A'.repeat(86) };

/** The signer's public key; undefined unless everything is right, the time included. */
export function signerOf({ method, url, headers, body }: FastifyRequest): Buffer | undefined {
  const [, key, time, signature] = FORM.exec(headers.authorization ?? '') ?? [];
  const claim = key && time && signature ? { key, time, signature } : NOBODY;
  const publicKey = Buffer.from(claim.key, 'base64url');
  const bytes = Buffer.isBuffer(body) ? body : Buffer.alloc(0);
  const text = requestText({
    method,
    path: url,
    time: claim.time,
    bodyHash: hash('sha256', bytes, 'base64url'),
    match: headers['if-match'] ?? headers['if-none-match'] ?? '',
  });
  const isSigned = isSignedBy(publicKey, text, Buffer.from(claim.signature, 'base64url'));
  const isInTime = Math.abs(Number(claim.time) - Date.now()) <= CLOCK_TOLERANCE_MS;
  return isSigned && isInTime ? publicKey : undefined;
}

/** False for bytes that are no key, too. */
export function isSignedBy(publicKey: Uint8Array, text: Uint8Array, signature: Uint8Array): boolean {
  try {
    const key = createPublicKey({ key: Buffer.concat([SPKI, publicKey]), format: 'der', type: 'spki' });
    return verify(null, text, key, signature);
  } catch {
    return false;
  }
}
