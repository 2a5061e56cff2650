/** What a call does to tokens, as the approval shows it. VeChain's and Tron's contracts have the same functions. */
import type { Amount, Part, Warning } from '../chain.ts';
import type { TokenFacts } from './token-facts.ts';
import { caution } from '../approval/warnings.ts';
import { type Effect, isUnlimited } from './calls.ts';
import { type DrawnCall, itemAmount, paidIn, tokenOfDeed } from './deeds.ts';
import type { Deed } from '../call-reading/inner-calls.ts';

/** The headline of a call of `to`; `coins` go with it. */
export function callHeadline(
  { own, deeds, value, scene }: DrawnCall,
  to: string,
  coins: Amount,
): Omit<Part, 'call'> {
  const told = own && tokenHeadline(own.effect, to, scene.isOwn, scene.amountOf);
  if (told) return told;
  const paid = value === 0n ? paidIn(deeds) : undefined;
  return { kind: 'call', amount: paid ? scene.amountOf(paid.token, paid.amount) : coins, to };
}

/** For a call that moves no coins; undefined where it says nothing about the wallet's own tokens. */
function tokenHeadline(
  effect: Effect,
  contract: string,
  isOwn: (address: string) => boolean,
  amountOf: (token: string, raw: bigint) => Amount,
): Omit<Part, 'call'> | undefined {
  if ('from' in effect && effect.from !== undefined && !isOwn(effect.from)) return undefined;
  /** Of a collection's tokens, which are counted. */
  const items = (id: bigint, raw: bigint): Amount => itemAmount(amountOf(contract, raw), id);
  switch (effect.kind) {
    case 'token':
      return {
        kind: 'transfer',
        amount: amountOf(effect.token ?? contract, effect.amount),
        to: effect.to,
        contract,
      };
    case 'nft':
      return { kind: 'transfer', amount: items(effect.id, effect.amount), to: effect.to, contract };
    case 'nft-approval':
      return { kind: 'approval', amount: items(effect.id, 1n), to: effect.spender, contract };
    case 'approval':
      return {
        kind: 'approval',
        amount: amountOf(effect.token ?? contract, effect.amount),
        ...(isUnlimited(effect.amount) && { unlimited: true }),
        to: effect.spender,
        contract,
      };
    case 'approval-for-all':
      return {
        kind: 'approval',
        amount: { ...amountOf(contract, 0n), decimals: 0 },
        ...(effect.approved && { unlimited: true }),
        to: effect.operator,
        contract,
      };
    default:
      return undefined;
  }
}

/** Where facts about an unlisted token come from. */
interface Source {
  host: string;
  scaledBy?: { decimals: number; text: string } | undefined;
}

/** Of a token whose decimals nobody vouches for. `scaledBy` is what its contract says, where the site gave a decimal value. */
export function unlistedWarning(
  { address, symbol, imitates }: TokenFacts,
  { host, scaledBy }: Source,
): Warning {
  return caution('unlisted-token', {
    token: address,
    symbol,
    ...(imitates && { imitates }),
    ...(scaledBy && { value: scaledBy.text, decimals: String(scaledBy.decimals), host }),
  });
}

/** Once for each token. Those of a collection are counted: it has no decimals that could be missing. */
export function unlistedWarnings(
  deeds: readonly Deed[],
  tokenOf: (address: string) => TokenFacts | undefined,
  source: Source,
): Warning[] {
  const found = new Map<string, Warning>();
  for (const deed of deeds) {
    const { kind } = deed.effect;
    if (kind !== 'token' && kind !== 'approval' && kind !== 'pay') continue;
    const facts = tokenOf(tokenOfDeed(deed)!);
    if (facts?.decimals === null) found.set(facts.address, unlistedWarning(facts, source));
  }
  return [...found.values()];
}
