/** Every call of the service (spec 4 and DESIGN's additions), one constant each, so that a caller's bundle holds only those it makes. */
import * as z from 'zod/mini';
import { NonFungible, NonFungibleParams, NonFungibleQuery } from './non-fungible.ts';
import { Profile } from './profile.ts';
import type { Route } from './route.ts';
import { Discovery, ExchangeRequest, Jwks, RealmParams, TokenRequest, TokenResponse } from './token.ts';
import {
  BuildRequest,
  ExecuteRequest,
  NativeRequest,
  SignatureRequest,
  SignatureResult,
  StatusParams,
  StatusQuery,
  TransactionResult,
  TransactionStatus,
} from './transaction.ts';
import { NativeBalance, TokenBalance, Wallet } from './wallet.ts';
import { CreateWallet, WalletParams, WalletsQuery, WalletTokenParams } from './wallet-requests.ts';

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
  summary: 'Read who the token stands for.',
  area: 'Profile',
  scopes: ['view:profile'],
  status: 200,
  answer: Profile,
} as const satisfies Route;

export const createWallet = {
  method: 'POST',
  path: '/api/wallets',
  summary: 'Create a wallet.',
  area: 'Wallets',
  scopes: ['whitelabel', 'sign:wallets'],
  body: CreateWallet,
  idempotencyKey: true,
  status: 201,
  answer: Wallet,
} as const satisfies Route;

export const listWallets = {
  method: 'GET',
  path: '/api/wallets',
  summary: "List the token's wallets.",
  area: 'Wallets',
  scopes: ['view:wallets', 'use:all-wallets'],
  query: WalletsQuery,
  status: 200,
  answer: z.array(Wallet),
} as const satisfies Route;

export const readWallet = {
  method: 'GET',
  path: '/api/wallets/{id}',
  summary: 'Read a wallet with its balance.',
  area: 'Wallets',
  scopes: ['view:wallets', 'use:all-wallets'],
  params: WalletParams,
  status: 200,
  answer: Wallet,
} as const satisfies Route;

export const readBalance = {
  method: 'GET',
  path: '/api/wallets/{id}/balance',
  summary: 'Read the native balance of a wallet.',
  area: 'Wallets',
  scopes: ['view:wallets', 'use:all-wallets'],
  params: WalletParams,
  status: 200,
  answer: NativeBalance,
} as const satisfies Route;

export const listTokenBalances = {
  method: 'GET',
  path: '/api/wallets/{id}/balance/tokens',
  summary: 'Read the balances of all supported tokens.',
  area: 'Wallets',
  scopes: ['view:wallets', 'use:all-wallets'],
  params: WalletParams,
  status: 200,
  answer: z.array(TokenBalance),
} as const satisfies Route;

export const readTokenBalance = {
  method: 'GET',
  path: '/api/wallets/{id}/balance/tokens/{token}',
  summary: 'Read the balance of one token, by its address.',
  area: 'Wallets',
  scopes: ['view:wallets', 'use:all-wallets'],
  params: WalletTokenParams,
  status: 200,
  answer: TokenBalance,
} as const satisfies Route;

export const listNonFungibles = {
  method: 'GET',
  path: '/api/wallets/{walletId}/nonfungibles',
  summary: 'List the non-fungible tokens of an Ethereum wallet.',
  area: 'Wallets',
  scopes: ['view:wallets', 'use:all-wallets'],
  params: NonFungibleParams,
  query: NonFungibleQuery,
  status: 200,
  answer: z.array(NonFungible),
} as const satisfies Route;

export const buildTransaction = {
  method: 'POST',
  path: '/api/transactions/build',
  summary: 'Build the native transaction request that an intent means on its chain.',
  area: 'Transactions',
  scopes: ['save:transaction', 'sign:wallets'],
  body: BuildRequest,
  status: 200,
  answer: NativeRequest,
} as const satisfies Route;

export const executeTransaction = {
  method: 'POST',
  path: '/api/transactions/execute',
  summary: 'Sign a native transaction request and send it.',
  area: 'Transactions',
  scopes: ['sign:wallets'],
  body: ExecuteRequest,
  idempotencyKey: true,
  status: 200,
  answer: TransactionResult,
} as const satisfies Route;

export const readTransactionStatus = {
  method: 'GET',
  path: '/api/transactions/{hash}/status',
  summary: 'Read what became of a transaction.',
  area: 'Transactions',
  scopes: ['view:wallets', 'use:all-wallets'],
  params: StatusParams,
  query: StatusQuery,
  status: 200,
  answer: TransactionStatus,
} as const satisfies Route;

export const createSignature = {
  method: 'POST',
  path: '/api/signatures',
  summary: 'Sign data.',
  area: 'Transactions',
  scopes: ['sign:wallets'],
  body: SignatureRequest,
  idempotencyKey: true,
  status: 200,
  answer: SignatureResult,
} as const satisfies Route;
