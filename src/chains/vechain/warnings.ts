/** What the user should know before approving. */
import type { Summary, Warning } from '../approval/summary.ts';
import { warningKey } from '../contracts/deeds.ts';
import { listedToken } from '../contracts/listed-token.ts';
import { recipientsOf, recipientWarnings } from '../contracts/recipient-warnings.ts';
import { addressWarnings, caution, danger, feeWarning, worstFirst } from '../approval/warnings.ts';
import type { Drawn } from './describe.ts';
import { GAS_COIN, type VechainDraft, VTHO } from './draft.ts';

/** Highest fee without a tick, where `networks.json` sets none: 1,000 VTHO, what 50 million gas cost at the lowest price. */
const FEE_CEILING = 10n ** 21n;
/** Reasons that `shortOf` explains better. */
const SHORTAGE = /insufficient|exceeds balance/i;

export function warningsOf(draft: VechainDraft, drawn: readonly Drawn[], summary: Summary): Warning[] {
  const { facts, network } = draft;
  const warnings = new Map<string, Warning>();
  /** Once, however many clauses raise it: dangers name them. */
  const say = (found: readonly Warning[], clause?: number) => {
    for (const warning of found) {
      const key = `${warning.level} ${warningKey(warning)}`;
      const said = warnings.get(key);
      const clauses = [said?.params?.['clause'], clause].filter(Boolean).join(', ');
      if (said && !clause) continue;
      warnings.set(
        key,
        warning.level === 'danger' && clauses && drawn.length > 1
          ? { ...warning, params: { ...warning.params, clause: clauses } }
          : warning,
      );
    }
  };

  for (const [address, about] of Object.entries(facts.addresses)) say(addressWarnings(address, about));

  const firstTime = (address: string) => facts.addresses[address.toLowerCase()]?.familiar === false;
  for (const [i, { clause, call }] of drawn.entries()) {
    const { to } = clause;
    const hasCode = facts.ran[i];
    const clauseWarnings: Warning[] = call ? call.warnings(to!, arrives(draft)) : [];

    const sending = { call, to, value: clause.value };
    clauseWarnings.push(...recipientWarnings(sending, network));
    for (const address of recipientsOf(sending))
      if (firstTime(address)) clauseWarnings.push(caution('first-recipient', { address }));

    // Data for an address without code does nothing; a call that is known was meant for a contract.
    if (call && hasCode === false)
      clauseWarnings.push((call.reading.call.name === null ? caution : danger)('no-code', { address: to! }));
    if (to === null) clauseWarnings.push(caution('contract-creation'));
    const effect = call?.own?.effect;
    const contract = effect?.kind === 'approval' ? effect.spender : call?.isPlain ? to! : undefined;
    if (contract !== undefined && hasCode !== false && firstTime(contract))
      clauseWarnings.push(caution('first-contract', { address: contract }));
    if (facts.changes === undefined && !facts.trial && !facts.willFail) {
      if (to === null) clauseWarnings.push(caution('simulation-unavailable'));
      else if (call?.isPlain && hasCode !== false) clauseWarnings.push(call.untried());
    }
    if (facts.trial === 'untried')
      clauseWarnings.push(
        call?.untried('refused') ?? caution('simulation-unavailable', { reason: 'refused' }),
      );
    say(clauseWarnings, i + 1);
  }

  if (facts.trial === 'differs') say([danger('trial-differs', {})]);

  say(
    feeWarning(summary.fee.maximum.raw, GAS_COIN, draft, {
      ceiling: FEE_CEILING,
      // The gas of a failed simulation means nothing.
      usual: facts.willFail === undefined ? facts.gasUsed * (facts.usualPrice ?? 0n) : 0n,
      sent: summary.kind !== 'approval' && summary.amount.token === VTHO.address ? summary.amount.raw : 0n,
    }),
  );

  const { willFail } = facts;
  if (willFail && !(summary.shortOf && SHORTAGE.test(willFail.reason)))
    say([
      {
        code: 'will-fail',
        level: 'danger',
        params: {
          reason: willFail.reason,
          ...(drawn.length > 1 ? { clause: String(willFail.clause + 1) } : {}),
        },
      },
    ]);

  for (const { call } of drawn) if (call) say(call.unlisted());
  if (facts.declined) say([caution('sponsor-declined', facts.declined)]);
  return worstFirst([...warnings.values()]);
}

/** A simulation brought coins or listed tokens: others may be worthless. */
function arrives({ facts, network }: VechainDraft): boolean {
  return (facts.changes ?? []).some(
    ({ direction, token }) =>
      direction === 'in' && (token === undefined || listedToken(network.tokens, token) !== undefined),
  );
}
