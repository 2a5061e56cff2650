/** Letting somebody take tokens, by a call or by a signature: the warnings are the same, on every chain. */
import type { Warning } from '../approval/summary.ts';
import { caution, danger } from '../approval/warnings.ts';
import type { Deed } from '../call-reading/inner-calls.ts';
import type { Amount } from '../chain.ts';
import { tokenOfDeed } from './deeds.ts';

export interface Allowance {
  token: string;
  spender: string;
  /** What may be taken, at most. */
  amount: Amount;
  unlimited?: boolean | undefined;
  /** It is an item of a collection. */
  isItem?: boolean | undefined;
  /** `amount` comes on top of what may be taken already, which is not known. */
  more?: boolean | undefined;
  /** With what others are allowed to take of it by the same transaction. */
  together?: bigint | undefined;
  /** What the owner holds, if known. */
  held?: bigint | undefined;
  /** No code binds the spender: whoever has the key takes. Undefined if not known. */
  isPerson?: boolean | undefined;
}

export function allowanceWarnings(allowance: Allowance): Warning[] {
  const { token, spender, amount, unlimited, isItem, more, held, isPerson } = allowance;
  const { together = amount.raw } = allowance;
  if (amount.raw === 0n) return [];
  const params = { token, spender, ...(more && { more: 'more' }) };
  const isAll = !unlimited && held !== undefined && held > 0n && together >= held;
  return [
    ...(unlimited ? [{ ...danger('unlimited-approval', params), amount }] : []),
    ...(isAll ? [{ ...danger('all-you-hold', params), amount: { ...amount, raw: held } }] : []),
    ...(isPerson ? [danger('spender-is-account', { spender })] : []),
    ...(isItem ? [{ ...danger('nft-approval', params), amount }] : []),
    ...(unlimited || isItem ? [] : [{ ...caution('spending-limit', params), amount }]),
  ];
}

/** By token, in lower case: what all spenders can take together, when each takes the most that it is allowed. */
export function allowedTogether(deeds: readonly Deed[]): Map<string, bigint> {
  const most = new Map<string, Map<string, bigint>>();
  for (const deed of deeds) {
    const { effect } = deed;
    if (effect.kind !== 'approval' || effect.decrease) continue;
    const token = tokenOfDeed(deed)!.toLowerCase();
    const allowed = most.get(token) ?? new Map<string, bigint>();
    const before = allowed.get(effect.spender) ?? 0n;
    // Another limit for the same spender takes the first one's place.
    allowed.set(effect.spender, before > effect.amount ? before : effect.amount);
    most.set(token, allowed);
  }
  return new Map(
    [...most].map(([token, allowed]) => [token, [...allowed.values()].reduce((sum, one) => sum + one, 0n)]),
  );
}
