/** Checks the access tokens that the API is called with: our own, and those of issuers that the configuration names. */
import { decodeJwt, errors, type JWTPayload, jwtVerify } from 'jose';
import { ConnectError } from '../../src/errors.ts';
import type { TrustedIssuer } from '../config.ts';
import type { Database } from '../database/database.ts';
import type { Accounts } from './accounts.ts';
import { ActiveClients } from './clients.ts';
import type { Principal } from './principal.ts';
import { RemoteIssuer } from './remote-issuer.ts';
import { ALGORITHM, type SigningKeys } from './signing-keys.ts';
import { ACCESS_AUDIENCE, ACCESS_TYPE } from './token-issuer.ts';

/** One issuer's tokens. Throws jose's errors, and `ConnectError`s. */
type Reader = (token: string) => Promise<Principal>;

function invalidToken(cause?: unknown): ConnectError {
  return new ConnectError('token.invalid', 'The access token is not valid here.', {}, { cause });
}

/** The value at `a.b` of the claims. */
function claimAt(claims: JWTPayload, path: string): unknown {
  let value: unknown = claims;
  for (const name of path.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
    value = (value as Record<string, unknown>)[name];
  }
  return value;
}

function scopesOf(value: unknown): Set<string> {
  if (typeof value === 'string') return new Set(value.split(' ').filter(Boolean));
  return new Set(Array.isArray(value) ? value.filter((each) => typeof each === 'string') : []);
}

function ownTokens(db: Database, keys: SigningKeys, issuer: () => string): Reader {
  const clients = new ActiveClients(db);
  return async (token) => {
    const { payload } = await jwtVerify(
      token,
      async ({ kid = '' }) => {
        const key = await keys.verificationKey(kid);
        if (!key) throw new errors.JWKSNoMatchingKey();
        return key;
      },
      {
        issuer: issuer(),
        audience: ACCESS_AUDIENCE,
        typ: ACCESS_TYPE,
        algorithms: [ALGORITHM],
        requiredClaims: ['sub', 'exp', 'client_id'],
      },
    );
    const accountId = payload.sub!;
    const applicationId = payload['client_id'] as string;
    if (!(await clients.has(applicationId))) throw invalidToken();
    return {
      accountId,
      applicationId,
      isApplication: accountId === applicationId,
      scopes: scopesOf(payload['scope']),
    };
  };
}

function trustedTokens(accounts: Accounts, settings: TrustedIssuer): Reader {
  const remote = new RemoteIssuer(settings);
  const { issuer, scopeClaim, clientClaim, applicationClaim, type } = settings;
  return async (token) => {
    const claims = await remote.verify(token, type ? { typ: type } : {});
    const client = claimAt(claims, clientClaim);
    if (typeof client !== 'string' || !client) throw invalidToken();
    const isApplication = applicationClaim
      ? claimAt(claims, applicationClaim) !== undefined
      : claims.sub === client;
    const applicationId = await accounts.idOf({ issuer, subject: client, application: true });
    return {
      accountId: isApplication
        ? applicationId
        : await accounts.idOf({ issuer, subject: claims.sub!, application: false }),
      applicationId,
      isApplication,
      scopes: scopesOf(claimAt(claims, scopeClaim)),
    };
  };
}

export class AccessTokens {
  readonly #own: { issuer: () => string; read: Reader } | undefined;
  readonly #trusted: ReadonlyMap<string, Reader>;

  constructor(
    {
      db,
      keys,
      accounts,
      issuer,
    }: { db: Database; keys: SigningKeys; accounts: Accounts; issuer: () => string },
    config: { ownIssuer: boolean; trustedIssuers: readonly TrustedIssuer[] },
  ) {
    this.#own = config.ownIssuer ? { issuer, read: ownTokens(db, keys, issuer) } : undefined;
    this.#trusted = new Map(
      config.trustedIssuers.map((settings) => [settings.issuer, trustedTokens(accounts, settings)]),
    );
  }

  /** Whom the token of an `Authorization` header stands for. Throws `token.missing`, `token.expired`, `token.invalid`. */
  async read(authorization: string | undefined): Promise<Principal> {
    const [, token] = /^Bearer +([\w-]+\.[\w-]+\.[\w-]*)$/i.exec(authorization ?? '') ?? [];
    if (!token) {
      if (authorization !== undefined && /^Bearer +\S/i.test(authorization)) throw invalidToken();
      throw new ConnectError('token.missing', 'Send an access token: Authorization: Bearer <token>.');
    }
    try {
      const reader = this.#readerFor(decodeJwt(token).iss);
      if (!reader) throw invalidToken();
      return await reader(token);
    } catch (error) {
      if (error instanceof errors.JWTExpired)
        throw new ConnectError(
          'token.expired',
          'The access token has expired. Get a new one.',
          {},
          { cause: error },
        );
      if (error instanceof errors.JOSEError) throw invalidToken(error);
      throw error;
    }
  }

  #readerFor(issuer: string | undefined): Reader | undefined {
    if (issuer === undefined) return undefined;
    return issuer === this.#own?.issuer() ? this.#own.read : this.#trusted.get(issuer);
  }
}

/** One of `scopes` is enough. */
export function requireScope({ scopes: held }: Principal, scopes: readonly string[]): void {
  if (scopes.some((scope) => held.has(scope))) return;
  throw new ConnectError('token.scope', `The token needs the scope ${scopes.join(' or ')}.`, { scopes });
}
