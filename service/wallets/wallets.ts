/** The calls about wallets and what they hold: docs/service.md#wallets. */
import type { FastifyRequest } from 'fastify';
import * as routes from '../../src/api/routes.ts';
import type { Wallet } from '../../src/api/wallet.ts';
import { answerEach, WholeList } from '../http/paging.ts';
import { serve } from '../http/serve.ts';
import type { Area } from '../service.ts';
import { readListedTokens, readNative, readNativeIfAny, readToken } from './balances.ts';
import { makeWallet } from './create-wallet.ts';
import { NodeWatch } from './node-watch.ts';
import { allWallets, pageOfWallets, type StoredWallet, walletAnswer, walletOf } from './stored-wallets.ts';
import { walletOn } from './wallet-network.ts';

/** The operator finds a node that is down in the log; the caller only sees that there is no balance. */
function logging({ log }: FastifyRequest): (why: unknown) => void {
  return (why) => log.warn({ err: why }, 'no node answered');
}

/** An archived wallet is shown as archived, whatever its node does. */
function withStatus(wallet: Wallet, isUp: boolean): Wallet {
  return isUp || wallet.archived ? wallet : { ...wallet, status: 'UNAVAILABLE' };
}

export const wallets: Area = (app, service) => {
  const { db, networks } = service;
  const nodes = new NodeWatch(networks);

  for (const route of [routes.createWallet, routes.importWallet])
    serve(app, route, async ({ principal, ...order }) => {
      const { wallet, recoveryCode } = await makeWallet(service, principal, order);
      const answer = walletAnswer(await walletOf(db, principal, wallet.id));
      return { ...answer, ...(recoveryCode === undefined ? {} : { recoveryCode }) };
    });

  serve(app, routes.listWallets, async (call) => {
    const { principal, query } = call;
    const shown = (wallet: StoredWallet): Wallet => {
      const answer = withStatus(walletAnswer(wallet), nodes.isUp(wallet));
      // What the node answers now is for the next list.
      nodes.ask([wallet]);
      return answer;
    };
    // A client of the interface knows no pages: it gets the whole list.
    if (query.limit === undefined && query.cursor === undefined)
      return WholeList.of(allWallets(db, principal, query), shown);
    return answerEach(call, await pageOfWallets(db, principal, query), shown);
  });

  serve(app, routes.readWallet, async ({ params, principal, request }) => {
    const wallet = await walletOf(db, principal, params.id);
    const answer = walletAnswer(wallet);
    const balance = await readNativeIfAny(networks, wallet, logging(request));
    nodes.note(wallet, balance.available);
    return { ...withStatus(answer, balance.available), balance };
  });

  serve(app, routes.readBalance, async ({ params, query, principal, request }) =>
    readNative(
      networks,
      walletOn(networks, await walletOf(db, principal, params.id), query.network),
      logging(request),
    ),
  );

  serve(app, routes.listTokenBalances, async ({ params, query, principal, reply }) => {
    const wallet = walletOn(networks, await walletOf(db, principal, params.id), query.network);
    const { balances, unread } = await readListedTokens(networks, wallet, query.partial === 'true');
    if (unread.length > 0) void reply.header('Carabiner-Partial', unread.join(', '));
    return balances;
  });

  serve(app, routes.readTokenBalance, async ({ params, query, principal }) =>
    readToken(
      networks,
      walletOn(networks, await walletOf(db, principal, params.id), query.network),
      params.token,
    ),
  );
};
