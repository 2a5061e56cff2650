/** The times of payments by wallet. */
import type { RoundTimes } from '../../scanning/rounds.ts';

export interface WalletPaymentSettings extends RoundTimes {
  /** How long a quote is valid. */
  quoteMs: number;
  /** The minimum: a session whose time is nearly over is held open for it. */
  leastQuoteMs: number;
  /** A payment that is mined within this time after a quote's end still counts: it was sent in time. The session is held open until then. */
  graceMs: number;
  /** A payment that comes within this time after a quote's end is listed as unassigned. */
  lateMs: number;
  /** How long after a quote's end no other quote may have its amount. */
  reservedMs: number;
  /** How long after a quote's end a session is held open at most, whatever the nodes do. */
  holdMs: number;
  /** The same when a block already has the payment. */
  holdPendingMs: number;
  /** How long a reported transaction that no node knows counts as in progress. */
  unknownMs: number;
  /** A payment to a session's own address that was seen before a quote's end counts if a block has it within this time. */
  seenMs: number;
  /** With a head older than this, the chain does not count as read up to now. Does not apply to local networks, which mine only on demand. */
  staleMs: number;
  /** How long after a session's end its own address is searched for payments. */
  watchMs: number;
  /** Addresses of their own that sessions of one IP address get in an hour. */
  addressesPerHour: number;
  /** Between reads of a chain; of a local one `everyLocalMs`. */
  everyMs: number;
  everyLocalMs: number;
  /** Time limit of one round. */
  roundMs: number;
}

const MINUTE = 60_000;
const DAY = 86_400_000;

export const DEFAULTS: WalletPaymentSettings = {
  quoteMs: 10 * MINUTE,
  leastQuoteMs: 2 * MINUTE,
  graceMs: 15 * MINUTE,
  lateMs: 60 * MINUTE,
  reservedMs: 7 * DAY,
  holdMs: DAY,
  holdPendingMs: 7 * DAY,
  unknownMs: 2 * MINUTE,
  seenMs: DAY,
  staleMs: 5 * MINUTE,
  watchMs: 7 * DAY,
  addressesPerHour: 60,
  everyMs: 5000,
  everyLocalMs: 1000,
  backoffMs: MINUTE,
  tickMs: 1000,
  leaseMs: MINUTE / 2,
  roundMs: 20_000,
};
