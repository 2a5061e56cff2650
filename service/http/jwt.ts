/** Verifies JSON Web Tokens (RFC 7519), whoever signed them. */
import {
  errors,
  type JWTHeaderParameters,
  type JWTPayload,
  type JWTVerifyGetKey,
  type JWTVerifyOptions,
  jwtVerify,
} from 'jose';

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
  return verified;
}
