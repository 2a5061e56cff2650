/** Access tokens, the exchange, and the profile of a token's holder: docs/service.md#tokens. */
import { Profile } from './profile.ts';
import type { Route } from './route.ts';
import { Discovery, ExchangeRequest, Jwks, RealmParams, TokenRequest, TokenResponse } from './token.ts';

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
