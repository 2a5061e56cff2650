/** Webhook receivers on this machine, and events without a payment. */
import { randomBytes } from 'node:crypto';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook as Verifier } from 'standardwebhooks';
import { CHECKOUT_SCOPES } from '../../src/api/scopes.ts';
import { recordSessionEvent } from '../../service/checkout/sessions/session-event.ts';
import type { Database } from '../../service/database/database.ts';
import { readRange } from '../../service/outbound/addresses.ts';
import type { DeliverySettings } from '../../service/webhooks/delivery-settings.ts';
import type { CreatedWebhook, Delivery, EventType, PaymentEvent } from '../../src/api/webhook.ts';
import { DEADLINE_MS } from '../waiting.ts';
import { bearer, startTested, type Tested } from './harness.ts';

export const LOOPBACK = ['127.0.0.0/8', '::1'].map(readRange);

export interface Arrived {
  headers: IncomingHttpHeaders;
  body: string;
  event: PaymentEvent;
}

export interface Receiver {
  url: string;
  arrived: Arrived[];
  /** Its response; 200 by default. */
  answer: (response: ServerResponse, arrived: Arrived) => void;
  /** Method and path of every request. */
  requests: string[];
  close(): Promise<void>;
}

export const ok = (response: ServerResponse): void => void response.end('thanks');

export async function startReceiver(port = 0): Promise<Receiver> {
  const server = createServer((request, response) => {
    receiver.requests.push(`${request.method} ${request.url}`);
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const body = Buffer.concat(parts).toString();
      const arrived = { headers: request.headers, body, event: JSON.parse(body || '{}') as PaymentEvent };
      receiver.arrived.push(arrived);
      receiver.answer(response, arrived);
    });
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const receiver: Receiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/events`,
    arrived: [],
    requests: [],
    answer: ok,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return receiver;
}

/** Verifies with Standard Webhooks' own library, and throws what it throws. */
export function verify(
  { signingSecret }: Pick<CreatedWebhook, 'signingSecret'>,
  { headers, body }: Arrived,
): void {
  new Verifier(signingSecret).verify(body, headers as Record<string, string>);
}

export async function newSession(db: Database, applicationId: string): Promise<string> {
  const id = `cs_test_${randomBytes(32).toString('base64url')}`;
  await db
    .insertInto('checkout_sessions')
    .values({
      id,
      page_id: randomBytes(32).toString('base64url'),
      application_id: applicationId,
      provider: 'test',
      provider_session: null,
      livemode: false,
      url: 'http://localhost/pay/1',
      line_items: '[]',
      currency: 'EUR',
      amount_subtotal: 5236,
      amount_total: 5236,
      customer_id: null,
      success_url: 'https://shop.example/thanks',
      cancel_url: 'https://shop.example/basket',
      status: 'open',
      payment_status: 'unpaid',
      payment_intent: null,
      expires_at: new Date(Date.now() + 1_800_000),
      completed_at: null,
      cancelled_at: null,
    })
    .execute();
  return id;
}

/** Records an event within a transaction, as a payment does. */
export async function recordEventIn(
  tx: Database,
  sessionId: string,
  type: EventType = 'payment.succeeded',
  reason: string | null = null,
): Promise<void> {
  const session = await tx
    .selectFrom('checkout_sessions')
    .selectAll()
    .where('id', '=', sessionId)
    .forUpdate()
    .executeTakeFirstOrThrow();
  await recordSessionEvent(tx, { session, type, reason });
}

export function recordEvent(db: Database, ...event: Drop<Parameters<typeof recordEventIn>>): Promise<void> {
  return db.transaction().execute((tx) => recordEventIn(tx, ...event));
}

type Drop<T extends unknown[]> = T extends [unknown, ...infer Rest] ? Rest : never;

export interface Merchant {
  id: string;
  headers: Record<string, string>;
  register(url: string, more?: object): Promise<CreatedWebhook>;
  deliveries(webhook: { id: string }, query?: string): Promise<Delivery[]>;
}

export const BASIC = { type: 'BASIC_AUTHENTICATION', username: 'shop', password: 'pässword-of-the-shop' };
export const API_KEY = { type: 'API_KEY', headerName: 'X-Shop-Key', apiKey: 'key-of-the-shop-41' };

export function registration(url: string, authenticationMethod: object = BASIC): object {
  return { url, application: 'PAY', authenticationMethod };
}

export async function merchantOf(service: Tested): Promise<Merchant> {
  const { access_token: token } = await service.tokens(CHECKOUT_SCOPES);
  const headers = bearer(token);
  const [, claims] = token.split('.');
  const { sub } = JSON.parse(Buffer.from(claims!, 'base64url').toString()) as { sub: string };
  return {
    id: sub,
    headers,
    async register(url, authenticationMethod) {
      const answer = await service.post('/webhooks', registration(url, authenticationMethod), headers);
      if (answer.status !== 201) throw new Error(await answer.text());
      return (await answer.json()) as CreatedWebhook;
    },
    async deliveries({ id }, query = '') {
      return (await (await service.get(`/webhooks/${id}/deliveries${query}`, headers)).json()) as Delivery[];
    },
  };
}

/** A clock that tests can advance. */
export function settableClock(): { now: () => number; ahead(ms: number): void } {
  let offset = 0;
  return {
    now: () => Date.now() + offset,
    ahead: (ms) => {
      offset += ms;
    },
  };
}

export const SECOND = 1000;
export const HOUR = 3_600_000;

/** So that no receiver is late on a busy machine. */
export const PATIENT_DELIVERIES: Partial<DeliverySettings> = {
  timeoutMs: DEADLINE_MS,
  leaseMs: 2 * DEADLINE_MS,
};

export function startShop(
  deliveries: NonNullable<Parameters<typeof startTested>[1]>['deliveries'] = {},
): Promise<Tested> {
  return startTested(
    { outboundRanges: LOOPBACK },
    { deliveries: { everyMs: 20, ...PATIENT_DELIVERIES, ...deliveries } },
  );
}
