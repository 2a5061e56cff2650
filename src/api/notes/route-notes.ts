/**
 * What the reference and `carabiner/service` say of a call beyond its route: its own errors, an example, its method. By the name of the
 * route's constant, in the order in which the methods are written. Apart from the routes, which browsers download.
 */
import type * as routes from '../routes.ts';
import { CHECKOUT_NOTES, WEBHOOK_NOTES } from './checkout.ts';
import { PAY_PAGE_NOTES } from './pay-page.ts';
import { POLICY_NOTES } from './policies.ts';
import { AT_MS, type RouteNote, type RouteNotes } from './samples.ts';
import { TRANSACTION_NOTES } from './transactions.ts';
import { USER_NOTES } from './users.ts';
import { WALLET_EVENT_NOTES } from './wallet-events.ts';
import { WALLET_NOTES } from './wallets.ts';

export const ROUTE_NOTES: RouteNotes = {
  ...WALLET_NOTES,
  ...TRANSACTION_NOTES,
  ...POLICY_NOTES,
  ...USER_NOTES,
  ...CHECKOUT_NOTES,
  ...WEBHOOK_NOTES,
  ...WALLET_EVENT_NOTES,
  ...PAY_PAGE_NOTES,
} satisfies Record<keyof typeof routes, RouteNote>;

/** Every payment provider has one: `dashboardRoute`. */
const DASHBOARD: RouteNote = {
  sdk: null,
  errors: ['request.not-found'],
  answer: {
    object: 'login_link',
    created: Math.floor(AT_MS / 1000),
    url: 'https://service.example/test-dashboard/yyFQiJxh-K9R-q1l-YNh8ie26rfb5JTNtpEsbThM6zg',
  },
};

/** Of the call with this name. */
export function noteOf(name: string): RouteNote | undefined {
  return ROUTE_NOTES[name] ?? (/^open\w+Dashboard$/.test(name) ? DASHBOARD : undefined);
}
