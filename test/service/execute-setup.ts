/** An application with wallets on local networks. */
import type { JsonRpcProvider } from 'ethers';
import type { Network } from '../../src/chains/network.ts';
import type { SecretType } from '../../src/chains/secret-type.ts';
import type { CreatedWallet } from '../../src/api/wallet.ts';
import type { StartOptions } from '../../service/server.ts';
import { listen } from '../../service/listen.ts';
import { readRange } from '../../service/outbound/addresses.ts';
import { poll } from '../waiting.ts';
import { PIN } from './custody-setup.ts';
import { type Answered, startUsers, type UsersTest } from './users-setup.ts';

export interface Shop extends UsersTest {
  wallet(secretType?: SecretType, order?: Record<string, unknown>): Promise<CreatedWallet>;
  /** Adds the right PIN, unless the body has another, or the token of a spending session. */
  execute(body: object, key?: string, path?: string): Promise<Answered<Result>>;
  sign(body: object, key?: string): Promise<Answered<Signed>>;
  status(hash: string, secretType?: SecretType): Promise<string>;
}

export interface Result {
  transactionHash: string;
  raw?: string;
  details: Record<string, unknown>;
  detail: string;
}

export interface Signed {
  success: boolean;
  result: { r: string; s: string; v: string; signature: string };
}

export async function startShop(
  networks: readonly Network[],
  more: Parameters<typeof startUsers>[0] = {},
  options: StartOptions = {},
): Promise<Shop> {
  const users = await startUsers(
    {
      networks: { customNodes: true, reported: [], networks: [...networks] },
      outboundRanges: [readRange('127.0.0.0/8')],
      ...more,
    },
    options,
  );
  const { shop, call } = users;
  const post = <T>(path: string, body: object, key?: string) =>
    call<T>(
      shop,
      'POST',
      path,
      'session' in body ? body : { ...body, pincode: (body as { pincode?: unknown }).pincode ?? PIN },
      key ? { 'Idempotency-Key': key } : {},
    );
  return {
    ...users,
    async wallet(secretType = 'ETHEREUM', order = {}) {
      const { body, outcome } = await post<CreatedWallet>('/api/wallets', {
        walletType: 'WHITE_LABEL',
        secretType,
        ...order,
      });
      if (outcome !== '201') throw new Error(outcome);
      return body;
    },
    execute: (body, key, path = 'execute') => post<Result>(`/api/transactions/${path}`, body, key),
    sign: (body, key) => post<Signed>('/api/signatures', body, key),
    async status(hash, secretType = 'ETHEREUM') {
      const path = `/api/transactions/${hash}/status?secretType=${secretType}`;
      const { body, outcome } = await call<{ status: string }>(shop, 'GET', path);
      return outcome === '200' ? body.status : outcome;
    },
  };
}

export interface Front {
  url: string;
  /** Paths whose answers are frozen: a lagging node. */
  stale: RegExp | undefined;
  /** Paths whose answers are lost: the node gets the request. */
  lost?: RegExp | undefined;
  close(): Promise<void>;
}

/** A proxy in front of a node's HTTP API. */
export async function startFront(target: string): Promise<Front> {
  const kept = new Map<string, string>();
  const server = await listen(
    (request, response) => {
      void (async () => {
        const path = request.url ?? '/';
        const known = front.stale?.test(path) ? kept.get(path) : undefined;
        if (known !== undefined) return response.end(known);
        let body = '';
        for await (const part of request) body += String(part);
        const init = request.method === 'POST' ? { method: 'POST', body } : {};
        const type = request.headers['content-type'] ?? 'text/plain';
        const answer = await fetch(target + path, { ...init, headers: { 'Content-Type': type } });
        const text = await answer.text();
        if (front.lost?.test(path)) return response.destroy();
        if (!front.stale && request.method === 'GET') kept.set(path, text);
        return response.writeHead(answer.status).end(text);
      })().catch(() => response.destroy());
    },
    { port: 0, setting: 'port' },
  );
  const front: Front = { url: `http://127.0.0.1:${server.port}`, stale: undefined, close: server.close };
  return front;
}

/** anvil may respond to a raw transaction before its block is mined: waits until none is pending. */
export async function mined(provider: JsonRpcProvider): Promise<void> {
  await poll(async () => {
    const { pending, queued } = (await provider.send('txpool_status', [])) as Record<string, string>;
    return BigInt(pending!) + BigInt(queued!) === 0n;
  }, 'the last block');
}
