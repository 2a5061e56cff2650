/** The service's settings, as `config.ts` reads them. */
import type { Networks } from '../src/chains/network.ts';
import type { IdentityProvider, TrustedIssuer } from './auth/issuer-settings.ts';
import type { DatabaseSettings } from './database/database.ts';
import type { KeySettings } from './keys/open-keys.ts';
import type { Range } from './outbound/addresses.ts';
import type { Sender, SmtpServer } from './settings/mail.ts';
import type { CopySettings } from './sync/copies.ts';

export interface PaymentSettings {
  provider: string;
  /** How long a customer has to pay. */
  sessionMinutes: number;
  /** The provider's own, as its `readSettings` answers them. */
  settings: unknown;
}

export interface MailSettings {
  server: SmtpServer;
  from: Sender;
}

export interface ServiceConfig extends DatabaseSettings, KeySettings {
  /** 0 takes any free port. */
  port: number;
  host: string;
  /** URL at which others reach the service, without a trailing slash; `http://localhost:<port>` when absent. */
  url: string | undefined;
  realm: string;
  /** Whether the service's own tokens are accepted. */
  ownIssuer: boolean;
  accessTokenSeconds: number;
  signingKeyDays: number;
  trustedIssuers: readonly TrustedIssuer[];
  identityProviders: readonly IdentityProvider[];
  /** Empty when no file is set. */
  networks: Networks;
  /** Base URL of the wallet's frame, without a trailing slash. Absent: payment pages offer no payment by wallet. */
  frameUrl: string | undefined;
  /** Addresses that URLs from outside may lead to, besides public ones. */
  outboundRanges: readonly Range[];
  corsOrigins: readonly string[];
  /** Addresses of proxies whose `X-Forwarded-*` counts. */
  trustProxy: readonly string[];
  /** How long earlier policies still apply beside a new one. */
  policyDelayHours: number;
  /** Requests per minute from one address; 0 for no limit. */
  rateLimit: number;
  /** As `rateLimit`, for calls that issue tokens. */
  tokenRateLimit: number;
  /** E-mail recipients that one account may look up per minute. */
  recipientRateLimit: number;
  copies: CopySettings;
  payments: PaymentSettings;
  /** Absent: no e-mail is sent, and nobody is asked for an address to send one. */
  mail: MailSettings | undefined;
  /** In bytes. */
  bodyLimit: number;
  logLevel: string;
  metrics: boolean;
  /** Port of `/metrics`, 0 for any free one; undefined: the service's own. */
  metricsPort: number | undefined;
  /** Address on which that port listens; both loopback addresses when undefined. */
  metricsHost: string | undefined;
  stopSeconds: number;
}
