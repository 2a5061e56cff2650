/** Issues our tokens (RFC 9068). */
import { randomUUID } from 'node:crypto';
import { SignJWT } from 'jose';
import type { TokenResponse } from '../../src/api/token.ts';
import { ALGORITHM, type SigningKeys } from './signing-keys.ts';

export const ACCESS_AUDIENCE = 'carabiner-api';
export const ACCESS_TYPE = 'at+jwt';
/** Claim with the id of the client secret. */
export const SECRET_CLAIM = 'client_secret_id';
/** Only tokens issued since checkout has scopes have it. */
export const SCOPES_CLAIM = 'scopes_version';
const SCOPES_VERSION = 2;
/** Nothing accepts a refresh token: the field is there for older clients. */
const REFRESH_SECONDS = 3_456_000;

export interface TokenSubject {
  /** Account of the user, or the client id of an application that acts for itself. */
  accountId: string;
  clientId: string;
  scopes: readonly string[];
  /** Id of the client secret that got the token: revoking the secret revokes the token. */
  secretId?: string;
}

export class TokenIssuer {
  readonly #keys: SigningKeys;
  readonly #seconds: number;
  /** The `iss` of our tokens: the URL of the realm. */
  readonly url: () => string;

  constructor(keys: SigningKeys, { url, seconds }: { url: () => string; seconds: number }) {
    this.#keys = keys;
    this.#seconds = seconds;
    this.url = url;
  }

  async issue({ accountId, clientId, scopes, secretId }: TokenSubject): Promise<TokenResponse> {
    const { id, key } = await this.#keys.current();
    const now = Math.floor(Date.now() / 1000);
    const session = randomUUID();
    const sign = (type: string, audience: string, seconds: number, claims: Record<string, unknown>) =>
      new SignJWT({ client_id: clientId, sid: session, ...claims })
        .setProtectedHeader({ alg: ALGORITHM, typ: type, kid: id })
        .setIssuer(this.url())
        .setSubject(accountId)
        .setAudience(audience)
        .setIssuedAt(now)
        .setExpirationTime(now + seconds)
        .setJti(randomUUID())
        .sign(key);
    const scope = scopes.join(' ');
    const [access, refresh] = await Promise.all([
      sign(ACCESS_TYPE, ACCESS_AUDIENCE, this.#seconds, {
        scope,
        [SCOPES_CLAIM]: SCOPES_VERSION,
        ...(secretId && { [SECRET_CLAIM]: secretId }),
      }),
      sign('rt+jwt', `${ACCESS_AUDIENCE}:refresh`, REFRESH_SECONDS, {}),
    ]);
    return {
      access_token: access,
      expires_in: this.#seconds,
      refresh_expires_in: REFRESH_SECONDS,
      refresh_token: refresh,
      token_type: 'bearer',
      'not-before-policy': 0,
      session_state: session,
      scope,
    };
  }
}
