/** The shop's pages: server-rendered HTML without scripts. */
import { escape } from '../../service/http/html.ts';
import type { CheckoutSession } from '../../src/api/checkout.ts';
import type { ReceivedPayment } from '../../src/api/receiving-wallet.ts';
import type { Delivery } from '../../src/api/webhook.ts';
import { priceText } from '../../src/ui/amount-text.ts';
import { CURRENCY, type Good, GOODS, type OrderedGood, orderedGoods } from './goods.ts';
import type { Arrived } from './receiver.ts';

const LINKS: readonly [string, string][] = [
  ['/shop', 'Shop'],
  ['/shop/payments', 'Payments'],
  ['/', 'Carabiner demo'],
];

export function page(title: string, at: string, body: string): string {
  const links = LINKS.map(
    ([href, name]) => `<a href="${href}"${href === at ? ' aria-current="page"' : ''}>${name}</a>`,
  );
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escape(title)} · Fernhill Outfitters</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/shop/style.css">
</head>
<body>
<header><b>Fernhill Outfitters</b><nav aria-label="Shop">${links.join('')}</nav></header>
<main>
<h1>${escape(title)}</h1>
${body}
</main>
</body>
</html>
`;
}

function notice(text: string): string {
  return text ? `<p class="notice" role="status">${escape(text)}</p>` : '';
}

function price(amount: number): string {
  return amount === 0 ? 'Free' : priceText(amount, CURRENCY, 'en');
}

/** Beside its name, so it needs none of its own. */
function picture({ id }: Good): string {
  return `<img src="/shop/goods/${id}.svg" alt="" width="320" height="240">`;
}

export function goodsPage(byWallet: boolean, said = ''): string {
  const cards = GOODS.map(
    (good, index) => `<li>
${picture(good)}
<label for="${good.id}"><b>${escape(good.name)}</b><span>${price(good.price)}</span></label>
<p>${escape(good.about)}</p>
<input id="${good.id}" name="${good.id}" type="number" inputmode="numeric" min="0" max="99" value="${index < 2 ? 1 : 0}">
</li>`,
  );
  return page(
    'For days outside',
    '/shop',
    `${notice(said)}
<form method="post" action="/shop/checkout">
<ul class="goods">
${cards.join('\n')}
</ul>
<div class="line checkout"><button class="primary">Check out</button>
<p>Everything here is made up, and so is the money: pay with a test card, such as 4242 4242 4242 4242${byWallet ? ', or with an Ethereum wallet of the demo, which the faucet fills' : ''}.</p></div>
</form>`,
  );
}

function facts(rows: readonly (readonly [string, string | number | null | undefined])[]): string {
  const cells = rows.map(
    ([name, value]) => `<div><dt>${name}</dt><dd><code>${escape(String(value ?? 'null'))}</code></dd></div>`,
  );
  return `<dl>${cells.join('')}</dl>`;
}

/** Not for card payments. */
function walletFacts({ state, amount, symbol, network, from, transactionHash }: ReceivedPayment): string {
  return `<h2>What a wallet sent</h2>
${facts([
  ['state', state],
  ['amount', `${amount} ${symbol}`],
  ['network', network],
  ['from', from],
  ['transactionHash', transactionHash],
])}
`;
}

function orderedRow({ good, quantity }: OrderedGood): string {
  const times = quantity > 1 ? ` × ${quantity}` : '';
  const map = good.id === 'map' ? ' <a href="/shop/goods/map.svg" download="fernhill.svg">Download</a>' : '';
  return `<li>${picture(good)}<div><b>${escape(good.name)}${times}</b><span>${escape(good.next)}${map}</span></div><span>${price(good.price * quantity)}</span></li>`;
}

/** For the customer. */
function thanks(session: CheckoutSession): string {
  const { customer_details: customer, receipt_url: receipt, client_reference_id: number } = session;
  const name = customer?.name ? `, ${escape(customer.name)}` : '';
  const mail = customer?.email
    ? ` We will write to <b>${escape(customer.email)}</b> when it is on its way.`
    : '';
  const order = orderedGoods((id) => session.metadata[id]);
  return `<p class="lead">We have your order${name}.${mail}</p>
<ul class="ordered">
${order.map(orderedRow).join('\n')}
<li class="total"><b>Paid</b><b>${priceText(session.amount_total, CURRENCY, 'en')}</b></li>
</ul>
<p>Order ${escape(number ?? session.id)}</p>
<div class="line">${receipt ? `<a class="button primary" href="${escape(receipt)}">View the receipt</a>` : ''}<a class="button" href="/shop">Back to the shop</a></div>`;
}

/** What the shop's server reads when the customer comes back: only that counts, not the page's URL. */
export function orderPage(
  session: CheckoutSession,
  received: readonly ReceivedPayment[],
  arrived: readonly Arrived[],
): string {
  const { customer_details: customer } = session;
  const isPaid = session.payment_status === 'paid';
  const heard = arrived.length
    ? `<ul>${arrived.map(({ event }) => `<li><code>${event.type}</code>, number ${event.data.sequence} of this session</li>`).join('')}</ul>`
    : '<p>Nothing yet. <a href="">Look again</a></p>';
  return page(
    isPaid ? 'Thank you for your order' : 'This order is not paid',
    '',
    `${isPaid ? thanks(session) : '<p>Nothing was charged.</p><a class="button" href="/shop">Back to the shop</a>'}
<details>
<summary>What the shop’s server saw</summary>
<h2>The session, as the shop’s server reads it</h2>
${facts([
  ['id', session.id],
  ['status', session.status],
  ['payment_status', session.payment_status],
  ['amount_total', `${session.amount_total} ${session.currency}`],
  ['payment_intent', session.payment_intent],
  ['livemode', String(session.livemode)],
  ['customer_details.name', customer?.name],
  ['customer_details.email', customer?.email],
  ['customer_details.address.country', customer?.address.country],
])}
${received.map(walletFacts).join('')}<h2>What the webhook brought</h2>
${heard}
</details>`,
  );
}

function table(caption: string, heads: readonly string[], rows: readonly string[][]): string {
  if (rows.length === 0) return '<p>None yet.</p>';
  const head = heads.map((name) => `<th scope="col">${name}</th>`).join('');
  const body = rows.map((row) => `<tr>${row.map((cell) => `<td>${cell}</td>`).join('')}</tr>`);
  return `<div class="wide" tabindex="0" role="region" aria-label="${caption}"><table><thead><tr>${head}</tr></thead><tbody>${body.join('')}</tbody></table></div>`;
}

function timeOf(at: Date): string {
  return `<time datetime="${at.toISOString()}">${at.toISOString().slice(11, 19)}</time>`;
}

function short(id: string): string {
  return `<code title="${escape(id)}">${escape(id.slice(0, 8))}…${escape(id.slice(-4))}</code>`;
}

export interface Payments {
  arrived: readonly Arrived[];
  received: readonly ReceivedPayment[];
  deliveries: readonly Delivery[];
  /** The receiver answers 500. */
  down: boolean;
  said: string;
}

/** The merchant's view: events that arrived, and how the service delivered them. */
export function paymentsPage({ arrived, received, deliveries, down, said }: Payments): string {
  const events = arrived.map(({ event, at, times }) => [
    timeOf(at),
    `<code>${event.type}</code>`,
    short(event.data.session.id),
    String(event.data.sequence),
    escape(event.data.reason ?? ''),
    String(times),
  ]);
  const coins = received.map((each) => [
    timeOf(new Date(each.seenAt)),
    each.state,
    escape(each.reason ?? ''),
    `${escape(each.amount)} ${escape(each.symbol)}`,
    each.sessionId ? short(each.sessionId) : '',
    each.from === null ? '' : short(each.from),
    short(each.transactionHash),
  ]);
  const sent = deliveries.map(({ id, type, sessionId, state, attempts, nextAttemptAt }) => {
    const last = attempts.at(-1);
    return [
      `<code>${type}</code>`,
      sessionId ? short(sessionId) : '',
      state,
      last ? `${attempts.length}, last: ${last.status ?? escape(last.error ?? '')}` : 'none',
      nextAttemptAt ? timeOf(new Date(nextAttemptAt)) : '',
      `<form method="post" action="/shop/redeliver"><button name="delivery" value="${escape(id)}">Redeliver</button></form>`,
    ];
  });
  return page(
    'Payments',
    '/shop/payments',
    `${notice(said)}
<div class="line">
<a class="button" href="/shop/payments">Refresh</a>
<form method="post" action="/shop/receiver"><button name="down" value="${down ? 'no' : 'yes'}">${down ? 'Switch the receiver on' : 'Switch the receiver off'}</button></form>
<form method="post" action="/shop/dashboard"><button>Open the dashboard</button></form>
</div>
<h2>What arrived</h2>
<p>Key and signature were right, or it would not be here.${down ? ' The receiver is off: it answers 500.' : ''}</p>
${table('What arrived', ['Time', 'Event', 'Session', 'Sequence', 'Reason', 'Times'], events)}
<h2>What wallets sent</h2>
${table('What wallets sent', ['Time', 'State', 'Reason', 'Amount', 'Session', 'From', 'Transaction'], coins)}
<h2>Deliveries</h2>
${table('Deliveries', ['Event', 'Session', 'State', 'Attempts', 'Next', 'Again'], sent)}`,
  );
}

export const SHOP_STYLE = `
:root { color-scheme: light dark; --text: light-dark(#14181f, #eef1f5); --text-2: light-dark(#4a5261, #b4bcc9); --surface: light-dark(#fff, #161a21); --line: light-dark(#e0e4ea, #2a303b); --edge: light-dark(#808999, #717b8c); --brand: light-dark(#1e4d3a, #a9d3bf); --on-brand: light-dark(#fff, #0c2219); }
* { box-sizing: border-box; }
body { margin: 0; background: light-dark(#f5f6f8, #0d1015); color: var(--text); font: 400 15px/1.45 system-ui, sans-serif; }
header { display: flex; flex-wrap: wrap; gap: 4px 20px; align-items: center; justify-content: space-between; padding: 4px 20px; background: var(--surface); border-block-end: 1px solid var(--line); }
nav { display: flex; flex-wrap: wrap; gap: 0 16px; }
nav a { display: inline-flex; align-items: center; min-block-size: 44px; }
a { color: var(--brand); text-underline-offset: 3px; }
a[aria-current] { color: var(--text); text-decoration: none; font-weight: 600; }
main { max-inline-size: 860px; margin: 0 auto; padding: 20px; }
h1 { margin: 8px 0 16px; font-size: 26px; font-weight: 640; line-height: 1.2; letter-spacing: -0.015em; }
h2 { margin: 24px 0 8px; font-size: 17px; font-weight: 620; line-height: 1.25; }
p { margin: 0 0 12px; color: var(--text-2); }
.notice { padding: 12px; border: 1px solid var(--line); border-radius: 12px; background: var(--surface); color: var(--text); }
dl, .ordered { margin: 0 0 16px; padding: 0; list-style: none; border: 1px solid var(--line); border-radius: 12px; background: var(--surface); }
.ordered li, dl div { display: flex; gap: 12px; align-items: center; justify-content: space-between; padding: 8px 12px; }
.ordered li + li, dl div + div { border-block-start: 1px solid var(--line); }
.ordered img { inline-size: 64px; block-size: auto; border-radius: 8px; }
.ordered div { display: grid; flex: 1; min-inline-size: 0; }
.ordered > li > span { font-variant-numeric: tabular-nums; }
.ordered div span, dt { color: var(--text-2); font-size: 13px; }
.lead { font-size: 17px; }
.goods { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 190px), 1fr)); gap: 16px; margin: 0 0 20px; padding: 0; list-style: none; }
.goods li { display: grid; grid-template-rows: auto auto 1fr auto; gap: 8px; padding: 0 12px 12px; border: 1px solid var(--line); border-radius: 14px; background: var(--surface); overflow: clip; }
.goods img { inline-size: calc(100% + 24px); block-size: auto; margin-inline: -12px; }
.goods label { display: flex; flex-wrap: wrap; gap: 0 12px; justify-content: space-between; }
.goods p { margin: 0; font-size: 13px; }
.checkout { align-items: center; }
.checkout p { flex: 1 1 260px; margin: 0; font-size: 13px; }
details { margin-block-start: 32px; padding: 0 16px; border: 1px solid var(--line); border-radius: 12px; }
details[open] { padding-block-end: 8px; }
summary { min-block-size: 44px; padding-block: 10px; color: var(--text-2); cursor: pointer; }
dt { flex: none; }
dd { margin: 0; text-align: end; overflow-wrap: anywhere; min-inline-size: 0; }
code { font: 13px ui-monospace, monospace; }
input { inline-size: 76px; min-block-size: 44px; padding: 0 10px; border: 1px solid var(--edge); border-radius: 9px; background: var(--surface); color: inherit; font: inherit; font-size: 16px; }
button, .button { display: inline-flex; align-items: center; min-block-size: 44px; padding: 0 16px; border: 1px solid var(--edge); border-radius: 9px; background: var(--surface); color: inherit; font: inherit; font-weight: 560; text-decoration: none; cursor: pointer; }
.primary { border-color: transparent; background: var(--brand); color: var(--on-brand); min-block-size: 48px; }
:focus-visible { outline: 2px solid var(--brand); outline-offset: 2px; }
.line { display: flex; flex-wrap: wrap; gap: 8px; }
.wide { overflow-x: auto; border: 1px solid var(--line); border-radius: 12px; background: var(--surface); }
table { inline-size: 100%; border-collapse: collapse; font-size: 13px; }
th, td { padding: 6px 12px; text-align: start; white-space: nowrap; font-variant-numeric: tabular-nums; }
th { color: var(--text-2); font-weight: 600; }
tr + tr td, thead + tbody td { border-block-start: 1px solid var(--line); }
`;
