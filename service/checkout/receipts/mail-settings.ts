/** The times of receipts by e-mail. */
export interface MailTimes {
  /** Milliseconds since the epoch. */
  now: () => number;
  /** The pause between checks while nothing is due. */
  everyMs: number;
  /** How long a process may take for one; longer than the dialogue with the server can be. */
  leaseMs: number;
}

export const DEFAULTS: MailTimes = { now: Date.now, everyMs: 2000, leaseMs: 120_000 };
