/** Checks the access tokens that the API is called with: our own, and those of issuers that the configuration names. */
import { hash } from 'node:crypto';
import { decodeJwt, errors, type JWTPayload } from 'jose';
import { CHECKOUT_SCOPES } from '../../src/api/scopes.ts';
import { ConnectError } from '../../src/base/errors.ts';
import type { TrustedIssuer } from './issuer-settings.ts';
import type { Database } from '../database/database.ts';
import type { Accounts } from './accounts.ts';
import { ActiveClients } from './clients.ts';
import type { Principal } from '../http/principal.ts';
import { verifyJwt } from '../http/jwt.ts';
import { RemoteIssuer } from './remote-issuer.ts';
import { ALGORITHM, type SigningKeys } from './signing-keys.ts';
import { ACCESS_AUDIENCE, ACCESS_TYPE, SCOPES_CLAIM, SECRET_CLAIM } from './token-issuer.ts';

interface Checked {
  principal: Principal;
  /** Milliseconds since the epoch. */
  expiresAt: number;
  /** What can change while the token is valid, checked for every request. */
  holds(): Promise<boolean>;
}

/** One issuer's tokens. Throws jose's errors, and `ConnectError`s. */
type Reader = (token: string) => Promise<Checked>;

/** Signatures are remembered for no longer than a remote key set, so that a key can be revoked. */
const REMOTE_MS = 60_000;
const REMEMBERED = 10_000;

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
    const { payload, protectedHeader } = await verifyJwt(
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
        requiredClaims: ['sub', 'exp', 'iat', 'client_id'],
      },
    );
    const accountId = payload.sub!;
    const applicationId = payload['client_id'] as string;
    const secretId = payload[SECRET_CLAIM] as string | undefined;
    const { kid = '' } = protectedHeader;
    const isApplication = accountId === applicationId;
    return {
      principal: {
        accountId,
        applicationId,
        isApplication,
        scopes: scopesOf(payload['scope']),
        ...(secretId === undefined ? {} : { secretId }),
        ...(isApplication && payload[SCOPES_CLAIM] === undefined ? { isOutdated: true } : {}),
      },
      expiresAt: payload.exp! * 1000,
      holds: async () =>
        (await keys.verificationKey(kid)) !== undefined && (await clients.has(applicationId, secretId)),
    };
  };
}

function trustedTokens(accounts: Accounts, settings: TrustedIssuer): Reader {
  const remote = new RemoteIssuer(settings);
  const { issuer, scopeClaim, clientClaim, applicationClaim, type, legacyCheckout, networks } = settings;
  return async (token) => {
    const claims = await remote.verify(token, type ? { typ: type } : {});
    const client = claimAt(claims, clientClaim);
    if (typeof client !== 'string' || !client) throw invalidToken();
    const isApplication = applicationClaim
      ? Boolean(claimAt(claims, applicationClaim))
      : claims.sub === client;
    const applicationId = await accounts.idOf({ issuer, subject: client, application: true });
    const scopes = scopesOf(claimAt(claims, scopeClaim));
    if (legacyCheckout && isApplication) for (const scope of CHECKOUT_SCOPES) scopes.add(scope);
    return {
      principal: {
        accountId: isApplication
          ? applicationId
          : await accounts.idOf({ issuer, subject: claims.sub!, application: false }),
        applicationId,
        isApplication,
        scopes,
        ...(networks ? { networks } : {}),
      },
      expiresAt: Math.min(claims.exp! * 1000, Date.now() + REMOTE_MS),
      holds: () => Promise.resolve(true),
    };
  };
}

/** Clients of RFC 9449 write `DPoP` instead of `Bearer`. Undefined when the header has no token. */
export function tokenIn(authorization: string | undefined): string | undefined {
  return /^(?:Bearer|DPoP) +([\w-]+\.[\w-]+\.[\w-]*)$/i.exec(authorization ?? '')?.[1];
}

export class AccessTokens {
  readonly #own: { issuer: () => string; read: Reader } | undefined;
  readonly #trusted: ReadonlyMap<string, Reader>;
  /** Verified signatures, by the token's hash: most tokens come many times, and verifying costs more than the rest of a read. */
  readonly #checked = new Map<string, Checked>();

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

  /** The principal of the token in an `Authorization` header. Throws `token.missing`, `token.expired`, `token.invalid`. */
  async read(authorization: string | undefined): Promise<Principal> {
    const token = tokenIn(authorization);
    if (!token) {
      if (authorization !== undefined && /^(Bearer|DPoP) +\S/i.test(authorization)) throw invalidToken();
      throw new ConnectError('token.missing', 'Send an access token: Authorization: Bearer <token>.');
    }
    try {
      const { principal, holds } = await this.#check(token);
      if (!(await holds())) throw invalidToken();
      return principal;
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

  async #check(token: string): Promise<Checked> {
    const key = hash('sha256', token, 'base64');
    const entry = this.#checked.get(key);
    if (entry && entry.expiresAt > Date.now()) return entry;
    this.#checked.delete(key);
    const reader = this.#readerFor(decodeJwt(token).iss);
    if (!reader) throw invalidToken();
    const checked = await reader(token);
    if (this.#checked.size >= REMEMBERED) this.#checked.clear();
    this.#checked.set(key, checked);
    return checked;
  }

  #readerFor(issuer: string | undefined): Reader | undefined {
    if (issuer === undefined) return undefined;
    return issuer === this.#own?.issuer() ? this.#own.read : this.#trusted.get(issuer);
  }
}

/** One of `scopes` is enough. Throws `token.scope`, and `token.expired` if a new token may have one. */
export function requireScope({ scopes: held, isOutdated }: Principal, scopes: readonly string[]): void {
  if (scopes.some((scope) => held.has(scope))) return;
  if (isOutdated)
    throw new ConnectError('token.expired', 'The access token is of an earlier release. Get a new one.');
  throw new ConnectError('token.scope', `The token needs the scope ${scopes.join(' or ')}.`, { scopes });
}

export function requireApplication({ isApplication }: Principal): void {
  if (isApplication) return;
  throw new ConnectError('token.scope', "This call takes the application's own token, not a user's.", {
    scopes: [],
  });
}
