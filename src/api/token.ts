/** Tokens (docs/service.md#tokens), the keys that sign them, their holders' profiles, and the errors of the token endpoint (RFC 6749 section 5.2). */
import * as z from 'zod/mini';
import type { Route } from './route.ts';
import { line } from './text.ts';

const Jwt = z.string().check(z.minLength(1), z.maxLength(16_384));

export const TokenResponse = z.object({
  access_token: z.string(),
  /** Seconds. */
  expires_in: z.int(),
  refresh_expires_in: z.int(),
  /** Deprecated: nothing accepts it. */
  refresh_token: z.string(),
  token_type: z.string(),
  /** Epoch seconds; tokens made before are not accepted. */
  'not-before-policy': z.int(),
  session_state: z.string(),
  /** Names separated by spaces. */
  scope: z.string(),
});
export type TokenResponse = z.infer<typeof TokenResponse>;

/** RFC 6749 section 3.2: unknown fields are ignored. The client may also authenticate by HTTP Basic. */
export const TokenRequest = z.looseObject({
  grant_type: z.string(),
  client_id: z.optional(z.string()),
  client_secret: z.optional(z.string()),
  /** Fewer scopes than the client has. */
  scope: z.optional(z.string()),
});
export type TokenRequest = z.infer<typeof TokenRequest>;

export const OAuthError = z.object({
  error: z.string(),
  error_description: z.string(),
});
export type OAuthError = z.infer<typeof OAuthError>;

export const RealmParams = z.strictObject({ realm: line(64) });

export const ExchangeRequest = z.strictObject({
  /** The client that the token is for. */
  clientId: line(128),
  /** The provider's name, as the service's configuration calls it. */
  identityProvider: z.union([line(128), z.looseObject({ name: line(128) })], {
    error: 'must be the name of an identity provider, or an object with its name',
  }),
  /** A token that the provider signed for the application. */
  idpToken: Jwt,
});
export type ExchangeRequest = z.infer<typeof ExchangeRequest>;

/** RFC 7517. */
export const Jwks = z.object({ keys: z.array(z.looseObject({ kty: z.string(), kid: z.string() })) });

/** OpenID Connect Discovery 1.0, the part that applies to client credentials. */
export const Discovery = z.object({
  issuer: z.string(),
  token_endpoint: z.string(),
  jwks_uri: z.string(),
  grant_types_supported: z.array(z.string()),
  response_types_supported: z.array(z.string()),
  subject_types_supported: z.array(z.string()),
  id_token_signing_alg_values_supported: z.array(z.string()),
  token_endpoint_auth_methods_supported: z.array(z.string()),
  scopes_supported: z.array(z.string()),
});

/** The logged-in user. */
export const Profile = z.object({
  userId: z.string(),
  /** A master PIN was set. */
  hasMasterPin: z.boolean(),
  username: z.nullable(z.string()),
  email: z.nullable(z.string()),
  firstName: z.nullable(z.string()),
  lastName: z.nullable(z.string()),
});
export type Profile = z.infer<typeof Profile>;

export const issueToken = {
  method: 'POST',
  path: '/auth/realms/{realm}/protocol/openid-connect/token',
  summary: 'Get an access token for a client id and its secret.',
  area: 'Tokens',
  params: RealmParams,
  body: TokenRequest,
  form: true,
  oauth: true,
  status: 200,
  answer: TokenResponse,
} as const satisfies Route;

export const readJwks = {
  method: 'GET',
  path: '/auth/realms/{realm}/protocol/openid-connect/certs',
  summary: 'Read the public keys that access tokens are signed with.',
  area: 'Tokens',
  params: RealmParams,
  status: 200,
  answer: Jwks,
} as const satisfies Route;

export const readDiscovery = {
  method: 'GET',
  path: '/auth/realms/{realm}/.well-known/openid-configuration',
  summary: "Read the issuer's metadata.",
  area: 'Tokens',
  params: RealmParams,
  status: 200,
  answer: Discovery,
} as const satisfies Route;

export const exchangeToken = {
  method: 'POST',
  path: '/auth/exchange',
  summary: "Get a user's access token for a token of an identity provider.",
  area: 'Tokens',
  body: ExchangeRequest,
  status: 200,
  answer: TokenResponse,
} as const satisfies Route;

export const readProfile = {
  method: 'GET',
  path: '/api/profile',
  summary: "Read the profile of the token's holder.",
  area: 'Profile',
  scopes: ['view:profile'],
  status: 200,
  answer: Profile,
} as const satisfies Route;
