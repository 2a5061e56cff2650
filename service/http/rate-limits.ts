/** Limits requests by address and by account, across all processes. */
import rateLimit from '@fastify/rate-limit';
import type { FastifyInstance } from 'fastify';
import { ConnectError } from '../../src/base/errors.ts';
import type { SharedLimits } from '../concurrency/shared-limits.ts';
import type { Principal } from './principal.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** Requests per minute of one address, and of one account; 0: unlimited. */
    perMinute: number;
    /** Counts a request of an account. Throws `request.rate-limited`. */
    countAccount(principal: Principal, method: string): Promise<void>;
  }
}

/** Reads are counted by shares, writes exactly: see `SharedLimits`. */
export function isRead(method: string): boolean {
  return method === 'GET' || method === 'HEAD';
}

export function tooMany(ttl: number): ConnectError {
  const retryAfter = Math.max(1, Math.ceil(ttl / 1000));
  return new ConnectError('request.rate-limited', `Too many requests. Try again in ${retryAfter} s.`, {
    retryAfter,
  });
}

interface RouteOptions {
  routeInfo?: { method?: unknown; url?: unknown; config?: { rateLimit?: { max?: unknown } } };
}

type Report = (error: Error | null, result?: { current: number; ttl: number }) => void;

/** The plugin's store. Routes with their own limit count separately, all others together. */
function storeOn(limits: SharedLimits) {
  return class Store {
    #bucket = 'all';
    #exact = false;

    incr(address: string, report: Report, _window: number, max: number): void {
      const taking = limits.take(`${this.#bucket} ${address}`, max, { exact: this.#exact });
      taking.then(
        ({ allowed, ttl }) => report(null, { current: allowed ? 0 : max + 1, ttl }),
        (error: Error) => report(error),
      );
    }

    child({ routeInfo = {} }: RouteOptions): Store {
      const { method, url, config } = routeInfo;
      const store = new Store();
      store.#exact = typeof method === 'string' && !isRead(method);
      if (config?.rateLimit?.max !== undefined) store.#bucket = `${String(method)} ${String(url)}`;
      return store;
    }
  };
}

export async function limitRates(
  app: FastifyInstance,
  limits: SharedLimits,
  perMinute: number,
): Promise<void> {
  app.decorate('perMinute', perMinute);
  app.decorate('countAccount', async ({ accountId }, method) => {
    if (perMinute === 0) return;
    const { allowed, ttl } = await limits.take(`account ${accountId}`, perMinute, { exact: !isRead(method) });
    if (!allowed) throw tooMany(ttl);
  });
  await app.register(rateLimit, {
    // 0 means no limit; calls that issue tokens still have their own.
    global: perMinute > 0,
    max: perMinute,
    timeWindow: 60_000,
    store: storeOn(limits) as never,
    // They would show what is left of a share, not of the limit.
    addHeaders: { 'x-ratelimit-limit': false, 'x-ratelimit-remaining': false, 'x-ratelimit-reset': false },
    addHeadersOnExceeding: {
      'x-ratelimit-limit': false,
      'x-ratelimit-remaining': false,
      'x-ratelimit-reset': false,
    },
    // Anyone with one IPv6 address has 2^64 of them.
    ipv6Subnet: 64,
    errorResponseBuilder: (_request, { ttl }) => tooMany(ttl),
  });
}
