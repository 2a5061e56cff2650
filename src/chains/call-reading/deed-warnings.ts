/** Warnings about the effects of a call. */
import { caution, danger } from '../approval/warnings.ts';
import type { Amount } from '../coin.ts';
import type { Warning } from '../approval/summary.ts';
import { allowanceWarnings } from '../contracts/allowance-warnings.ts';
import { type Effect, isNobody, isUnlimited } from '../contracts/calls.ts';
import { itemAmount, MAX_TOKENS, ownerOf, type Scene, tokenOfDeed, warningKey } from '../contracts/deeds.ts';
import { holdingOf, type Limits } from './limits.ts';
import type { Deed, Reading } from './inner-calls.ts';

/** A call with its deeds as they are shown. */
interface Drawn {
  reading: Reading;
  deeds: readonly Deed[];
  own: Deed | undefined;
  value: bigint;
  scene: Scene;
  limits: Limits;
}

/** Of everything that a call of `contract` does. `arrives`: a simulation brought the wallet coins or listed tokens. */
export function callWarnings(drawn: Drawn, contract: string, arrives: boolean): Warning[] {
  const { deeds, own, reading, scene } = drawn;
  const warnings = [
    ...(reading.unreadable ? [danger('unknown-call', { address: contract })] : []),
    ...tooManyTokens(deeds),
    ...deeds.flatMap((deed) => [
      ...takingWarnings(deed, drawn),
      ...(deed === own && isOfAccount(deed, scene) ? [] : sendingWarnings(deed, scene)),
    ]),
    ...bargainWarnings(drawn, arrives),
  ];
  return [...new Map(warnings.map((warning) => [warningKey(warning), warning])).values()];
}

/** Balances and spenders of the others were not asked for. */
function tooManyTokens(deeds: readonly Deed[]): Warning[] {
  const tokens = new Set(deeds.flatMap((deed) => tokenOfDeed(deed)?.toLowerCase() ?? []));
  return tokens.size > MAX_TOKENS ? [danger('too-many-tokens', { count: String(tokens.size) })] : [];
}

/** Of a deed that lets somebody else take tokens or command a contract. */
function takingWarnings(deed: Deed, { scene, limits }: Drawn): Warning[] {
  const { effect, contract, by } = deed;
  // Allowances that others signed are no risk to this wallet.
  const from = 'from' in effect ? effect.from : undefined;
  if (from !== undefined && from !== by && !scene.isUsers(from)) return [];
  const token = tokenOfDeed(deed);
  const about = (raw: bigint): Amount => scene.amountOf(token, raw);
  switch (effect.kind) {
    case 'approval-for-all':
      return effect.approved
        ? [
            {
              ...danger('approval-for-all', { token: token!, spender: effect.operator }),
              amount: { ...about(0n), decimals: 0 },
            },
          ]
        : [];
    case 'nft-approval':
      return isNobody(effect.spender)
        ? []
        : allowanceWarnings({
            token: token!,
            spender: effect.spender,
            amount: itemAmount(about(1n), effect.id),
            isItem: true,
          });
    case 'approval': {
      if (effect.decrease) return [];
      const { spender, amount, supply, increase } = effect;
      return allowanceWarnings({
        token: token!,
        spender,
        amount: about(amount),
        unlimited: isUnlimited(amount, supply),
        more: increase,
        together: limits.together(token!, ownerOf(deed) ?? scene.account),
        held: heldAfter(deed, token!, { scene, limits }),
        isPerson: scene.tokenOf(token!)?.persons?.includes(spender.toLowerCase()),
      });
    }
    case 'control':
      return [danger('control-given', { contract, ...(effect.to !== undefined && { address: effect.to }) })];
    case 'foreign-code':
      return [danger('foreign-code', { contract, address: effect.to })];
    default:
      return [];
  }
}

/** What is left to be taken after what the transaction sends itself, or, where that is nothing, what a simulation brought. */
function heldAfter(
  deed: Deed,
  token: string,
  { scene, limits }: Pick<Drawn, 'scene' | 'limits'>,
): bigint | undefined {
  const balance = holdingOf(deed, scene.tokenOf(token))?.balance;
  if (balance === undefined) return undefined;
  const owner = ownerOf(deed) ?? scene.account;
  const left = balance - limits.sent(token, owner);
  if (left > 0n) return left;
  return owner.toLowerCase() === scene.account.toLowerCase() ? (scene.arriving?.(token) ?? 0n) : 0n;
}

/** Not of another of the user's wallets, whose allowance it would use: no headline shows that. */
function isOfAccount({ effect }: Deed, { isOwn }: Scene): boolean {
  return !('from' in effect) || effect.from === undefined || isOwn(effect.from);
}

/** For a deed by which something leaves that the headline does not show. */
function sendingWarnings(deed: Deed, { isOwn, isUsers, amountOf }: Scene): Warning[] {
  const { effect, by } = deed;
  if (effect.kind !== 'coin' && effect.kind !== 'token' && effect.kind !== 'nft') return [];
  const from = 'from' in effect ? effect.from : undefined;
  if (from !== undefined && from !== by && !isUsers(from)) return [];
  if (effect.amount === 0n || isOwn(effect.to)) return [];
  const token = tokenOfDeed(deed);
  const sum = amountOf(token, effect.amount);
  const amount = effect.kind === 'nft' ? itemAmount(sum, effect.id) : sum;
  return [{ ...danger('inner-transfer', { address: effect.to }), amount }];
}

/** Names that promise the caller something. With coins attached, this is how scams collect money. */
const PROMISES = /^(claim|claimRewards?|claimAirdrop|getReward|securityUpdate|connect|verify)$/;
/** In hundredths of a per cent of what a trade brings: what somebody else gets of it is a fee. */
const MAX_FEE = 100n;

/** By which contract. */
type Passing = Extract<Effect, { kind: 'receive' | 'pass-on' }> & { contract: string };

/** Of who gets what a call asks for; of a trade that gives the wallet nothing, and of coins sent for a promise. */
function bargainWarnings({ reading, deeds, value, scene }: Drawn, arrives: boolean): Warning[] {
  // What a contract does with its own is its own, unless coins of the wallet are in it.
  const isBack = (to: string, by: string | undefined) => scene.isUsers(to) || (to === by && value === 0n);
  const own: Passing[] = [];
  const others: Passing[] = [];
  for (const { effect, contract, by } of deeds)
    if (effect.kind === 'receive' || effect.kind === 'pass-on')
      (isBack(effect.to, by) ? own : others).push({ ...effect, contract });
  // A share in a pool with a token that anybody may have made is worth nothing at any rate.
  const isUnlisted = deeds.some(
    ({ effect }) =>
      effect.kind === 'pay' && effect.token !== undefined && scene.tokenOf(effect.token)?.decimals === null,
  );
  const gets = own.some(
    (one) => one.kind === 'receive' && one.amount !== 0n && (one.put !== 0n || !isUnlisted || arrives),
  );
  const promised = value > 0n && PROMISES.test(reading.call.name ?? '') && !arrives;
  const fees = gets ? feesIn(own, others, value) : new Map<Passing, bigint>();
  const strangers = others.filter((one) => !fees.has(one));
  return [
    ...strangers.map(({ to }) => danger(gets ? 'swap-recipient' : 'nothing-back', { address: to })),
    ...(!strangers.length && (promised || (reading.trade && !gets)) ? [danger('nothing-back', {})] : []),
    ...[...fees].map(([{ to }, share]) =>
      caution('trade-fee', { address: to, share: `${Number(share) / 100} %` }),
    ),
  ];
}

/**
 * With their shares. Of each asset of a contract together they are no more than a fee of what the same contract brings, and what they take
 * is fixed: a minimum has no end.
 */
function feesIn(own: readonly Passing[], others: readonly Passing[], value: bigint): Map<Passing, bigint> {
  const fees = new Map<Passing, bigint>();
  const key = ({ contract, token = '' }: Passing) => `${contract} ${token.toLowerCase()}`;
  for (const asset of new Set(others.map(key))) {
    const passed = others.filter((one) => key(one) === asset);
    const least = own.reduce((sum, one) => (key(one) === asset ? sum + (one.amount ?? 0n) : sum), 0n);
    const whole = passed[0]!.token === undefined && value > least ? value : least;
    const shares = passed.map((one): bigint => {
      if (one.kind !== 'pass-on') return MAX_FEE + 1n;
      const { share, amount = 0n } = one;
      if (share !== undefined) return share;
      return whole === 0n ? MAX_FEE + 1n : (amount * 10_000n + whole - 1n) / whole;
    });
    if (shares.reduce((sum, share) => sum + share, 0n) > MAX_FEE) continue;
    for (const [i, one] of passed.entries()) fees.set(one, shares[i]!);
  }
  return fees;
}
