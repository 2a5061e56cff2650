/** Letting somebody take tokens, by a call or by a signature: the warnings are the same, on every chain. */
import type { Warning } from '../approval/summary.ts';
import { caution, danger } from '../approval/warnings.ts';
import type { Amount } from '../coin.ts';

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
  /** With what else may be taken of it by the same transaction. */
  together?: bigint | undefined;
  /** What the owner has to be taken, if known. */
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
