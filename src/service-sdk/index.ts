/** `carabiner/service`: the wallet service, called by a server. */
export { ServiceClient } from './client.ts';
export type { CallOptions, ServiceOptions } from './caller.ts';
export {
  ConflictError,
  InsufficientFundsError,
  InvalidRequestError,
  NodeUnreachableError,
  PincodeLockedError,
  PincodeWrongError,
  PolicyRefusedError,
  RateLimitedError,
  ServiceError,
  TokenError,
  TransactionRefusedError,
  UnavailableError,
  WalletForbiddenError,
} from './errors.ts';
export type { Pages } from './pages.ts';
export * from './resources.ts';
export {
  type ServiceEvent,
  verifySignature,
  type VerifyOptions,
  verifyWebhook,
  WebhookError,
  type WebhookHeaders,
} from './webhook.ts';
export type { CheckoutSession } from '../api/checkout.ts';
export type { Estimate, HistoryEntry, TransactionDetails } from '../api/history.ts';
export type { HeldTransaction, Policy, StoredPolicy } from '../api/policy.ts';
export type { SpendingSession } from '../api/spending-session.ts';
export type { CreatedWallet, NativeBalance, TokenBalance, Wallet } from '../api/wallet.ts';
export type { Deposit, WalletEvent, Watch } from '../api/wallet-event.ts';
export type { PaymentEvent } from '../api/webhook.ts';
export type { ErrorCode, ErrorDetails, Issue } from '../base/errors.ts';
