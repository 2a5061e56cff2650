/** Estimates, batches, and replacing a pending transaction. */
import type { FastifyInstance } from 'fastify';
import * as routes from '../../src/api/routes.ts';
import { splitNetwork } from '../../src/chains/nodes/networks.ts';
import { loadPayloads } from '../networks/chains.ts';
import { openerOf } from '../auth/passkey-answers.ts';
import { serve } from '../http/serve.ts';
import { Fingerprint } from '../idempotency/request-keys.ts';
import { ownWallet } from '../users/own-wallets.ts';
import { walletOf } from '../wallets/stored-wallets.ts';
import { otherNetwork, usableOn } from '../wallets/wallet-network.ts';
import { executeAll } from './batch.ts';
import { estimate } from './estimate.ts';
import { ownTransaction, replacementOf } from './replacing.ts';
import { spend, type Spender } from './spending.ts';

const REPLACING = { 'speed-up': routes.speedUpTransaction, cancel: routes.cancelTransaction } as const;

export function serveOrders(app: FastifyInstance, spender: Spender): void {
  const { db } = spender;

  serve(app, routes.estimateTransaction, async ({ body, principal }) => {
    const wallet = await walletOf(db, principal, body.walletId);
    const { networkId, body: payload } = splitNetwork(body);
    const request = (await loadPayloads(wallet.secret_type)).parse(payload);
    return estimate(spender, await usableOn(spender, principal, wallet, networkId), request);
  });

  serve(app, routes.executeBatch, async ({ body, principal, passkey, idempotencyKey }) => {
    const { pincode, passkey: _, ...batch } = body;
    const wallet = await ownWallet(db, principal, body.walletId);
    return executeAll(spender, {
      wallet,
      pincode: openerOf(pincode, passkey),
      body: batch,
      principal,
      key: idempotencyKey!,
    });
  });

  for (const how of ['speed-up', 'cancel'] as const)
    serve(app, REPLACING[how], async ({ params, body, principal, passkey, idempotencyKey: key }) => {
      const { pincode, walletId } = body;
      const wallet = await ownWallet(db, principal, walletId);
      const replaced = await ownTransaction(db, wallet, params.hash);
      const terms = { walletId, hash: replaced.hash };
      const named = replaced.customNode ? undefined : replaced.network;
      const { transactionHash } = await spend(spender, {
        wallet,
        network: otherNetwork(spender.networks, wallet, named, 'hash'),
        pincode: openerOf(pincode, passkey),
        principal,
        keyedRequest: { accountId: principal.accountId, key, fingerprint: new Fingerprint(how, terms) },
        request: JSON.stringify({ [how]: replaced.hash }),
        customNode: replaced.customNode,
        ...replacementOf(db, replaced.id, how),
      });
      return { transactionHash, replaces: replaced.hash };
    });
}
