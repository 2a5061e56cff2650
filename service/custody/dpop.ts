/** Proofs that a request comes from the holder of a key (RFC 9449 section 4.3). */
import { createHash } from 'node:crypto';
import { calculateJwkThumbprint, EmbeddedJWK, type JWK } from 'jose';
import { ConnectError } from '../../src/base/errors.ts';
import { verifyJwt } from '../http/jwt.ts';

export interface ProvenRequest {
  /** The `DPoP` header; an array, or text with a comma, when it was sent more than once. */
  proof: string | readonly string[] | undefined;
  method: string;
  /** URL that the caller used: origin and path. The rest is not compared. */
  url: string;
  /** The access token of the same request. */
  accessToken: string;
}

export interface Proof {
  /** RFC 7638, SHA-256: identifies a device. */
  thumbprint: string;
  id: string;
}

/** Seconds that a proof is valid, and that clocks may differ. */
export const PROOF_SECONDS = 60;
export const SKEW_SECONDS = 5;

/** The frame's keys are non-extractable P-256 keys of WebCrypto. */
const ALGORITHMS = ['ES256'];
const MAX_LENGTH = 4096;

/** Does not check whether the proof was used before. Throws `device.proof.invalid`. */
export async function readProof(request: ProvenRequest, now = new Date()): Promise<Proof> {
  const { proof, method, url, accessToken } = request;
  if (typeof proof !== 'string' || proof.length > MAX_LENGTH) throw invalidProof();
  const { payload, protectedHeader } = await verifyJwt(proof, EmbeddedJWK, {
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

/** Undefined, which equals no request's target, when it is not a URL. */
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
