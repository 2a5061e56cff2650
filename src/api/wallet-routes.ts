/** Wallets and what they hold: docs/service.md#wallets. */
import * as z from 'zod/mini';
import { OwnPincode, RecoveryCodeAnswer } from './account.ts';
import { CreatedWallet, NativeBalance, NonFungible, TokenBalance, Wallet } from './wallet.ts';
import {
  CreateWallet,
  ExportedKey,
  ExportWallet,
  FindRecipient,
  ImportWallet,
  NetworkQuery,
  NonFungibleParams,
  NonFungibleQuery,
  Recipient,
  TokenBalancesQuery,
  UpdateWallet,
  WalletParams,
  WalletsQuery,
  WalletTokenParams,
} from './wallet-requests.ts';
import type { Route } from './route.ts';

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

export const importWallet = {
  method: 'POST',
  path: '/api/wallets/import',
  summary: 'Create a wallet from an existing private key.',
  area: 'Wallets',
  scopes: ['whitelabel', 'sign:wallets'],
  proof: 'new',
  passkey: 'required',
  body: ImportWallet,
  idempotencyKey: true,
  status: 201,
  answer: CreatedWallet,
} as const satisfies Route;

export const listWallets = {
  method: 'GET',
  path: '/api/wallets',
  summary: "List the token's wallets, oldest first: all of them, or with `limit` page by page.",
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
  query: NetworkQuery,
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
  query: TokenBalancesQuery,
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
  query: NetworkQuery,
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

export const updateWallet = {
  method: 'PATCH',
  path: '/api/wallets/{id}',
  summary: 'Rename a wallet, make it the primary one, archive it or restore it.',
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
  summary: "Export a wallet's private key.",
  area: 'Wallets',
  scopes: ['sign:wallets', 'whitelabel'],
  proof: 'enrolled',
  passkey: 'required',
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
  passkey: 'required',
  params: WalletParams,
  body: OwnPincode,
  status: 200,
  answer: RecoveryCodeAnswer,
} as const satisfies Route;

export const findRecipient = {
  method: 'POST',
  path: '/api/recipients',
  summary: 'Find the wallet address for an e-mail address on a chain.',
  area: 'Transactions',
  scopes: ['save:transaction', 'sign:wallets'],
  proof: 'enrolled',
  body: FindRecipient,
  status: 200,
  answer: Recipient,
} as const satisfies Route;
