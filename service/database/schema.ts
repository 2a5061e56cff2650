/** The tables, as the migrations leave them. */
import type { ColumnType, Generated, Selectable } from 'kysely';
import type { CreateSession, CustomerDetails } from '../../src/api/checkout.ts';
import type { ReceivingChain } from '../../src/api/receiving-wallet.ts';
import type { EventType } from '../../src/api/webhook.ts';
import type { SecretType } from '../../src/chains/secret-type.ts';

/** JSON: an object when read, text when written. */
type Json<T> = ColumnType<T, string, string>;
/** As text: `pg` reads none as a number. */
type Big = ColumnType<string, number, number>;
type Moment = ColumnType<Date, Date | undefined, Date>;

/** Whoever a token can stand for: a user, or an application. */
export interface Accounts {
  id: string;
  /** With `subject` and `application` what makes the account; `carabiner` for the service's own clients. */
  issuer: string;
  subject: string;
  application: boolean;
  username: string | null;
  email: string | null;
  /** Lower case; only from a provider that is trusted with e-mails, and verified by it. */
  verified_email: string | null;
  first_name: string | null;
  last_name: string | null;
  created_at: Moment;
}

/** Applications with a secret of ours. Their account has the same id. */
export interface Clients {
  id: string;
  name: string;
  /** SHA-256: the secret is 32 random bytes, so there is nothing to guess. */
  secret_hash: Buffer;
  scopes: string[];
  created_at: Moment;
  revoked_at: Date | null;
}

/** Users that came through an application. */
export interface ApplicationUsers {
  application_id: string;
  account_id: string;
  created_at: Moment;
}

export interface SigningKeys {
  id: string;
  algorithm: string;
  public_jwk: ColumnType<Record<string, unknown>, string, string>;
  /** The private key, PKCS #8, encrypted under the master key of that version. */
  wrapped: Buffer;
  master_version: number;
  created_at: Moment;
  /** Published before, so that verifiers know it in time. */
  active_at: Moment;
  /** Signs no more; stays published until the last token it signed has expired. */
  retired_at: Date | null;
}

export interface Wallets {
  id: string;
  owner_id: string;
  /** The application through which it was made. */
  application_id: string;
  identifier: string | null;
  wallet_type: 'WHITE_LABEL' | 'THREEWAY_SHARED';
  secret_type: SecretType;
  address: string;
  alias: Generated<string>;
  description: Generated<string>;
  is_primary: boolean;
  archived_at: Date | null;
  created_at: Moment;
  /** Id in `networks.json`; null: the first of the chain. */
  network: string | null;
}
export type WalletRow = Selectable<Wallets>;

/** A PIN, and what it opens. The id is the account's (a master PIN) or the wallet's (its own PIN). */
export interface Pins {
  id: string;
  /** argon2id's. */
  salt: Buffer;
  cost: ColumnType<unknown, string, string>;
  /** The database's part, under the master key of that version. */
  share: Buffer;
  master_version: number;
  /** The PIN's key, wrapped for each way in. */
  by_pin: Buffer;
  by_recovery_code: Buffer;
  /** Every try has a number; those after `cleared` were wrong, or are under way. */
  tries: Generated<number>;
  cleared: Generated<number>;
  locked_until: Date | null;
  created_at: Moment;
  changed_at: Date | null;
}

export interface WalletSecrets {
  wallet_id: string;
  /** The wallet's own PIN where it is the wallet's id, else its owner's master PIN. */
  pin_id: string;
  /** Under the PIN's key. */
  data_key: Buffer;
  /** Under the data key. */
  private_key: Buffer;
}

/** Keys that may prove a request for an account's wallets (RFC 9449). */
export interface Devices {
  account_id: string;
  /** RFC 7638, SHA-256. */
  thumbprint: string;
  created_at: Moment;
}

/** Proofs that were used and could still be in time. */
export interface DeviceProofs {
  thumbprint: string;
  /** SHA-256 of the proof's `jti`. */
  proof: Buffer;
  expires_at: Date;
}

/** Every transaction that a wallet signed. It is here before any node sees it. */
export interface Transactions {
  id: string;
  wallet_id: string;
  secret_type: SecretType;
  /** Id in `networks.json`; `custom` where the request named a node. */
  network: string;
  /** JSON of that node's name, URL and chain id. */
  custom_node: string | null;
  hash: string;
  /** Wire bytes, as `Signed.raw`. */
  raw: string;
  /** JSON of what was asked for, without the PIN. */
  request: string;
  /** `Claims`, as `draft-json.ts` writes it. */
  claims: string;
  /**
   * `signed`: nodes may not have it. `sent`: one accepted it. Then what became of it: `expired` before a block took it, `refused` by the
   * network, `replaced` by another that took the same nonce or coins, `dropped`: no node has known it for so long that nothing is done
   * about it any more.
   */
  state: 'signed' | 'sent' | 'confirmed' | 'failed' | 'expired' | 'refused' | 'replaced' | 'dropped';
  /** JSON of a `WireError`: what the caller was told about a refusal. */
  error: string | null;
  checks: Generated<number>;
  /** Null: settled. */
  next_check_at: Date | null;
  created_at: Moment;
  sent_at: Date | null;
  settled_at: Date | null;
}
export type TransactionRow = Selectable<Transactions>;

/** What an account did with an `Idempotency-Key`: a transaction, or a checkout session. A signature is not kept: it is the same each time. */
export interface RequestKeys {
  account_id: string;
  key: string;
  /** SHA-256 of the request without its PIN. */
  fingerprint: Buffer;
  transaction_id: string | null;
  session_id: ColumnType<string | null, string | undefined, string>;
  created_at: Moment;
}

/** Wallets that a user showed to a site, through the application that the site belongs to. */
export interface Links {
  application_id: string;
  account_id: string;
  origin: string;
  wallet_id: string;
  created_at: Moment;
}

/** A payment page and what became of it (spec 2.10). */
export interface CheckoutSessions {
  id: string;
  /** In the page's address; nobody can guess it. */
  page_id: string;
  application_id: string;
  /** Name of the `PaymentProvider` that takes the money. */
  provider: string;
  /** Its own id there. */
  provider_session: string | null;
  livemode: boolean;
  /** Where the customer pays. */
  url: string;
  /** The provider's page, where `url` is ours although the provider has one. */
  provider_url: ColumnType<string | null, string | null | undefined, never>;
  line_items: Json<CreateSession['line_items']>;
  /** Capital letters. */
  currency: string;
  amount_subtotal: Big;
  amount_total: Big;
  customer_id: string | null;
  success_url: string;
  cancel_url: string;
  status: 'open' | 'complete' | 'expired';
  payment_status: 'paid' | 'unpaid';
  payment_intent: string | null;
  customer_details: ColumnType<CustomerDetails | null, undefined, string>;
  /** Of the newest event. */
  sequence: Generated<number>;
  created_at: Moment;
  expires_at: Date;
  completed_at: Date | null;
  /** The customer went back; null where the time ran out. The provider hears of it afterwards. */
  cancelled_at: ColumnType<Date | null, Date | null | undefined, Date | null>;
  /** A payment by wallet may be on its way: the session does not expire before this, unless its customer goes back. */
  held_until: ColumnType<Date | null, undefined, Date | null>;
  /** A payment by wallet is under way: nothing else is done with the session. */
  wallet_pending: Generated<boolean>;
}
export type SessionRow = Selectable<CheckoutSessions>;

/** Attempts to pay with the maker `test`. */
export interface CheckoutPayments {
  id: string;
  session_id: string;
  /** The page made it: the same one is never carried out twice. */
  attempt: string;
  state: 'paid' | 'declined' | 'challenge';
  reason: string | null;
  brand: string;
  last4: string;
  customer_details: Json<CustomerDetails>;
  created_at: Moment;
  settled_at: Date | null;
}
export type PaymentRow = Selectable<CheckoutPayments>;

/** What a payment provider told, so that it counts once. */
export interface ProviderEvents {
  id: string;
  received_at: Moment;
}

/** What opens an application's list of payments: a link, once, and then the browser that followed it. */
export interface DashboardKeys {
  /** SHA-256 of the key. */
  hash: Buffer;
  kind: 'link' | 'visit';
  application_id: string;
  expires_at: Date;
}

/** Receivers of events (spec 4.5.3). */
export interface Webhooks {
  id: string;
  application_id: string;
  url: string;
  type: 'BASIC_AUTHENTICATION' | 'API_KEY';
  /** Encrypted under the master key of that version, as `signing_secret` is. */
  credentials: Buffer;
  signing_secret: Buffer;
  master_version: number;
  created_at: Moment;
  disabled_at: Date | null;
}

/** What happened, as receivers are told. */
export interface Events {
  id: string;
  session_id: string;
  application_id: string;
  type: EventType;
  sequence: number;
  /** `PaymentEvent`, byte for byte as it is sent. */
  body: string;
  created_at: Moment;
}

/** One event for one receiver. */
export interface Deliveries {
  id: string;
  event_id: string;
  webhook_id: string;
  state: Generated<'waiting' | 'delivered' | 'given-up'>;
  attempts: Generated<number>;
  next_attempt_at: Date | null;
  /** A process is sending it. */
  leased_until: Date | null;
  log: ColumnType<unknown[], string | undefined, string>;
  created_at: Moment;
}

export interface Icons {
  id: string;
  application_id: string;
  filename: string;
  png: Buffer;
  size: number;
  created_at: Moment;
}

export interface Branding {
  application_id: string;
  primary_color: string;
  secondary_color: string;
  icon_id: string;
  changed_at: Moment;
}

/** Where payments by wallet to an application go. `token_address` is empty for the coin, here and below. */
export interface ReceivingWallets {
  application_id: string;
  secret_type: ReceivingChain;
  /** Id in `networks.json`. */
  network: string;
  token_address: string;
  /** In checksum form, as all of them. */
  address: string;
  confirmations: number;
  created_at: Moment;
}
export type ReceivingWalletRow = Selectable<ReceivingWallets>;

/** What a session costs in coins or tokens, for a while. What it says stays when the receiving wallet changes. */
export interface WalletQuotes {
  id: string;
  session_id: string;
  application_id: string;
  secret_type: ReceivingChain;
  network: string;
  token_address: string;
  symbol: string;
  decimals: number;
  address: string;
  /** Smallest units. */
  amount: string;
  /** That are waited for. */
  confirmations: number;
  /** `expired`: it is over, and what arrives for it is not assigned any more. */
  state: 'quoted' | 'pending' | 'paid' | 'expired';
  /** The chain is read for it. */
  watched: Generated<boolean>;
  /** No other quote of the wallet may have the amount: longer than it is watched, so that money that comes late is not another's. */
  reserved: Generated<boolean>;
  /** The newest block when it was made. */
  from_block: Big;
  /** What the page told, lower case. */
  told_hash: string | null;
  /** When it was told, or last known to a node. */
  known_at: Date | null;
  /** What is wrong with it: a `WALLET_PROBLEMS`. */
  problem: string | null;
  created_at: Moment;
  expires_at: Date;
}
export type QuoteRow = Selectable<WalletQuotes>;

/** A transfer to a receiving wallet, as a block has it. */
export interface WalletTransfers {
  id: string;
  application_id: string;
  /** That it pays, or was meant to pay. */
  quote_id: string | null;
  session_id: string | null;
  network: string;
  token_address: string;
  symbol: string;
  decimals: number;
  /** Of the receiving wallet. */
  address: string;
  sender: string;
  amount: string;
  /** Lower case. */
  transaction_hash: string;
  /** -1 of the transaction's own value. */
  log_index: number;
  block_number: Big;
  block_hash: string;
  confirmations: Generated<number>;
  state: 'pending' | 'paid' | 'unassigned';
  reason: string | null;
  seen_at: Moment;
}
export type TransferRow = Selectable<WalletTransfers>;

/** How far the transfers of a coin or token have been read. */
export interface WalletLanes {
  network: string;
  token_address: string;
  secret_type: ReceivingChain;
  /** The newest block that was read, with its hash: another hash there means that the chain was rewritten. */
  position: Big;
  position_hash: string;
  /** What was mined until then has been read. */
  read_until: Date;
  /** Null: nothing is waited for. */
  next_look_at: Date | null;
  /** A process is reading; it tells its holder, too. */
  leased_until: Date | null;
  /** Grows with each quote: whoever stops looking makes sure that none came meanwhile. */
  asked: Generated<number>;
  failures: Generated<number>;
}
export type LaneRow = Selectable<WalletLanes>;

export interface Schema {
  accounts: Accounts;
  clients: Clients;
  application_users: ApplicationUsers;
  signing_keys: SigningKeys;
  wallets: Wallets;
  pins: Pins;
  wallet_secrets: WalletSecrets;
  devices: Devices;
  device_proofs: DeviceProofs;
  links: Links;
  transactions: Transactions;
  request_keys: RequestKeys;
  checkout_sessions: CheckoutSessions;
  checkout_payments: CheckoutPayments;
  provider_events: ProviderEvents;
  dashboard_keys: DashboardKeys;
  webhooks: Webhooks;
  events: Events;
  deliveries: Deliveries;
  icons: Icons;
  branding: Branding;
  receiving_wallets: ReceivingWallets;
  wallet_quotes: WalletQuotes;
  wallet_transfers: WalletTransfers;
  wallet_lanes: WalletLanes;
}
