/** The times of payments by wallet. */
export interface WalletPaymentSettings {
  /** How long an amount is good. */
  quoteMs: number;
  /** The least of that: a session whose time is nearly over is held for it. */
  leastQuoteMs: number;
  /** What is in a block until so long after a quote's end counts: it was sent in time, and waited. The session is held until then. */
  graceMs: number;
  /** What comes until so long after a quote's end is seen, and listed as unassigned. */
  lateMs: number;
  /** An amount is no other quote's for so long after a quote's end. */
  reservedMs: number;
  /** A session is held for no longer than this after a quote's end, whatever the nodes do. */
  holdMs: number;
  /** The same where a block has the payment already. */
  holdPendingMs: number;
  /** A transaction that was told and that no node knows counts as under way for so long. */
  unknownMs: number;
  /** A head older than this does not tell that nothing was mined since; not of a local network, which mines when there is something. */
  staleMs: number;
  /** Between looks at a chain; of a local one `everyLocalMs`. */
  everyMs: number;
  everyLocalMs: number;
  /** Between looks while its nodes do not answer, at most. */
  backoffMs: number;
  /** Between looks for chains that are to be looked at. */
  tickMs: number;
  /** A process that ended gives its place to another after this. */
  leaseMs: number;
  /** What one round may take. */
  roundMs: number;
}

const MINUTE = 60_000;
const DAY = 86_400_000;

export const USUAL: WalletPaymentSettings = {
  quoteMs: 10 * MINUTE,
  leastQuoteMs: 2 * MINUTE,
  graceMs: 15 * MINUTE,
  lateMs: 60 * MINUTE,
  reservedMs: 7 * DAY,
  holdMs: DAY,
  holdPendingMs: 7 * DAY,
  unknownMs: 2 * MINUTE,
  staleMs: 5 * MINUTE,
  everyMs: 5000,
  everyLocalMs: 1000,
  backoffMs: MINUTE,
  tickMs: 1000,
  leaseMs: MINUTE / 2,
  roundMs: 20_000,
};
