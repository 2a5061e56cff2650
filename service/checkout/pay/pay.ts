/** The calls of the payment page. Whoever has its address may make them: only the customer and the shop do. */
import type { FastifyInstance } from 'fastify';
import * as routes from '../../../src/api/checkout-routes.ts';
import type { Database } from '../../database/database.ts';
import type { SessionRow } from '../../database/schema.ts';
import { serve } from '../../http/serve.ts';
import type { Service } from '../../service.ts';
import { cancelSession, upToDate } from '../sessions/expiry.ts';
import { redirectOf, unknownSession } from '../sessions/failures.ts';
import { answerChallenge, payByCard } from './card-payments.ts';
import { pageData } from './page-data.ts';

export async function pageSession(db: Database, pageId: string, provider: string): Promise<SessionRow> {
  const row = await db
    .selectFrom('checkout_sessions')
    .selectAll()
    .where('page_id', '=', pageId)
    .where('provider', '=', provider)
    .executeTakeFirst();
  if (!row) throw unknownSession();
  return row;
}

function reader({ db, payments }: Service) {
  /** As it is now, its time considered. */
  return async ({ page }: { page: string }): Promise<SessionRow> =>
    upToDate(db, payments, await pageSession(db, page, payments.name));
}

/** What every page of ours calls. */
export function servePageCalls(app: FastifyInstance, service: Service): void {
  const { db, payments } = service;
  const read = reader(service);

  serve(app, routes.readPayPage, async ({ params }) => pageData(service, await read(params)));

  serve(app, routes.cancelPayment, async ({ params }) => {
    const row = await read(params);
    return {
      redirect: redirectOf(row.status === 'open' ? await cancelSession(db, payments, row) : row),
    };
  });
}

/** Paying with test cards: never where real ones are taken. */
export function serveCardCalls(app: FastifyInstance, service: Service): void {
  const { db } = service;
  const read = reader(service);

  serve(app, routes.payByCard, async ({ params, body }) => payByCard(db, await read(params), body));

  serve(app, routes.answerChallenge, async ({ params, body }) =>
    answerChallenge(db, await read(params), body),
  );
}
