/** What came to an address, as a node tells it: for the wallet's history only. Nothing that is signed depends on it. */
import type { Amount, Node } from '../chain.ts';

export interface Incoming {
  /** Of all that ever came to the address no other has it. */
  id: string;
  hash: string;
  /** Undefined where several sent it together, and for new coins of a block. */
  from?: string | undefined;
  amount: Amount;
  /** Milliseconds since 1970, of its block. Undefined while it waits for one. */
  at?: number | undefined;
  /**
   * Next to nothing, or of a token that nobody lists. That is how an address that looks like a known one gets into histories, to be copied
   * from there ("address poisoning").
   */
  dust?: boolean | undefined;
}

export interface Arrived {
  /** In no order. What was told before may come again. */
  items: Incoming[];
  /** Where to begin the next time. */
  cursor?: number | undefined;
}

/** Throws where the node cannot tell. */
export type FindIncoming = (
  address: string,
  node: Node,
  cursor: number | undefined,
  coin: { symbol: string; decimals: number },
) => Promise<Arrived>;

/** The most that one look brings. */
export const MAX_INCOMING = 100;

/** Requests of one look, for one list. Where they do not reach back to the last look, the time between stays unknown. */
export const MAX_PAGES = 8;

/** There are as many that are no dust as one look brings: no more is asked for. */
export function isEnough(found: readonly { dust?: boolean | undefined }[]): boolean {
  return found.filter(({ dust }) => !dust).length >= MAX_INCOMING;
}

/** As many as one look brings: dust, of which anybody can send any number, takes only the place that is left. */
export function mostOf<T extends { dust?: boolean | undefined }>(found: readonly T[]): T[] {
  return [...found.filter(({ dust }) => !dust), ...found.filter(({ dust }) => dust)].slice(0, MAX_INCOMING);
}

/** Under a hundredth of what has six decimals or fewer, as a cent, and under a ten-thousandth of anything finer. */
export function isDust({ raw, decimals }: Amount): boolean {
  if (decimals === null) return true;
  return raw * (decimals > 6 ? 10_000n : 100n) < 10n ** BigInt(decimals);
}
