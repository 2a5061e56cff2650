import { AT, type RouteNotes, SESSION_ID, SHOP_SITE } from './samples.ts';

const WEBHOOK_ID = 'wh_5b0c6d1e2f3a4b5c';
const WEBHOOK = {
  id: WEBHOOK_ID,
  url: `${SHOP_SITE}/events`,
  application: 'PAY',
  authenticationMethod: { type: 'BASIC_AUTHENTICATION' },
};
const LISTED = { ...WEBHOOK, createdAt: AT, disabledAt: null };
const DELIVERY = {
  id: 'del_0a4d55a8d7784022',
  eventId: 'evt_1977d8c5bb947f70',
  type: 'payment.succeeded',
  webhookId: WEBHOOK_ID,
  sessionId: SESSION_ID,
  sequence: 1,
  state: 'delivered',
  attempts: [{ at: AT, status: 204, error: null, milliseconds: 41 }],
  nextAttemptAt: null,
};

export const WEBHOOK_NOTES = {
  createWebhook: {
    sdk: 'webhooks.create',
    errors: ['request.invalid', 'request.conflict'],
    body: {
      url: WEBHOOK.url,
      application: 'PAY',
      authenticationMethod: { type: 'BASIC_AUTHENTICATION', username: 'shop', password: 'correct horse' },
    },
    answer: { ...WEBHOOK, signingSecret: 'whsec_…' },
  },
  listWebhooks: {
    sdk: 'webhooks.list',
    errors: ['request.invalid'],
    query: { limit: '100' },
    answer: [LISTED],
  },
  readWebhook: {
    sdk: 'webhooks.read',
    errors: ['request.invalid', 'request.not-found'],
    params: { id: WEBHOOK_ID },
    answer: LISTED,
  },
  deleteWebhook: {
    sdk: 'webhooks.delete',
    errors: ['request.invalid', 'request.not-found'],
    params: { id: WEBHOOK_ID },
    answer: {},
  },
  listDeliveries: {
    sdk: 'webhooks.deliveries',
    errors: ['request.invalid', 'request.not-found'],
    params: { id: WEBHOOK_ID },
    query: { state: 'delivered', limit: '20' },
    answer: [DELIVERY],
  },
  redeliver: {
    sdk: 'webhooks.redeliver',
    errors: ['request.invalid', 'request.not-found', 'request.conflict'],
    params: { id: WEBHOOK_ID, deliveryId: DELIVERY.id },
    answer: { ...DELIVERY, state: 'waiting', nextAttemptAt: AT },
  },
} satisfies RouteNotes;
