/** The calls with which the payment page pays by test card. Served only when no real cards are taken. */
import type { FastifyInstance } from 'fastify';
import * as routes from '../../../../src/api/pay-routes.ts';
import { serve } from '../../../http/serve.ts';
import type { Service } from '../../../service.ts';
import { pageSessionReader } from '../../page/page-calls.ts';
import { answerChallenge, payByCard } from './card-payments.ts';

export function serveCardCalls(app: FastifyInstance, service: Service): void {
  const { db } = service;
  const read = pageSessionReader(service);

  serve(app, routes.payByCard, async ({ params, body }) => payByCard(db, await read(params), body));

  serve(app, routes.answerChallenge, async ({ params, body }) =>
    answerChallenge(db, await read(params), body),
  );
}
