/**
 * A small shop that sells through checkout. Its server creates the session and sends the customer to the payment page. When they come back
 * it trusts only what it reads from the service and what its webhook delivers, nothing in the URL.
 */
import { randomInt } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { escape } from '../../service/http/html.ts';
import {
  createSession,
  listDeliveries,
  listWalletPayments,
  readSession,
  redeliver,
} from '../../src/api/checkout-routes.ts';
import { dashboardRoute } from '../../src/api/checkout.ts';
import { ConnectError } from '../../src/base/errors.ts';
import type { ShopClient } from '../back-end.ts';
import { bodyOf, type Part, redirect } from '../requests.ts';
import { GOODS, orderedGoods, sessionOf } from './goods.ts';
import { type Merchant, openMerchant } from './merchant.ts';
import { goodsPage, orderPage, page, paymentsPage, SHOP_STYLE } from './pages.ts';
import { Receiver } from './receiver.ts';

export interface ShopOptions {
  /** Origin of the shop, as customers see it. */
  origin: string;
  client: Promise<ShopClient>;
}

const RECEIVER = '/shop/webhooks';
const SHOWN = '20';
const PICTURES: ReadonlySet<string> = new Set(GOODS.map(({ id }) => `/shop/goods/${id}.svg`));

interface Request {
  request: IncomingMessage;
  response: ServerResponse;
  merchant: Merchant;
  query: URLSearchParams;
  /** Of a POST. */
  form: URLSearchParams;
}

type Handler = (request: Request) => Promise<void> | void;

export function shop({ origin, client }: ShopOptions): Part {
  const receiver = new Receiver();
  // 127.0.0.1 and not localhost: a single address, which the demo's service is allowed to call.
  const address = `http://127.0.0.1:${new URL(origin).port}${RECEIVER}`;
  const opened = client.then((known) => openMerchant(known, address));
  // Reported when a page is opened.
  opened.catch(() => {});

  const pages: Record<string, Handler> = {
    '/shop': ({ query, ...to }) =>
      html(
        to,
        goodsPage(to.merchant.byWallet, query.has('back') ? 'You went back. Nothing was charged.' : ''),
      ),

    async '/shop/order'({ query, ...to }) {
      const sessionId = query.get('session') ?? '';
      const { api } = to.merchant;
      const session = await api.call(readSession, { params: { sessionId } });
      const received = await api.call(listWalletPayments, { query: { session: sessionId } });
      html(to, orderPage(session, received, receiver.of(sessionId)));
    },

    async '/shop/payments'({ query, ...to }) {
      const { api, webhook } = to.merchant;
      const deliveries = await api.call(listDeliveries, {
        params: { id: webhook.id },
        query: { limit: SHOWN },
      });
      const received = await api.call(listWalletPayments, { query: { limit: SHOWN } });
      const said = query.has('again') ? 'It is on its way again.' : '';
      html(to, paymentsPage({ arrived: receiver.arrived, received, deliveries, down: receiver.down, said }));
    },
  };

  const forms: Record<string, Handler> = {
    async '/shop/checkout'({ form, response, merchant }) {
      const order = orderedGoods((id) => form.get(id));
      if (order.length === 0) return redirect(response, '/shop');
      const { url } = await merchant.api.call(createSession, {
        body: {
          ...sessionOf(order),
          client_reference_id: `F-${randomInt(100_000, 1_000_000)}`,
          mode: 'payment',
          success_url: `${origin}/shop/order?session={CHECKOUT_SESSION_ID}`,
          cancel_url: `${origin}/shop?back`,
        },
      });
      redirect(response, url!);
    },

    async '/shop/redeliver'({ form, response, merchant }) {
      const params = { id: merchant.webhook.id, deliveryId: form.get('delivery') ?? '' };
      await merchant.api.call(redeliver, { params });
      redirect(response, '/shop/payments?again');
    },

    '/shop/receiver'({ form, response }) {
      receiver.down = form.get('down') === 'yes';
      redirect(response, '/shop/payments');
    },

    async '/shop/dashboard'({ response, merchant }) {
      redirect(response, (await merchant.api.call(dashboardRoute('test'), {})).url);
    },
  };

  return async (path, request, response) => {
    if (path !== '/shop' && !path.startsWith('/shop/')) return false;
    if (path === '/shop/style.css') {
      response.writeHead(200, { 'Content-Type': 'text/css; charset=utf-8' }).end(SHOP_STYLE);
      return true;
    }
    if (PICTURES.has(path)) {
      const picture = await readFile(join(import.meta.dirname, path.slice('/shop/'.length)));
      response
        .writeHead(200, { 'Content-Type': 'image/svg+xml', 'Content-Security-Policy': "default-src 'none'" })
        .end(picture);
      return true;
    }
    const post = request.method === 'POST';
    const handler = Object.hasOwn(post ? forms : pages, path) ? (post ? forms : pages)[path] : undefined;
    if (!handler && !(post && path === RECEIVER)) {
      response.writeHead(404, { 'Content-Type': 'text/plain' }).end('Not found\n');
      return true;
    }
    const merchant = await opened;
    if (!handler) {
      response.writeHead(receiver.take(merchant, request, await bodyOf(request))).end();
      return true;
    }
    // Forms of other sites cannot place orders (CSRF).
    if (post && !['same-origin', undefined].includes(request.headers['sec-fetch-site'] as string)) {
      response.writeHead(403).end();
      return true;
    }
    const query = new URL(request.url!, origin).searchParams;
    const form = new URLSearchParams(post ? await bodyOf(request) : '');
    try {
      await handler({ request, response, merchant, query, form });
    } catch (error) {
      if (!(error instanceof ConnectError)) throw error;
      html({ response, merchant }, page('That did not work', '', message(error)), 400);
    }
    return true;
  };
}

function message({ shortMessage }: ConnectError): string {
  return `<p>${escape(shortMessage)}</p><p><a href="/shop">Back to the shop</a></p>`;
}

/** Forms may submit here, and be redirected to the service's payment page and dashboard. */
function html(
  { response, merchant }: Pick<Request, 'response' | 'merchant'>,
  text: string,
  status = 200,
): void {
  response
    .writeHead(status, {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': `default-src 'none'; style-src 'self'; img-src 'self' data:; form-action 'self' ${new URL(merchant.service).origin}; base-uri 'none'; frame-ancestors 'none'`,
      'X-Content-Type-Options': 'nosniff',
      'Cache-Control': 'no-store',
    })
    .end(text);
}
