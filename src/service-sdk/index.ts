/** `carabiner/service`: the wallet service, called by a server. */
import { Caller, type ServiceOptions } from './caller.ts';
import { Calls } from './resources.ts';

/**
 * The client of the wallet service for servers: it takes care of tokens, retries, pages and errors. One is enough for a process.
 *
 * ```ts
 * const service = new ServiceClient({ url: 'https://service.example', clientId, clientSecret });
 * const wallet = await service.wallets.create({ walletType: 'WHITE_LABEL', secretType: 'ETHEREUM', pincode });
 * const { transactionHash } = await service.transactions.execute({ ...request, pincode });
 * ```
 */
export class ServiceClient extends Calls {
  constructor(options: ServiceOptions) {
    super(new Caller(options));
  }
}

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
export type { Pages } from './caller.ts';
export * from './resources.ts';
export {
  type ListenerOptions,
  type ServiceEvent,
  verifySignature,
  type VerifyOptions,
  verifyWebhook,
  WebhookError,
  type WebhookHeaders,
  webhookListener,
  type WebhookRequest,
  type WebhookResponse,
} from './webhook.ts';
export type { CheckoutSession } from '../api/checkout.ts';
export type { Estimate, HistoryEntry, TransactionDetails } from '../api/history.ts';
export type { HeldTransaction, Policy, StoredPolicy } from '../api/policy.ts';
export type { SpendingSession } from '../api/spending-session.ts';
export type { CreatedWallet, NativeBalance, TokenBalance, Wallet } from '../api/wallet.ts';
export type { Deposit, WalletEvent, Watch } from '../api/wallet-event.ts';
export type { PaymentEvent, ReceivingWalletEvent } from '../api/webhook.ts';
export type { ErrorCode, ErrorDetails, Issue } from '../base/errors.ts';
