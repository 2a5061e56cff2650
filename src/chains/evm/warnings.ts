/** What the user should know before approving. */
import type { Summary, Warning } from '../approval/summary.ts';
import { listedToken } from '../contracts/listed-token.ts';
import { recipientsOf, recipientWarnings } from '../contracts/recipient-warnings.ts';
import { isCustom } from '../nodes/networks.ts';
import { addressWarnings, caution, danger, feeWarning, worstFirst } from '../approval/warnings.ts';
import type { DrawnCall } from '../call-reading/drawn-call.ts';
import type { EvmDraft } from './draft.ts';
import type { EvmProfile } from './profile.ts';

export function warningsOf(
  draft: EvmDraft,
  drawn: DrawnCall | undefined,
  summary: Summary,
  profile: EvmProfile,
): Warning[] {
  const { facts, network, to } = draft;
  const warnings: Warning[] = [];

  if (isCustom(network)) {
    const chain = facts.chain;
    const params = { name: network.custom.name, host: network.custom.host };
    // A network that no trusted list calls a test network may have real value.
    warnings.push(
      chain === undefined
        ? danger('custom-node-live', { ...params, unknown: String(draft.chainId) })
        : chain.kind === 'mainnet'
          ? danger('custom-node-live', { ...params, network: chain.name })
          : caution('custom-node', params),
    );
  }

  for (const [address, about] of Object.entries(facts.addresses))
    warnings.push(...addressWarnings(address, about));

  const effect = drawn?.own?.effect;
  if (drawn) warnings.push(...drawn.warnings(to!, arrives(draft)));

  const sending = { call: drawn, to, value: draft.value };
  warnings.push(...recipientWarnings(sending, network));

  // Data for an address without code does nothing; a call that is known was meant for a contract.
  if (drawn && !facts.code)
    warnings.push((drawn.reading.call.name === null ? caution : danger)('no-code', { address: to! }));

  const { maximum } = summary.fee;
  warnings.push(
    ...feeWarning(maximum.raw, { ...profile.coin, symbol: maximum.symbol }, draft, {
      ceiling: profile.feeCeiling,
      // The gas of a failed simulation means nothing.
      usual:
        facts.willFail === undefined
          ? facts.gasUsed * (facts.usualPrice ?? 0n) + (facts.surcharge?.expected ?? 0n)
          : 0n,
      // Where tokens leave as well, the coins are only a part of what is sent.
      sent: summary.leaving ? 0n : draft.value,
    }),
  );

  // Without enough coins a simulation fails for that alone.
  if (facts.willFail !== undefined && !summary.shortOf)
    warnings.push({ code: 'will-fail', level: 'danger', params: { reason: facts.willFail } });

  if (facts.trial === 'differs') warnings.push(danger('trial-differs', {}));

  if (to === null) warnings.push(caution('contract-creation'));
  if (drawn) warnings.push(...drawn.unlisted());
  const firstTime = (address: string) => facts.addresses[address.toLowerCase()]?.familiar === false;
  for (const address of recipientsOf(sending))
    if (firstTime(address)) warnings.push(caution('first-recipient', { address }));
  const contract = effect?.kind === 'approval' ? effect.spender : drawn?.isPlain ? to! : undefined;
  if (contract !== undefined && facts.code && firstTime(contract))
    warnings.push(caution('first-contract', { address: contract }));

  if (draft.nonce < facts.pendingNonce)
    warnings.push(caution('replaces-pending', { nonce: String(draft.nonce) }));
  if (draft.nonce > Math.max(facts.pendingNonce, facts.minedNonce))
    warnings.push(caution('nonce-gap', { nonce: String(draft.nonce), next: String(facts.pendingNonce) }));
  if (facts.trial === 'untried')
    warnings.push(drawn?.untried('refused') ?? caution('simulation-unavailable', { reason: 'refused' }));
  else if (facts.changes === undefined && !facts.trial && !facts.willFail) {
    if (to === null) warnings.push(caution('simulation-unavailable'));
    else if (drawn?.isPlain && facts.code) warnings.push(drawn.untried());
  }
  return worstFirst(warnings);
}

/** A simulation brought coins or listed tokens: others may be worthless. */
function arrives({ facts, network }: EvmDraft): boolean {
  return (facts.changes ?? []).some(
    ({ direction, token }) =>
      direction === 'in' && (token === undefined || listedToken(network.tokens, token) !== undefined),
  );
}
