/** The token endpoint (RFC 6749 section 4.4), its keys and its metadata. */
import { ConnectError } from '../../src/base/errors.ts';
import { issueToken, readDiscovery, readJwks } from '../../src/api/routes.ts';
import { SCOPES } from '../../src/api/scopes.ts';
import type { TokenRequest } from '../../src/api/token.ts';
import { BASIC_CHALLENGE, OAuthRefusal } from '../http/oauth-errors.ts';
import { tooMany } from '../http/rate-limits.ts';
import { serve } from '../http/serve.ts';
import type { Area } from '../service.ts';
import { basicCredentials } from './basic.ts';
import { checkSecret } from './clients.ts';
import { ALGORITHM } from './signing-keys.ts';

interface Credentials {
  id: string;
  secret: string;
  basic: boolean;
}

function credentialsOf(authorization: string | undefined, body: TokenRequest): Credentials {
  const { client_id: id, client_secret: secret } = body;
  if (authorization !== undefined) {
    if (secret !== undefined)
      throw new OAuthRefusal('invalid_request', 'Send the secret in the header or in the body, not in both.');
    const basic = basicCredentials(authorization);
    if (!basic || (id !== undefined && id !== basic.id)) throw wrongClient(true);
    return { ...basic, basic: true };
  }
  if (!id || !secret) throw new OAuthRefusal('invalid_request', 'client_id and client_secret are required.');
  return { id, secret, basic: false };
}

function wrongClient(basic: boolean): OAuthRefusal {
  return new OAuthRefusal(
    'invalid_client',
    'The client is unknown, its secret is wrong, or it was revoked.',
    basic ? BASIC_CHALLENGE : undefined,
  );
}

/** Without a value the parameter counts as absent (RFC 6749 section 3.1); white space alone is a value, and names no scope. */
function scopesFor(held: readonly string[], wanted = ''): readonly string[] {
  if (wanted === '') return held;
  const names = wanted.split(' ').filter(Boolean);
  if (names.length === 0 || !names.every((name) => held.includes(name)))
    throw new OAuthRefusal('invalid_scope', 'The client does not have one of these scopes.');
  return held.filter((name) => names.includes(name));
}

const CACHED = 'public, max-age=300';

export const issuer: Area = (app, { config, db, limits, signingKeys, tokens }) => {
  function checkRealm(realm: string): void {
    if (realm !== config.realm) throw new ConnectError('request.not-found', 'There is no such realm.');
  }

  serve(
    app,
    issueToken,
    async ({ params, body, request }) => {
      checkRealm(params.realm);
      if (body.grant_type !== 'client_credentials')
        throw new OAuthRefusal('unsupported_grant_type', 'grant_type must be client_credentials.');
      const { id, secret, basic } = credentialsOf(request.headers.authorization, body);
      const client = await checkSecret(db, id, secret);
      if (!client) throw wrongClient(basic);
      // Only with the right secret: nobody else can use up the client's limit.
      if (config.tokenRateLimit > 0) {
        const { allowed, ttl } = await limits.take(`tokens ${client.id}`, config.tokenRateLimit, {
          exact: true,
        });
        if (!allowed) throw tooMany(ttl);
      }
      return tokens.issue({
        accountId: client.id,
        clientId: client.id,
        secretId: client.secretId,
        scopes: scopesFor(client.scopes, body.scope),
      });
    },
    { perMinute: config.tokenRateLimit },
  );

  serve(app, readJwks, async ({ params, reply }) => {
    checkRealm(params.realm);
    void reply.header('Cache-Control', CACHED).removeHeader('Pragma');
    return { keys: (await signingKeys.published()) as { kty: string; kid: string }[] };
  });

  serve(app, readDiscovery, ({ params, reply }) => {
    checkRealm(params.realm);
    void reply.header('Cache-Control', CACHED).removeHeader('Pragma');
    const protocol = `${tokens.url()}/protocol/openid-connect`;
    return {
      issuer: tokens.url(),
      token_endpoint: `${protocol}/token`,
      jwks_uri: `${protocol}/certs`,
      grant_types_supported: ['client_credentials'],
      response_types_supported: [],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: [ALGORITHM],
      token_endpoint_auth_methods_supported: ['client_secret_post', 'client_secret_basic'],
      scopes_supported: [...SCOPES],
    };
  });
};
