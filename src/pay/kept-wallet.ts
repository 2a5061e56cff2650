/**
 * The wallet request under way, in `sessionStorage`, so that a reload resumes it: its id, which ties the wallet's answer to this payment,
 * and the transaction in that answer until it has been reported to the service.
 */
import * as z from 'zod/mini';

const StoredRequest = z.object({ request: z.optional(z.string()), hash: z.optional(z.string()) });
export type StoredRequest = z.infer<typeof StoredRequest>;

const KEY = `carabiner-pay-wallet:${location.pathname}`;

export function keepWallet(kept: StoredRequest): void {
  try {
    sessionStorage.setItem(KEY, JSON.stringify(kept));
  } catch {
    // Storage is full or denied: the service finds the payment on the chain anyway.
  }
}

export function keptWallet(): StoredRequest {
  try {
    return StoredRequest.safeParse(JSON.parse(sessionStorage.getItem(KEY) ?? '')).data ?? {};
  } catch {
    return {};
  }
}
