/** Sends the deliveries in the outbox until it is stopped. Any number of processes may do so in parallel. */
import { setMaxListeners } from 'node:events';
import type { FastifyBaseLogger } from 'fastify';
import { Semaphore } from '../concurrency/semaphore.ts';
import type { KeyProvider } from '../keys/key-provider.ts';
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
/** The receiver wants no more events. */
const GONE = 410;

interface Underway {
  webhookId: string;
  done: Promise<void>;
}

/** Delivers until it is stopped. */
export class Deliverer {
  readonly #service: Pick<Service, 'db' | 'clock' | 'keys' | 'outbound'>;
  readonly #log: Pick<FastifyBaseLogger, 'info' | 'warn' | 'error'>;
  readonly #settings: DeliverySettings;
  readonly #secrets: SecretsCache;
  /** What is being sent, by the id of its delivery. */
  readonly #underway = new Map<string, Underway>();
  /** By receiver, as long as it has deliveries under way. */
  readonly #lines = new Map<string, Semaphore>();
  /** Ends the open requests. */
  readonly #cut = new AbortController();
  readonly #working: Promise<void>;
  #sweptAt = Number.NEGATIVE_INFINITY;
  #stopped = false;
  /** Ends the pause before the next round. */
  #wake = (): void => {};

  constructor(
    service: Pick<Service, 'db' | 'clock' | 'keys' | 'outbound'>,
    log: Pick<FastifyBaseLogger, 'info' | 'warn' | 'error'>,
    settings: Partial<DeliverySettings> = {},
  ) {
    this.#service = service;
    this.#log = log;
    this.#settings = { ...DEFAULTS, ...settings };
    this.#secrets = new SecretsCache(service.keys);
    // Every open request listens.
    setMaxListeners(0, this.#cut.signal);
    this.#working = this.#work();
  }

  /** Finishes the open requests; those that take too long are given back and sent again. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#wake();
    await this.#working;
    const late = setTimeout(() => this.#cut.abort(), this.#settings.stopMs);
    await Promise.all([...this.#underway.values()].map(({ done }) => done));
    clearTimeout(late);
  }

  async #work(): Promise<void> {
    while (!this.#stopped) {
      const woken = new Promise<void>((resolve) => (this.#wake = resolve));
      let pause = this.#settings.everyMs;
      try {
        await this.#service.clock.doubt();
        await this.#sweepHourly();
        await this.#round();
      } catch (error) {
        this.#log.error({ err: error }, 'the outbox could not be read');
        pause = TROUBLE_MS;
      }
      const timer = setTimeout(this.#wake, pause);
      if (!this.#stopped) await woken;
      clearTimeout(timer);
    }
  }

  async #sweepHourly(): Promise<void> {
    if (performance.now() - this.#sweptAt <= SWEEP_MS) return;
    await sweep(this.#service.db, new Date(this.#settings.now()));
    this.#sweptAt = performance.now();
  }

  /** Leases what is due, and begins to send it. */
  async #round(): Promise<void> {
    const leases = await this.#claim();
    let left = leases.length;
    const half = Math.floor(leases.length / 2);
    for (const leased of leases) {
      const { id, webhookId } = leased;
      const done = this.#lineOf(webhookId)
        .run(() => this.#deliver(leased))
        .finally(() => {
          this.#underway.delete(id);
          // Not after each: leasing one is hardly less work than leasing many.
          if (--left === half || left === 0) this.#wake();
        });
      this.#underway.set(id, { webhookId, done });
    }
  }

  #claim(): Promise<Leased[]> {
    const { now, leaseMs, held, perReceiver } = this.#settings;
    const busy = new Map<string, number>();
    for (const { webhookId } of this.#underway.values()) busy.set(webhookId, (busy.get(webhookId) ?? 0) + 1);
    for (const id of this.#lines.keys()) if (!busy.has(id)) this.#lines.delete(id);
    const at = now();
    return claim(this.#service.db, {
      now: new Date(at),
      leasedUntil: new Date(at + leaseMs),
      limit: held - this.#underway.size,
      perReceiver: AHEAD * perReceiver,
      busy,
    });
  }

  #lineOf(webhookId: string): Semaphore {
    const line = this.#lines.get(webhookId) ?? new Semaphore(this.#settings.perReceiver);
    this.#lines.set(webhookId, line);
    return line;
  }

  async #deliver(leased: Leased): Promise<void> {
    const { db } = this.#service;
    const { now, timeoutMs } = this.#settings;
    try {
      // It waited too long behind others to the same receiver.
      if (this.#stopped || leased.leasedUntil.getTime() - now() < timeoutMs + SPARE_MS)
        return await giveBack(db, leased, new Date(now()));
      await this.#attempt(leased);
    } catch (error) {
      const { aborted } = this.#cut.signal;
      if (!aborted) this.#log.error({ err: error, ...about(leased) }, 'a delivery could not be carried out');
      // If this fails, too, the lease ends by itself.
      await giveBack(db, leased, new Date(now() + (aborted ? 0 : TROUBLE_MS))).catch(() => {});
    }
  }

  async #attempt(leased: Leased): Promise<void> {
    const { db, outbound } = this.#service;
    const { now, counts } = this.#settings;
    const secrets = await this.#secrets.of(leased);
    const { attempt, retryAfter } = await send(
      outbound,
      { ...leased, secrets },
      this.#settings,
      this.#cut.signal,
    );
    const { status, error } = attempt;
    counts.attempt(error === null ? 'delivered' : 'failed');
    const result = this.#resultOf(leased, attempt, retryAfter);
    const isSettled = await settle(db, leased, attempt, result);
    if (isSettled && result.state === 'failed' && !result.nextAttemptAt) counts.givenUp(1);
    if (!isSettled) this.#log.warn(about(leased), 'a delivery took longer than its lease');
    if (error) this.#log.info({ ...about(leased), status, reason: error }, 'a delivery failed');
    if (status === GONE) {
      counts.givenUp(await switchOff(db, leased.webhookId, new Date(now())));
      this.#log.warn(about(leased), 'a receiver is gone and was disabled');
    }
  }

  #resultOf({ attempts }: Leased, { status, error }: Attempt, retryAfter: number | undefined): Result {
    if (error === null) return { state: 'delivered' };
    const delay = status === GONE ? undefined : nextDelay(attempts + 1, retryAfter);
    return {
      state: 'failed',
      nextAttemptAt: delay === undefined ? null : new Date(this.#settings.now() + delay),
    };
  }
}

/** What the log says of a delivery. */
function about({ id, eventId, webhookId }: Leased): object {
  return { delivery: id, event: eventId, webhook: webhookId };
}

/** The secrets of receivers, for a minute each; the oldest make room. */
class SecretsCache {
  readonly #keys: KeyProvider;
  readonly #entries = new Map<string, { until: number; secrets: Promise<Secrets> }>();

  constructor(keys: KeyProvider) {
    this.#keys = keys;
  }

  of(leased: Leased): Promise<Secrets> {
    const { webhookId } = leased;
    const entry = this.#entries.get(webhookId);
    if (entry && entry.until > performance.now()) return entry.secrets;
    this.#entries.delete(webhookId);
    if (this.#entries.size >= SECRETS) this.#entries.delete(this.#entries.keys().next().value!);
    const secrets = openSecrets(this.#keys, webhookId, leased);
    this.#entries.set(webhookId, { until: performance.now() + SECRETS_MS, secrets });
    secrets.catch(() => this.#entries.delete(webhookId));
    return secrets;
  }
}
