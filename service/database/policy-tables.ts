/** The tables of spending policies and of the audit log. */
import type { ColumnType } from 'kysely';

/** Every policy that was ever set. A policy applies while its `ends_at` is null or in the future: the newest, and for a time earlier ones. */
export interface Policies {
  id: string;
  /** `client:<account>` or `wallet:<id>`. */
  subject: string;
  /** JSON of a `Policy`. */
  rules: string;
  /** Id of a client, or `command`. */
  written_by: string;
  created_at: Date;
  ends_at: Date | null;
}

/** What transactions have used of the limits of policies, from the moment they were signed. */
export interface PolicySpends {
  subject: string;
  /** The asset, as `assetKey` writes it, without a network. */
  asset: string;
  /** Where it was spent. Null in rows of older versions. */
  network: ColumnType<string | null, string, never>;
  /** Whether that is the wallet's default network. */
  by_default: ColumnType<boolean, boolean, never>;
  transaction_id: string;
  /** Smallest units; for a replacement, only what it takes in addition. */
  raw: string;
  /** Id of the transaction that it replaces in the end, or its own. */
  first_id: string;
  spent_at: Date;
}

/** Transactions that a second client has to approve. */
export interface HeldTransactions {
  id: string;
  wallet_id: string;
  /** The wallet's owner. */
  owner_id: string;
  /** The application that requested it. */
  client_id: string;
  approvers: string[];
  /** SHA-256 of what will be signed, without fees and fields that go stale. */
  fixed_hash: Buffer;
  /** The text that is approved, and its SHA-256 in hex. */
  draft: string;
  draft_hash: string;
  maximum_fee: string;
  created_at: Date;
  expires_at: Date;
  /** Set once it was signed: an approval is for one transaction, and for replacements of it with a higher fee. */
  transaction_id: ColumnType<string | null, undefined, string>;
}

export interface HeldApprovals {
  held_id: string;
  /** Of what is approved, not of who approves it. */
  owner_id: string;
  client_id: string;
  created_at: Date;
}

/** A row's `mac` is over the row and the `mac` before it. */
export interface AuditLog {
  /** Counts from 1, without gaps. */
  position: ColumnType<string, number, never>;
  at: Date;
  actor: string;
  action: string;
  subject: string;
  /** Plain data, as JSON. */
  details: string;
  master_version: number;
  mac: Buffer;
}

export interface PolicyTables {
  policies: Policies;
  policy_spends: PolicySpends;
  held_transactions: HeldTransactions;
  held_approvals: HeldApprovals;
  audit_log: AuditLog;
}
