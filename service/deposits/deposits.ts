/** Wallets that are watched for deposits, and the search of chains for what arrives there. */
import * as routes from '../../src/api/routes.ts';
import { serve } from '../http/serve.ts';
import { whileServing } from '../http/while-serving.ts';
import { Watcher } from '../scanning/rounds.ts';
import type { Area } from '../service.ts';
import { forgetAnnounced } from './announce.ts';
import { scanChain, DEPOSIT_CURSORS } from './scan-chain.ts';
import { gaugeScans } from './scan-metrics.ts';
import { DEFAULTS } from './scan-settings.ts';
import { readWatch, unwatchWallet, watchWallet } from './watches.ts';

/** Networks that one process reads at a time. */
const CONCURRENT = 8;

export const deposits: Area = (app, service) => {
  const { db } = service;
  const settings = { ...DEFAULTS, ...service.scans };
  if (app.metrics) gaugeScans(app.metrics, db);
  const watcher = whileServing(
    app,
    () =>
      new Watcher({
        db,
        clock: service.clock,
        cursors: DEPOSIT_CURSORS,
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
      }),
  );

  serve(app, routes.watchWallet, async ({ principal, params, query }) => {
    const watch = await watchWallet(service, principal, params.id, query.network);
    watcher()?.wake();
    return watch;
  });

  serve(app, routes.readWatch, ({ principal, params, query }) =>
    readWatch(service, principal, params.id, query.network),
  );

  serve(app, routes.unwatchWallet, async ({ principal, params, query }) => {
    await unwatchWallet(service, principal, params.id, query.network);
    return {};
  });
};
