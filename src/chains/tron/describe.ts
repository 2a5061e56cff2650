/** What the approval shows, drawn from the exact draft. */
import type { Fact, Summary, Warning } from '../approval/summary.ts';
import { memoText } from '../requests/fields.ts';
import type { Scene } from '../contracts/deeds.ts';
import { drawCall } from '../contracts/readings.ts';
import { listedToken, tokenAmount as amountOfToken, unlistedWarning } from '../contracts/listed-token.ts';
import { readingOf } from './calls.ts';
import { maximumOf, requiredOf } from './costs.ts';
import { COIN, coinsOf, tokenFacts, type TronDraft } from './draft.ts';
import type { Amount } from '../coin.ts';
import type { DrawnCall } from '../call-reading/drawn-call.ts';
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

const trx = (raw: bigint): Amount => ({ raw, ...COIN });

export async function describe(draft: TronDraft): Promise<Summary> {
  const { contract, facts, network } = draft;
  const reading = await readingOf(contract, draft.from);
  const drawn = reading && (await drawCall(reading, coinsOf(contract), sceneOf(draft)));
  const { energyFee, maxEnergyFee } = facts.costs;
  const required = requiredOf(facts.costs);
  const maximum = maximumOf(facts.costs);
  const total = coinsOf(contract) + maximum;
  const summary: Summary = {
    networkName: network.name,
    from: draft.from,
    ...headlineOf(draft, drawn),
    facts: factsOf(draft),
    fee: { expected: trx(required - maxEnergyFee + energyFee), maximum: trx(maximum) },
    total: trx(total),
    balance: trx(facts.balance),
    warnings: [],
  };
  if (contract.kind === 'call' && drawn) {
    const target = listedToken(network.tokens, contract.to);
    summary.call = drawn.decoded(contract.data, target, network.tokens);
    const effects = drawn.effects();
    if (effects) summary.effects = effects;
  }
  // Not the total: nodes accept what the account's own resources pay for.
  const short = shortOf(draft, drawn, coinsOf(contract) + required);
  if (short) summary.shortOf = short;
  summary.warnings = warningsOf(draft, drawn, summary);
  return summary;
}

type Headline = Pick<Summary, 'kind' | 'amount' | 'unlimited' | 'to' | 'contract' | 'leaving'>;

function headlineOf(draft: TronDraft, drawn: DrawnCall | undefined): Headline {
  const { contract } = draft;
  const { to } = contract;
  if (contract.kind === 'coin') return { kind: 'transfer', amount: trx(contract.amount), to };
  if (contract.kind === 'asset')
    return { kind: 'transfer', amount: tokenAmount(draft, contract.token, contract.amount), to };
  return drawn ? drawn.headline(to, trx(contract.value)) : { kind: 'call', amount: trx(contract.value), to };
}

function sceneOf(draft: TronDraft): Scene {
  return {
    isOwn: (address) => address === draft.from,
    account: draft.from,
    isUsers: (address) => address === draft.from || draft.facts.addresses[address]?.own === true,
    tokenOf: (address) => tokenFacts(draft, address),
    amountOf: (token, raw) => (token === undefined ? trx(raw) : tokenAmount(draft, token, raw)),
  };
}

function tokenAmount(draft: TronDraft, address: string, raw: bigint): Amount {
  return amountOfToken(raw, address, draft.network, tokenFacts(draft, address));
}

/** Resources are shown with the TRX burned for them: 0 if the account's own cover them. */
function factsOf({ contract, facts, feeLimit, memo, expiration }: TronDraft): Fact[] {
  const { costs } = facts;
  const shown: Fact[] = [];
  if (memo !== '0x') shown.push({ code: 'memo', value: memoText(memo) });
  shown.push({ code: 'bandwidth', value: costs.bandwidth.toString(), amount: trx(costs.bandwidthFee) });
  if (contract.kind === 'call')
    shown.push(
      { code: 'energy', value: costs.energy.toString(), amount: trx(costs.energyFee) },
      ...(costs.payer === undefined ? [] : [{ code: 'energy-payer' as const, value: costs.payer }]),
      { code: 'fee-limit', amount: trx(feeLimit) },
    );
  if (costs.activationFee) shown.push({ code: 'activation', amount: trx(costs.activationFee) });
  shown.push({ code: 'expires', value: new Date(expiration).toISOString() });
  return shown;
}

function shortOf(draft: TronDraft, drawn: DrawnCall | undefined, coins: bigint): Summary['shortOf'] {
  const { contract, facts, from } = draft;
  const { token, balance } = facts;
  const effect = drawn?.own?.effect;
  let need: bigint | undefined;
  if (contract.kind === 'asset') need = contract.amount;
  // For an NFT the "amount" is an id: only listed tokens are known to be amounts.
  else if (effect?.kind === 'token' && (effect.from ?? from) === from && token?.decimals !== null)
    need = effect.amount;
  if (need !== undefined && token?.balance !== undefined && need > token.balance)
    return { amount: tokenAmount(draft, token.address, need - token.balance), need, have: token.balance };
  if (coins > balance) return { amount: trx(coins - balance), need: coins, have: balance };
  return undefined;
}

/** Highest fee without a tick, where `networks.json` sets none: 100 TRX. */
const FEE_CEILING = 100_000_000n;

function warningsOf(draft: TronDraft, drawn: DrawnCall | undefined, summary: Summary): Warning[] {
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
