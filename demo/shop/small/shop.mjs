// Sells a mug for Bitcoin, USDT on Tron and more: docs/checkout.md says how to start it.
import { createServer } from 'node:http';
import { ServiceClient, webhookListener } from 'carabiner/service';

const { SERVICE, CLIENT_ID, CLIENT_SECRET, SIGNING_SECRET, ORIGIN } = process.env;
const shop = new ServiceClient({ url: SERVICE, clientId: CLIENT_ID, clientSecret: CLIENT_SECRET });
const mug = { product_data: { name: 'Mug' }, unit_amount: 2500, currency: 'USD' };
const orders = new Map(); // What became of each, by its session: in a database of yours.

async function buy(response) {
  const urls = { success_url: `${ORIGIN}/?{CHECKOUT_SESSION_ID}`, cancel_url: ORIGIN };
  const order = { line_items: [{ price_data: mug }], ...urls };
  const { id, url } = await shop.checkoutSessions.create(order);
  orders.set(id, 'unpaid');
  response.writeHead(303, { Location: url }).end();
}
const hear = webhookListener(SIGNING_SECRET, ({ type, data }) => {
  if (type !== 'payment.succeeded' || orders.get(data.session.id) !== 'unpaid') return;
  orders.set(data.session.id, 'paid');
  console.log(`Send order ${data.session.id}`);
});
createServer((request, response) => {
  if (request.url === '/events') return hear(request, response);
  if (request.method === 'POST') return buy(response).catch(() => response.writeHead(502).end());
  const state = orders.get(request.url.slice(2)) ?? 'none';
  response.setHeader('Content-Type', 'text/html');
  response.end(`Order: ${state}. <form action="/" method="post"><button>Buy a mug</button></form>`);
}).listen(new URL(ORIGIN).port, '127.0.0.1');
