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

export function servePayCalls(app: FastifyInstance, { db, payments }: Service): void {
  /** As it is now, its time considered. */
  const read = async ({ page }: { page: string }): Promise<SessionRow> =>
    upToDate(db, payments, await pageSession(db, page, payments.name));

  serve(app, routes.readPayPage, async ({ params }) => pageData(db, await read(params)));

  serve(app, routes.payByCard, async ({ params, body }) => payByCard(db, await read(params), body));

  serve(app, routes.answerChallenge, async ({ params, body }) =>
    answerChallenge(db, await read(params), body),
  );

  serve(app, routes.cancelPayment, async ({ params }) => {
    const row = await read(params);
    return {
      redirect: redirectOf(row.status === 'open' ? await cancelSession(db, payments, row) : row),
    };
  });
}
