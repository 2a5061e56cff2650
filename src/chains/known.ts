/** What the wallet knows about an address before anything is sent to it. */
import type { Known } from './chain.ts';

export interface AddressFacts {
  /** The user's own, or used before. */
  familiar: boolean;
  reported: boolean;
  /** A familiar address that begins and ends the same. */
  resembles?: string | undefined;
}

/** `shared` is how many characters every address of the chain begins with: 2 of `0x`, 4 of `bc1q`. */
export function addressFacts(address: string, known: Known, shared = 2): AddressFacts {
  const lower = address.toLowerCase();
  const familiar = [...known.own, ...known.used];
  const isFamiliar = familiar.some((a) => a.toLowerCase() === lower);
  const ends = (a: string) => a.slice(0, shared + 4) + a.slice(-4);
  const twin = isFamiliar ? undefined : familiar.find((a) => ends(a.toLowerCase()) === ends(lower));
  return {
    familiar: isFamiliar,
    reported: known.reported.some((a) => a.toLowerCase() === lower),
    ...(twin ? { resembles: twin } : {}),
  };
}
