/** Sends what waits in the outbox until it is stopped. Any number of processes may do so side by side. */
import type { FastifyBaseLogger } from 'fastify';
import type { Service } from '../../service.ts';
import { nextDelay } from './backoff.ts';
import {
  type Attempt,
  claim,
  giveBack,
  type Leased,
  type Result,
  settle,
  sweep,
  switchOff,
} from './queue.ts';
import { openSecrets, type Secrets } from './secrets.ts';
import { send } from './send.ts';

export interface DeliverySettings {
  /** Milliseconds since the epoch. */
  now: () => number;
  /** For everything from the name to the last byte of the answer. */
  timeoutMs: number;
  /** Longer than the time-out, or a slow receiver gets its events twice. */
  leaseMs: number;
  /** Between looks while nothing waits. */
  everyMs: number;
  /** Sent at a time by this process. */
  atOnce: number;
  /** Of these to one receiver. */
  perReceiver: number;
  /** What a stop waits for; the rest is given back. */
  stopMs: number;
}

const USUAL: DeliverySettings = {
  now: Date.now,
  timeoutMs: 15_000,
  leaseMs: 25_000,
  everyMs: 1000,
  atOnce: 128,
  perReceiver: 16,
  stopMs: 10_000,
};

/** While keys or database do not answer. */
const TROUBLE_MS = 10_000;
const SWEEP_MS = 3_600_000;
/** What a receiver is called with is kept this long: a receiver never changes, and a key provider may be far away. */
const SECRETS_MS = 60_000;
const SECRETS = 1000;

export interface Deliverer {
  /** Finishes what is on its way; what takes too long is given back and sent again. */
  stop(): Promise<void>;
}

export function startDelivering(
  { db, keys, outbound }: Pick<Service, 'db' | 'keys' | 'outbound'>,
  log: Pick<FastifyBaseLogger, 'info' | 'warn' | 'error'>,
  given: Partial<DeliverySettings> = {},
): Deliverer {
  const settings = { ...USUAL, ...given };
  const { now, atOnce, perReceiver } = settings;
  const underWay = new Map<string, { webhookId: string; done: Promise<void> }>();
  const cut = new AbortController();
  let stopped = false;
  let wake = (): void => {};
  /** There may be more than was taken. */
  let more = false;
  const secretsOf = remember((leased: Leased) => openSecrets(keys, leased.webhookId, leased));

  async function one(leased: Leased): Promise<void> {
    const about = { delivery: leased.id, event: leased.eventId, webhook: leased.webhookId };
    try {
      const secrets = await secretsOf(leased);
      const { attempt, retryAfter } = await send(outbound, { ...leased, secrets }, settings, cut.signal);
      const known = await settle(db, leased, attempt, resultOf(leased, attempt, retryAfter));
      if (!known) log.warn(about, 'a delivery took longer than its lease');
      if (attempt.error)
        log.info({ ...about, status: attempt.status, reason: attempt.error }, 'a delivery failed');
      if (attempt.status === 410) {
        await switchOff(db, leased.webhookId, new Date(now()));
        log.warn(about, 'a receiver is gone and was switched off');
      }
    } catch (error) {
      if (!cut.signal.aborted) log.error({ err: error, ...about }, 'a delivery could not be carried out');
      // The lease ends by itself where this fails, too.
      const at = new Date(now() + (cut.signal.aborted ? 0 : TROUBLE_MS));
      await giveBack(db, leased, at).catch(() => {});
    }
  }

  function resultOf(
    { attempts }: Leased,
    { status, error }: Attempt,
    retryAfter: number | undefined,
  ): Result {
    if (error === null) return { state: 'delivered' };
    const delay = status === 410 ? undefined : nextDelay(attempts + 1, retryAfter);
    return { state: 'failed', nextAttemptAt: delay === undefined ? null : new Date(now() + delay) };
  }

  async function round(): Promise<void> {
    const most = atOnce - underWay.size;
    const busy = new Map<string, number>();
    for (const { webhookId } of underWay.values()) busy.set(webhookId, (busy.get(webhookId) ?? 0) + 1);
    const at = now();
    const leasedUntil = new Date(at + settings.leaseMs);
    const taken = await claim(db, { now: new Date(at), leasedUntil, most, perReceiver, busy });
    more = taken.length > 0;
    for (const leased of taken) {
      const done = one(leased).finally(() => {
        underWay.delete(leased.id);
        // Not for each: a look that takes one is hardly less work than one that takes many.
        if (more && 2 * underWay.size <= taken.length) wake();
      });
      underWay.set(leased.id, { webhookId: leased.webhookId, done });
    }
  }

  let sweptAt = Number.NEGATIVE_INFINITY;
  async function work(): Promise<void> {
    while (!stopped) {
      const woken = new Promise<void>((resolve) => (wake = resolve));
      let pause = settings.everyMs;
      try {
        if (performance.now() - sweptAt > SWEEP_MS) {
          await sweep(db, new Date(now()));
          sweptAt = performance.now();
        }
        await round();
      } catch (error) {
        log.error({ err: error }, 'the outbox could not be read');
        pause = TROUBLE_MS;
      }
      const timer = setTimeout(wake, pause);
      if (!stopped) await woken;
      clearTimeout(timer);
    }
  }
  const working = work();

  return {
    async stop() {
      stopped = true;
      wake();
      await working;
      const late = setTimeout(() => cut.abort(), settings.stopMs);
      await Promise.all([...underWay.values()].map(({ done }) => done));
      clearTimeout(late);
    },
  };
}

/** For a minute each, in the order in which they came. */
function remember(open: (leased: Leased) => Promise<Secrets>): (leased: Leased) => Promise<Secrets> {
  const known = new Map<string, { until: number; secrets: Promise<Secrets> }>();
  return (leased) => {
    const found = known.get(leased.webhookId);
    if (found && found.until > performance.now()) return found.secrets;
    known.delete(leased.webhookId);
    if (known.size >= SECRETS) known.delete(known.keys().next().value!);
    const secrets = open(leased);
    known.set(leased.webhookId, { until: performance.now() + SECRETS_MS, secrets });
    secrets.catch(() => known.delete(leased.webhookId));
    return secrets;
  };
}
