/** Both payment providers behind one interface: a customer who pays, goes back, or comes too late. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { CheckoutSession } from '../../src/api/checkout.ts';
import type { PayAnswer } from '../../src/api/pay.ts';
import type { StripeSettings } from '../../service/checkout/providers/stripe/stripe-settings.ts';
import type { ServiceConfig } from '../../service/config.ts';
import type { StartOptions } from '../../service/server.ts';
import { DEADLINE_MS } from '../waiting.ts';
import { pagePath, payment } from './checkout-setup.ts';
import { startTested, type Tested } from './harness.ts';
import { StripeStandIn } from './stripe-stand-in.ts';

export interface TestedProvider {
  tested: Tested;
  /** Only for `stripe`. */
  standIn?: StripeStandIn;
  /** Returns where the customer is redirected; undefined if the card was declined. */
  pay(session: CheckoutSession, number: string): Promise<string | undefined>;
  /** Returns where the customer is redirected. */
  cancel(session: CheckoutSession): Promise<string>;
  close(): Promise<void>;
}

async function location(tested: Tested, url: string): Promise<string> {
  const { pathname } = new URL(url);
  const response = await fetch(tested.url + pathname, { redirect: 'manual' });
  assert.equal(response.status, 303, await response.text());
  return response.headers.get('location')!;
}

export async function startTest(settings: Partial<ServiceConfig> = {}): Promise<TestedProvider> {
  const tested = await startTested(settings);
  const call = async <T>(session: CheckoutSession, name: string, body?: unknown): Promise<T> => {
    const response = await (body === undefined
      ? fetch(`${tested.url}${pagePath(session)}/${name}`, { method: 'POST' })
      : tested.post(`${pagePath(session)}/${name}`, body));
    assert.equal(response.status, 200, await response.clone().text());
    return (await response.json()) as T;
  };
  return {
    tested,
    async pay(session, number) {
      const sent = payment(number, { attempt: randomUUID() });
      let answer = await call<PayAnswer>(session, 'payments', sent);
      if (answer.state === 'challenge')
        answer = await call(session, 'challenge', { attempt: sent['attempt'], outcome: 'complete' });
      return answer.state === 'paid' ? answer.redirect : undefined;
    },
    cancel: async (session) => (await call<{ redirect: string }>(session, 'cancel')).redirect,
    close: () => tested.close(),
  };
}

/** `accounts` as in the settings. */
export async function startStripe(
  accounts: Record<string, string> = {},
  settings: Partial<ServiceConfig> = {},
  options: StartOptions = {},
): Promise<TestedProvider & { standIn: StripeStandIn }> {
  const standIn = await new StripeStandIn().start();
  const stripe: StripeSettings = {
    secretKey: standIn.secretKey,
    webhookSecret: standIn.webhookSecret,
    accounts,
    apiUrl: standIn.url,
    timeoutMs: DEADLINE_MS,
  };
  const payments = { provider: 'stripe', sessionMinutes: 30, settings: stripe };
  const tested = await startTested({ payments, ...settings }, options);
  standIn.receiver = tested.url;
  return {
    tested,
    standIn,
    async pay(session, number) {
      const done = await standIn.pay(session.url!, number);
      return done && location(tested, done);
    },
    cancel: (session) => location(tested, standIn.cancelUrl(session.url!)),
    async close() {
      await tested.close();
      standIn.close();
    },
  };
}
