/** What the user should know before approving. */
import type { Summary, Warning } from '../chain.ts';
import type { Call } from '../evm/calls.ts';
import { approvalWarnings, unlistedWarning } from '../evm/token-effect.ts';
import { listedToken } from '../listed-token.ts';
import { isReserved } from '../known.ts';
import { addressWarnings, burnWarning, caution, danger, feeWarning, worstFirst } from '../warnings.ts';
import { toEvm } from './address.ts';
import { COIN, type TronDraft } from './draft.ts';

/** Highest fee without a tick, where `networks.json` sets none: 100 TRX. */
const FEE_CEILING = 100_000_000n;

export function warningsOf(draft: TronDraft, call: Call | undefined, summary: Summary): Warning[] {
  const { contract, facts, network } = draft;
  const { to } = contract;
  const warnings: Warning[] = [];
  for (const [address, about] of Object.entries(facts.addresses))
    warnings.push(...addressWarnings(address, about));

  const effect = call?.effect;
  const { token } = facts;
  if (effect) warnings.push(...approvalWarnings(effect, to, token));

  const recipient = effect && 'to' in effect ? effect.to : contract.kind === 'call' ? undefined : to;
  if (recipient !== undefined && ((call && recipient === to) || listedToken(network.tokens, recipient)))
    warnings.push(danger('recipient-is-token', { address: recipient }));
  const paid = contract.kind === 'call' && contract.value > 0n ? to : undefined;
  for (const address of new Set([recipient, paid]))
    if (address && isReserved(toEvm(address))) warnings.push(burnWarning(address));
  if (contract.kind === 'call' && !facts.code) warnings.push(danger('no-code', { address: to }));

  const sent = contract.kind === 'coin' ? contract.amount : 0n;
  // The limit is what is signed. That the wallet's own energy pays a part of it is only what the node says.
  const signed = summary.fee.maximum.raw - facts.costs.maxEnergyFee + draft.feeLimit;
  warnings.push(...feeWarning(signed, COIN, draft, { ceiling: FEE_CEILING, usual: 0n, sent }));

  // Without enough coins a trial run fails for that alone.
  if (facts.willFail !== undefined && !summary.shortOf)
    warnings.push({ code: 'will-fail', level: 'danger', params: { reason: facts.willFail } });

  if (token && token.decimals === null) warnings.push(unlistedWarning(token, facts));
  if (call && facts.code && call.name === null) warnings.push(caution('unknown-call'));
  const firstTime = (address: string) => facts.addresses[address]?.familiar === false;
  if (recipient !== undefined && firstTime(recipient))
    warnings.push(caution('first-recipient', { address: recipient }));
  const called = effect?.kind === 'approval' ? effect.spender : effect?.kind === 'other' ? to : undefined;
  if (called !== undefined && facts.code && firstTime(called))
    warnings.push(caution('first-contract', { address: called }));
  if (effect?.kind === 'other' && facts.code && !facts.willFail)
    warnings.push(caution('simulation-unavailable'));
  return worstFirst(warnings);
}
