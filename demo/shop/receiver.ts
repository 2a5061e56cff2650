/** Receives webhooks as a shop should: checks the key, then the signature, and handles each event once by its id. */
import { timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { Webhook } from 'standardwebhooks';
import { PaymentEvent } from '../../src/api/webhook.ts';
import { KEY_HEADER, type Merchant } from './merchant.ts';

export interface Arrived {
  event: PaymentEvent;
  /** Time of the first delivery. */
  at: Date;
  /** Number of deliveries so far. */
  times: number;
}

const KEPT = 200;

function equal(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}

export class Receiver {
  /** Oldest first. */
  readonly #arrived = new Map<string, Arrived>();
  /** Answers 500, so that a tester sees deliveries retried. */
  down = false;

  /** Newest first. */
  get arrived(): Arrived[] {
    return [...this.#arrived.values()].toReversed();
  }

  of(sessionId: string): Arrived[] {
    return [...this.#arrived.values()].filter(({ event }) => event.data.session.id === sessionId);
  }

  /** Returns the HTTP status. */
  take({ key, webhook }: Merchant, { headers }: IncomingMessage, body: string): number {
    if (this.down) return 500;
    if (!equal(String(headers[KEY_HEADER] ?? ''), key)) return 401;
    try {
      new Webhook(webhook.signingSecret).verify(body, headers as Record<string, string>);
    } catch {
      return 401;
    }
    const { success, data: event } = PaymentEvent.safeParse(JSON.parse(body));
    // Of a type that the shop does not know.
    if (!success) return 204;
    const known = this.#arrived.get(event.id);
    if (known) known.times++;
    else this.#arrived.set(event.id, { event, at: new Date(), times: 1 });
    for (const id of [...this.#arrived.keys()].slice(0, -KEPT)) this.#arrived.delete(id);
    return 204;
  }
}
