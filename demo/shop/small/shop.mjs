// A whole shop that takes USDT on Tron, and what else is in WALLETS, by docs/checkout.md alone. One that grows registers webhooks, too.
import { createServer } from 'node:http';
import { randomUUID } from 'node:crypto';

const { SERVICE, CLIENT_ID, CLIENT_SECRET, WALLETS, PORT = '8080' } = process.env;
const client = { grant_type: 'client_credentials', client_id: CLIENT_ID, client_secret: CLIENT_SECRET };
const sessions = new Map(); // The session's id by the order's number, in a database of yours.

async function send(method, path, headers, body) {
  const answer = await fetch(SERVICE + path, { method, headers, body });
  if (!answer.ok) throw new Error(`${method} ${path}: ${await answer.text()}`);
  return answer.json();
}
async function call(method, path, body) {
  const login = ['POST', '/auth/realms/main/protocol/openid-connect/token', {}, new URLSearchParams(client)];
  const headers = { Authorization: `Bearer ${(await send(...login)).access_token}` };
  if (body) headers['Content-Type'] = 'application/json';
  return send(method, path, headers, body && JSON.stringify(body));
}
async function answer({ method, url }, response) {
  const number = new URL(url, origin()).searchParams.get('number') ?? randomUUID();
  if (method === 'POST') {
    const price_data = { product_data: { name: 'Mug' }, unit_amount: 2500, currency: 'USD' };
    const urls = { success_url: `${origin()}/?number=${number}`, cancel_url: origin() };
    const order = { mode: 'payment', line_items: [{ price_data, quantity: 1 }], client_reference_id: number };
    const session = await call('POST', '/checkout/sessions', { ...order, ...urls });
    sessions.set(number, session.id);
    return response.writeHead(303, { Location: session.url, 'X-Order': number }).end();
  }
  const id = sessions.get(number);
  const state = id ? (await call('GET', `/checkout/sessions/${id}`)).payment_status : 'none';
  response.writeHead(200, { 'Content-Type': 'text/html' });
  response.end(`Your order: ${state}. <form method="post"><button>Buy a mug for $25</button></form>`);
}
const server = createServer((...exchange) => void answer(...exchange).catch(() => exchange[1].destroy()));
const origin = () => `http://127.0.0.1:${server.address().port}`;
await call('PUT', '/account/settings/receiving-wallets', { wallets: JSON.parse(WALLETS) });
server.listen(Number(PORT), '127.0.0.1', () => console.log(origin()));
