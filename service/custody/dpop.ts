/** Proofs that a request comes from the holder of a key (RFC 9449 section 4.3). */
import { createHash } from 'node:crypto';
import { calculateJwkThumbprint, EmbeddedJWK, type JWK, jwtVerify } from 'jose';
import { ConnectError } from '../../src/errors.ts';

export interface ProvenRequest {
  /** The `DPoP` header; an array, or text with a comma, where it came more than once. */
  proof: string | readonly string[] | undefined;
  method: string;
  /** As the caller reached it: origin and path. What follows is not compared. */
  url: string;
  /** The access token beside it. */
  accessToken: string;
}

export interface Proof {
  /** RFC 7638, SHA-256: what a device is known by. */
  thumbprint: string;
  id: string;
}

/** Seconds that a proof is good for, and that clocks may differ. */
export const PROOF_SECONDS = 60;
export const SKEW_SECONDS = 5;

/** What the frame makes: WebCrypto's P-256, not extractable. */
const ALGORITHMS = ['ES256'];
const MOST = 4096;

/** Whether it was used before is not known here. Throws `device.proof.invalid`. */
export async function readProof(request: ProvenRequest, now = new Date()): Promise<Proof> {
  const { proof, method, url, accessToken } = request;
  if (typeof proof !== 'string' || proof.length > MOST) throw invalidProof();
  const { payload, protectedHeader } = await jwtVerify(proof, EmbeddedJWK, {
    typ: 'dpop+jwt',
    algorithms: ALGORITHMS,
    maxTokenAge: PROOF_SECONDS,
    clockTolerance: SKEW_SECONDS,
    currentDate: now,
  }).catch((error: unknown) => {
    throw invalidProof(error);
  });
  const { jti, htm, htu, ath } = payload as Record<string, unknown>;
  if (typeof jti !== 'string' || jti.length < 1 || jti.length > 256) throw invalidProof();
  if (htm !== method || typeof htu !== 'string' || targetOf(htu) !== targetOf(url)) throw invalidProof();
  if (ath !== createHash('sha256').update(accessToken).digest('base64url')) throw invalidProof();
  return { thumbprint: await calculateJwkThumbprint(protectedHeader.jwk as JWK), id: jti };
}

/** Undefined is never equal to a request's. */
function targetOf(url: string): string | undefined {
  if (!URL.canParse(url)) return undefined;
  const { origin, pathname } = new URL(url);
  return origin + pathname;
}

/** `details.now` tells a device whose clock is wrong what time it is here, in seconds. */
export function invalidProof(cause?: unknown): ConnectError {
  return new ConnectError(
    'device.proof.invalid',
    'The request needs a DPoP proof of its own, made just now by an enrolled device.',
    { now: Math.floor(Date.now() / 1000) },
    { cause },
  );
}
