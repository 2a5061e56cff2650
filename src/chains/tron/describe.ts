/** What the approval shows, drawn from the exact draft. */
import type { Amount, Fact, Summary } from '../chain.ts';
import { type Call, showCall } from '../evm/calls.ts';
import { tokenHeadline } from '../evm/token-effect.ts';
import { listedToken } from '../listed-token.ts';
import { memoText } from '../memo.ts';
import { decodeCall } from './calls.ts';
import { COIN, type TronDraft } from './draft.ts';
import { warningsOf } from './warnings.ts';

const trx = (raw: bigint): Amount => ({ raw, ...COIN });

export function describe(draft: TronDraft): Summary {
  const { contract, facts, network } = draft;
  const call = contract.kind === 'call' && contract.data !== '0x' ? decodeCall(contract.data) : undefined;
  const { bandwidthFee, energyFee, maxEnergyFee, memoFee, activationFee } = facts.costs;
  const fixed = bandwidthFee + memoFee + activationFee;
  const maximum = fixed + maxEnergyFee;
  const total = coinsOf(draft) + maximum;
  const summary: Summary = {
    networkName: network.name,
    from: draft.from,
    ...headlineOf(draft, call),
    facts: factsOf(draft),
    fee: { expected: trx(fixed + energyFee), maximum: trx(maximum) },
    total: trx(total),
    balance: trx(facts.balance),
    warnings: [],
  };
  if (contract.kind === 'call' && call)
    summary.call = showCall(call, contract.data, listedToken(network.tokens, contract.to), network.tokens);
  const short = shortOf(draft, call, total);
  if (short) summary.shortOf = short;
  summary.warnings = warningsOf(draft, call, summary);
  return summary;
}

/** Sun that leaves besides the fee. */
function coinsOf({ contract }: TronDraft): bigint {
  if (contract.kind === 'asset') return 0n;
  return contract.kind === 'coin' ? contract.amount : contract.value;
}

type Headline = Pick<Summary, 'kind' | 'amount' | 'unlimited' | 'to' | 'contract'>;

function headlineOf(draft: TronDraft, call: Call | undefined): Headline {
  const { contract, from } = draft;
  const { to } = contract;
  if (contract.kind === 'coin') return { kind: 'transfer', amount: trx(contract.amount), to };
  if (contract.kind === 'asset') return { kind: 'transfer', amount: tokenAmount(draft, contract.amount), to };
  // What a call says about tokens is the headline only if it moves no coins besides.
  const own = (address: string) => address === from;
  const amountOf = (_token: string, raw: bigint) => tokenAmount(draft, raw);
  return (
    (call && contract.value === 0n ? tokenHeadline(call.effect, to, own, amountOf) : undefined) ?? {
      kind: 'call',
      amount: trx(contract.value),
      to,
    }
  );
}

function tokenAmount({ facts, contract }: TronDraft, raw: bigint): Amount {
  const { address, symbol, decimals } = facts.token ?? { address: contract.to, symbol: '', decimals: null };
  return { raw, decimals, symbol, token: address };
}

/** Resources are shown with the TRX that is burned for them: 0 where the account's own cover them. */
function factsOf({ contract, facts, feeLimit, memo, expiration }: TronDraft): Fact[] {
  const { costs } = facts;
  const shown: Fact[] = [];
  if (memo !== '0x') shown.push({ code: 'memo', value: memoText(memo) });
  shown.push({ code: 'bandwidth', value: costs.bandwidth.toString(), amount: trx(costs.bandwidthFee) });
  if (contract.kind === 'call')
    shown.push(
      { code: 'energy', value: costs.energy.toString(), amount: trx(costs.energyFee) },
      { code: 'fee-limit', amount: trx(feeLimit) },
    );
  if (costs.activationFee) shown.push({ code: 'activation', amount: trx(costs.activationFee) });
  shown.push({ code: 'expires', value: new Date(expiration).toISOString() });
  return shown;
}

function shortOf(draft: TronDraft, call: Call | undefined, total: bigint): Summary['shortOf'] {
  const { contract, facts, from } = draft;
  const { token, balance } = facts;
  const effect = call?.effect;
  let need: bigint | undefined;
  if (contract.kind === 'asset') need = contract.amount;
  // For an NFT the "amount" is an id: only listed tokens are known to be amounts.
  else if (effect?.kind === 'token' && (effect.from ?? from) === from && token?.decimals !== null)
    need = effect.amount;
  if (need !== undefined && token?.balance !== undefined && need > token.balance)
    return { amount: tokenAmount(draft, need - token.balance), need, have: token.balance };
  if (total > balance) return { amount: trx(total - balance), need: total, have: balance };
  return undefined;
}
