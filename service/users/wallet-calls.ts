/** What an owner can do with a wallet besides spending: a user with a proof of their device, an application with its token. */
import { noteDone } from '../audit/audit-log.ts';
import * as routes from '../../src/api/routes.ts';
import { openerOf } from '../auth/passkey-answers.ts';
import { serve } from '../http/serve.ts';
import type { Area } from '../service.ts';
import { walletAnswer, walletOf } from '../wallets/stored-wallets.ts';
import { editWallet } from './edit-wallet.ts';
import { ownWallet, requireOwnersScope } from './own-wallets.ts';

export const ownWallets: Area = (app, service) => {
  const { db, custody, guard, networks } = service;

  serve(app, routes.updateWallet, async ({ params, body, principal }) => {
    requireOwnersScope(principal);
    const { id } = await ownWallet(db, principal, params.id);
    await editWallet(db, id, body);
    return walletAnswer(await walletOf(db, principal, id));
  });

  serve(app, routes.exportWallet, async ({ params, body, principal, passkey }) => {
    requireOwnersScope(principal);
    const wallet = await ownWallet(db, principal, params.id);
    const kind = networks.kindOf(wallet.secret_type, wallet.network);
    // The PIN comes first: without it nobody learns whether there is a policy.
    const key = await custody.exportKey(wallet.id, openerOf(body.pincode, passkey), kind);
    await guard.admitExport({ wallet, clientId: principal.applicationId });
    return { key };
  });

  serve(app, routes.setOwnPincode, async ({ params, body, principal, passkey }) => {
    const { id } = await ownWallet(db, principal, params.id);
    const recoveryCode = await custody.setOwnPin(id, openerOf(body.pincode, passkey), body.next);
    const actor = principal.accountId;
    await noteDone(service, app.log, { actor, action: 'pin.set', subject: `wallet:${id}`, details: {} });
    return { recoveryCode };
  });
};
