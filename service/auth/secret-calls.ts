/** An application changes its own client secret. */
import * as routes from '../../src/api/routes.ts';
import { answerPage } from '../http/paging.ts';
import { serve } from '../http/serve.ts';
import type { Area } from '../service.ts';
import { createSecret, listSecrets, revokeSecret } from './client-secrets.ts';

export const clientSecrets: Area = (app, { db }) => {
  serve(app, routes.createClientSecret, ({ principal }) => createSecret(db, principal.accountId));

  serve(app, routes.listClientSecrets, async (call) =>
    answerPage(call, await listSecrets(db, call.principal.accountId, call.query)),
  );

  serve(app, routes.revokeClientSecret, async ({ principal, params }) => {
    await revokeSecret(db, principal.accountId, params.id);
    return {};
  });
};
