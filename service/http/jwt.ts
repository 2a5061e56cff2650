/** Verifies JSON Web Tokens (RFC 7519), whoever signed them. */
import {
  errors,
  type JWTHeaderParameters,
  type JWTPayload,
  type JWTVerifyGetKey,
  type JWTVerifyOptions,
  jwtVerify,
} from 'jose';

/** A token issued by a process whose clock is further ahead would be valid for longer than it may be. */
const AHEAD_MS = 60_000;

/**
 * Throws jose's errors. Nothing here understands an extension, so a header that makes one critical is refused (RFC 7515 section 4.1.11);
 * jose alone would take `b64`.
 */
export async function verifyJwt(
  token: string,
  key: JWTVerifyGetKey,
  options: JWTVerifyOptions,
): Promise<{ payload: JWTPayload; protectedHeader: JWTHeaderParameters }> {
  const verified = await jwtVerify(token, key, options);
  if (verified.protectedHeader.crit !== undefined)
    throw new errors.JOSENotSupported('The token has critical extensions.');
  const { payload } = verified;
  const now = options.currentDate?.getTime() ?? Date.now();
  if (payload.iat !== undefined && payload.iat * 1000 > now + AHEAD_MS)
    throw new errors.JWTClaimValidationFailed(
      'The token is issued in the future.',
      payload,
      'iat',
      'check_failed',
    );
  return verified;
}
