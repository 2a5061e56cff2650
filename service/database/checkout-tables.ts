/** The tables of checkout, as the migrations leave them. */
import type { ColumnType, Generated, Selectable } from 'kysely';
import type { CreateSession, CustomerDetails, SessionWalletPayment } from '../../src/api/checkout.ts';
import type { ReceivingChain } from '../../src/api/secret-type.ts';
import type { Big, Json, Moment } from './columns.ts';

/** A payment page and its outcome: docs/checkout.md. */
export interface CheckoutSessions {
  id: string;
  /** A random part of the page's address. */
  page_id: string;
  application_id: string;
  /** Name of the `PaymentProvider` that takes the money. */
  provider: string;
  /** The provider's id of the session. */
  provider_session: string | null;
  livemode: boolean;
  /** Where the customer pays. */
  url: string;
  /** The provider's page, when `url` is our own page although the provider has one. */
  provider_url: ColumnType<string | null, string | null | undefined, never>;
  line_items: Json<CreateSession['line_items']>;
  /** In capital letters. */
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
  /** Sequence number of the newest event. */
  sequence: Generated<number>;
  created_at: Moment;
  expires_at: Date;
  completed_at: Date | null;
  /** Null for a session that an older version of the service completed. */
  paid_at: ColumnType<Date | null, undefined, Date>;
  /** When the customer went back; null if the time ran out. The provider is notified afterwards. */
  cancelled_at: ColumnType<Date | null, Date | null | undefined, Date | null>;
  /** A payment by wallet may be on its way: the session does not expire before this time, unless its customer goes back. */
  held_until: ColumnType<Date | null, undefined, Date | null>;
  /** A payment by wallet is in progress: no other change to the session is allowed. */
  wallet_pending: Generated<boolean>;
  client_reference_id: ColumnType<string | null, string | null | undefined, never>;
  metadata: ColumnType<Record<string, string> | null, string | null | undefined, never>;
  /** Null for a session that an older version of the service created. */
  receipt_url: ColumnType<string | null, string | undefined, never>;
  /** The shop ended it, not its customer: then `cancelled_at` is when. */
  withdrawn: Generated<boolean>;
  /** How much of its payment was refunded. */
  refunded: Generated<'none' | 'partly' | 'fully'>;
  /** The payment by wallet that paid it, else the newest one for it. */
  wallet_payment: ColumnType<SessionWalletPayment | null, undefined, string>;
}
export type SessionRow = Selectable<CheckoutSessions>;

/** All columns, by name: see `prepared.ts`. */
export const SESSION_COLUMNS = [
  'id',
  'page_id',
  'application_id',
  'provider',
  'provider_session',
  'livemode',
  'url',
  'provider_url',
  'line_items',
  'currency',
  'amount_subtotal',
  'amount_total',
  'customer_id',
  'success_url',
  'cancel_url',
  'status',
  'payment_status',
  'payment_intent',
  'customer_details',
  'sequence',
  'created_at',
  'expires_at',
  'completed_at',
  'paid_at',
  'cancelled_at',
  'held_until',
  'wallet_pending',
  'client_reference_id',
  'metadata',
  'receipt_url',
  'withdrawn',
  'refunded',
  'wallet_payment',
] as const satisfies (keyof CheckoutSessions)[];

/** Attempts to pay with a test card. */
export interface CheckoutPayments {
  id: string;
  session_id: string;
  owner_id: string;
  /** Chosen by the page: an attempt is never carried out twice. */
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

/** Events of a payment provider that were received, so that each counts once. */
export interface ProviderEvents {
  id: string;
  received_at: Moment;
}

/** Keys to an application's list of payments: of a link, which works once, and of the browser that followed it. */
export interface DashboardKeys {
  /** SHA-256 of the key. */
  hash: Buffer;
  kind: 'link' | 'visit';
  application_id: string;
  expires_at: Date;
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
  /** In checksum form, as everywhere here. */
  address: string;
  confirmations: number;
  created_at: Moment;
}
export type ReceivingWalletRow = Selectable<ReceivingWallets>;

/** What a session costs in coins or tokens, for a limited time. It does not change with the receiving wallet. */
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
  /** In smallest units. */
  amount: string;
  /** What the price was made of, where its source says so. */
  price_basis: ColumnType<Record<string, unknown> | null, string | null | undefined, string | null>;
  /** Confirmations that are needed. */
  confirmations: number;
  /** `expired`: its time is over, and transfers that arrive for it stay unassigned. */
  state: 'quoted' | 'pending' | 'paid' | 'expired';
  /** The chain is still searched for its payment. */
  watched: Generated<boolean>;
  /** No other quote of the wallet may have its amount. Lasts longer than the search, so that no late payment is mistaken for another. */
  reserved: Generated<boolean>;
  /** The newest block when it was made. */
  from_block: Big;
  /** Hash of the transaction that the page reported, as nodes write it. */
  told_hash: string | null;
  /** When it was reported, or last known to a node. */
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
  /** The quote that it pays, or was meant to pay. */
  quote_id: string | null;
  session_id: string | null;
  network: string;
  token_address: string;
  symbol: string;
  decimals: number;
  /** The receiving wallet's address. */
  address: string;
  sender: string;
  amount: string;
  /** As nodes write it. */
  transaction_hash: string;
  /** Its place among the logs of its block, on Tron of its transaction; negative for coins. */
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
export interface WalletCursors {
  network: string;
  token_address: string;
  secret_type: ReceivingChain;
  /** The newest block that was read, with its hash: another hash there means that the chain was reorganised. */
  position: Big;
  position_hash: string;
  /** Everything mined until then has been read. */
  read_until: Date;
  /** Null while no payment is expected. */
  next_look_at: Date | null;
  /** End of the lease of the process that reads. Its exact value also identifies that process. */
  leased_until: Date | null;
  /** Incremented by each quote, so that a process that is about to stop notices a new one. */
  asked: Generated<number>;
  failures: Generated<number>;
}
export type CursorRow = Selectable<WalletCursors>;

/** Refunds. Those that are pending or have succeeded never add up to more than the payment. */
export interface Refunds {
  id: string;
  session_id: string;
  application_id: string;
  /** `payment_intent` of the session, or the id of a transfer to a receiving wallet. */
  payment_id: string;
  method: 'card' | 'wallet';
  state: 'pending' | 'succeeded' | 'failed';
  /** Why it failed. */
  failure: string | null;
  note: string | null;
  /** By card minor units, else smallest units of the coin or token. */
  amount: string;
  /** By card: the provider that refunds it, and the provider's id of the refund once it is known. */
  provider: string | null;
  provider_refund: string | null;
  currency: string | null;
  /** By wallet: the transaction in the journal, and what it sends where. */
  transaction_id: string | null;
  network: string | null;
  token_address: string | null;
  symbol: string | null;
  decimals: number | null;
  address: string | null;
  /** How often its outcome was checked, and when the next check is due; null once it is decided. */
  looks: Generated<number>;
  next_look_at: Date | null;
  created_at: Moment;
  settled_at: Date | null;
}
export type RefundRow = Selectable<Refunds>;

/** Links by which customers say where a refund goes. */
export interface RefundLinks {
  id: string;
  /** SHA-256 of the token in its URL. */
  token_hash: Buffer;
  session_id: string;
  application_id: string;
  /** A transfer to a receiving wallet. */
  payment_id: string;
  /** Smallest units of the coin or token that was paid. */
  amount: string;
  secret_type: ReceivingChain;
  network: string;
  /** Empty for the coin. */
  token_address: string;
  symbol: string;
  decimals: number;
  /** In checksum form. Given once, it never changes. */
  address: string | null;
  answered_at: Date | null;
  /** The refund that the shop made of it. */
  refund_id: string | null;
  cancelled_at: Date | null;
  created_at: Moment;
  /** No address is taken afterwards. */
  expires_at: Date;
}
export type RefundLinkRow = Selectable<RefundLinks>;

export interface CheckoutTables {
  checkout_sessions: CheckoutSessions;
  checkout_payments: CheckoutPayments;
  provider_events: ProviderEvents;
  dashboard_keys: DashboardKeys;
  icons: Icons;
  branding: Branding;
  receiving_wallets: ReceivingWallets;
  wallet_quotes: WalletQuotes;
  wallet_transfers: WalletTransfers;
  wallet_lanes: WalletCursors;
  refunds: Refunds;
  refund_links: RefundLinks;
}
