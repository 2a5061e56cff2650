/** The schemas that have a name of their own in `/openapi.json`; others are inlined. */
import type * as z from 'zod';
import {
  CrossChainSwap,
  Estimate,
  HistoryEntry,
  Money,
  SwapPayment,
  TransactionDetails,
} from '../../src/api/history.ts';
import { CreatedWallet, NativeBalance, NonFungible, TokenBalance, Wallet } from '../../src/api/wallet.ts';
import {
  BatchRequest,
  BatchResult,
  BatchTransaction,
  EstimateRequest,
  ReplaceResult,
} from '../../src/api/orders.ts';
import { Problem } from '../../src/api/problem.ts';
import {
  Discovery,
  ExchangeRequest,
  Jwks,
  OAuthError,
  Profile,
  TokenRequest,
  TokenResponse,
} from '../../src/api/token.ts';
import { CreateSwap, ExchangeRate, ExchangeRates, TradingPair } from '../../src/api/swap.ts';
import {
  OpenedSpendingSession,
  OpenSpendingSession,
  SpendingSession,
} from '../../src/api/spending-session.ts';
import {
  BuildRequest,
  ExecuteRequest,
  NativeRequest,
  SignatureRequest,
  SignatureResult,
  TransactionResult,
  TransactionStatus,
} from '../../src/api/transaction.ts';
import { CreateWallet, ImportWallet, UpdateWallet } from '../../src/api/wallet-requests.ts';
import { Branding, BrandingRequest, IconFile } from '../../src/api/branding.ts';
import { CheckoutSession, CreateSession, LoginLink, SessionWalletPayment } from '../../src/api/checkout.ts';
import { Receipt, ReceiptRefund } from '../../src/api/receipt.ts';
import { CreateRefund, Refund } from '../../src/api/refund.ts';
import { CreatedRefundLink, CreateRefundLink, RefundLink } from '../../src/api/refund-link.ts';
import { ApproveTransaction, HeldTransaction, Policy, StoredPolicy } from '../../src/api/policy.ts';
import { PayAnswer, PayByCard, PayPage, WalletPayment } from '../../src/api/pay.ts';
import {
  PutReceivingKey,
  PutReceivingWallet,
  PutReceivingWallets,
  ReceivedPayment,
  ReceivingKey,
  ReceivingWallet,
  ReceivingWallets,
} from '../../src/api/receiving-wallet.ts';
import {
  CreatedWalletWebhook,
  CreateWalletWebhook,
  ListedWalletWebhook,
  WalletDelivery,
  Watch,
} from '../../src/api/wallet-event.ts';
import {
  CreatedWebhook,
  CreateWebhook,
  Delivery,
  ListedWebhook,
  ReceiverCredentials,
} from '../../src/api/webhook.ts';
import { ClientSecret, CreatedClientSecret } from '../../src/api/client-secret.ts';
import { Account, Device } from '../../src/api/account.ts';
import { AddPasskey, PasskeyAnswer, PasskeyState } from '../../src/api/passkey.ts';

export const NAMED_ANSWERS: Record<string, z.core.$ZodType> = {
  TokenResponse,
  Jwks,
  Discovery,
  Wallet,
  CreatedWallet,
  Account,
  Device,
  PasskeyState,
  ClientSecret,
  CreatedClientSecret,
  NativeBalance,
  TokenBalance,
  NonFungible,
  Profile,
  NativeRequest,
  TransactionResult,
  TransactionStatus,
  HistoryEntry,
  TransactionDetails,
  CrossChainSwap,
  SwapPayment,
  Estimate,
  Money,
  BatchResult,
  ReplaceResult,
  SignatureResult,
  SpendingSession,
  OpenedSpendingSession,
  StoredPolicy,
  HeldTransaction,
  TradingPair,
  ExchangeRate,
  ExchangeRates,
  SessionWalletPayment,
  CheckoutSession,
  Refund,
  RefundLink,
  CreatedRefundLink,
  Receipt,
  ReceiptRefund,
  LoginLink,
  PayPage,
  PayAnswer,
  WalletPayment,
  ReceivingKey,
  ReceivingWallet,
  ReceivingWallets,
  ReceivedPayment,
  IconFile,
  BrandingAnswer: Branding,
  CreatedWebhook,
  ListedWebhook,
  Delivery,
  CreatedWalletWebhook,
  ListedWalletWebhook,
  WalletDelivery,
  Watch,
  // Generators give the shorter names to fields called so.
  ProblemDetails: Problem,
  OAuthError,
};

export const NAMED_BODIES: Record<string, z.core.$ZodType> = {
  TokenRequest,
  ExchangeRequest,
  CreateWallet,
  ImportWallet,
  UpdateWallet,
  BuildRequest,
  ExecuteRequest,
  EstimateRequest,
  BatchRequest,
  BatchTransaction,
  SignatureRequest,
  PasskeyAnswer,
  AddPasskey,
  OpenSpendingSession,
  Policy,
  ApproveTransaction,
  CreateSwap,
  CreateSession,
  CreateRefund,
  CreateRefundLink,
  PayByCard,
  PutReceivingKey,
  PutReceivingWallet,
  PutReceivingWallets,
  BrandingRequest,
  CreateWebhook,
  CreateWalletWebhook,
  ReceiverCredentials,
};
