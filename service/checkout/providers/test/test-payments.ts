/** Sessions that are paid with test cards. */
import { TEST_CARDS } from '../../../../src/api/test-cards.ts';
import { servePageCalls } from '../../page/page-calls.ts';
import type { OpenedProvider, ProviderParts } from '../provider-definition.ts';
import { serveCardCalls } from './card-calls.ts';
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
