/** What a call does to tokens, as the approval shows it. VeChain's and Tron's contracts have the same functions. */
import type { Amount, Part, Warning } from '../chain.ts';
import { shortName, type TokenFacts } from '../token-facts.ts';
import { caution, danger } from '../warnings.ts';
import { type Effect, isUnlimited } from './calls.ts';

/** The headline of a call of `contract` that moves no coins besides; undefined where it says nothing about the wallet's own tokens. */
export function tokenHeadline(
  effect: Effect,
  contract: string,
  isOwn: (address: string) => boolean,
  amountOf: (token: string, raw: bigint) => Amount,
): Omit<Part, 'call'> | undefined {
  if ('from' in effect && effect.from !== undefined && !isOwn(effect.from)) return undefined;
  /** Of a collection's tokens, which are counted. */
  const counted = (raw: bigint, id = ''): Amount => {
    const amount = amountOf(contract, raw);
    return { ...amount, decimals: 0, symbol: amount.symbol + id };
  };
  switch (effect.kind) {
    case 'token':
      return { kind: 'transfer', amount: amountOf(contract, effect.amount), to: effect.to, contract };
    case 'nft':
      return { kind: 'transfer', amount: counted(effect.amount, ` #${effect.id}`), to: effect.to, contract };
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
        amount: counted(0n),
        ...(effect.approved && { unlimited: true }),
        to: effect.operator,
        contract,
      };
    case 'other':
      return undefined;
  }
}

/**
 * Of a call of `contract` that lets somebody else take tokens. What they may take is told by the call alone, whatever coins go with it;
 * `token` is what is known of them, if anything.
 */
export function approvalWarnings(effect: Effect, contract: string, token: TokenFacts | undefined): Warning[] {
  if (effect.kind !== 'approval' && effect.kind !== 'approval-for-all') return [];
  const address = (effect.kind === 'approval' ? effect.token : undefined) ?? contract;
  const { decimals = null, symbol = shortName(address) } = token ?? {};
  const amountOf = (raw: bigint, places: number | null): Amount => ({
    raw,
    decimals: places,
    symbol,
    token: address,
  });
  if (effect.kind === 'approval-for-all')
    return effect.approved
      ? [
          {
            ...danger('approval-for-all', { token: address, spender: effect.operator }),
            amount: amountOf(0n, 0),
          },
        ]
      : [];
  if (effect.amount === 0n) return [];
  const params = { token: address, spender: effect.spender };
  const amount = amountOf(effect.amount, decimals);
  return isUnlimited(effect.amount)
    ? [{ ...danger('unlimited-approval', params), amount }]
    : [{ ...caution('spending-limit', params), amount }];
}

/** Of a token whose decimals nobody vouches for. `scaledBy` is what its contract told, where the site gave a decimal value. */
export function unlistedWarning(
  { address, symbol, imitates }: TokenFacts,
  { host, scaledBy }: { host: string; scaledBy?: { decimals: number; text: string } | undefined },
): Warning {
  return caution('unlisted-token', {
    token: address,
    symbol,
    ...(imitates && { imitates }),
    ...(scaledBy && { value: scaledBy.text, decimals: String(scaledBy.decimals), host }),
  });
}

/** Everybody whom a call is about: who is called, who gets tokens and who may take them. */
export function involvedAddresses(contract: string | null, effect: Effect | undefined): string[] {
  const involved = contract === null ? [] : [contract];
  if (effect?.kind === 'token' || effect?.kind === 'nft') involved.push(effect.to);
  if (effect?.kind === 'approval') involved.push(effect.spender, ...(effect.token ? [effect.token] : []));
  if (effect?.kind === 'approval-for-all') involved.push(effect.operator);
  return involved;
}
