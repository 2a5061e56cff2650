/**
 * The wallet's request under way, in `sessionStorage`, so that a reload continues where it was: its id, by which the wallet's answer is
 * known to be about this payment, and the transaction that it answered until the service has heard of it.
 */
import * as z from 'zod/mini';

const StoredRequest = z.object({ request: z.optional(z.string()), hash: z.optional(z.string()) });
export type StoredRequest = z.infer<typeof StoredRequest>;

const KEY = `carabiner-pay-wallet:${location.pathname}`;

export function keepWallet(kept: StoredRequest): void {
  try {
    sessionStorage.setItem(KEY, JSON.stringify(kept));
  } catch {
    // Storage is full or refused: the service finds the payment on the chain all the same.
  }
}

export function keptWallet(): StoredRequest {
  try {
    return StoredRequest.safeParse(JSON.parse(sessionStorage.getItem(KEY) ?? '')).data ?? {};
  } catch {
    return {};
  }
}
