/** A shop with a token, and a customer who pays on the page of the payment provider `test`. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { CheckoutSession } from '../../src/api/checkout.ts';
import { CHECKOUT_SCOPES, type Scope } from '../../src/api/scopes.ts';
import type { PaymentEvent } from '../../src/api/webhook.ts';
import { bearer, type Tested } from './harness.ts';

export const SUCCESS = '4242424242424242';
export const CHALLENGE = '4000002760003184';

/** A valid body. */
export function order(changes: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    line_items: [
      {
        price_data: { product_data: { name: 'Mug' }, unit_amount: 1250, currency: 'EUR' },
        quantity: 2,
      },
      {
        price_data: { product_data: { name: 'Shipping' }, unit_amount: 499, currency: 'EUR' },
        quantity: 1,
      },
    ],
    success_url: 'https://shop.example/thanks?order=1',
    cancel_url: 'https://shop.example/cart',
    mode: 'payment',
    ...changes,
  };
}

export interface Shop {
  headers: Record<string, string>;
  applicationId: string;
  /** For calls that take the client's secret in place of a token. */
  client: { id: string; secret: string };
  create(body?: unknown, key?: string): Promise<CheckoutSession>;
  read(id: string): Promise<CheckoutSession>;
  /** A session's events, oldest first. */
  events(id: string): Promise<PaymentEvent[]>;
}

/** With all scopes of checkout, and these. */
export async function openShop(tested: Tested, scopes: readonly Scope[] = []): Promise<Shop> {
  return shopOf(tested, await tested.client([...CHECKOUT_SCOPES, ...scopes]));
}

export async function shopOf(tested: Tested, { id, secret }: Shop['client']): Promise<Shop> {
  const body = { grant_type: 'client_credentials', client_id: id, client_secret: secret };
  const answer = await tested.post('/auth/realms/main/protocol/openid-connect/token', body);
  const headers = bearer(((await answer.json()) as { access_token: string }).access_token);
  return {
    headers,
    applicationId: id,
    client: { id, secret },
    async create(given = order(), key) {
      const response = await tested.post('/checkout/sessions', given, {
        ...headers,
        ...(key ? { 'Idempotency-Key': key } : {}),
      });
      assert.equal(response.status, 201, await response.clone().text());
      return (await response.json()) as CheckoutSession;
    },
    async read(sessionId) {
      const response = await tested.get(`/checkout/sessions/${sessionId}`, headers);
      assert.equal(response.status, 200, await response.clone().text());
      return (await response.json()) as CheckoutSession;
    },
    async events(sessionId) {
      const rows = await tested.service.db
        .selectFrom('events')
        .select('body')
        .where('session_id', '=', sessionId)
        .orderBy('sequence')
        .execute();
      return rows.map(({ body: text }) => JSON.parse(text) as PaymentEvent);
    },
  };
}

/** Path of the page at a session's `url`. */
export function pagePath({ url }: CheckoutSession): string {
  return new URL(url!).pathname;
}

export function payment(number = SUCCESS, changes: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    attempt: randomUUID(),
    email: 'ada@example.com',
    card: {
      number,
      expiryMonth: 12,
      expiryYear: new Date().getUTCFullYear() + 3,
      securityCode: /^3[47]/.test(number) ? '1234' : '123',
      name: 'Ada Lovelace',
    },
    country: 'GB',
    ...changes,
  };
}

/** Expires a session. */
export async function letExpire({ service }: Tested, id: string): Promise<void> {
  await service.db
    .updateTable('checkout_sessions')
    .set({ expires_at: new Date(Date.now() - 1000) })
    .where('id', '=', id)
    .execute();
}
