/** Setting policies, and approving what they hold back. */
import * as routes from '../../src/api/routes.ts';
import { ConnectError } from '../../src/errors.ts';
import { acrossAccounts } from '../database/account-scope.ts';
import { noteHeads } from '../audit/note-heads.ts';
import { requireApplication } from '../auth/access-tokens.ts';
import { answerPage } from '../http/paging.ts';
import type { Principal } from '../http/principal.ts';
import { serve } from '../http/serve.ts';
import type { Area } from '../service.ts';
import { approve, listHeld } from './held-transactions.ts';
import { listPolicies, putPolicy, readPolicy, withdrawPolicy, type Writer } from './policy-store.ts';

/** Whoever may spend must not decide how much. A token of another issuer could have both scopes. */
function requireManager(principal: Principal): void {
  requireApplication(principal);
  if (principal.scopes.has('sign:wallets'))
    throw new ConnectError('token.scope', 'A token with sign:wallets cannot manage policies.', {
      scopes: ['manage:policies'],
    });
}

export const policies: Area = (app, { db, keys, config }) => {
  const heads = noteHeads(db, app.log);
  app.addHook('onClose', () => heads.stop());

  const writerOf = (principal: Principal): Writer => {
    requireManager(principal);
    return { keys, actor: principal.applicationId, delayHours: config.policyDelayHours };
  };

  serve(app, routes.listPolicies, async (call) => {
    requireManager(call.principal);
    return answerPage(call, await listPolicies(db, call.query));
  });

  serve(app, routes.readPolicy, ({ params, principal }) => {
    requireManager(principal);
    return readPolicy(db, params);
  });

  serve(app, routes.putPolicy, ({ params, body, principal }) =>
    putPolicy(db, params, body, writerOf(principal)),
  );

  serve(app, routes.withdrawPolicy, ({ params, principal }) =>
    withdrawPolicy(db, params, writerOf(principal)),
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
