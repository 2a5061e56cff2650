/** What a call does to tokens, as the approval shows it. VeChain's and Tron's contracts have the same functions. */
import { formatAmount } from '../amount.ts';
import type { Amount, Part, Warning } from '../chain.ts';
import type { TokenFacts } from '../token-facts.ts';
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

/** Of a call that lets somebody else take tokens. */
export function approvalWarnings(effect: Effect, token: TokenFacts | undefined): Warning[] {
  const symbol = token?.symbol ?? '';
  if (effect.kind === 'approval-for-all' && effect.approved)
    return [danger('approval-for-all', { token: symbol, spender: effect.operator })];
  if (effect.kind !== 'approval' || effect.amount === 0n) return [];
  const { decimals = null, balance } = token ?? {};
  const params = {
    token: symbol,
    spender: effect.spender,
    amount: decimals === null ? effect.amount.toString() : formatAmount(effect.amount, decimals),
    ...(balance !== undefined && decimals !== null && { balance: formatAmount(balance, decimals) }),
  };
  return [
    isUnlimited(effect.amount) ? danger('unlimited-approval', params) : caution('spending-limit', params),
  ];
}

/** Of a token whose decimals nobody vouches for. `scaledBy` is what its contract told, where the site gave a decimal value. */
export function unlistedWarning(
  { address, symbol }: TokenFacts,
  { host, scaledBy }: { host: string; scaledBy?: { decimals: number; text: string } | undefined },
): Warning {
  return caution('unlisted-token', {
    token: address,
    symbol,
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
