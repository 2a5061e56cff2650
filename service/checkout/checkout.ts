/** Checkout sessions and the way to the provider's dashboard: docs/checkout.md. */
import * as routes from '../../src/api/checkout-routes.ts';
import { dashboardRoute } from '../../src/api/checkout.ts';
import { readPayReceipt } from '../../src/api/receipt.ts';
import { ConnectError } from '../../src/base/errors.ts';
import { answerEach } from '../http/paging.ts';
import { serve } from '../http/serve.ts';
import { whileServing } from '../http/while-serving.ts';
import { Fingerprint } from '../idempotency/request-keys.ts';
import type { Area } from '../service.ts';
import { servePageFiles } from './page/page-files.ts';
import { receiptOf } from './page/receipt-data.ts';
import { answerRequest, readRequest } from './page/refund-request.ts';
import { PROVIDERS } from './providers/providers.ts';
import { createSession, type UnopenedSession, sessionStore } from './sessions/create-session.ts';
import { describeSession } from './sessions/describe-session.ts';
import { sweepOften, upToDate, withdrawSession } from './sessions/expiry.ts';
import { inAccount } from '../database/account-scope.ts';
import { listSessions, readPageSession, readSession } from './sessions/read-session.ts';
import { offersFor } from './wallet-payments/offer.ts';

export const checkout: Area = async (app, service) => {
  const { db, config, payments } = service;
  whileServing(app, () => sweepOften(service, app.log));

  const ownPage = async (session: UnopenedSession): Promise<string | undefined> =>
    (await offersFor(service, session)).length > 0 ? `${service.url()}/pay/${session.page_id}` : undefined;

  const store = sessionStore(db);
  serve(app, routes.createSession, async ({ body, principal, idempotencyKey: key }) => {
    const { accountId } = principal;
    const row = await createSession(db, store, payments, {
      applicationId: accountId,
      body,
      keyedRequest: { accountId, key, fingerprint: new Fingerprint('checkout', body) },
      minutes: config.payments.sessionMinutes,
      serviceUrl: service.url(),
      ...(!payments.paysOnOwnPage && { ownPage }),
    });
    return describeSession(row);
  });

  serve(app, routes.readSession, async ({ params, principal }) => {
    const row = await readSession(db, principal.accountId, params.sessionId);
    return describeSession(await upToDate(db, payments, row));
  });

  serve(app, routes.listSessions, async (call) => {
    const page = await listSessions(db, call.principal.accountId, call.query);
    return answerEach(call, page, describeSession);
  });

  serve(app, routes.expireSession, async ({ params, principal }) => {
    const row = await readSession(db, principal.accountId, params.sessionId);
    return describeSession(await withdrawSession(db, payments, row));
  });

  serve(app, routes.readReceipt, async ({ params, principal }) =>
    receiptOf(service, await readSession(db, principal.accountId, params.sessionId)),
  );

  serve(app, readPayReceipt, async ({ params }) => {
    const row = await readPageSession(db, params.page);
    return inAccount(row.application_id, () => receiptOf(service, row));
  });

  serve(app, routes.readRefundRequest, ({ body }) => readRequest(service, body.token));

  serve(app, routes.giveRefundAddress, ({ body }) => answerRequest(service, body));

  // Receipts are here, whichever provider took the money.
  servePageFiles(app, service);

  for (const [name, { dashboard }] of Object.entries(PROVIDERS))
    serve(app, dashboardRoute(name, dashboard), async ({ principal }) => {
      if (name !== payments.name)
        throw new ConnectError(
          'request.not-found',
          `This service takes payments with ${payments.name}: GET /${payments.name}-dashboard.`,
        );
      const url = await payments.loginLink(principal.accountId);
      return { object: 'login_link' as const, created: Math.floor(Date.now() / 1000), url };
    });

  await service.providerRoutes(app, service);
};
