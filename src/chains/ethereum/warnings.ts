/** What the user should know before approving. Worst first: views show the first two. */
import { formatAmount } from '../amount.ts';
import type { Summary, Warning, WarningCode } from '../chain.ts';
import { chainName, isCustom } from '../networks.ts';
import type { Call } from './calls.ts';
import type { EthereumDraft } from './draft.ts';
import { listedToken } from './node.ts';

/** Highest fee without a tick, where `networks.json` sets none: 0.1 coins. */
const FEE_CEILING = 10n ** 17n;

export function warningsOf(draft: EthereumDraft, call: Call | undefined, summary: Summary): Warning[] {
  const warnings: Warning[] = [];
  const say = (
    code: WarningCode,
    level: Warning['level'],
    params: Record<string, string> = {},
    tick = false,
  ) =>
    warnings.push({
      code,
      level,
      ...(tick ? { tick } : {}),
      ...(Object.keys(params).length > 0 ? { params } : {}),
    });
  const { facts, network, to } = draft;

  if (isCustom(network)) {
    const known = chainName(draft.chainId, network.named);
    const params = { name: network.custom.name, host: network.custom.host };
    if (known?.kind === 'mainnet')
      say('custom-node-live', 'danger', { ...params, network: known.name }, true);
    else say('custom-node', 'caution', params);
  }

  for (const [address, about] of Object.entries(facts.addresses)) {
    if (about.reported) say('reported-address', 'danger', { address }, true);
    if (about.resembles) say('resembles-known', 'danger', { address, known: about.resembles }, true);
  }

  const effect = call?.effect;
  const token = facts.token;
  if (effect?.kind === 'approval' && effect.amount > 0n && token) {
    const params = {
      token: token.symbol,
      spender: effect.spender,
      amount:
        token.decimals === null ? effect.amount.toString() : formatAmount(effect.amount, token.decimals),
      ...(token.balance === undefined || token.decimals === null
        ? {}
        : { balance: formatAmount(token.balance, token.decimals) }),
    };
    if (isUnlimited(effect.amount)) say('unlimited-approval', 'danger', params, true);
    else say('spending-limit', 'caution', params);
  }
  if (effect?.kind === 'approval-for-all' && effect.approved)
    say('approval-for-all', 'danger', { token: token?.symbol ?? '', spender: effect.operator }, true);

  const recipient = effect && 'to' in effect ? effect.to : call ? undefined : (to ?? undefined);
  if (recipient !== undefined) {
    const isToken =
      (call !== undefined && recipient.toLowerCase() === to?.toLowerCase()) ||
      listedToken(network.tokens, recipient) !== undefined;
    if (isToken) say('recipient-is-token', 'danger', { address: recipient }, true);
  }

  // Data for an address without code does nothing; a call that is known was meant for a contract.
  if (call && !facts.code) {
    if (call.name === null) say('no-code', 'caution', { address: to! });
    else say('no-code', 'danger', { address: to! }, true);
  }

  const ceiling = network.feeCeiling === undefined ? FEE_CEILING : BigInt(network.feeCeiling);
  if (summary.fee.maximum.raw > ceiling)
    say(
      'fee-ceiling',
      'danger',
      {
        fee: formatAmount(summary.fee.maximum.raw, 18),
        ceiling: formatAmount(ceiling, 18),
        symbol: summary.fee.maximum.symbol,
      },
      true,
    );

  // Without enough coins a trial run fails for that alone.
  if (facts.willFail !== undefined && !summary.shortOf)
    say('will-fail', 'danger', { reason: facts.willFail });

  if (to === null) say('contract-creation', 'caution');
  if (token && token.decimals === null)
    say('unlisted-token', 'caution', {
      token: token.address,
      symbol: token.symbol,
      ...(facts.scaledBy
        ? { value: facts.scaledBy.text, decimals: String(facts.scaledBy.decimals), host: facts.host }
        : {}),
    });
  if (call && facts.code && call.name === null) say('unknown-call', 'caution');
  const firstTime = (address: string) => facts.addresses[address.toLowerCase()]?.familiar === false;
  if (recipient !== undefined && firstTime(recipient))
    say('first-recipient', 'caution', { address: recipient });
  const contract = effect?.kind === 'approval' ? effect.spender : effect?.kind === 'other' ? to! : undefined;
  if (contract !== undefined && facts.code && firstTime(contract))
    say('first-contract', 'caution', { address: contract });

  if (draft.nonce < facts.pendingNonce) say('replaces-pending', 'caution', { nonce: String(draft.nonce) });
  if (draft.nonce > Math.max(facts.pendingNonce, facts.minedNonce))
    say('nonce-gap', 'caution', { nonce: String(draft.nonce), next: String(facts.pendingNonce) });
  if (call && effect?.kind === 'other' && facts.code && facts.changes === undefined)
    say('simulation-unavailable', 'caution');

  const weight = (w: Warning) => (w.level === 'danger' ? (w.tick ? 2 : 1) : 0);
  return warnings.sort((a, b) => weight(b) - weight(a));
}

/** Nobody owns so much of anything: a limit of this or more has no end (2^96 − 1 is the largest limit of some tokens). */
export function isUnlimited(amount: bigint): boolean {
  return amount >= (1n << 96n) - 1n;
}
