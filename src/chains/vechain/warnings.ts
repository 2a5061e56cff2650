/** What the user should know before approving. */
import type { Summary, Warning } from '../chain.ts';
import { approvalWarnings, unlistedWarning } from '../evm/token-effect.ts';
import { listedToken } from '../listed-token.ts';
import { isReserved } from '../known.ts';
import { addressWarnings, burnWarning, caution, danger, feeWarning, worstFirst } from '../warnings.ts';
import type { Drawn } from './describe.ts';
import { GAS_COIN, type VechainDraft, VTHO } from './draft.ts';

/** Highest fee without a tick, where `networks.json` sets none: 1,000 VTHO, what 50 million gas cost at the lowest price. */
const FEE_CEILING = 10n ** 21n;
/** Reasons that only say what `shortOf` says better. */
const SHORTAGE = /insufficient|exceeds balance/i;

export function warningsOf(draft: VechainDraft, drawn: readonly Drawn[], summary: Summary): Warning[] {
  const { facts, network } = draft;
  const warnings = new Map<string, Warning>();
  /** Once for each code and address, however many clauses say it. */
  const say = (...found: Warning[]) => {
    for (const warning of found) {
      const { address, token, spender } = warning.params ?? {};
      const key = [warning.code, address ?? token, spender].join(' ');
      if (!warnings.has(key)) warnings.set(key, warning);
    }
  };

  for (const [address, about] of Object.entries(facts.addresses)) say(...addressWarnings(address, about));

  const firstTime = (address: string) => facts.addresses[address.toLowerCase()]?.familiar === false;
  for (const [i, { clause, call }] of drawn.entries()) {
    const { to } = clause;
    const effect = call?.effect;
    const hasCode = facts.ran[i];

    if (effect) {
      const token = effect.kind === 'approval' && effect.token ? effect.token : to!;
      say(...approvalWarnings(effect, to!, facts.tokens[token.toLowerCase()]));
    }

    const recipient = effect && 'to' in effect ? effect.to : call ? undefined : (to ?? undefined);
    for (const address of [recipient, clause.value > 0n ? to : undefined])
      if (address && isReserved(address)) say(burnWarning(address));
    if (recipient !== undefined) {
      const isToken =
        (call !== undefined && recipient.toLowerCase() === to?.toLowerCase()) ||
        listedToken(network.tokens, recipient) !== undefined;
      if (isToken) say(danger('recipient-is-token', { address: recipient }));
      if (firstTime(recipient)) say(caution('first-recipient', { address: recipient }));
    }

    // Data for an address without code does nothing; a call that is known was meant for a contract.
    if (call && hasCode === false) say((call.name === null ? caution : danger)('no-code', { address: to! }));
    if (to === null) say(caution('contract-creation'));
    if (call && hasCode !== false && call.name === null) say(caution('unknown-call', { address: to! }));
    const contract =
      effect?.kind === 'approval' ? effect.spender : effect?.kind === 'other' ? to! : undefined;
    if (contract !== undefined && hasCode !== false && firstTime(contract))
      say(caution('first-contract', { address: contract }));
    if (
      effect?.kind === 'other' &&
      hasCode !== false &&
      facts.changes === undefined &&
      !facts.trial &&
      !facts.willFail
    )
      say(caution('simulation-unavailable'));
  }

  if (facts.trial === 'differs') say(danger('trial-differs', {}));
  if (facts.trial === 'untried') say(caution('simulation-unavailable', { reason: 'refused' }));

  say(
    ...feeWarning(summary.fee.maximum.raw, GAS_COIN, draft, {
      ceiling: FEE_CEILING,
      // What a failed trial used says nothing.
      usual: facts.willFail === undefined ? facts.gasUsed * (facts.usualPrice ?? 0n) : 0n,
      sent: summary.kind === 'transfer' && summary.amount.token === VTHO.address ? summary.amount.raw : 0n,
    }),
  );

  const { willFail } = facts;
  if (willFail && !(summary.shortOf && SHORTAGE.test(willFail.reason)))
    say({
      code: 'will-fail',
      level: 'danger',
      params: {
        reason: willFail.reason,
        ...(drawn.length > 1 ? { clause: String(willFail.clause + 1) } : {}),
      },
    });

  for (const token of Object.values(facts.tokens))
    if (token.decimals === null) say(unlistedWarning(token, facts));
  if (facts.declined) say(caution('sponsor-declined', facts.declined));
  return worstFirst([...warnings.values()]);
}
