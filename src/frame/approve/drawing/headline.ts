import type { Summary } from '../../../chains/approval/summary.ts';
import { msg, str } from '../../../base/localize.ts';
import { amountText } from '../../ui/amount.ts';
import { isMixed } from './summary.ts';

/** `0.25 ETH`, `Unlimited USDC`, `3 clauses`. */
export function headlineText(summary: Summary): string {
  const { amount, unlimited, parts } = summary;
  if (isMixed(summary)) return msg(str`${parts!.length} clauses`);
  return unlimited ? msg(str`Unlimited ${amount.symbol}`) : amountText(amount);
}
