/** The calls of the payment page. Anyone who has its address may make them: only the customer and the shop know it. */
import type { FastifyInstance } from 'fastify';
import * as routes from '../../../src/api/pay.ts';
import { serve } from '../../http/serve.ts';
import type { Service } from '../../service.ts';
import { cancelSession } from '../sessions/expiry.ts';
import { extendSession } from '../sessions/extend-session.ts';
import { onPageOf } from '../sessions/page-sessions.ts';
import { redirectOf } from '../sessions/session-errors.ts';
import { completeFree } from './free-order.ts';
import { pageData } from './page-data.ts';

export function servePageCalls(app: FastifyInstance, service: Service): void {
  const { db, payments } = service;
  const onPage = onPageOf(service);

  serve(app, routes.readPayPage, ({ params }) => onPage(params, (row) => pageData(service, row)));

  // Another provider's page has a button of its own for such orders.
  if (payments.paysOnOwnPage)
    serve(app, routes.completeOrder, ({ params }) => onPage(params, (row) => completeFree(db, row)));

  serve(app, routes.extendPage, ({ params }) =>
    onPage(params, async (row) =>
      pageData(service, row.status === 'open' ? await extendSession(db, payments, row) : row),
    ),
  );

  serve(app, routes.cancelPayment, ({ params }) =>
    onPage(params, async (row) => ({
      redirect: redirectOf(row.status === 'open' ? await cancelSession(db, payments, row) : row),
    })),
  );
}
