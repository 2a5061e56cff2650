/** Opening, listing and ending the spending sessions of an application's wallets. */
import * as routes from '../../src/api/routes.ts';
import type { SpendingSession as Answer } from '../../src/api/spending-session.ts';
import { loadChain } from '../networks/chains.ts';
import { invalid } from '../../src/chains/requests/payloads.ts';
import { RequestInvalidError } from '../../src/base/errors.ts';
import { type Amounts, assetOf, sessionEnded, type SpendingSession } from '../custody/spending-sessions.ts';
import { archived } from '../custody/wallet-errors.ts';
import { answerEach } from '../http/paging.ts';
import { serve } from '../http/serve.ts';
import { nodeFor } from '../networks/request-node.ts';
import type { Area, Service } from '../service.ts';
import { ownWallet } from '../users/own-wallets.ts';
import type { StoredWallet } from '../wallets/stored-wallets.ts';
import { textOf } from './session-limits.ts';

const SWEEP_MS = 60_000;

type Limits = { token?: string | undefined; amount: string }[];

/** Addresses in the chain's own form. Throws `request.invalid` at a token that is none. */
async function limitsOf(service: Service, wallet: StoredWallet, limits: Limits): Promise<Amounts> {
  const amounts = new Map<string, bigint>();
  for (const [i, { token, amount }] of limits.entries()) {
    const asset = token === undefined ? '' : await tokenAt(`limits.${i}.token`, service, wallet, token);
    if (amounts.has(asset))
      throw invalid(`limits.${i}.token`, 'is listed twice: list each token, and the coin, once');
    amounts.set(asset, BigInt(amount));
  }
  return amounts;
}

async function tokenAt(path: string, service: Service, wallet: StoredWallet, token: string): Promise<string> {
  const chain = await loadChain(wallet.secret_type);
  try {
    const { address } = await chain.token(token, await nodeFor(service, wallet));
    return assetOf(address);
  } catch (error) {
    if (!(error instanceof RequestInvalidError)) throw error;
    throw invalid(path, error.issues[0]?.message ?? 'is not a token of this network');
  }
}

function answer({ id, createdAt, expiresAt, terms, used }: SpendingSession): Answer {
  return {
    id,
    createdAt: createdAt.toISOString(),
    expiresAt: expiresAt.toISOString(),
    transactions: terms.transactions,
    transactionsUsed: used.transactions,
    limits: [...terms.limits].map(([asset, amount]) => ({
      ...(asset === '' ? {} : { token: asset }),
      amount: String(amount),
      used: String(used.limits.get(asset) ?? 0n),
    })),
  };
}

export const spendingSessions: Area = (app, service) => {
  const { db, custody, audit } = service;
  const sweep = (): void =>
    void custody.sessions
      .sweep()
      .catch((error: unknown) =>
        app.log.warn({ err: error }, 'ended spending sessions could not be deleted'),
      );
  const timer = setInterval(sweep, SWEEP_MS).unref();
  app.addHook('onClose', async () => clearInterval(timer));

  serve(app, routes.openSpendingSession, async ({ params, body, principal }) => {
    const wallet = await ownWallet(db, principal, params.id);
    if (wallet.archived_at) throw archived();
    const limits = await limitsOf(service, wallet, body.limits);
    const { applicationId, secretId } = principal;
    const { session, token } = await custody.openSession(wallet.id, body.pincode, {
      client: { applicationId, secretId },
      terms: { limits, transactions: body.transactions },
      beside: (tx, { id }) =>
        audit(tx, {
          event: 'session.opened',
          accountId: principal.accountId,
          walletId: wallet.id,
          details: { session: id, transactions: body.transactions, limits: textOf(limits) },
        }),
    });
    return { ...answer(session), token };
  });

  serve(app, routes.listSpendingSessions, async (call) => {
    const { id } = await ownWallet(db, call.principal, call.params.id);
    return answerEach(call, await custody.sessions.list(id, call.query), answer);
  });

  serve(app, routes.endSpendingSession, async ({ params, principal }) => {
    const { id } = await ownWallet(db, principal, params.id);
    await db.transaction().execute(async (tx) => {
      if (!(await custody.sessions.end(tx, id, params.sessionId))) throw sessionEnded();
      await audit(tx, {
        event: 'session.ended',
        accountId: principal.accountId,
        walletId: id,
        details: { session: params.sessionId },
      });
    });
    return {};
  });
};
