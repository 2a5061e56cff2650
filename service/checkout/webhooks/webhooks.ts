/** Receivers of payment events (spec 4.5.3, 6), and the deliveries to them. */
import * as routes from '../../../src/api/checkout-routes.ts';
import { answerPage } from '../../http/paging.ts';
import { serve } from '../../http/serve.ts';
import type { Area } from '../../service.ts';
import { listLog, redeliver } from './delivery-log.ts';
import { countDeliveries } from './delivery-metrics.ts';
import { startDelivering } from './deliverer.ts';
import { createReceiver, deleteReceiver, listReceivers, readReceiver } from './receivers.ts';

export const webhooks: Area = (app, service) => {
  const { db, config } = service;
  let stop: () => Promise<void> = async () => {};
  const counts = app.metrics && countDeliveries(app.metrics, db);
  app.addHook('onReady', async () => {
    const stopMs = Math.min(10_000, config.stopSeconds * 500);
    ({ stop } = startDelivering(service, app.log, {
      stopMs,
      ...(counts ? { counts } : {}),
      ...service.deliveries,
    }));
  });
  app.addHook('onClose', () => stop());

  serve(app, routes.createWebhook, ({ principal, body }) =>
    createReceiver(service, principal.accountId, body),
  );

  serve(app, routes.listWebhooks, async (call) =>
    answerPage(call, await listReceivers(db, call.principal.accountId, call.query)),
  );

  serve(app, routes.readWebhook, ({ principal, params }) => readReceiver(db, principal.accountId, params.id));

  serve(app, routes.deleteWebhook, async ({ principal, params }) => {
    await deleteReceiver(db, principal.accountId, params.id);
    return {};
  });

  serve(app, routes.listDeliveries, async (call) => {
    const { id } = call.params;
    await readReceiver(db, call.principal.accountId, id);
    return answerPage(call, await listLog(db, id, call.query));
  });

  serve(app, routes.redeliver, async ({ principal, params }) => {
    await readReceiver(db, principal.accountId, params.id);
    return redeliver(db, params.deliveryId, params.id);
  });
};
