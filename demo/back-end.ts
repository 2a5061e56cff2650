/**
 * The part of a shop's server for the shop's own wallets (white-label). The page may request only these calls; the server makes them with
 * the client's token, which never leaves it.
 */
import { apiClient } from '../src/api/client.ts';
import type { Route } from '../src/api/route.ts';
import {
  buildTransaction,
  createSignature,
  createWallet,
  executeTransaction,
  issueToken,
  listTokenBalances,
  listWallets,
  readBalance,
  readTransactionStatus,
  readWallet,
} from '../src/api/routes.ts';
import { ConnectError, toWire } from '../src/base/errors.ts';
import { bodyOf, isJson, json, type Part } from './requests.ts';

/** The shop's client at the wallet service. */
export interface ShopClient {
  /** Base URL of the service. */
  url: string;
  realm: string;
  clientId: string;
  clientSecret: string;
}

const CALLS = new Map<string, Route>(
  Object.entries({
    createWallet,
    listWallets,
    readWallet,
    readBalance,
    listTokenBalances,
    buildTransaction,
    executeTransaction,
    createSignature,
    readTransactionStatus,
  }),
);

const PATH = /^\/back-end\/(\w+)$/;

/** Returns a cached token until the service refuses it. */
export function tokens({
  url,
  realm,
  clientId,
  clientSecret,
}: ShopClient): (refused?: string) => Promise<string> {
  const service = apiClient({ url });
  let token: string | undefined;
  return async (refused) => {
    if (token === undefined || token === refused) {
      const body = {
        grant_type: 'client_credentials',
        client_id: clientId,
        client_secret: clientSecret,
      };
      token = (await service.call(issueToken, { params: { realm }, body })).access_token;
    }
    return token;
  };
}

/** `POST /back-end/<call>` with the `params`, `query` and `body` of the call. */
export function backEnd(shop: Promise<ShopClient>): Part {
  const client = shop.then((known) => apiClient({ url: known.url, getAccessToken: tokens(known) }));
  // Reported where the service is started.
  client.catch(() => {});
  return async (path, request, response) => {
    const route = CALLS.get(PATH.exec(path)?.[1] ?? '');
    if (!route || request.method !== 'POST') return false;
    if (!isJson(request)) {
      json(response, 415, { error: 'Send application/json.' });
      return true;
    }
    try {
      const key = request.headers['idempotency-key'];
      const options = typeof key === 'string' ? { idempotencyKey: key } : {};
      const input = JSON.parse(await bodyOf(request)) as never;
      json(response, route.status, await (await client).call(route, input, options));
    } catch (error) {
      if (!(error instanceof ConnectError)) throw error;
      json(response, 400, toWire(error));
    }
    return true;
  };
}
