/**
 * The tables, as the migrations leave them. Those of checkout, events, policies and restores are in files of their own. Which column is a row's account,
 * and which tables have none, is in `account-scope.ts`.
 */
import type { ColumnType, Generated, RawBuilder, Selectable } from 'kysely';
import type { CopyKind } from '../../src/api/copy-object.ts';
import type { SecretType } from '../../src/chains/secret-type.ts';
import type { CheckoutTables } from './checkout-tables.ts';
import type { Big, Moment } from './columns.ts';
import type { EventTables } from './event-tables.ts';
import type { PolicyTables } from './policy-tables.ts';
import type { RestoreTables } from './restore-tables.ts';

export type * from './checkout-tables.ts';
export type * from './event-tables.ts';
export type * from './policy-tables.ts';
export type * from './restore-tables.ts';

/** What a token can stand for: a user, or an application. */
export interface Accounts {
  id: string;
  /** Identifies the account together with `subject` and `application`; `carabiner` for the service's own clients. */
  issuer: string;
  subject: string;
  application: boolean;
  username: string | null;
  email: string | null;
  /** Lower case; only when a provider that is trusted with e-mails has verified it. */
  verified_email: string | null;
  first_name: string | null;
  last_name: string | null;
  created_at: Moment;
}

/** Applications with secrets issued here. Their account has the same id. */
export interface Clients {
  id: string;
  name: string;
  scopes: string[];
  created_at: Moment;
  revoked_at: Date | null;
  /** The merchant's name, verified by the operator, as signed orders show it; null: orders are not signed. */
  merchant: ColumnType<string | null, string | null | undefined, string | null>;
  /** Origins, besides that of the payment page, that may request its payments. */
  origins: ColumnType<string[], string[] | undefined, string[]>;
  /** Ids of the networks, besides the default ones of wallets, on which wallets may be used through it; null: none was chosen. */
  networks: ColumnType<string[] | null, string[] | undefined, string[] | null>;
}

/** A client has at most two that are valid: the one it uses, and the one it changes to. */
export interface ClientSecrets {
  id: string;
  client_id: string;
  /** SHA-256: a secret is 32 random bytes, so there is nothing to guess. */
  hash: Buffer;
  created_at: Moment;
  /** When it was last used, to the minute. */
  last_used_at: ColumnType<Date | null, undefined, Date>;
  revoked_at: ColumnType<Date | null, undefined, Date>;
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
  /** It signs from this time on, and is published earlier so that verifiers know it in time. */
  active_at: Moment;
  /** It no longer signs, but stays published until the last token it signed has expired. */
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
  /** Id in `networks.json` of its default network; null: the first of the chain. */
  network: string | null;
}
export type WalletRow = Selectable<Wallets>;

/** All columns, by name: see `prepared.ts`. */
export const WALLET_COLUMNS = [
  'id',
  'owner_id',
  'application_id',
  'identifier',
  'wallet_type',
  'secret_type',
  'address',
  'alias',
  'description',
  'is_primary',
  'archived_at',
  'created_at',
  'network',
] as const satisfies (keyof Wallets)[];

/** A PIN, and what it opens. The id is the account's (a master PIN) or the wallet's (its own PIN). */
export interface Pins {
  id: string;
  owner_id: string;
  /** The salt of argon2id. */
  salt: Buffer;
  cost: ColumnType<unknown, string, string>;
  /** The database's share of the key, encrypted under the master key of that version. */
  share: Buffer;
  master_version: number;
  /** The PIN's key, wrapped once for each way to open it. */
  by_pin: Buffer;
  by_recovery_code: Buffer;
  /** Every try has a number; those after `cleared` were wrong, or are still running. */
  tries: Generated<number>;
  cleared: Generated<number>;
  locked_until: Date | null;
  /** The last try is running. No other may start before it has ended, or before this time. */
  trying_until: ColumnType<Date | null, undefined, Date | null>;
  created_at: Moment;
  changed_at: Date | null;
}

export interface WalletSecrets {
  wallet_id: string;
  owner_id: string;
  /** The wallet's own PIN when this is the wallet's id, otherwise its owner's master PIN. */
  pin_id: string;
  /** Encrypted under the PIN's key. */
  data_key: Buffer;
  /** Encrypted under the data key. */
  private_key: Buffer;
}

/** Replaces the PIN of a wallet for a time. Deleted when it is over. */
export interface WalletSessions {
  id: string;
  wallet_id: string;
  /** The wallet's owner. */
  application_id: string;
  /** The client secret behind the token that opened it; null if there was none. */
  secret_id: string | null;
  /** SHA-256: a token has 32 random bytes. */
  token_hash: Buffer;
  /** The database's share of what opens `data_key`, with the master key of that version and the token. */
  share: Buffer;
  master_version: number;
  data_key: Buffer;
  /** SHA-256 of `pins.by_pin`: a changed PIN ends the session. */
  pin_mark: Buffer;
  transactions: number;
  used: Generated<number>;
  created_at: Moment;
  expires_at: Moment;
}

/** Smallest units. */
export interface WalletSessionLimits {
  session_id: string;
  owner_id: string;
  /** The token's address; empty for the coin. */
  asset: string;
  amount: string;
  used: Generated<string>;
}

/** Keys that may prove a request for an account's wallets (RFC 9449). */
export interface Devices {
  account_id: string;
  /** RFC 7638, SHA-256. */
  thumbprint: string;
  created_at: Moment;
}

/** The passkey of the account's master PIN. The account's wallets are not used without it. */
export interface Passkeys {
  account_id: string;
  credential_id: Buffer;
  /** In COSE form. */
  public_key: Buffer;
  /** The authenticator's counter; 0 if it does not count. */
  counter: Big;
  /** The salt of its PRF. */
  salt: Buffer;
  transports: string[];
  /** The PIN's key, wrapped as in `pins.by_pin`. */
  by_passkey: Buffer;
  created_at: Moment;
}

/** Passkeys' answers that were used and have not expired. */
export interface PasskeyAnswers {
  /** SHA-256. */
  challenge: Buffer;
  expires_at: Date;
}

/** Proofs that were used and have not expired. */
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
  owner_id: string;
  secret_type: SecretType;
  /** Id in `networks.json`; `custom` where the request named a node. */
  network: string;
  /** JSON of that node's name, URL and chain id. */
  custom_node: string | null;
  hash: string;
  /** Wire bytes, as `Signed.raw`. */
  raw: string;
  /** JSON of the request, without the PIN. */
  request: string;
  /** `Claims`, as `draft-json.ts` writes it. */
  claims: string;
  /**
   * `signed`: nodes may not have it. `sent`: one accepted it. Final states: `confirmed` or `failed` in a block that has the network's
   * confirmations, `expired` before a block included it, `refused` by the network, `replaced` by another that used the same nonce or
   * coins. An older version of the service also gave up on a transaction that no node knew for two weeks: `dropped`.
   */
  state: 'signed' | 'sent' | 'confirmed' | 'failed' | 'expired' | 'refused' | 'replaced' | 'dropped';
  /** JSON of a `WireError`: the error that the caller got when it was refused. */
  error: string | null;
  checks: Generated<number>;
  /** Null once it is settled. */
  next_check_at: Date | null;
  created_at: Moment;
  sent_at: Date | null;
  settled_at: Date | null;
  /** The block that it is in, and how many confirmations it had when it was last looked at. Null in no block, and once it is settled. */
  mined_block: ColumnType<string | null, undefined, number | null>;
  confirmations: ColumnType<number | null, undefined, number | null>;
  /** The signed draft, as `draft-json.ts` writes it, while the chain can replace it. Null in rows of older versions, as are the next three. */
  draft: ColumnType<string | null, string | null | undefined, null>;
  /** JSON of an `Effect`. */
  effect: ColumnType<string | null, string | null | undefined, never>;
  /** What it cost in the end, in smallest units of the gas coin. */
  fee: ColumnType<string | null, undefined, string | null>;
  /** Id of the transaction that it was meant to replace. */
  replaces: ColumnType<string | null, string | null | undefined, never>;
}
export type TransactionRow = Selectable<Transactions>;

/** The exchange between chains that a transaction began. */
export interface CrossChainSwaps {
  transaction_id: string;
  owner_id: string;
  /** JSON of a `StoredSwap`. */
  swap: string;
  looks: Generated<number>;
  /** Null once it has ended. */
  next_look_at: Date | null;
  created_at: Moment;
}

/** What arrived at a wallet, as a node reported it. */
export interface Arrivals {
  id: string;
  wallet_id: string;
  owner_id: string;
  /** `Incoming.id`: its position in the transaction. */
  place: string;
  secret_type: SecretType;
  network: string;
  hash: string;
  /** `sent`: not mined yet. */
  state: 'sent' | 'confirmed';
  /** JSON of an `Effect`. */
  effect: string;
  dust: boolean;
  /** So old that no reorganisation can remove it. */
  settled: boolean;
  created_at: Moment;
}

/** How far nodes of wallets' default networks have been asked what arrived. */
export interface ArrivalLooks {
  wallet_id: string;
  owner_id: string;
  /** The node's `Arrived.cursor`. */
  position: ColumnType<string | null, number | null, number | null>;
  looked_at: Date;
  /** When the node last answered. */
  read_at: Date | null;
}

/** The same for other networks of a wallet. */
export interface NetworkLooks extends ArrivalLooks {
  network: string;
}

/** The result of a request with an `Idempotency-Key`: a transaction, or a checkout session. Signatures are deterministic and not kept. */
export interface RequestKeys {
  account_id: string;
  key: string;
  /** SHA-256 of the request without its PIN. */
  fingerprint: Buffer;
  transaction_id: string | null;
  session_id: ColumnType<string | null, string | undefined, string>;
  /** Of a refund by card; one from a wallet has its transaction. */
  refund_id: ColumnType<string | null, string | undefined, string>;
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

/** Objects of encrypted copies, in the form of `src/api/copy-object.ts`. */
export interface Copies {
  id: Buffer;
  kind: CopyKind;
  /** The Ed25519 key whose hash is the id. */
  owner: Buffer;
  /** Of a slot: the key of the vault that may rewrite it. */
  writer: Buffer | null;
  counter: ColumnType<string, bigint, bigint>;
  hash: Buffer;
  /** The object is a tombstone. */
  removed: boolean;
  object: Buffer;
  /** The day on which somebody last read or wrote it. */
  used_on: ColumnType<Date, RawBuilder<Date>, RawBuilder<Date>>;
}

export interface Schema extends CheckoutTables, EventTables, PolicyTables, RestoreTables {
  accounts: Accounts;
  clients: Clients;
  client_secrets: ClientSecrets;
  application_users: ApplicationUsers;
  signing_keys: SigningKeys;
  wallets: Wallets;
  pins: Pins;
  wallet_secrets: WalletSecrets;
  wallet_sessions: WalletSessions;
  wallet_session_limits: WalletSessionLimits;
  devices: Devices;
  device_proofs: DeviceProofs;
  passkeys: Passkeys;
  passkey_answers: PasskeyAnswers;
  links: Links;
  transactions: Transactions;
  cross_chain_swaps: CrossChainSwaps;
  arrivals: Arrivals;
  arrival_looks: ArrivalLooks;
  network_looks: NetworkLooks;
  request_keys: RequestKeys;
  copies: Copies;
}
