/** The calls about wallets and what they hold (spec 4.3). */
import type { FastifyRequest } from 'fastify';
import * as routes from '../../src/api/routes.ts';
import { serve } from '../http/serve.ts';
import type { Area } from '../service.ts';
import { readListedTokens, readNative, readNativeIfAny, readToken } from './balances.ts';
import { makeWallet } from './create-wallet.ts';
import { listWallets, walletAnswer, walletOf } from './stored-wallets.ts';

/** An operator hears of a node that is down; the caller only sees that there is no balance. */
function logging({ log }: FastifyRequest): (why: unknown) => void {
  return (why) => log.warn({ err: why }, 'no node answered');
}

export const wallets: Area = (app, service) => {
  const { db, networks } = service;

  serve(app, routes.createWallet, async ({ body, principal, idempotencyKey }) => {
    const { id } = await makeWallet(service, principal, body, idempotencyKey);
    return walletAnswer(await walletOf(db, principal, id));
  });

  serve(app, routes.listWallets, async ({ query, principal }) => {
    const found = await listWallets(db, principal, query.secretType);
    return found.map(walletAnswer);
  });

  serve(app, routes.readWallet, async ({ params, principal, request }) => {
    const wallet = await walletOf(db, principal, params.id);
    const answer = walletAnswer(wallet);
    const balance = await readNativeIfAny(networks, wallet, logging(request));
    const isLost = !balance.available && !answer.archived;
    return { ...answer, ...(isLost ? { status: 'UNAVAILABLE' as const } : {}), balance };
  });

  serve(app, routes.readBalance, async ({ params, principal, request }) =>
    readNative(networks, await walletOf(db, principal, params.id), logging(request)),
  );

  serve(app, routes.listTokenBalances, async ({ params, principal }) =>
    readListedTokens(networks, await walletOf(db, principal, params.id)),
  );

  serve(app, routes.readTokenBalance, async ({ params, principal }) =>
    readToken(networks, await walletOf(db, principal, params.id), params.token),
  );
};
