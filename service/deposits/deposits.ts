/** Wallets that are watched for deposits, and the search of chains for what arrives there. */
import * as routes from '../../src/api/routes.ts';
import { serve } from '../http/serve.ts';
import { startRounds, type Watcher } from '../scanning/rounds.ts';
import type { Area } from '../service.ts';
import { forgetAnnounced } from './announce.ts';
import { scanChain, SCANS } from './scan-chain.ts';
import { gaugeScans } from './scan-metrics.ts';
import { DEFAULTS } from './scan-settings.ts';
import { readWatch, unwatchWallet, watchWallet } from './watches.ts';

/** Networks that one process reads at a time. */
const CONCURRENT = 8;

export const deposits: Area = (app, service) => {
  const { db } = service;
  const settings = { ...DEFAULTS, ...service.scans };
  if (app.metrics) gaugeScans(app.metrics, db);
  let watcher: Watcher | undefined;
  app.addHook('onReady', async () => {
    watcher = startRounds({
      db,
      clock: service.clock,
      cursors: SCANS,
      log: app.log,
      times: settings,
      concurrent: CONCURRENT,
      subject: 'deposits',
      about: ({ network }) => ({ network }),
      read: (cursor, isStopped) =>
        scanChain(
          {
            ...service,
            settings,
            isStopped,
            reorganised: (network, blocks) =>
              app.log.warn(
                { network, blocks },
                'a chain was reorganised: blocks that were searched for deposits are gone',
              ),
          },
          cursor,
        ),
      isWanted: async ({ network }) =>
        (await db
          .selectFrom('wallet_watches')
          .select('wallet_id')
          .where('network', '=', network)
          .limit(1)
          .executeTakeFirst()) !== undefined,
      sweep: () => forgetAnnounced(db),
    });
  });
  app.addHook('onClose', () => watcher?.stop());

  serve(app, routes.watchWallet, async ({ principal, params }) => {
    const watch = await watchWallet(service, principal, params.id);
    watcher?.wake();
    return watch;
  });

  serve(app, routes.readWatch, ({ principal, params }) => readWatch(service, principal, params.id));

  serve(app, routes.unwatchWallet, async ({ principal, params }) => {
    await unwatchWallet(db, principal, params.id);
    return {};
  });
};
