/** The calls with which the payment page pays by test card. Served only when no real cards are taken. */
import type { FastifyInstance } from 'fastify';
import * as routes from '../../../../src/api/pay-routes.ts';
import { serve } from '../../../http/serve.ts';
import type { Service } from '../../../service.ts';
import { onPageOf } from '../../sessions/page-sessions.ts';
import { answerChallenge, payByCard } from './card-payments.ts';

export function serveCardCalls(app: FastifyInstance, service: Service): void {
  const { db } = service;
  const onPage = onPageOf(service);

  serve(app, routes.payByCard, ({ params, body }) => onPage(params, (row) => payByCard(db, row, body)));

  serve(app, routes.answerChallenge, ({ params, body }) =>
    onPage(params, (row) => answerChallenge(db, row, body)),
  );
}
