/** The calls of the payment page. Anyone who has its address may make them: only the customer and the shop know it. */
import type { FastifyInstance } from 'fastify';
import * as routes from '../../../src/api/pay-routes.ts';
import type { SessionRow } from '../../database/schema.ts';
import { serve } from '../../http/serve.ts';
import type { Service } from '../../service.ts';
import { cancelSession, upToDate } from '../sessions/expiry.ts';
import { redirectOf } from '../sessions/session-errors.ts';
import { readPageSession } from '../sessions/read-session.ts';
import { pageData } from './page-data.ts';

/** Reads the session of a page. One whose time is over is expired first. */
export function pageSessionReader({ db, payments }: Pick<Service, 'db' | 'payments'>) {
  return async ({ page }: { page: string }): Promise<SessionRow> =>
    upToDate(db, payments, await readPageSession(db, page, payments.name));
}

export function servePageCalls(app: FastifyInstance, service: Service): void {
  const { db, payments } = service;
  const read = pageSessionReader(service);

  serve(app, routes.readPayPage, async ({ params }) => pageData(service, await read(params)));

  serve(app, routes.cancelPayment, async ({ params }) => {
    const row = await read(params);
    return {
      redirect: redirectOf(row.status === 'open' ? await cancelSession(db, payments, row) : row),
    };
  });
}
