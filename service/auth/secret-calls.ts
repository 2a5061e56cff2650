/** An application changes its own client secret. */
import * as routes from '../../src/api/routes.ts';
import { type AuditAction, audit } from '../audit/audit-log.ts';
import { answerPage } from '../http/paging.ts';
import { serve } from '../http/serve.ts';
import type { Area } from '../service.ts';
import { type Beside, createSecret, listSecrets, revokeSecret } from './client-secrets.ts';

export const clientSecrets: Area = (app, { db, keys }) => {
  const noted =
    (client: string, action: AuditAction): Beside =>
    (tx, secretId) =>
      audit(tx, keys, { actor: client, action, subject: `client:${client}`, details: { secretId } });

  serve(app, routes.createClientSecret, ({ principal: { accountId } }) =>
    createSecret(db, accountId, noted(accountId, 'secret.created')),
  );

  serve(app, routes.listClientSecrets, async (call) =>
    answerPage(call, await listSecrets(db, call.principal.accountId, call.query)),
  );

  serve(app, routes.revokeClientSecret, async ({ principal, params }) => {
    const { accountId } = principal;
    await revokeSecret(db, accountId, params.id, noted(accountId, 'secret.revoked'));
    return {};
  });
};
