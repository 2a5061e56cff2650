/** "Pay with a wallet": receiving wallets, quotes in coins or tokens, and the reading of chains for payments. */
import { Counter } from 'prom-client';
import * as routes from '../../../src/api/checkout-routes.ts';
import { quoteWalletPayment, tellWalletPayment } from '../../../src/api/pay.ts';
import { answerPage } from '../../http/paging.ts';
import { serve } from '../../http/serve.ts';
import { whileServing } from '../../http/while-serving.ts';
import type { Area } from '../../service.ts';
import { NodeQueries } from '../../concurrency/node-queries.ts';
import { describeSession } from '../sessions/describe-session.ts';
import { onPageOf } from '../sessions/page-sessions.ts';
import { readSession } from '../sessions/read-session.ts';
import { searchAgain } from './addresses/search.ts';
import { acceptTransfers } from './accept-transfers.ts';
import { quote } from './quotes.ts';
import { reportTransaction } from './report-transaction.ts';
import { withOrder } from './describe-payment.ts';
import { listReceived } from './received.ts';
import {
  deleteReceivingWallets,
  putReceivingWallet,
  putReceivingWallets,
  readReceivingWallet,
  readReceivingWallets,
} from './receiving-wallets.ts';
import { deleteReceivingKey, putReceivingKey } from './set-receiving-key.ts';
import { DEFAULTS } from './wallet-payment-settings.ts';
import { startWatching } from './watch.ts';

export const walletPayments: Area = (app, service) => {
  const { db } = service;
  const settings = { ...DEFAULTS, ...service.walletPayments };
  const counter =
    app.metrics &&
    new Counter({
      name: 'wallet_payments_total',
      help: 'Transfers to receiving wallets: seen in a block, paid, and unassigned.',
      labelNames: ['what'],
      registers: [app.metrics],
    });
  const prices =
    app.metrics &&
    new Counter({
      name: 'wallet_prices_total',
      help: 'Prices asked for payments by wallet, by network: given, or why there was none.',
      labelNames: ['network', 'result'],
      registers: [app.metrics],
    });
  const quoting = {
    ...service,
    queries: new NodeQueries(),
    settings,
    priced: (network: string, result: string) => prices?.inc({ network, result }),
  };
  const watcher = whileServing(app, () =>
    startWatching({ ...service, settings, log: app.log, count: (what) => counter?.inc({ what }) }),
  );

  serveReceivingWallets(app, service);

  serve(app, routes.listWalletPayments, async (call) =>
    answerPage(call, await listReceived(db, call.principal.accountId, call.query)),
  );

  const onPage = onPageOf(service);

  serve(app, routes.acceptPayments, async ({ principal, params, body }) => {
    const row = await readSession(db, principal.accountId, params.sessionId);
    const accepted = await acceptTransfers({ ...service, settings }, row, body.payments);
    counter?.inc({ what: 'paid' });
    return describeSession(accepted);
  });

  serve(app, routes.searchPayments, async ({ principal, params }) => {
    const row = await readSession(db, principal.accountId, params.sessionId);
    await searchAgain({ ...service, settings }, row);
    watcher()?.wake();
    return (await listReceived(db, principal.accountId, { session: row.id })).rows;
  });

  serve(app, quoteWalletPayment, ({ params, query, request }) =>
    onPage(params, async (row) => {
      const answer = await quote(quoting, row, query, request.ip);
      watcher()?.wake();
      return withOrder(service, row, answer);
    }),
  );

  serve(app, tellWalletPayment, ({ params, body }) =>
    onPage(params, async (row) => {
      const answer = await reportTransaction(quoting, row, body.transactionHash);
      watcher()?.wake();
      return withOrder(service, row, answer);
    }),
  );
};

/** Where the payments go. */
const serveReceivingWallets: Area = (app, service) => {
  const { db } = service;
  serve(app, routes.setReceivingWallets, ({ principal, body }) =>
    putReceivingWallets(service, principal.accountId, body),
  );

  serve(app, routes.readReceivingWallets, ({ principal }) => readReceivingWallets(db, principal.accountId));

  serve(app, routes.setReceivingWallet, ({ principal, body }) =>
    putReceivingWallet(service, principal.accountId, body),
  );

  const limits = { perMinute: service.config.tokenRateLimit };
  serve(
    app,
    routes.setReceivingKey,
    ({ principal, body }) => putReceivingKey(service, principal.accountId, body),
    limits,
  );

  serve(
    app,
    routes.deleteReceivingKey,
    async ({ principal, params }) => {
      await deleteReceivingKey(service, principal.accountId, params.id);
      return {};
    },
    limits,
  );

  serve(app, routes.readReceivingWallet, ({ principal }) => readReceivingWallet(db, principal.accountId));

  serve(app, routes.deleteReceivingWallet, async ({ principal }) => {
    await deleteReceivingWallets(service, principal.accountId);
    return {};
  });
};
