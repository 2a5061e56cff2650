/** The tables of restored databases. */
import type { Generated } from 'kysely';
import type { Moment } from './columns.ts';

/** One for each time that the database was restored from a back-up. Until it is accepted, nothing is signed or sent. */
export interface Restores {
  /** Idempotency keys that begin with it are of requests that were first made afterwards. */
  id: string;
  /** As of when the back-up is. */
  backup_at: Date;
  restored_at: Moment;
  accepted_at: Generated<Date | null>;
}

/** Wallets that may have signed, between a back-up and its restore, what the database does not have. */
export interface RestoredWallets {
  restore_id: string;
  wallet_id: string;
  owner_id: string;
  /** Id in `networks.json`. */
  network: string;
  /** How many transactions the chain has and the back-up had not; null where the chain cannot tell. */
  missing: number | null;
  /** JSON of `MissingTransaction[]`: those of them that were found. */
  transactions: string;
}

export interface RestoreTables {
  restores: Restores;
  restored_wallets: RestoredWallets;
}
