/** What the user should know before approving. */
import type { Amount } from '../coin.ts';
import type { Summary, Warning } from '../approval/summary.ts';
import type { DrawnCall } from '../call-reading/drawn-call.ts';
import { listedToken, unlistedWarning } from '../contracts/listed-token.ts';
import { isReserved } from '../approval/known.ts';
import {
  addressWarnings,
  burnWarning,
  caution,
  danger,
  feeWarning,
  worstFirst,
} from '../approval/warnings.ts';
import { toEvm } from './address.ts';
import { COIN, coinsOf, type TronDraft } from './draft.ts';

/** Highest fee without a tick, where `networks.json` sets none: 100 TRX. */
const FEE_CEILING = 100_000_000n;

export function warningsOf(draft: TronDraft, drawn: DrawnCall | undefined, summary: Summary): Warning[] {
  const { contract, facts, network } = draft;
  const { to } = contract;
  const warnings: Warning[] = [];
  for (const [address, about] of Object.entries(facts.addresses))
    warnings.push(...addressWarnings(address, about));

  // Nodes do not report what a simulation would move.
  if (drawn) warnings.push(...drawn.warnings(to, false));

  const recipients = drawn ? drawn.recipients : contract.kind === 'call' ? [] : [to];
  for (const address of new Set(recipients))
    if ((drawn && address === to) || listedToken(network.tokens, address))
      warnings.push(danger('recipient-is-token', { address }));
  const paid = contract.kind === 'call' && contract.value > 0n ? to : undefined;
  for (const address of new Set([...recipients, paid]))
    if (address && isReserved(toEvm(address))) warnings.push(burnWarning(address));
  if (contract.kind === 'call' && !facts.code) warnings.push(danger('no-code', { address: to }));

  warnings.push(...feeWarnings(draft, summary));

  // Without enough coins a simulation fails for that alone.
  if (facts.willFail !== undefined && !summary.shortOf)
    warnings.push({ code: 'will-fail', level: 'danger', params: { reason: facts.willFail } });

  const { token } = facts;
  if (contract.kind === 'asset' && token?.decimals === null) warnings.push(unlistedWarning(token));
  if (drawn) warnings.push(...drawn.unlisted());
  const firstTime = (address: string) => facts.addresses[address]?.familiar === false;
  for (const address of new Set(recipients))
    if (firstTime(address)) warnings.push(caution('first-recipient', { address }));
  const effect = drawn?.own?.effect;
  const called = effect?.kind === 'approval' ? effect.spender : drawn?.isPlain ? to : undefined;
  if (called !== undefined && facts.code && firstTime(called))
    warnings.push(caution('first-contract', { address: called }));
  if (drawn?.isPlain && facts.code && !facts.willFail) warnings.push(drawn.untried());
  return worstFirst(warnings);
}

/**
 * The ceiling is for what is signed. The share of the amount is that of the expected fee: the maximum has the price of every byte, which
 * free bandwidth covers nearly always, and would be called high in every small payment.
 */
function feeWarnings(draft: TronDraft, { fee, leaving }: Summary): Warning[] {
  // Where tokens leave as well, the coins are only a part of what is sent.
  const sent = leaving ? 0n : coinsOf(draft.contract);
  const warn = ({ raw }: Amount, than: bigint): Warning[] =>
    feeWarning(raw, COIN, draft, { ceiling: FEE_CEILING, usual: 0n, sent: than });
  const above = warn(fee.maximum, 0n);
  return above.length > 0 ? above : warn(fee.expected, sent);
}
