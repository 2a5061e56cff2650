/** What the approval shows, drawn from the exact draft. */
import type { Amount } from '../coin.ts';
import type { Fact, Summary, Warning } from '../approval/summary.ts';
import { memoText } from '../requests/fields.ts';
import { addressWarnings, burnWarning, caution, feeWarning } from '../approval/warnings.ts';
import { type AeternityDraft, COIN } from './draft.ts';

/** Highest fee without a tick, where `networks.json` sets none: 0.1 coins, thousands of usual fees. */
const FEE_CEILING = 10n ** 17n;
/** The account of 32 zero bytes. */
const NOBODY = 'ak_11111111111111111111111111111111273Yts';

export async function describe(draft: AeternityDraft): Promise<Summary> {
  const { network, facts, amount, fee } = draft;
  const total = amount + fee;
  const summary: Summary = {
    kind: 'transfer',
    networkName: network.name,
    amount: coins(amount),
    from: draft.from,
    to: draft.to,
    facts: factsOf(draft),
    fee: { expected: coins(fee), maximum: coins(fee) },
    total: coins(total),
    balance: coins(facts.balance),
    nonce: draft.nonce,
    warnings: warningsOf(draft),
  };
  if (total > facts.balance)
    summary.shortOf = { amount: coins(total - facts.balance), need: total, have: facts.balance };
  return summary;
}

function coins(raw: bigint): Amount {
  return { raw, ...COIN };
}

function factsOf({ payload, ttl }: AeternityDraft): Fact[] {
  return [
    ...(payload === '0x' ? [] : [{ code: 'memo' as const, value: memoText(payload) }]),
    ...(ttl === 0 ? [] : [{ code: 'expires' as const, value: String(ttl) }]),
  ];
}

function warningsOf(draft: AeternityDraft): Warning[] {
  const { facts, to, fee, nonce } = draft;
  const { recipient, minedNonce, pendingNonce } = facts;
  const warnings = [
    ...addressWarnings(to, recipient),
    ...feeWarning(fee, COIN, draft, {
      ceiling: FEE_CEILING,
      usual: facts.usualFee ?? 0n,
      sent: draft.amount,
    }),
  ];
  if (to === NOBODY) warnings.push(burnWarning(to));
  if (facts.generalized)
    warnings.push({
      code: 'will-fail',
      level: 'danger',
      params: { reason: 'generalized_account_cant_sign_non_meta_tx' },
    });
  if (!recipient.familiar) warnings.push(caution('first-recipient', { address: to }));
  if (nonce < pendingNonce) warnings.push(caution('replaces-pending', { nonce: String(nonce) }));
  if (nonce > Math.max(pendingNonce, minedNonce))
    warnings.push(caution('nonce-gap', { nonce: String(nonce), next: String(pendingNonce) }));
  return warnings;
}
