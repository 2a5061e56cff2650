/** The call that leads to a payment provider's dashboard. Every provider has one; only that of the provider in use answers. */
import { LoginLink } from './checkout.ts';
import type { Route } from './route.ts';

export function dashboardRoute(provider: string, summary = '') {
  return {
    name: `open${provider.charAt(0).toUpperCase()}${provider.slice(1)}Dashboard`,
    method: 'GET',
    path: `/${provider}-dashboard`,
    summary,
    area: 'Checkout',
    // There its holder reads payments, refunds them, and may change where the money goes.
    scopes: ['checkout'],
    alsoScopes: ['refund', 'receiving-wallet'],
    application: true,
    status: 200,
    answer: LoginLink,
  } as const satisfies Route;
}
