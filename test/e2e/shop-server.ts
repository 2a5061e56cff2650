/** A shop's server: the pages that customers return to, and a webhook receiver. */
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';
import { CHECKOUT_SCOPES } from '../../src/api/scopes.ts';
import { createClient } from '../../service/auth/clients.ts';
import type { CheckoutSession } from '../../src/api/checkout.ts';
import type { CreatedWebhook, PaymentEvent } from '../../src/api/webhook.ts';
import { bearer, type Tested, TOKEN_PATH } from '../service/harness.ts';
import { poll } from '../waiting.ts';

export const MERCHANT = 'Fernhill Outfitters';

export type OpenSession = CheckoutSession & { url: string };

export interface ShopServer {
  url: string;
  /** For its calls to the service. */
  headers: Record<string, string>;
  /** Creates a session for $52.36. */
  newSession(): Promise<OpenSession>;
  readSession(id: string): Promise<CheckoutSession>;
  /** Waits until the shop has received exactly these events of the session. */
  heard(id: string, ...types: string[]): Promise<true>;
  close(): void;
}

/** `tested` must allow webhooks on this machine: see `outboundRanges`. */
export async function openShopServer(tested: Tested): Promise<ShopServer> {
  const events: PaymentEvent[] = [];
  let webhook: Webhook;
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (part) => (body += String(part)));
    request.on('end', () => {
      if (request.url !== '/hook') {
        response.setHeader('Content-Type', 'text/html');
        response.end(`<title>${request.url}</title><h1>The shop</h1>`);
        return;
      }
      const event = webhook.verify(body, request.headers as Record<string, string>) as PaymentEvent;
      assert.equal(request.headers['x-shop-key'], 'secret-of-the-shop');
      // Others are of no session: that the receiving wallet changed.
      if ('session' in event.data && !events.some(({ id }) => id === event.id)) events.push(event);
      response.writeHead(204).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  const { id, secret } = await createClient(tested.service.db, { name: MERCHANT, scopes: CHECKOUT_SCOPES });
  const grant = { grant_type: 'client_credentials', client_id: id, client_secret: secret };
  const { access_token } = (await (await tested.post(TOKEN_PATH, grant)).json()) as { access_token: string };
  const headers = bearer(access_token);
  const registered = await tested.post(
    '/webhooks',
    {
      url: `${url}/hook`,
      application: 'PAY',
      authenticationMethod: { type: 'API_KEY', headerName: 'x-shop-key', apiKey: 'secret-of-the-shop' },
    },
    headers,
  );
  assert.equal(registered.status, 201);
  webhook = new Webhook(((await registered.json()) as CreatedWebhook).signingSecret);

  const item = (name: string, unit_amount: number, quantity: number) => ({
    price_data: { product_data: { name }, unit_amount, currency: 'USD' },
    quantity,
  });
  const eventsOf = (sessionId: string): string =>
    events
      .filter(({ data }) => data.session.id === sessionId)
      .map(({ type }) => type)
      .sort()
      .join();
  return {
    url,
    headers,
    async newSession() {
      const body = {
        line_items: [item('Trail map, digital', 1800, 1), item('Guided walk, 12 Dec', 1718, 2)],
        success_url: `${url}/thanks`,
        cancel_url: `${url}/cart`,
        mode: 'payment',
      };
      const response = await tested.post('/checkout/sessions', body, headers);
      assert.equal(response.status, 201);
      return (await response.json()) as OpenSession;
    },
    readSession: async (sessionId) =>
      (await (await tested.get(`/checkout/sessions/${sessionId}`, headers)).json()) as CheckoutSession,
    heard: (sessionId, ...types) =>
      poll(
        async () => (eventsOf(sessionId) === [...types].sort().join() ? (true as const) : undefined),
        `${types.join()} at the shop`,
      ),
    close: () => void server.close(),
  };
}
