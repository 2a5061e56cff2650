/** Receivers of events of payments and of wallets, and the deliveries to both: docs/webhooks.md. */
import type { FastifyInstance } from 'fastify';
import * as routes from '../../src/api/routes.ts';
import {
  type ListedWalletWebhook,
  WALLET_EVENT_TYPES,
  type WalletDelivery,
} from '../../src/api/wallet-event.ts';
import type { Delivery, ListedWebhook } from '../../src/api/webhook.ts';
import { type AuditAction, audit } from '../audit/audit-log.ts';
import { answerPage } from '../http/paging.ts';
import { type Principal, seesUsersWallets } from '../http/principal.ts';
import { serve } from '../http/serve.ts';
import { whileServing } from '../http/while-serving.ts';
import type { Area, Service } from '../service.ts';
import { listLog, redeliver } from './delivery-log.ts';
import { countDeliveries } from './delivery-metrics.ts';
import { Deliverer } from './deliverer.ts';
import {
  type Beside,
  createReceiver,
  deleteReceiver,
  describeReceiver,
  listReceivers,
  readReceiver,
  type ReceiverKind,
  type ReceiverRow,
} from './receivers.ts';

const ofPayments = (row: ReceiverRow): ListedWebhook => ({
  ...describeReceiver(row),
  application: 'PAY',
});

const ofWallets = (row: ReceiverRow): ListedWalletWebhook => ({
  ...describeReceiver(row),
  events: row.events!,
  allWallets: row.all_wallets,
});

/** What tells of users' wallets is for those tokens alone that see them. */
const seenBy = (principal: Principal): ReceiverKind =>
  seesUsersWallets(principal) ? 'wallets' : 'own-wallets';

export const webhooks: Area = (app, service) => {
  const { db, config } = service;
  const counts = app.metrics && countDeliveries(app.metrics, db);
  if (app.metrics) service.events.countIn(app.metrics);
  const stopMs = Math.min(10_000, config.stopSeconds * 500);
  whileServing(
    app,
    () => new Deliverer(service, app.log, { stopMs, ...(counts ? { counts } : {}), ...service.deliveries }),
  );

  servePaymentReceivers(app, service);
  serveWalletReceivers(app, service);
};

function servePaymentReceivers(app: FastifyInstance, service: Service): void {
  const { db } = service;

  serve(app, routes.createWebhook, async ({ principal, body: { application, ...receiver } }) => ({
    ...(await createReceiver(service, principal.accountId, receiver)),
    application,
  }));

  serve(app, routes.listWebhooks, async (call) => {
    const page = await listReceivers(db, call.principal.accountId, 'payments', call.query);
    return answerPage(call, page).map(ofPayments);
  });

  serve(app, routes.readWebhook, async ({ principal, params }) =>
    ofPayments(await readReceiver(db, principal.accountId, 'payments', params.id)),
  );

  serve(app, routes.deleteWebhook, async ({ principal, params }) => {
    await deleteReceiver(db, principal.accountId, 'payments', params.id);
    return {};
  });

  serve(app, routes.listDeliveries, async (call) => {
    const { id } = await readReceiver(db, call.principal.accountId, 'payments', call.params.id);
    return answerPage(call, await listLog(db, id, call.query)) as Delivery[];
  });

  serve(app, routes.redeliver, async ({ principal, params }) => {
    const { id } = await readReceiver(db, principal.accountId, 'payments', params.id);
    return (await redeliver(db, params.deliveryId, id)) as Delivery;
  });
}

function serveWalletReceivers(app: FastifyInstance, service: Service): void {
  const { db, keys } = service;
  /** Receivers of wallet events are in the audit log, because the events reveal who is paid what. `details`: of an accepted request. */
  const beside =
    (actor: string, action: AuditAction, details: () => object): Beside =>
    (tx, id) =>
      audit(tx, keys, { actor, action, subject: `webhook:${id}`, details: details() });

  serve(app, routes.createWalletWebhook, async ({ principal, body }) => {
    const { accountId } = principal;
    const { events: wanted = WALLET_EVENT_TYPES, ...receiver } = body;
    const events = WALLET_EVENT_TYPES.filter((type) => wanted.includes(type));
    const allWallets = seesUsersWallets(principal);
    const created = await createReceiver(
      service,
      accountId,
      { ...receiver, wallets: { events, all: allWallets } },
      beside(accountId, 'webhook.created', () => ({ host: new URL(body.url).host, events, allWallets })),
    );
    return { ...created, events, allWallets };
  });

  serve(app, routes.listWalletWebhooks, async (call) => {
    const page = await listReceivers(db, call.principal.accountId, seenBy(call.principal), call.query);
    return answerPage(call, page).map(ofWallets);
  });

  serve(app, routes.readWalletWebhook, async ({ principal, params }) =>
    ofWallets(await readReceiver(db, principal.accountId, seenBy(principal), params.id)),
  );

  serve(app, routes.deleteWalletWebhook, async ({ principal, params }) => {
    const { accountId } = principal;
    await deleteReceiver(
      db,
      accountId,
      seenBy(principal),
      params.id,
      beside(accountId, 'webhook.deleted', () => ({})),
    );
    return {};
  });

  serve(app, routes.listWalletDeliveries, async (call) => {
    const { id } = await readReceiver(db, call.principal.accountId, seenBy(call.principal), call.params.id);
    return answerPage(call, await listLog(db, id, call.query)) as WalletDelivery[];
  });

  serve(app, routes.redeliverWalletEvent, async ({ principal, params }) => {
    const { id } = await readReceiver(db, principal.accountId, seenBy(principal), params.id);
    return (await redeliver(db, params.deliveryId, id)) as WalletDelivery;
  });
}
