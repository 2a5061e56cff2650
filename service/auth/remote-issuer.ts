/** Verifies tokens of another issuer with its published keys (OpenID Connect Discovery 1.0, RFC 7517). */
import {
  createRemoteJWKSet,
  errors,
  type JWTPayload,
  type JWTVerifyGetKey,
  type JWTVerifyOptions,
} from 'jose';
import { ConnectError } from '../../src/base/errors.ts';
import { verifyJwt } from '../http/jwt.ts';

export interface RemoteIssuerSettings {
  issuer: string;
  jwksUri?: string | undefined;
  audience: string | string[];
  algorithms: readonly string[];
}

const TIMEOUT_MS = 5000;
/** Allowed difference between its clock and ours. */
const TOLERANCE = 10;

export class RemoteIssuer {
  readonly #settings: RemoteIssuerSettings;
  #keys: Promise<JWTVerifyGetKey> | undefined;

  constructor(settings: RemoteIssuerSettings) {
    this.#settings = settings;
  }

  /** The claims of a valid token. Throws jose's errors for a bad one, and `identity-provider.unreachable`. */
  async verify(token: string, options: Pick<JWTVerifyOptions, 'maxTokenAge' | 'typ'>): Promise<JWTPayload> {
    const { issuer, audience, algorithms } = this.#settings;
    this.#keys ??= this.#find().catch((error: unknown) => {
      this.#keys = undefined;
      throw error;
    });
    const keys = await this.#keys;
    try {
      const { payload } = await verifyJwt(token, keys, {
        ...options,
        issuer,
        audience,
        algorithms: [...algorithms],
        requiredClaims: ['sub', 'exp', 'iat'],
        clockTolerance: TOLERANCE,
      });
      return payload;
    } catch (error) {
      if (
        error instanceof errors.JOSEError &&
        !(error instanceof errors.JWKSTimeout) &&
        error.code !== 'ERR_JOSE_GENERIC'
      )
        throw error;
      throw unreachable(issuer, error);
    }
  }

  async #find(): Promise<JWTVerifyGetKey> {
    const uri = this.#settings.jwksUri ?? (await this.#discover());
    return createRemoteJWKSet(new URL(uri), { timeoutDuration: TIMEOUT_MS });
  }

  async #discover(): Promise<string> {
    const { issuer } = this.#settings;
    const url = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
    try {
      const response = await fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS), redirect: 'error' });
      const metadata = (await response.json()) as { issuer?: unknown; jwks_uri?: unknown };
      if (!response.ok || metadata.issuer !== issuer || typeof metadata.jwks_uri !== 'string')
        throw new Error(`${url} is not the configuration of ${issuer}`);
      return metadata.jwks_uri;
    } catch (error) {
      throw unreachable(issuer, error);
    }
  }
}

function unreachable(issuer: string, cause: unknown): ConnectError {
  return new ConnectError(
    'identity-provider.unreachable',
    `${new URL(issuer).host} did not answer with its keys, so the token cannot be checked. Try again later.`,
    {},
    { cause },
  );
}
