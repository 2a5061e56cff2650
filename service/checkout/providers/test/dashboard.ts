/** What `GET /test-dashboard` leads to: the application's newest sessions and the attempts to pay them, as a page without scripts. */
import type { FastifyInstance } from 'fastify';
import { currencyDigits } from '../../../../src/api/currency.ts';
import { acrossAccounts, inAccount } from '../../../database/account-scope.ts';
import type { Database } from '../../../database/database.ts';
import { escape } from '../../../http/html.ts';
import { PAGE_HEADERS } from '../../../http/security-headers.ts';
import type { Service } from '../../../service.ts';
import { followLink, VISIT_SECONDS, visitorOf } from './dashboard-keys.ts';

const SHOWN = 100;
const COOKIE = 'carabiner-dashboard';
const STYLE = `
:root { color-scheme: light dark; font: 15px/1.5 system-ui, sans-serif; }
body { margin: 0 auto; max-width: 70rem; padding: 1.5rem 1rem 3rem; background: light-dark(#fff, #161a21); color: light-dark(#14181f, #eef1f5); }
h1 { font-size: 1.4rem; line-height: 1.25; }
.list { overflow-x: auto; }
table { width: 100%; border-collapse: collapse; font-size: 14px; }
th, td { padding: 0.45rem 1rem 0.45rem 0; border-block-end: 1px solid light-dark(#e0e4ea, #2a303b); text-align: start; vertical-align: top; white-space: nowrap; }
th { color: light-dark(#4a5261, #b4bcc9); font-size: 13px; }
td.amount, th.amount { text-align: end; font-variant-numeric: tabular-nums; }
code { font-size: 12px; }
.banner { margin: 0 0 1rem; padding: 0.5rem 0.75rem; border-radius: 6px; background: light-dark(#fdf1d0, #453508); }
`;

function page(title: string, body: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escape(title)}</title>
<link rel="stylesheet" href="/test-dashboard/style.css">
</head>
<body>
<p class="banner">Test payments: no money moves.</p>
<h1>${escape(title)}</h1>
${body}
</body>
</html>
`;
}

const GONE = page(
  'This link was used, or is too old',
  '<p>It works once, for five minutes. Ask for another one: <code>GET /test-dashboard</code>.</p>',
);

/** An amount as `12.50 EUR`. */
export function amountText(minorUnits: number, currency: string): string {
  const digits = currencyDigits(currency);
  const text = String(minorUnits).padStart(digits + 1, '0');
  return `${text.slice(0, text.length - digits)}${digits ? `.${text.slice(-digits)}` : ''} ${currency}`;
}

async function paymentsPage(db: Database, applicationId: string): Promise<string> {
  const rows = await db
    .selectFrom('checkout_sessions as session')
    .leftJoin('checkout_payments as payment', 'payment.session_id', 'session.id')
    .select([
      'session.id',
      'session.created_at',
      'session.amount_total',
      'session.currency',
      'session.status',
      'session.payment_status',
      'payment.id as paymentId',
      'payment.state',
      'payment.reason',
      'payment.brand',
      'payment.last4',
      'payment.created_at as attemptedAt',
    ])
    .where('session.application_id', '=', applicationId)
    .where('session.provider', '=', 'test')
    .orderBy('session.created_at', 'desc')
    .orderBy('payment.created_at', 'desc')
    .limit(SHOWN)
    .execute();
  const title = 'Payments';
  if (rows.length === 0) return page(title, '<p>There are none yet.</p>');
  const cells = rows.map((row) => {
    const outcome = row.state
      ? `${row.state}${row.state === 'declined' ? `: ${row.reason}` : ''}`
      : `no attempt (${row.status})`;
    const card = row.state ? `${row.brand} …${row.last4}` : '';
    return `<tr>
<td>${(row.attemptedAt ?? row.created_at).toISOString().slice(0, 19).replace('T', ' ')}</td>
<td class="amount">${escape(amountText(Number(row.amount_total), row.currency))}</td>
<td>${escape(outcome)}</td>
<td>${escape(card)}</td>
<td>${escape(row.payment_status)}</td>
<td><code>${escape(row.paymentId ?? '')}</code></td>
<td><code>${escape(row.id)}</code></td>
</tr>`;
  });
  const heads = ['Time (UTC)', 'Amount', 'Outcome', 'Card', 'Session is', 'Payment', 'Session'].map(
    (head) => `<th scope="col"${head === 'Amount' ? ' class="amount"' : ''}>${head}</th>`,
  );
  return page(
    title,
    `<div class="list"><table><thead><tr>${heads.join('')}</tr></thead><tbody>${cells.join('')}</tbody></table></div>`,
  );
}

function cookieOf(header: string | undefined): string {
  return new RegExp(`(?:^|; *)${COOKIE}=([\\w-]+)`).exec(header ?? '')?.[1] ?? '';
}

export function serveDashboard(app: FastifyInstance, { db, url }: Service): void {
  app.get('/test-dashboard/style.css', (_request, reply) =>
    reply.type('text/css; charset=utf-8').send(STYLE),
  );

  // The link in the browser's history no longer opens anything.
  app.get<{ Params: { key: string } }>('/test-dashboard/:key', async ({ params }, reply) => {
    const visit = await acrossAccounts('payment-page', () => followLink(db, params.key));
    if (!visit) return reply.code(410).headers(PAGE_HEADERS).type('text/html; charset=utf-8').send(GONE);
    const secure = url().startsWith('https:') ? '; Secure' : '';
    return reply
      .header(
        'Set-Cookie',
        `${COOKIE}=${visit}; Path=/test-dashboard; Max-Age=${VISIT_SECONDS}; HttpOnly; SameSite=Lax${secure}`,
      )
      .redirect('/test-dashboard/payments', 303);
  });

  app.get('/test-dashboard/payments', async ({ headers }, reply) => {
    const applicationId = await acrossAccounts('payment-page', () => visitorOf(db, cookieOf(headers.cookie)));
    return reply
      .code(applicationId ? 200 : 410)
      .headers(PAGE_HEADERS)
      .type('text/html; charset=utf-8')
      .send(applicationId ? await inAccount(applicationId, () => paymentsPage(db, applicationId)) : GONE);
  });
}
