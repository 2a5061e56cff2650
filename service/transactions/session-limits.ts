/** What a transaction takes from a wallet, and whether a spending session covers it. */
import type { Part, Summary } from '../../src/chains/approval/summary.ts';
import { ConnectError } from '../../src/base/errors.ts';
import { type Amounts, assetOf, type SpendingSession } from '../custody/spending-sessions.ts';

/**
 * The maximum that leaves, by asset, including the fee. Throws `wallet.session.limit` for anything but transfers of coins and tokens: a call
 * can do anything in the wallet's name, and an allowance outlives the session.
 */
export function outflowOf(summary: Summary): Amounts {
  const parts: readonly Part[] = summary.parts ?? [summary];
  const amounts = new Map<string, bigint>();
  const add = (token: string | undefined, raw: bigint): void => {
    const asset = token === undefined ? '' : assetOf(token);
    amounts.set(asset, (amounts.get(asset) ?? 0n) + raw);
  };
  for (const { kind, amount, effects } of parts) {
    if (kind !== 'transfer' || effects !== undefined) throw notCounted();
    // Item 0 of an unlisted collection would look like an amount of 0.
    add(amount.token, amount.token !== undefined && amount.raw === 0n ? 1n : amount.raw);
  }
  add(summary.fee.maximum.token, summary.fee.maximum.raw);
  return new Map([...amounts].filter(([, raw]) => raw > 0n));
}

/** Call it before any node is asked. Throws `wallet.session.limit`. */
export function assertOneLeft({ terms, used }: SpendingSession): void {
  if (used.transactions < terms.transactions) return;
  throw new ConnectError(
    'wallet.session.limit',
    `The spending session has signed its ${terms.transactions} transactions. Open another one. Nothing was signed.`,
    { reason: 'transactions' },
  );
}

/** Throws `wallet.session.limit`. */
export function assertCovered({ terms, used }: SpendingSession, amounts: Amounts): void {
  for (const [asset, amount] of amounts) {
    const left = (terms.limits.get(asset) ?? 0n) - (used.limits.get(asset) ?? 0n);
    if (amount <= left) continue;
    const what = asset === '' ? 'the coin, in which the fee counts too' : `the token ${asset}`;
    throw new ConnectError(
      'wallet.session.limit',
      `The transaction takes up to ${amount} smallest units of ${what}, and the spending session has ${left} left. Nothing was signed.`,
      { reason: 'amount', left: String(left), ...(asset === '' ? {} : { token: asset }) },
    );
  }
}

/** The amounts as the audit log has them. */
export function textOf(amounts: Amounts): Record<string, string> {
  return Object.fromEntries([...amounts].map(([asset, amount]) => [asset || 'coin', String(amount)]));
}

function notCounted(): ConnectError {
  return new ConnectError(
    'wallet.session.limit',
    'A spending session signs only transfers of coins and tokens, whose amounts it counts. Execute anything else with the PIN. Nothing was signed.',
    { reason: 'not-counted' },
  );
}
