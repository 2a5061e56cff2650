/** Executing and signing, and the status of transactions: docs/service.md#executing-and-signing. */
import type { FastifyInstance } from 'fastify';
import { draftToJson } from '../../src/api/draft-json.ts';
import * as routes from '../../src/api/routes.ts';
import { loadPayloads } from '../networks/chains.ts';
import { type NetworkChoice, splitNetwork } from '../../src/chains/nodes/networks.ts';
import { invalid } from '../../src/chains/requests/payloads.ts';
import { openerOf } from '../auth/passkey-answers.ts';
import { NodeQueries } from '../concurrency/node-queries.ts';
import { answerPage } from '../http/paging.ts';
import { serve } from '../http/serve.ts';
import { whileServing } from '../http/while-serving.ts';
import type { Area, Service } from '../service.ts';
import { ownWallet } from '../users/own-wallets.ts';
import { walletOf } from '../wallets/stored-wallets.ts';
import { otherNetwork } from '../wallets/wallet-network.ts';
import { approvedDraft, draftNetwork, unsignable } from './approved.ts';
import { Fingerprint } from '../idempotency/request-keys.ts';
import { followSwaps } from './cross-chain.ts';
import { Destination, lookedAt, lookForArrivals } from './arrivals.ts';
import { historyPage, readDetails } from './history.ts';
import { serveOrders } from './orders.ts';
import { gaugeUnsent, lookAfter } from './sending.ts';
import { sign } from './signing.ts';
import { draftOf, spend } from './spending.ts';
import { readStatus } from './status.ts';

export const transactions: Area = (app, service) => {
  whileServing(app, () => lookAfter(service, service.exclusive, app.log));
  whileServing(app, () => followSwaps(service, app.log));
  if (app.metrics) gaugeUnsent(app.metrics, service.db);

  serveExecution(app, service);
  serveOrders(app, service);
  serveHistory(app, service);
  serveSignatures(app, service);
  serveStatus(app, service);
};

function serveExecution(app: FastifyInstance, service: Service): void {
  const { db } = service;

  serve(app, routes.executeTransaction, async ({ body, principal, passkey, idempotencyKey: key }) => {
    const { pincode, session, passkey: _, ...payload } = body;
    const wallet = await ownWallet(db, principal, payload.walletId);
    const { networkId, body: native } = splitNetwork(payload);
    const request = (await loadPayloads(wallet.secret_type)).parse(native);
    // The nonce of a pending transaction would replace that one, which no limit counts.
    if (typeof session === 'string')
      for (const field of ['nonce', 'network'])
        if ((payload[field] ?? null) !== null) throw invalid(field, 'must be absent with a spending session');
    const { transactionHash } = await spend(service, {
      wallet,
      network: otherNetwork(service.networks, wallet, networkId),
      ...(typeof session === 'string'
        ? { session: { token: session, applicationId: principal.applicationId } }
        : { pincode: openerOf(pincode, passkey) }),
      principal,
      keyedRequest: { accountId: principal.accountId, key, fingerprint: new Fingerprint('execute', payload) },
      request: draftToJson(request),
      customNode: (request['network'] as NetworkChoice | null | undefined) ?? undefined,
      draft: draftOf(request, wallet),
    });
    return { transactionHash };
  });

  serve(app, routes.executeApproved, async ({ body, principal, passkey, idempotencyKey: key }) => {
    const { pincode, passkey: _, ...approved } = body;
    const wallet = await ownWallet(db, principal, approved.walletId);
    return spend(service, {
      wallet,
      network: otherNetwork(service.networks, wallet, draftNetwork(body), 'draft'),
      pincode: openerOf(pincode, passkey),
      principal,
      keyedRequest: {
        accountId: principal.accountId,
        key,
        fingerprint: new Fingerprint('approved', approved),
      },
      request: JSON.stringify(approved),
      ...approvedDraft(body, wallet),
      unsignable,
    });
  });
}

function serveHistory(app: FastifyInstance, service: Service): void {
  const { db } = service;
  const queries = new NodeQueries();

  serve(app, routes.listTransactions, async (call) => {
    const wallet = await walletOf(db, call.principal, call.params.id);
    const { direction = 'out', cursor, network } = call.query;
    // Nothing is known of what arrives at the nodes that requests named.
    const to = network === 'custom' ? undefined : new Destination(service.networks, wallet, network);
    if (to && direction !== 'out') {
      // Later pages show what was known when the first was read.
      const looking = { ...service, queries, log: call.request.log };
      const readAt = await (cursor === undefined ? lookForArrivals(looking, to) : lookedAt(db, to));
      if (readAt) void call.reply.header('Arrivals-Read-At', readAt.toISOString());
    }
    return answerPage(call, await historyPage(service, wallet.id, call.query));
  });

  serve(app, routes.readTransaction, ({ params, query, principal }) =>
    readDetails(service, principal, query, params.hash),
  );
}

function serveSignatures(app: FastifyInstance, service: Service): void {
  serve(app, routes.createSignature, async ({ body, principal, passkey, idempotencyKey: key }) => {
    const { pincode, passkey: _, ...payload } = body;
    const wallet = await ownWallet(service.db, principal, payload.walletId);
    // Null is absent, also in a field that only another type has.
    const { network: networkId, ...present } = Object.fromEntries(
      Object.entries(payload).filter(([, value]) => value !== null),
    ) as typeof payload;
    const request = (await loadPayloads(wallet.secret_type)).parseSigning(present);
    return sign(service, {
      wallet,
      network: otherNetwork(service.networks, wallet, networkId),
      pincode: openerOf(pincode, passkey),
      principal,
      keyedRequest: { accountId: principal.accountId, key, fingerprint: new Fingerprint('sign', payload) },
      request,
    });
  });
}

function serveStatus(app: FastifyInstance, service: Service): void {
  serve(app, routes.readTransactionStatus, async ({ params, query, principal }) => {
    const now = await readStatus(service, principal, query, params.hash);
    return { transactionHash: params.hash, secretType: query.secretType, ...now };
  });
}
