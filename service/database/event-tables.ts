/** The tables of events, and of the search of chains for deposits, as the migrations leave them. */
import type { ColumnType, Generated, Selectable } from 'kysely';
import type { WalletEventType } from '../../src/api/wallet-event.ts';
import type { EventType, ReceivingWalletEvent } from '../../src/api/webhook.ts';
import type { SecretType } from '../../src/chains/secret-type.ts';
import type { Big, Moment } from './columns.ts';

/** Receivers of events: docs/webhooks.md. */
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
  /** The events of wallets that it gets; null: it gets those of payments. */
  events: ColumnType<WalletEventType[] | null, WalletEventType[] | undefined, never>;
  /** Whether it also gets events of the wallets of the application's users. */
  all_wallets: ColumnType<boolean, boolean | undefined, never>;
}

/** Events, as receivers get them: of a checkout session, of a wallet, or of the application alone. */
export interface Events {
  id: string;
  session_id: string | null;
  wallet_id: ColumnType<string | null, string | undefined, never>;
  application_id: string;
  type: EventType | ReceivingWalletEvent['type'] | WalletEventType;
  /** Counts the events of its session. */
  sequence: number | null;
  /** `PaymentEvent`, `ReceivingWalletEvent` or `WalletEvent`, byte for byte as it is sent. */
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
  /** Until then a process is sending it. */
  leased_until: Date | null;
  log: ColumnType<unknown[], string | undefined, string>;
  created_at: Moment;
}

/** Wallets that are watched for deposits, each on one network or more. */
export interface WalletWatches {
  wallet_id: string;
  owner_id: string;
  /** Id in `networks.json`, here and below. */
  network: string;
  /** Its address, as `BlockReader.keyOf` writes it. */
  recipient: string;
  created_at: Moment;
}

/** How far the blocks of a network have been searched for deposits. */
export interface ScanCursors {
  network: string;
  secret_type: SecretType;
  /** Since when a wallet has been watched there without a break: blocks from before are not searched. */
  since: Date;
  /** The newest block that was read, with its hash; null: none yet. */
  position: Big | null;
  position_hash: string | null;
  /** Number of the newest block that a node reported. */
  head: Big | null;
  /** When that block was made. */
  block_time: Date | null;
  /** Null while nothing is watched. */
  next_look_at: Date | null;
  /** End of the lease of the process that reads. Its exact value also identifies that process. */
  leased_until: Date | null;
  /** Incremented by each watch, so that a process that is about to stop notices a new one. */
  asked: Generated<number>;
  failures: Generated<number>;
}
export type ScanCursorRow = Selectable<ScanCursors>;

/** The last blocks that were read: a chain that has others now was reorganised. */
export interface ScannedBlocks {
  network: string;
  number: Big;
  hash: string;
}

/** Transfers to watched wallets, as a block has them. */
export interface Deposits {
  network: string;
  transaction_hash: string;
  /** Its `Transfer.place`. */
  place: string;
  wallet_id: string;
  owner_id: string;
  block_number: Big;
  block_hash: string;
  sender: string | null;
  /** Null for the coin. */
  token_address: string | null;
  symbol: string;
  decimals: number;
  /** In smallest units. */
  amount: string;
  seen_at: Moment;
  /** Null while it waits for confirmations. */
  announced_at: ColumnType<Date | null, undefined, Date>;
}
export type DepositRow = Selectable<Deposits>;

export interface EventTables {
  webhooks: Webhooks;
  events: Events;
  deliveries: Deliveries;
  wallet_watches: WalletWatches;
  scan_cursors: ScanCursors;
  scanned_blocks: ScannedBlocks;
  deposits: Deposits;
}
