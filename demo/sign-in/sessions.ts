/**
 * Signing in to the demo, as a shop's server does it: the user comes back from the identity provider with a code, the server exchanges it
 * for an id token, and that for the wallet service's tokens. Only the access token goes to the page, never the client's secret.
 */
import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { decodeJwt } from 'jose';
import { apiClient } from '../../src/api/client.ts';
import { exchangeToken } from '../../src/api/routes.ts';
import { ConnectError, toWire } from '../../src/base/errors.ts';
import type { ShopClient } from '../back-end.ts';
import { bodyOf, cookie, cookieOf, isJson, json, type Part, redirect } from '../requests.ts';
import type { ProviderClient } from './provider.ts';

/** The example provider's name at the wallet service. */
export const PROVIDER_NAME = 'example';

export interface SessionOptions {
  provider: { issuer: string; client: ProviderClient };
  /** The client at the wallet service for which tokens are exchanged. */
  shop: Promise<ShopClient>;
}

/** What the page learns about the signed-in user. */
export interface SignedIn {
  name: string;
  email: string;
}

interface Session extends SignedIn {
  /** Issued by the provider. */
  refreshToken: string;
  accessToken: string;
  renewing: Promise<void> | undefined;
}

interface Attempt {
  redirectUri: string;
  /** Where to return to on `PAGE`. */
  at: string;
  nonce: string;
}

const ATTEMPT = 'demo-attempt';
const SESSION = 'demo-session';
/** The page that has "Sign in". */
const PAGE = '/qa';
const MAX_KEPT = 1000;

function random(): string {
  return randomBytes(24).toString('base64url');
}

/** Drops the oldest if there are too many. */
function keep<T>(map: Map<string, T>, key: string, value: T): void {
  map.set(key, value);
  if (map.size > MAX_KEPT) map.delete(map.keys().next().value!);
}

export function sessions({ provider: { issuer, client }, shop }: SessionOptions): Part {
  const attempts = new Map<string, Attempt>();
  const signedIn = new Map<string, Session>();

  /** The provider's tokens for a code or a refresh token (RFC 6749). */
  async function fromProvider(grant: Record<string, string>) {
    const response = await fetch(`${issuer}/token`, {
      method: 'POST',
      body: new URLSearchParams({ client_id: client.id, client_secret: client.secret, ...grant }),
    });
    if (!response.ok) throw new ConnectError('token.invalid', 'The sign-in is over. Sign in again.');
    return (await response.json()) as { id_token: string; refresh_token: string };
  }

  async function exchange(idpToken: string): Promise<string> {
    const { url, clientId } = await shop;
    const body = { clientId, identityProvider: PROVIDER_NAME, idpToken };
    return (await apiClient({ url }).call(exchangeToken, { body })).access_token;
  }

  function begin(request: IncomingMessage, response: ServerResponse): void {
    const redirectUri = client.redirectUris.find((uri) => new URL(uri).host === request.headers.host);
    if (!redirectUri) return json(response, 400, { error: 'The page is reached by another name.' });
    const at = new URL(request.url!, redirectUri).searchParams.get('at') ?? '';
    const [state, nonce] = [random(), random()];
    keep(attempts, state, { redirectUri, at: /^#\/[\w/-]*$/.test(at) ? at : '', nonce });
    const query = { response_type: 'code', scope: 'openid email', client_id: client.id, state, nonce };
    const target = `${issuer}/authorize?${new URLSearchParams({ ...query, redirect_uri: redirectUri })}`;
    redirect(response, target, cookie(ATTEMPT, state, 600));
  }

  async function finish(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const query = new URL(request.url!, issuer).searchParams;
    const state = query.get('state') ?? '';
    const attempt = attempts.get(state);
    // The browser that comes back must be the one that left.
    if (!attempt || cookieOf(request, ATTEMPT) !== state) return redirect(response, PAGE);
    attempts.delete(state);
    const tokens = await fromProvider({
      grant_type: 'authorization_code',
      code: query.get('code') ?? '',
      redirect_uri: attempt.redirectUri,
    });
    const claims = decodeJwt<{ email: string; given_name: string; nonce: string }>(tokens.id_token);
    if (claims.nonce !== attempt.nonce) throw new ConnectError('token.invalid', 'Sign in again.');
    const id = random();
    keep(signedIn, id, {
      name: claims.given_name,
      email: claims.email,
      refreshToken: tokens.refresh_token,
      accessToken: await exchange(tokens.id_token),
      renewing: undefined,
    });
    redirect(response, `${PAGE}${attempt.at}`, cookie(SESSION, id));
  }

  async function renew(session: Session): Promise<void> {
    const grant = { grant_type: 'refresh_token', refresh_token: session.refreshToken };
    const tokens = await fromProvider(grant);
    session.refreshToken = tokens.refresh_token;
    session.accessToken = await exchange(tokens.id_token);
  }

  /** `expired`: the service no longer accepts the page's token. */
  async function accessToken(session: Session, expired: boolean): Promise<string> {
    // A refresh token can be used once, so concurrent requests share one renewal.
    if (expired)
      await (session.renewing ??= renew(session).finally(() => {
        session.renewing = undefined;
      }));
    return session.accessToken;
  }

  async function post(path: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (!isJson(request)) return json(response, 415, { error: 'Send application/json.' });
    const id = cookieOf(request, SESSION) ?? '';
    const session = signedIn.get(id);
    if (path === '/sign-out') {
      signedIn.delete(id);
      return json(response, 200, {}, cookie(SESSION, '', 0));
    }
    if (!session) return json(response, 401, { error: 'Nobody is signed in.' });
    const { expired } = JSON.parse(await bodyOf(request)) as { expired?: unknown };
    json(response, 200, { accessToken: await accessToken(session, expired === true) });
  }

  return async (path, request, response) => {
    try {
      switch (`${request.method} ${path}`) {
        case 'GET /sign-in':
          begin(request, response);
          return true;
        case 'GET /signed-in':
          await finish(request, response);
          return true;
        case 'GET /session.json': {
          const session = signedIn.get(cookieOf(request, SESSION) ?? '');
          const person: SignedIn | null = session ? { name: session.name, email: session.email } : null;
          json(response, 200, { person }, { 'Cache-Control': 'no-store' });
          return true;
        }
        case 'POST /session/token':
        case 'POST /sign-out':
          await post(path, request, response);
          return true;
        default:
          return false;
      }
    } catch (error) {
      if (!(error instanceof ConnectError)) throw error;
      json(response, 502, { error: toWire(error).message });
      return true;
    }
  };
}
