/** How events are delivered. */
import { type DeliveryCounts, NO_COUNTS } from './delivery-metrics.ts';

export interface DeliverySettings {
  /** Milliseconds since the epoch. */
  now: () => number;
  /** For everything from DNS to the last byte of the answer. */
  timeoutMs: number;
  /** Must be longer than the time-out, or a slow receiver gets its events twice. */
  leaseMs: number;
  /** The pause between checks while nothing is due. */
  everyMs: number;
  /** Maximum number of deliveries that this process holds. */
  held: number;
  /** Requests to one receiver at a time. */
  perReceiver: number;
  /** How long a stop waits for open requests; the rest is given back. */
  stopMs: number;
  counts: DeliveryCounts;
}

export const DEFAULTS: DeliverySettings = {
  now: Date.now,
  timeoutMs: 15_000,
  leaseMs: 25_000,
  everyMs: 1000,
  held: 512,
  perReceiver: 16,
  stopMs: 10_000,
  counts: NO_COUNTS,
};
