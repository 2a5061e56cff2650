/** Refuses transactions that need a person's decision, as an approval would ask for. */
import { formatAmount } from '../../src/base/amount.ts';
import type { Amount } from '../../src/chains/coin.ts';
import type { Summary } from '../../src/chains/approval/summary.ts';
import { ConnectError } from '../../src/base/errors.ts';

/** Throws `transaction.insufficient-funds`, and `transaction.refused` for one that would fail or whose fee is above the network's ceiling. */
export function assertFit(
  { shortOf, warnings, fee }: Summary,
  request: Readonly<Record<string, unknown>>,
): void {
  const many = warnings.find(({ code }) => code === 'many-coins');
  if (many)
    throw new ConnectError(
      'transaction.insufficient-funds',
      `The wallet’s ${many.params!['coins']} coins are enough, but one transaction spends at most ${many.params!['atOnce']}: up to ${textOf(many.amount!)} can be sent now. Send smaller amounts, or combine the coins by sending them to the wallet itself. Nothing was signed.`,
      { reason: 'many-coins', maxSpendable: String(many.amount!.raw) },
    );
  if (shortOf)
    throw new ConnectError(
      'transaction.insufficient-funds',
      `The wallet does not hold enough: ${textOf(shortOf.amount)} is missing. Nothing was signed.`,
      { need: String(shortOf.need), have: String(shortOf.have), token: shortOf.amount.token },
    );
  if (warnings.some(({ code }) => code === 'fee-ceiling'))
    throw new ConnectError(
      'transaction.refused',
      `The fee could be ${textOf(fee.maximum)}, more than the ceiling of the network. Nothing was signed.`,
      { reason: 'fee-ceiling' },
    );
  const failing = warnings.find(({ code }) => code === 'will-fail');
  // Giving the gas means that it shall be sent anyway, as with other libraries.
  const { gas } = request;
  if (!failing || (typeof gas === 'bigint' && gas > 0n)) return;
  const { reason = '' } = failing.params ?? {};
  throw new ConnectError(
    'transaction.refused',
    `The transaction would fail${reason && `: ${reason}`}. Nothing was signed.`,
    { reason: reason || 'will-fail' },
  );
}

function textOf({ raw, decimals, symbol }: Amount): string {
  return decimals === null ? `${raw} of ${symbol}` : `${formatAmount(raw, decimals)} ${symbol}`;
}
