/** What the approval shows, drawn from the exact draft. */
import { formatAmount } from '../../base/amount.ts';
import type { Amount, Coin } from '../coin.ts';
import type { Fact, Summary, Warning } from '../approval/summary.ts';
import { addressWarnings, caution, feeWarning } from '../approval/warnings.ts';
import { memoText } from '../requests/fields.ts';
import type { UtxoDraft } from './draft.ts';
import type { UtxoProfile } from './profile.ts';
import { dataOf } from './script.ts';
import { MAX_INPUTS } from './selection.ts';

export async function describe({ coin, feeCeiling }: UtxoProfile, draft: UtxoDraft): Promise<Summary> {
  const { facts, value, fee, network } = draft;
  const amount = (raw: bigint): Amount => ({ raw, ...coin });
  const total = value + fee;
  return {
    kind: 'transfer',
    networkName: network.name,
    amount: amount(value),
    from: facts.source ?? draft.from,
    to: draft.to,
    facts: factsOf(draft, amount),
    fee: { expected: amount(fee), maximum: amount(fee) },
    total: amount(total),
    balance: amount(facts.balance),
    ...(total > facts.spendable
      ? { shortOf: { amount: amount(total - facts.spendable), need: total, have: facts.spendable } }
      : {}),
    warnings: warningsOf(draft, feeCeiling, coin),
  };
}

function factsOf({ fee, size, inputs, outputs }: UtxoDraft, amount: (raw: bigint) => Amount): Fact[] {
  // Hundredths of a satoshi per vB.
  const rate = (fee * 100n + BigInt(size) / 2n) / BigInt(size);
  return [
    { code: 'fee-rate', value: `${formatAmount(rate, 2)} sat/vB` },
    { code: 'size', value: String(size) },
    { code: 'inputs', value: String(inputs.length) },
    ...outputs.slice(1).map(({ value, script }): Fact => {
      const data = dataOf(script);
      return data ? { code: 'memo', value: memoText(data) } : { code: 'change', amount: amount(value) };
    }),
  ];
}

function warningsOf(draft: UtxoDraft, ceiling: bigint, coin: Coin): Warning[] {
  const { facts, fee, to, value } = draft;
  const { about, spendable, waiting = 0n, small = 0n, many, usual, replaces } = facts;
  const warnings = [
    ...addressWarnings(to, about),
    ...feeWarning(fee, coin, draft, {
      ceiling,
      usual: (BigInt(draft.size) * (facts.usualRate ?? 0n)) / 1000n,
      sent: value,
    }),
  ];
  if (value + fee > spendable) {
    const about = (raw: bigint) => ({ amount: formatAmount(raw, coin.decimals), symbol: coin.symbol });
    if (many)
      warnings.push({
        code: 'many-coins',
        level: 'danger',
        params: { coins: String(many.coins), atOnce: String(MAX_INPUTS) },
        amount: { raw: many.maxSpendable, ...coin },
      });
    if (waiting > 0n) warnings.push(caution('unconfirmed-coins', about(waiting)));
    if (small > 0n) warnings.push(caution('small-coins', about(small)));
  }
  if (replaces) warnings.push(caution('replaces-pending'));
  if (usual) warnings.push(caution('shared-form', { address: to, usual }));
  if (!about.familiar) warnings.push(caution('first-recipient', { address: to }));
  return warnings;
}
