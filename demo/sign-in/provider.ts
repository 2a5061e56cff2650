/**
 * An example identity provider (OpenID Connect, code flow), so that the demo has users who can sign in. It asks for no password: it is only
 * part of the demo.
 */
import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { bodyOf, json, type Part, redirect } from '../requests.ts';
import { PEOPLE, type Person } from './people.ts';
import { PROVIDER_STYLE, providerPage } from './provider-page.ts';

/** Its only client: the demo's server. */
export interface ProviderClient {
  id: string;
  secret: string;
  redirectUris: readonly string[];
}

const CODE_MS = 60_000;
const ID_TOKEN_SECONDS = 300;
const KEY = 'example';

const PAGE_HEADERS = {
  'Content-Security-Policy':
    "default-src 'none'; style-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Cache-Control': 'no-store',
};

interface Grant {
  person: Person;
  redirectUri: string;
  nonce: string | null;
  until: number;
}

function same(a: string, b: string): boolean {
  return a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b));
}

/** Serves paths below `base`, the path of `issuer`. */
export async function exampleProvider(issuer: string, client: ProviderClient): Promise<Part> {
  const base = new URL(issuer).pathname;
  const { privateKey, publicKey } = await generateKeyPair('ES256');
  const publicJwk = { ...(await exportJWK(publicKey)), kid: KEY, alg: 'ES256', use: 'sig' };
  const codes = new Map<string, Grant>();
  /** The owner of each refresh token. */
  const refreshTokens = new Map<string, Person>();

  function idToken({ id, firstName, lastName, email }: Person, nonce: string | null): Promise<string> {
    return new SignJWT({
      email,
      email_verified: true,
      preferred_username: id,
      given_name: firstName,
      family_name: lastName,
      ...(nonce === null ? {} : { nonce }),
    })
      .setProtectedHeader({ alg: 'ES256', kid: KEY })
      .setIssuer(issuer)
      .setSubject(id)
      .setAudience(client.id)
      .setIssuedAt()
      .setExpirationTime(`${ID_TOKEN_SECONDS} s`)
      .sign(privateKey);
  }

  /** The page, and the redirect once a person is chosen on it. */
  function authorize(query: URLSearchParams, response: ServerResponse): void {
    const redirectUri = query.get('redirect_uri') ?? '';
    // Never redirect to an unknown URI.
    if (query.get('client_id') !== client.id || !client.redirectUris.includes(redirectUri))
      return json(response, 400, { error: 'invalid_request' }, PAGE_HEADERS);
    const person = PEOPLE.find(({ id }) => id === query.get('person'));
    if (!person) {
      const link = (id: string): string =>
        `${base}/authorize?${new URLSearchParams([...query, ['person', id]])}`;
      response
        .writeHead(200, { ...PAGE_HEADERS, 'Content-Type': 'text/html; charset=utf-8' })
        .end(providerPage(`${base}/style.css`, link));
      return;
    }
    const code = randomBytes(24).toString('base64url');
    const now = Date.now();
    for (const [old, { until }] of codes) if (until < now) codes.delete(old);
    codes.set(code, { person, redirectUri, nonce: query.get('nonce'), until: now + CODE_MS });
    const target = new URL(redirectUri);
    target.search = new URLSearchParams({ code, state: query.get('state') ?? '' }).toString();
    redirect(response, target.href);
  }

  /** Codes and refresh tokens can be used once. */
  async function token(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const form = new URLSearchParams(await bodyOf(request));
    if (form.get('client_id') !== client.id || !same(form.get('client_secret') ?? '', client.secret))
      return json(response, 401, { error: 'invalid_client' });
    const code = form.get('code') ?? '';
    const refreshToken = form.get('refresh_token') ?? '';
    const grant = codes.get(code);
    const person =
      grant && grant.until > Date.now() && grant.redirectUri === form.get('redirect_uri')
        ? grant.person
        : refreshTokens.get(refreshToken);
    codes.delete(code);
    refreshTokens.delete(refreshToken);
    if (!person) return json(response, 400, { error: 'invalid_grant' });
    const next = randomBytes(24).toString('base64url');
    refreshTokens.set(next, person);
    json(response, 200, {
      id_token: await idToken(person, grant?.nonce ?? null),
      refresh_token: next,
      token_type: 'Bearer',
      expires_in: ID_TOKEN_SECONDS,
    });
  }

  return async (path, request, response) => {
    if (!path.startsWith(`${base}/`)) return false;
    switch (`${request.method} ${path.slice(base.length)}`) {
      case 'GET /.well-known/openid-configuration':
        json(response, 200, {
          issuer,
          authorization_endpoint: `${issuer}/authorize`,
          token_endpoint: `${issuer}/token`,
          jwks_uri: `${issuer}/keys`,
          response_types_supported: ['code'],
          subject_types_supported: ['public'],
          id_token_signing_alg_values_supported: ['ES256'],
        });
        return true;
      case 'GET /keys':
        json(response, 200, { keys: [publicJwk] });
        return true;
      case 'GET /style.css':
        response
          .writeHead(200, { ...PAGE_HEADERS, 'Content-Type': 'text/css; charset=utf-8' })
          .end(PROVIDER_STYLE);
        return true;
      case 'GET /authorize':
        authorize(new URL(request.url!, issuer).searchParams, response);
        return true;
      case 'POST /token':
        await token(request, response);
        return true;
      default:
        return false;
    }
  };
}
