/** What the areas of the service share. Each area is a plugin that puts its routes on the server. */
import type { FastifyInstance } from 'fastify';
import type { Audit } from './audit/audit.ts';
import type { Accounts } from './auth/accounts.ts';
import type { SigningKeys } from './auth/signing-keys.ts';
import type { TokenIssuer } from './auth/token-issuer.ts';
import type { Guard } from './policies/guard.ts';
import type { PaymentProvider } from './checkout/sessions/payment-provider.ts';
import type { MailTimes } from './checkout/receipts/mail-settings.ts';
import type { RefundSettings } from './checkout/refunds/refund-settings.ts';
import type { WalletPaymentSettings } from './checkout/wallet-payments/wallet-payment-settings.ts';
import type { Exclusive } from './concurrency/exclusive.ts';
import type { SharedLimits } from './concurrency/shared-limits.ts';
import type { ServiceConfig } from './service-config.ts';
import type { Custody } from './custody/custody.ts';
import type { ScanSettings } from './deposits/scan-settings.ts';
import type { Devices } from './custody/devices.ts';
import type { Passkeys } from './custody/passkeys.ts';
import type { ClockWatch } from './database/clock-watch.ts';
import type { Database } from './database/database.ts';
import type { KeyProvider } from './keys/key-provider.ts';
import type { ServiceNetworks } from './networks/service-networks.ts';
import type { Outbound } from './outbound/outbound.ts';
import type { Restored } from './restored/restored.ts';
import type { Recipients } from './recipients/recipients.ts';
import type { SwapSettings } from './transactions/cross-chain.ts';
import type { DeliverySettings } from './webhooks/delivery-settings.ts';
import type { WalletEvents } from './webhooks/wallet-events.ts';

export interface Service {
  config: ServiceConfig;
  /** How others reach the service; known once it listens. */
  url: () => string;
  db: Database;
  /** Asked before anything that depends on the time is done. */
  clock: ClockWatch;
  keys: KeyProvider;
  accounts: Accounts;
  signingKeys: SigningKeys;
  tokens: TokenIssuer;
  /** The devices that may spend for users. */
  devices: Devices;
  /** Without an answer of a user's passkey, nothing is signed for that user. */
  passkeys: Passkeys;
  custody: Custody;
  audit: Audit;
  /** Checked wherever a wallet's key is used. */
  guard: Guard;
  /** Whether the database was restored from a back-up, and what may be signed since. */
  restored: Restored;
  /** Work that is done one piece at a time for each wallet. */
  exclusive: Exclusive;
  networks: ServiceNetworks;
  /** Who takes the money of checkout sessions. */
  payments: PaymentProvider;
  /** The provider's own routes. */
  providerRoutes: Area;
  /** Limits per minute, across all processes. */
  limits: SharedLimits;
  /** Addresses of e-mail recipients. */
  recipients: Recipients;
  /** For URLs that came from a request or a contract. */
  outbound: Outbound;
  /** Tells applications what happens to their wallets. */
  events: WalletEvents;
  /** How events are delivered, where it differs from the usual. */
  deliveries: Partial<DeliverySettings>;
  /** The times of the search for deposits, where they differ from the usual. */
  scans: Partial<ScanSettings>;
  /** The times of payments by wallet, where they differ from the usual. */
  walletPayments: Partial<WalletPaymentSettings>;
  /** The times of refunds, where they differ from the usual. */
  refunds: Partial<RefundSettings>;
  /** The times of receipts by e-mail, where they differ from the usual. */
  mails: Partial<MailTimes>;
  /** The times of following swaps between chains, where they differ from the usual. */
  swaps: Partial<SwapSettings>;
}

/** One area: `serve(app, route, …)` for each of its routes. */
export type Area = (app: FastifyInstance, service: Service) => void | Promise<void>;
