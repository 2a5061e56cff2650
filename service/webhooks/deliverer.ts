/** Sends the deliveries in the outbox until it is stopped. Any number of processes may do so in parallel. */
import { setMaxListeners } from 'node:events';
import type { FastifyBaseLogger } from 'fastify';
import { Semaphore } from '../concurrency/semaphore.ts';
import type { Service } from '../service.ts';
import { nextDelay } from './backoff.ts';
import { type DeliverySettings, DEFAULTS } from './delivery-settings.ts';
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

/** Pause while keys or database do not answer. */
const TROUBLE_MS = 10_000;
/** How many deliveries are leased for one receiver, as a multiple of those sent at a time: leasing is more work than sending. */
const AHEAD = 4;
/** Time left of a lease after a request timed out, for recording that. */
const SPARE_MS = 2000;
const SWEEP_MS = 3_600_000;
/** How long a receiver's secrets are cached: receivers never change, and a key provider may be far away. */
const SECRETS_MS = 60_000;
const SECRETS = 1000;

export interface Deliverer {
  /** Finishes the open requests; those that take too long are given back and sent again. */
  stop(): Promise<void>;
}

export function startDelivering(
  { db, clock, keys, outbound }: Pick<Service, 'db' | 'clock' | 'keys' | 'outbound'>,
  log: Pick<FastifyBaseLogger, 'info' | 'warn' | 'error'>,
  given: Partial<DeliverySettings> = {},
): Deliverer {
  const settings = { ...DEFAULTS, ...given };
  const { now, held, perReceiver, counts } = settings;
  const underWay = new Map<string, { webhookId: string; done: Promise<void> }>();
  const cut = new AbortController();
  // Every open request listens.
  setMaxListeners(0, cut.signal);
  let stopped = false;
  let wake = (): void => {};
  const lines = new Map<string, Semaphore>();
  const secretsOf = remember((leased: Leased) => openSecrets(keys, leased.webhookId, leased));

  async function one(leased: Leased): Promise<void> {
    const about = { delivery: leased.id, event: leased.eventId, webhook: leased.webhookId };
    try {
      // It waited too long behind others to the same receiver.
      if (stopped || leased.leasedUntil.getTime() - now() < settings.timeoutMs + SPARE_MS)
        return await giveBack(db, leased, new Date(now()));
      const secrets = await secretsOf(leased);
      const { attempt, retryAfter } = await send(outbound, { ...leased, secrets }, settings, cut.signal);
      counts.attempt(attempt.error === null ? 'delivered' : 'failed');
      const result = resultOf(leased, attempt, retryAfter);
      const known = await settle(db, leased, attempt, result);
      if (known && result.state === 'failed' && !result.nextAttemptAt) counts.givenUp(1);
      if (!known) log.warn(about, 'a delivery took longer than its lease');
      if (attempt.error)
        log.info({ ...about, status: attempt.status, reason: attempt.error }, 'a delivery failed');
      if (attempt.status === 410) {
        counts.givenUp(await switchOff(db, leased.webhookId, new Date(now())));
        log.warn(about, 'a receiver is gone and was disabled');
      }
    } catch (error) {
      if (!cut.signal.aborted) log.error({ err: error, ...about }, 'a delivery could not be carried out');
      // If this fails, too, the lease ends by itself.
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
    const busy = new Map<string, number>();
    for (const { webhookId } of underWay.values()) busy.set(webhookId, (busy.get(webhookId) ?? 0) + 1);
    for (const id of lines.keys()) if (!busy.has(id)) lines.delete(id);
    const at = now();
    const taken = await claim(db, {
      now: new Date(at),
      leasedUntil: new Date(at + settings.leaseMs),
      limit: held - underWay.size,
      perReceiver: AHEAD * perReceiver,
      busy,
    });
    let left = taken.length;
    const half = Math.floor(taken.length / 2);
    for (const leased of taken) {
      const { id, webhookId } = leased;
      const line = lines.get(webhookId) ?? new Semaphore(perReceiver);
      lines.set(webhookId, line);
      const done = line
        .run(() => one(leased))
        .finally(() => {
          underWay.delete(id);
          // Not after each: leasing one is hardly less work than leasing many.
          if (--left === half || left === 0) wake();
        });
      underWay.set(id, { webhookId, done });
    }
  }

  let sweptAt = Number.NEGATIVE_INFINITY;
  async function work(): Promise<void> {
    while (!stopped) {
      const woken = new Promise<void>((resolve) => (wake = resolve));
      let pause = settings.everyMs;
      try {
        await clock.doubt();
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

/** Caches secrets for a minute each; the oldest make room. */
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
