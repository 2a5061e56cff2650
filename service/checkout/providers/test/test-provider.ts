/** The maker `test`: takes well-known test cards on a page of its own, and no money. */
import { servePayPage } from '../../page/page.ts';
import { serveCardCalls, servePageCalls } from '../../pay/pay.ts';
import type { PaymentProvider, ProviderParts } from '../provider.ts';
import { serveDashboard } from './dashboard.ts';
import { makeLink } from './dashboard-keys.ts';

export function testProvider({ db, url }: ProviderParts): PaymentProvider {
  return {
    name: 'test',
    livemode: false,
    open: async ({ pageId, expiresAt }) => ({
      url: `${url()}/pay/${pageId}`,
      providerSession: null,
      expiresAt,
    }),
    // Whoever pays locks the row first, so it cannot be another.
    close: async () => ({ status: 'expired' }),
    loginLink: async (applicationId) => `${url()}/test-dashboard/${await makeLink(db, applicationId)}`,
    serve(app, service) {
      servePageCalls(app, service);
      serveCardCalls(app, service);
      servePayPage(app, service);
      serveDashboard(app, service);
    },
  };
}
