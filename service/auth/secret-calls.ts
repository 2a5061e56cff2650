/** An application changes its own client secret. A token is not enough: it would be one for as long as it likes, with all scopes. */
import * as routes from '../../src/api/routes.ts';
import { type AuditAction, audit } from '../audit/audit-log.ts';
import { answerPage } from '../http/paging.ts';
import { serve } from '../http/serve.ts';
import type { Area } from '../service.ts';
import { type Beside, createSecret, listSecrets, revokeSecret } from './client-secrets.ts';

export const clientSecrets: Area = (app, { config, db, keys }) => {
  const limits = { perMinute: config.tokenRateLimit };
  const noted =
    (client: string, action: AuditAction): Beside =>
    (tx, secretId) =>
      audit(tx, keys, { actor: client, action, subject: `client:${client}`, details: { secretId } });

  serve(
    app,
    routes.createClientSecret,
    ({ principal: { accountId } }) => createSecret(db, accountId, noted(accountId, 'secret.created')),
    limits,
  );

  serve(
    app,
    routes.listClientSecrets,
    async (call) => answerPage(call, await listSecrets(db, call.principal.accountId, call.query)),
    limits,
  );

  serve(
    app,
    routes.revokeClientSecret,
    async ({ principal: { accountId }, params }) => {
      await revokeSecret(db, accountId, params.id, noted(accountId, 'secret.revoked'));
      return {};
    },
    limits,
  );
};
