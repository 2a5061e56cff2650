/** Sessions that are paid with test cards. */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import * as routes from '../../../../src/api/pay.ts';
import { TEST_CARDS } from '../../../../src/api/test-cards.ts';
import { serve } from '../../../http/serve.ts';
import type { Service } from '../../../service.ts';
import { servePageCalls } from '../../page/page-calls.ts';
import { onPageOf } from '../../sessions/page-sessions.ts';
import { languageOf } from '../../sessions/receipt-mail.ts';
import type { OpenedProvider, ProviderParts } from '../provider-definition.ts';
import { answerChallenge, payByCard } from './card-payments.ts';
import { serveDashboard } from './dashboard.ts';
import { makeLink } from './dashboard-keys.ts';

export function testPayments({ db, url }: ProviderParts): OpenedProvider {
  return {
    payments: {
      name: 'test',
      livemode: false,
      paysOnOwnPage: true,
      testCards: TEST_CARDS.map(({ number, brand }) => ({ number, brand })),
      open: async ({ pageId, expiresAt }) => ({
        url: `${url()}/pay/${pageId}`,
        providerSession: null,
        expiresAt,
      }),
      // A payment locks the session's row first, so nothing can have been paid here that the row does not know.
      close: async () => ({ status: 'expired' }),
      refund: async () => ({ state: 'succeeded', providerRefund: null, reason: null }),
      loginLink: async (applicationId) => `${url()}/test-dashboard/${await makeLink(db, applicationId)}`,
    },
    area(app, service) {
      servePageCalls(app, service);
      serveCardCalls(app, service);
      serveDashboard(app, service);
    },
  };
}

/** The calls with which the payment page pays by test card. Served only when no real cards are taken. */
function serveCardCalls(app: FastifyInstance, service: Service): void {
  const { db } = service;
  const onPage = onPageOf(service);

  const mailLanguage = ({ headers }: FastifyRequest): string | undefined =>
    service.config.mail && languageOf(headers['accept-language']);

  serve(app, routes.payByCard, ({ params, body, request }) =>
    onPage(params, (row) => payByCard(db, row, body, mailLanguage(request))),
  );

  serve(app, routes.answerChallenge, ({ params, body, request }) =>
    onPage(params, (row) => answerChallenge(db, row, body, mailLanguage(request))),
  );
}
