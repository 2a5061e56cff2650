/** Every call of the service (spec 4 and DESIGN's additions), one constant each, so that a caller's bundle holds only those it makes. */
import * as z from 'zod/mini';
import {
  Account,
  ChangePincode,
  Device,
  DeviceParams,
  EnrolDevice,
  Links,
  LinksQuery,
  Nothing,
  OwnPincode,
  PutLinks,
  RecoverPincode,
  RecoveryCodeAnswer,
  RenewRecoveryCode,
} from './account.ts';
import { NonFungible, NonFungibleParams, NonFungibleQuery } from './non-fungible.ts';
import { Profile } from './profile.ts';
import { FindRecipient, Recipient } from './recipient.ts';
import type { Route } from './route.ts';
import { CreateSwap, ExchangeRates, RatesQuery, TradingPair } from './swap.ts';
import { Discovery, ExchangeRequest, Jwks, RealmParams, TokenRequest, TokenResponse } from './token.ts';
import {
  ApprovedRequest,
  ApprovedResult,
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
import { CreatedWallet, NativeBalance, TokenBalance, Wallet } from './wallet.ts';
import {
  CreateWallet,
  ExportedKey,
  ExportWallet,
  UpdateWallet,
  WalletParams,
  WalletsQuery,
  WalletTokenParams,
} from './wallet-requests.ts';

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
  proof: 'new',
  body: CreateWallet,
  idempotencyKey: true,
  status: 201,
  answer: CreatedWallet,
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

export const findRecipient = {
  method: 'POST',
  path: '/api/recipients',
  summary: 'Find the address that an e-mail address stands for on a chain.',
  area: 'Transactions',
  scopes: ['save:transaction', 'sign:wallets'],
  proof: 'enrolled',
  body: FindRecipient,
  status: 200,
  answer: Recipient,
} as const satisfies Route;

export const buildTransaction = {
  method: 'POST',
  path: '/api/transactions/build',
  summary: 'Build the native transaction request that an intent means on its chain.',
  area: 'Transactions',
  scopes: ['save:transaction', 'sign:wallets'],
  proof: 'optional',
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
  proof: 'enrolled',
  body: ExecuteRequest,
  idempotencyKey: true,
  status: 200,
  answer: TransactionResult,
} as const satisfies Route;

export const executeApproved = {
  method: 'POST',
  path: '/api/transactions/approved',
  summary: 'Sign a transaction exactly as its user approved it, and send it.',
  area: 'Transactions',
  scopes: ['sign:wallets'],
  proof: 'enrolled',
  body: ApprovedRequest,
  idempotencyKey: true,
  status: 200,
  answer: ApprovedResult,
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
  proof: 'enrolled',
  body: SignatureRequest,
  idempotencyKey: true,
  status: 200,
  answer: SignatureResult,
} as const satisfies Route;

export const updateWallet = {
  method: 'PATCH',
  path: '/api/wallets/{id}',
  summary: 'Rename a wallet, make it the primary one, archive it or bring it back.',
  area: 'Wallets',
  scopes: ['sign:wallets', 'whitelabel'],
  proof: 'enrolled',
  params: WalletParams,
  body: UpdateWallet,
  status: 200,
  answer: Wallet,
} as const satisfies Route;

export const exportWallet = {
  method: 'POST',
  path: '/api/wallets/{id}/export',
  summary: "Read a wallet's private key.",
  area: 'Wallets',
  scopes: ['sign:wallets', 'whitelabel'],
  proof: 'enrolled',
  params: WalletParams,
  body: ExportWallet,
  status: 200,
  answer: ExportedKey,
} as const satisfies Route;

export const setOwnPincode = {
  method: 'POST',
  path: '/api/wallets/{id}/pincode',
  summary: 'Give a wallet a PIN of its own in place of the master PIN.',
  area: 'PINs and devices',
  scopes: ['sign:wallets'],
  proof: 'enrolled',
  params: WalletParams,
  body: OwnPincode,
  status: 200,
  answer: RecoveryCodeAnswer,
} as const satisfies Route;

export const readAccount = {
  method: 'GET',
  path: '/api/account',
  summary: "Read the state of the user's master PIN, and whether this device is enrolled.",
  area: 'PINs and devices',
  scopes: ['view:wallets'],
  proof: 'optional',
  status: 200,
  answer: Account,
} as const satisfies Route;

export const changePincode = {
  method: 'POST',
  path: '/api/pincode',
  summary: "Change the master PIN, or a wallet's own.",
  area: 'PINs and devices',
  scopes: ['sign:wallets', 'whitelabel'],
  proof: 'enrolled',
  body: ChangePincode,
  status: 200,
  answer: Nothing,
} as const satisfies Route;

export const recoverPincode = {
  method: 'POST',
  path: '/api/pincode/recover',
  summary: 'Set another PIN by the recovery code, which lifts every lock of it and is used up.',
  area: 'PINs and devices',
  scopes: ['sign:wallets', 'whitelabel'],
  proof: 'new',
  body: RecoverPincode,
  status: 200,
  answer: RecoveryCodeAnswer,
} as const satisfies Route;

export const renewRecoveryCode = {
  method: 'POST',
  path: '/api/pincode/recovery-code',
  summary: 'Get another recovery code for a PIN. The one before no longer works.',
  area: 'PINs and devices',
  scopes: ['sign:wallets', 'whitelabel'],
  proof: 'enrolled',
  body: RenewRecoveryCode,
  status: 200,
  answer: RecoveryCodeAnswer,
} as const satisfies Route;

export const enrolDevice = {
  method: 'POST',
  path: '/api/devices',
  summary: 'Enrol a further device by the master PIN and its recovery code.',
  area: 'PINs and devices',
  scopes: ['sign:wallets'],
  proof: 'new',
  body: EnrolDevice,
  status: 201,
  answer: Device,
} as const satisfies Route;

export const listDevices = {
  method: 'GET',
  path: '/api/devices',
  summary: 'List the devices that may spend.',
  area: 'PINs and devices',
  scopes: ['sign:wallets'],
  proof: 'enrolled',
  status: 200,
  answer: z.array(Device),
} as const satisfies Route;

export const removeDevice = {
  method: 'DELETE',
  path: '/api/devices/{thumbprint}',
  summary: 'Take the right to spend from a device.',
  area: 'PINs and devices',
  scopes: ['sign:wallets'],
  proof: 'enrolled',
  params: DeviceParams,
  status: 200,
  answer: Nothing,
} as const satisfies Route;

export const readLinks = {
  method: 'GET',
  path: '/api/links',
  summary: 'List the wallets that the user showed to a site.',
  area: 'Links',
  scopes: ['view:wallets'],
  proof: 'enrolled',
  query: LinksQuery,
  status: 200,
  answer: Links,
} as const satisfies Route;

export const putLinks = {
  method: 'PUT',
  path: '/api/links',
  summary: 'Say which wallets a site may see.',
  area: 'Links',
  scopes: ['view:wallets'],
  proof: 'enrolled',
  body: PutLinks,
  status: 200,
  answer: Links,
} as const satisfies Route;

export const swapPairs = {
  method: 'GET',
  path: '/api/wallets/{id}/swaps/pairs',
  summary: "List what can be swapped for what on a wallet's network.",
  area: 'Swaps',
  scopes: ['view:wallets', 'use:all-wallets'],
  params: WalletParams,
  status: 200,
  answer: z.array(TradingPair),
} as const satisfies Route;

export const swapRates = {
  method: 'GET',
  path: '/api/swaps/rates',
  summary: 'Ask every exchange what it gives for an amount, or takes for it.',
  area: 'Swaps',
  scopes: ['view:wallets', 'use:all-wallets'],
  query: RatesQuery,
  status: 200,
  answer: ExchangeRates,
} as const satisfies Route;

export const createSwap = {
  method: 'POST',
  path: '/api/wallets/{id}/swaps',
  summary: 'Build the native transaction requests that carry a swap out, in their order.',
  area: 'Swaps',
  scopes: ['save:transaction', 'sign:wallets'],
  params: WalletParams,
  body: CreateSwap,
  status: 200,
  answer: z.array(NativeRequest),
} as const satisfies Route;

export * from './checkout-routes.ts';
