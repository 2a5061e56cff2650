/** The tables of checkout, as the migrations leave them. */
import type { ColumnType, Generated, Selectable } from 'kysely';
import type { CreateSession, CustomerDetails, SessionWalletPayment } from '../../src/api/checkout.ts';
import type { ConfirmationsAbove } from '../../src/api/receiving-wallet.ts';
import type { KeyChain, ReceivingChain } from '../../src/api/secret-type.ts';
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
/** For a coin or token of one network. */
export interface ReceivingWallet {
  secret_type: ReceivingChain;
  /** Id in `networks.json`. */
  network: string;
  token_address: string;
  /** In checksum form, as everywhere here. Empty where every session has an address of its own. */
  address: string;
  /** The `receiving_keys` that sessions' addresses are of; null for a wallet with one address. */
  key_id: ColumnType<string | null, string | null | undefined, string | null>;
  confirmations: number;
  /** What a payment may fall short of its price, in hundredths of a percent. */
  tolerance: Generated<number>;
  /** More of them for larger totals; null: the chain's own. */
  confirmations_above: ColumnType<ConfirmationsAbove | null, string | null | undefined, string | null>;
  created_at: Moment;
}
export type ReceivingWalletEntry = Selectable<ReceivingWallet>;

/** The application's first; those after it, in the order in which customers see them, are JSON. */
export interface ReceivingWallets extends ReceivingWallet {
  application_id: string;
  further: ColumnType<
    (Omit<ReceivingWalletEntry, 'created_at'> & { created_at: string })[],
    string | undefined,
    string
  >;
}

/**
 * Extended public keys of merchants, of which each session that is paid in the coin gets its own address: 0/0, 0/1, … A key is never
 * removed, because its indices must never be given again: a replaced one is retired, and goes on where it was when it is set again.
 */
export interface ReceivingKeys {
  /** `rk_…` */
  id: string;
  application_id: string;
  secret_type: KeyChain;
  /** Id in `networks.json`. */
  network: string;
  /** SHA-256 of chain code and public key: the same key in another spelling is the same, and it is of one account only. */
  identity: Buffer;
  /** Of the master key if its descriptor names it, else of the key itself: 8 hex digits, as wallets show it. */
  fingerprint: string;
  /** The first two receiving addresses. */
  addresses: string[];
  /** The descriptor, encrypted under the master key of that version. */
  sealed: Buffer;
  master_version: number;
  /** The next index that was never given. */
  next_index: Generated<number>;
  /** The highest index that was paid; null: none. */
  paid_index: ColumnType<number | null, undefined, number | null>;
  /** As many addresses in a row may be unpaid; then the coin is not offered until one is paid. */
  max_gap: number;
  created_at: Moment;
  retired_at: ColumnType<Date | null, undefined, Date | null>;
}
export type ReceivingKeyRow = Selectable<ReceivingKeys>;

/** Addresses that sessions were given. Each is one session's for ever, which has one on a network. */
export interface PaymentAddresses {
  key_id: string;
  /** Its place after 0/. */
  address_index: number;
  application_id: string;
  session_id: string;
  network: string;
  address: string;
  /** The output script, as `0x…`. */
  script: string;
  taken_at: Moment;
  /** Blocks are searched for payments to it until then. */
  watched_until: Date;
  /** When a block first had a payment to it. */
  paid_at: ColumnType<Date | null, undefined, Date | null>;
}
export type PaymentAddressRow = Selectable<PaymentAddresses>;

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
  /** The key that the address is of, which is this session's alone; null for a wallet with one address. */
  key_id: ColumnType<string | null, string | null | undefined, never>;
  /** In smallest units. */
  amount: string;
  /** What the price was made of, where its source says so. */
  price_basis: ColumnType<Record<string, unknown> | null, string | null | undefined, string | null>;
  /** Confirmations that are needed. */
  confirmations: number;
  /** What the payment may fall short of the amount, in hundredths of a percent. */
  tolerance: Generated<number>;
  /** When the customer last chose this coin or token, if that was after the quote was made. */
  chosen_at: ColumnType<Date | null, undefined, Date>;
  /** Payments of other amounts, which are certainly the session's, add up to it; they may not have their confirmations yet. */
  enough: Generated<boolean>;
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
  /** The receiving wallet's address, or the session's own. */
  address: string;
  /** The key that the session's own address is of: then all that it gets adds up. Null for a receiving wallet's address. */
  key_id: ColumnType<string | null, string | null | undefined, never>;
  /** Empty if several sent it together, or the chain does not say. */
  sender: string;
  amount: string;
  /** As nodes write it. */
  transaction_hash: string;
  /** Its place among the logs of its block, on Tron of its transaction, or among its transaction's outputs; negative for other coins. */
  log_index: number;
  block_number: Big;
  block_hash: string;
  confirmations: Generated<number>;
  state: 'pending' | 'paid' | 'unassigned';
  reason: string | null;
  /** It is certain that it is for the session, whatever its amount: its sender wrote that into it. */
  certain: Generated<boolean>;
  seen_at: Moment;
}
export type TransferRow = Selectable<WalletTransfers>;

/** Outputs to sessions' own addresses that no block has yet, as nodes tell of them. */
export interface WalletSightings {
  network: string;
  transaction_hash: string;
  log_index: number;
  application_id: string;
  session_id: string;
  address: string;
  /** In smallest units. */
  amount: string;
  /** When it, or what it replaced, was first seen: then it was paid. */
  seen_at: Date;
  /** Since when no node has it any more; null while one does. */
  missing_since: Date | null;
}
export type SightingRow = Selectable<WalletSightings>;

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
  /** Transfers of later blocks are to be compared with the chain, which was reorganised; null: they are in it. */
  read_again_after: ColumnType<string | null, undefined, string | number | null>;
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

/** Receipts to send by e-mail, one for a session. */
export interface ReceiptMails {
  session_id: string;
  application_id: string;
  /** Deleted with the outcome. */
  address: string | null;
  /** A language tag. */
  language: string;
  /** `sending`: the server may have the message. `refused`, `given-up` and `unknown` have failed: see `send-mails.ts`. */
  state: Generated<'waiting' | 'sending' | 'sent' | 'refused' | 'given-up' | 'unknown'>;
  /** To send it to this address. */
  attempts: Generated<number>;
  /** That were given so far. */
  addresses: Generated<number>;
  next_attempt_at: Date | null;
  /** End of the lease of the process that sends it. */
  leased_until: Date | null;
  created_at: Moment;
  settled_at: Date | null;
}
export type ReceiptMailRow = Selectable<ReceiptMails>;

export interface CheckoutTables {
  checkout_sessions: CheckoutSessions;
  checkout_payments: CheckoutPayments;
  provider_events: ProviderEvents;
  dashboard_keys: DashboardKeys;
  icons: Icons;
  branding: Branding;
  receiving_wallets: ReceivingWallets;
  receiving_keys: ReceivingKeys;
  payment_addresses: PaymentAddresses;
  wallet_quotes: WalletQuotes;
  wallet_transfers: WalletTransfers;
  wallet_sightings: WalletSightings;
  wallet_lanes: WalletCursors;
  refunds: Refunds;
  refund_links: RefundLinks;
  receipt_mails: ReceiptMails;
}
