/** Exchanges a token of an identity provider for a user's access token: docs/service.md#users. */
import { errors, type JWTPayload } from 'jose';
import { exchangeToken } from '../../src/api/routes.ts';
import { EXCHANGE_SCOPES } from '../../src/api/scopes.ts';
import { invalid } from '../../src/chains/requests/payloads.ts';
import { ConnectError } from '../../src/base/errors.ts';
import type { IdentityProvider } from './issuer-settings.ts';
import { serve } from '../http/serve.ts';
import type { Area } from '../service.ts';
import type { Person } from './accounts.ts';
import { isActive } from './clients.ts';
import { RemoteIssuer } from './remote-issuer.ts';

const MAX_TEXT = 256;

/** A claim that is shown to people; one that is unfit to show is left out. */
function textOf(value: unknown): string | null {
  return typeof value === 'string' &&
    value &&
    value.length <= MAX_TEXT &&
    !/[\p{Cc}\p{Surrogate}]/u.test(value)
    ? value
    : null;
}

/** Apple writes `"true"`: https://developer.apple.com/documentation/signinwithapple/authenticating-users-with-sign-in-with-apple */
function flagOf(value: unknown): unknown {
  return value === 'true' ? true : value === 'false' ? false : value;
}

/** Standard claims (OpenID Connect Core section 5.1). */
function personOf(claims: JWTPayload, { trustEmail }: IdentityProvider): Person {
  const email = claims['email'] === undefined ? undefined : textOf(claims['email']);
  const verified = flagOf(claims['email_verified']);
  const isVerified = email === undefined ? verified !== false : email !== null && verified === true;
  return {
    username: textOf(claims['preferred_username']),
    email,
    // One that a provider verified while it was trusted counts only as long as it is.
    verifiedEmail: trustEmail && isVerified ? email?.toLowerCase() : null,
    firstName: textOf(claims['given_name']),
    lastName: textOf(claims['family_name']),
  };
}

function refused(cause: unknown): ConnectError {
  return cause instanceof errors.JWTExpired
    ? new ConnectError('token.expired', 'The token of the identity provider has expired.', {}, { cause })
    : new ConnectError(
        'token.invalid',
        'The token of the identity provider is not valid here.',
        {},
        { cause },
      );
}

/** Section 2 of OpenID Connect Core: with several audiences, `azp` names the client that it was issued to. */
function checkParty({ azp, aud }: JWTPayload, { audience }: IdentityProvider): void {
  if (Array.isArray(aud) && aud.length > 1 && azp !== undefined && ![audience].flat().includes(azp as string))
    throw refused(undefined);
}

async function claimsOf(
  remote: RemoteIssuer,
  provider: IdentityProvider,
  token: string,
): Promise<JWTPayload> {
  try {
    const claims = await remote.verify(token, { maxTokenAge: provider.maxAge });
    if (textOf(claims.sub) === null) throw refused(undefined);
    checkParty(claims, provider);
    return claims;
  } catch (error) {
    throw error instanceof errors.JOSEError ? refused(error) : error;
  }
}

export const exchange: Area = (app, { config, db, accounts, tokens }) => {
  // A Map, so that `__proto__` is an unknown name like any other.
  const providers = new Map(
    config.identityProviders.map((provider) => [
      provider.name,
      { provider, remote: new RemoteIssuer(provider) },
    ]),
  );

  serve(
    app,
    exchangeToken,
    async ({ body: { clientId, identityProvider, idpToken } }) => {
      const entry = providers.get(
        typeof identityProvider === 'string' ? identityProvider : identityProvider.name,
      );
      if (!entry) throw invalid('identityProvider', 'is not known to this service');
      const { provider, remote } = entry;
      if (provider.clients?.includes(clientId) === false || !(await isActive(db, clientId)))
        throw invalid('clientId', 'is not a client that may exchange tokens of this identity provider');
      const claims = await claimsOf(remote, provider, idpToken);
      const accountId = await accounts.signIn(
        { issuer: provider.issuer, subject: claims.sub!, application: false },
        personOf(claims, provider),
        clientId,
      );
      return tokens.issue({ accountId, clientId, scopes: EXCHANGE_SCOPES });
    },
    { perMinute: config.tokenRateLimit },
  );
};
