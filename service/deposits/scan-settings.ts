/** The times of the search for deposits. */
import type { RoundTimes } from '../scanning/rounds.ts';

export interface ScanSettings extends RoundTimes {
  /** Time limit of one round, so that a chain with much to read does not hold up the others. */
  roundMs: number;
  /** Between looks at a local network; at others it is up to the chain. */
  everyLocalMs: number;
}

export const DEFAULTS: ScanSettings = {
  backoffMs: 60_000,
  tickMs: 1000,
  leaseMs: 60_000,
  roundMs: 20_000,
  everyLocalMs: 1000,
};
