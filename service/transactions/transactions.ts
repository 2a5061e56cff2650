/** Executing and signing (spec 4.4), and the status of transactions. */
import { draftToJson } from '../../src/api/draft-json.ts';
import * as routes from '../../src/api/routes.ts';
import { loadPayloads } from '../../src/chains/load.ts';
import type { NetworkChoice } from '../../src/chains/nodes/networks.ts';
import { invalid } from '../../src/chains/requests/payloads.ts';
import { exclusiveOn } from '../concurrency/exclusive.ts';
import { answerPage } from '../http/paging.ts';
import { serve } from '../http/serve.ts';
import type { Area } from '../service.ts';
import { openerOf, ownWallet } from '../users/own-wallets.ts';
import { walletOf } from '../wallets/stored-wallets.ts';
import { approvedDraft, unsignable } from './approved.ts';
import { fingerprintOf } from '../idempotency/request-keys.ts';
import { sentPage } from './history.ts';
import { lookAfter } from './sending.ts';
import { sign } from './signing.ts';
import { draftOf, spend } from './spending.ts';
import { readStatus } from './status.ts';

export const transactions: Area = (app, service) => {
  const { db, config } = service;
  const exclusive = exclusiveOn(db, config.databaseConnections);
  const spender = { ...service, exclusive };
  let stop: () => Promise<void> = async () => {};
  app.addHook('onReady', async () => {
    ({ stop } = lookAfter(service, exclusive, app.log));
  });
  app.addHook('onClose', () => stop());

  serve(app, routes.executeTransaction, async ({ body, principal, passkey, idempotencyKey: key }) => {
    const { pincode, session, passkey: _, ...given } = body;
    const wallet = await ownWallet(db, principal, given.walletId);
    const request = (await loadPayloads(wallet.secret_type)).parse(given);
    // A nonce that waits would take a transaction's place, which no limit counts.
    if (typeof session === 'string')
      for (const field of ['nonce', 'network'])
        if ((request[field] ?? null) !== null) throw invalid(field, 'must be absent with a spending session');
    const { transactionHash } = await spend(spender, {
      wallet,
      ...(typeof session === 'string'
        ? { session: { token: session, applicationId: principal.applicationId } }
        : { pincode: openerOf(pincode, passkey) }),
      clientId: principal.applicationId,
      asked: { accountId: principal.accountId, key, fingerprint: fingerprintOf('execute', given) },
      request: draftToJson(request),
      customNode: (request['network'] as NetworkChoice | null | undefined) ?? undefined,
      draft: draftOf(request, wallet),
    });
    return { transactionHash };
  });

  serve(app, routes.executeApproved, async ({ body, principal, passkey, idempotencyKey: key }) => {
    const { pincode, passkey: _, ...approved } = body;
    const wallet = await ownWallet(db, principal, approved.walletId);
    return spend(spender, {
      wallet,
      pincode: openerOf(pincode, passkey),
      clientId: principal.applicationId,
      asked: { accountId: principal.accountId, key, fingerprint: fingerprintOf('approved', approved) },
      request: JSON.stringify(approved),
      draft: approvedDraft(body, wallet),
      unsignable,
    });
  });

  serve(app, routes.listTransactions, async (call) => {
    const { id } = await walletOf(db, call.principal, call.params.id);
    return answerPage(call, await sentPage(db, id, call.query));
  });

  serve(app, routes.createSignature, async ({ body, principal, passkey, idempotencyKey: key }) => {
    const { pincode, passkey: _, ...given } = body;
    const wallet = await ownWallet(db, principal, given.walletId);
    // Null is absent, also in a field that only another type has.
    const present = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null));
    const request = (await loadPayloads(wallet.secret_type)).parseSigning(present);
    return sign(spender, {
      wallet,
      pincode: openerOf(pincode, passkey),
      clientId: principal.applicationId,
      asked: { accountId: principal.accountId, key, fingerprint: fingerprintOf('sign', given) },
      request,
    });
  });

  serve(app, routes.readTransactionStatus, async ({ params, query, principal }) => {
    const { secretType } = query;
    const status = await readStatus(service, principal, secretType, params.hash);
    return { transactionHash: params.hash, secretType, status };
  });
};
