// A whole shop that takes USDT on Tron, Bitcoin, and what else is in WALLETS and KEYS, by docs/checkout.md alone.
import { createServer } from 'node:http';
import { randomUUID } from 'node:crypto';
import { json } from 'node:stream/consumers';

const { SERVICE, CLIENT_ID, CLIENT_SECRET, WALLETS, KEYS, PORT = '8080' } = process.env;
const basic = `Basic ${btoa(`${CLIENT_ID}:${CLIENT_SECRET}`)}`;
const sessions = new Map(); // The session's id by the order's number, in a database of yours.
const unsent = new Set(); // Numbers of orders, there too.

async function send(method, path, Authorization, body, type = 'application/json') {
  const headers = { Authorization, ...(body && { 'Content-Type': type }) };
  const answer = await fetch(SERVICE + path, { method, headers, body });
  if (!answer.ok) throw new Error(`${method} ${path}: ${await answer.text()}`);
  return answer.json();
}
async function call(method, path, body) {
  const login = ['grant_type=client_credentials', 'application/x-www-form-urlencoded'];
  const token = await send('POST', '/auth/realms/main/protocol/openid-connect/token', basic, ...login);
  return send(method, path, `Bearer ${token.access_token}`, body && JSON.stringify(body));
}
async function answer(request, response) {
  const { pathname, searchParams } = new URL(request.url, origin());
  if (request.method === 'POST' && pathname === '/') {
    const number = randomUUID();
    const price_data = { product_data: { name: 'Mug' }, unit_amount: 2500, currency: 'USD' };
    const urls = { success_url: `${origin()}/?number=${number}`, cancel_url: origin() };
    const order = { mode: 'payment', line_items: [{ price_data, quantity: 1 }], client_reference_id: number };
    const session = await call('POST', '/checkout/sessions', { ...order, ...urls });
    unsent.add(number);
    sessions.set(number, session.id);
    return response.writeHead(303, { Location: session.url, 'X-Order': number }).end();
  }
  // A customer who comes back, or an event. Anybody can send either, so what the service says counts.
  const event = pathname === '/events' && (await json(request));
  const number = event ? event.data.session?.client_reference_id : searchParams.get('number');
  const id = sessions.get(number);
  const state = id ? (await call('GET', `/checkout/sessions/${id}`)).payment_status : 'none';
  if (state === 'paid' && unsent.delete(number)) console.log(`Send order ${number}`);
  response.writeHead(200, { 'Content-Type': 'text/html' });
  response.end(`Order: ${state}. <form action="/" method="post"><button>Buy a mug for $25</button></form>`);
}
const server = createServer((...exchange) => void answer(...exchange).catch(() => exchange[1].destroy()));
const origin = () => `http://127.0.0.1:${server.address().port}`;
await call('PUT', '/account/settings/receiving-wallets', { wallets: JSON.parse(WALLETS) });
for (const key of JSON.parse(KEYS))
  await send('PUT', '/api/client/receiving-key', basic, JSON.stringify(key));
server.listen(Number(PORT), '127.0.0.1', () => console.log(origin()));
