/** Warnings about the effects of a call. */
import { caution, danger } from '../approval/warnings.ts';
import type { Amount } from '../chain.ts';
import type { Warning } from '../approval/summary.ts';
import { isNobody, isUnlimited } from '../contracts/calls.ts';
import { itemAmount, type Scene, tokenOfDeed, warningKey } from '../contracts/deeds.ts';
import type { Deed, Reading } from './inner-calls.ts';

/** A call with its deeds as they are shown. */
interface Drawn {
  reading: Reading;
  deeds: readonly Deed[];
  own: Deed | undefined;
  value: bigint;
  scene: Scene;
}

/** Of everything that a call of `contract` does. `arrives`: a simulation brought the wallet coins or listed tokens. */
export function callWarnings(drawn: Drawn, contract: string, arrives: boolean): Warning[] {
  const { deeds, own, reading, scene } = drawn;
  const found = [
    ...(reading.unreadable ? [danger('unknown-call', { address: contract })] : []),
    ...deeds.flatMap((deed) => [
      ...takingWarnings(deed, scene),
      ...(deed === own ? [] : sendingWarnings(deed, scene)),
    ]),
    ...bargainWarnings(drawn, arrives),
  ];
  return [...new Map(found.map((warning) => [warningKey(warning), warning])).values()];
}

/** Of a deed that lets somebody else take tokens or command a contract. */
function takingWarnings(deed: Deed, scene: Scene): Warning[] {
  const { effect, contract, by } = deed;
  // Allowances that others signed are no risk to this wallet.
  const from = 'from' in effect ? effect.from : undefined;
  if (from !== undefined && from !== by && !scene.isOwn(from)) return [];
  const token = tokenOfDeed(deed);
  const about = (raw: bigint): Amount => scene.amountOf(token, raw);
  const params = (spender: string) => ({ token: token!, spender });
  switch (effect.kind) {
    case 'approval-for-all':
      return effect.approved
        ? [
            {
              ...danger('approval-for-all', params(effect.operator)),
              amount: { ...about(0n), decimals: 0 },
            },
          ]
        : [];
    case 'nft-approval':
      return isNobody(effect.spender)
        ? []
        : [{ ...danger('nft-approval', params(effect.spender)), amount: itemAmount(about(1n), effect.id) }];
    case 'approval': {
      if (effect.amount === 0n || effect.decrease) return [];
      const amount = about(effect.amount);
      // The current allowance may be unknown: the new limit is higher than this.
      const more = { ...params(effect.spender), ...(effect.increase && { more: 'more' }) };
      return isUnlimited(effect.amount, effect.supply)
        ? [{ ...danger('unlimited-approval', more), amount }]
        : [{ ...caution('spending-limit', more), amount }];
    }
    case 'control':
      return [danger('control-given', { contract, ...(effect.to !== undefined && { address: effect.to }) })];
    case 'foreign-code':
      return [danger('foreign-code', { contract, address: effect.to })];
    default:
      return [];
  }
}

/** For a deed by which something leaves that the headline does not show. */
function sendingWarnings(deed: Deed, { isOwn, amountOf }: Scene): Warning[] {
  const { effect, by } = deed;
  if (effect.kind !== 'coin' && effect.kind !== 'token' && effect.kind !== 'nft') return [];
  const from = 'from' in effect ? effect.from : undefined;
  if (from !== undefined && from !== by && !isOwn(from)) return [];
  if (effect.amount === 0n || isOwn(effect.to)) return [];
  const token = tokenOfDeed(deed);
  const sum = amountOf(token, effect.amount);
  const amount = effect.kind === 'nft' ? itemAmount(sum, effect.id) : sum;
  return [{ ...danger('inner-transfer', { address: effect.to }), amount }];
}

/** Names that promise the caller something. With coins attached, this is how scams collect money. */
const PROMISES = /^(claim|claimRewards?|claimAirdrop|getReward|securityUpdate|connect|verify)$/;

/** For a trade that gives the wallet nothing, and for coins sent for a promise. */
function bargainWarnings({ reading, deeds, value, scene }: Drawn, arrives: boolean): Warning[] {
  const asked = deeds.flatMap(({ effect, by }) =>
    effect.kind === 'receive' ? { ...effect, back: scene.isOwn(effect.to) || effect.to === by } : [],
  );
  const promised = value > 0n && PROMISES.test(reading.call.name ?? '') && !arrives;
  const gets = asked.some(({ back, amount }) => back && amount > 0n);
  if (!promised && (!reading.trade || gets)) return [];
  const other = asked.find(({ back }) => !back)?.to;
  return [danger('nothing-back', other === undefined ? {} : { address: other })];
}
