/** npm entry. Importable on a server; registers nothing: `carabiner/elements` does. */
export { createConnect } from './actions/connect.ts';
export type {
  CallOptions,
  Connect,
  ConnectOptions,
  GetAccessToken,
  MaxOptions,
  ReadOptions,
  SignParams,
  SwapQuery,
  TypedData,
  WalletNetwork,
} from './actions/types.ts';
export type { NativeBalance, NonFungible, TokenBalance, Wallet } from './api/wallet.ts';
export type {
  AnySignature,
  CertificateAnnex,
  CertificateSignature,
  MessageSignature,
  Signature,
  SignatureOf,
  TransactionState,
} from './chains/terms.ts';
export type {
  BuildBody,
  NativeTransaction,
  SignatureRequest,
  TransactionRequest,
} from './chains/requests.ts';
export type { SecretType } from './chains/secret-type.ts';
export type {
  AskedFor,
  Pending,
  Replaced,
  SignResult,
  Stage,
  TransactionResult,
} from './channel/messages.ts';
export type { Action } from './base/actions.ts';
export type { TransferParams } from './channel/ask-schema.ts';
export type { AssetPrice, AssetPrices } from './prices/prices.ts';
export type { Announced, EthereumProvider, ProviderChain } from './provider/types.ts';
export {
  ConnectError,
  DOCS_URL,
  type ErrorCode,
  type ErrorDetails,
  FrameBlockedError,
  FrameUnreachableError,
  fromWire,
  type Issue,
  RequestInvalidError,
  type SwapCode,
  toWire,
  UserRejectedError,
  type WireError,
} from './base/errors.ts';
