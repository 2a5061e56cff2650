/** Setting policies, and approving what they hold back. */
import * as routes from '../../src/api/routes.ts';
import { ConnectError } from '../../src/base/errors.ts';
import { acrossAccounts } from '../database/account-scope.ts';
import { noteHeads } from '../audit/note-heads.ts';
import { requireApplication } from '../auth/access-tokens.ts';
import { scopesOfClient, spendingScope } from '../auth/clients.ts';
import type { Database } from '../database/database.ts';
import { answerPage } from '../http/paging.ts';
import type { Principal } from '../http/principal.ts';
import { serve } from '../http/serve.ts';
import type { Area } from '../service.ts';
import { approve, listHeld } from './held-transactions.ts';
import { listPolicies, putPolicy, readPolicy, withdrawPolicy, type Writer } from './policy-store.ts';

/**
 * Whoever may spend must not decide how much. A token of another issuer could have both scopes, and so could a client from before that was
 * refused, which gets a token for each.
 */
async function requireManager(db: Database, principal: Principal): Promise<void> {
  requireApplication(principal);
  const { scopes, applicationId } = principal;
  const other = spendingScope([...scopes, ...(await scopesOfClient(db, applicationId))]);
  if (other !== undefined)
    throw new ConnectError('token.scope', `A client with ${other} cannot manage policies.`, {
      scopes: ['manage:policies'],
    });
}

export const policies: Area = (app, { db, keys, config, networks }) => {
  const heads = noteHeads(db, app.log);
  app.addHook('onClose', () => heads.stop());

  const writerOf = async (principal: Principal): Promise<Writer> => {
    await requireManager(db, principal);
    return { keys, actor: principal.applicationId, delayHours: config.policyDelayHours };
  };

  serve(app, routes.listPolicies, async (call) => {
    await requireManager(db, call.principal);
    return answerPage(call, await listPolicies(db, call.query));
  });

  serve(app, routes.readPolicy, async ({ params, principal }) => {
    await requireManager(db, principal);
    return readPolicy(db, params);
  });

  serve(app, routes.putPolicy, async ({ params, body, principal }) =>
    putPolicy(db, params, body, { ...(await writerOf(principal)), networks: networks.file }),
  );

  serve(app, routes.withdrawPolicy, async ({ params, principal }) =>
    withdrawPolicy(db, params, await writerOf(principal)),
  );

  serve(app, routes.listHeldTransactions, async (call) => {
    requireApplication(call.principal);
    return acrossAccounts('approvals', async () =>
      answerPage(call, await listHeld(db, call.principal.applicationId, call.query)),
    );
  });

  serve(app, routes.approveTransaction, ({ params, body, principal }) => {
    requireApplication(principal);
    return acrossAccounts('approvals', () =>
      approve(db, keys, principal.applicationId, { id: params.id, draftHash: body.draftHash }),
    );
  });
};
