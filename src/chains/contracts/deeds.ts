/** The people and tokens that a call's effects concern. Shared with VeChain and Tron. */
import type { Amount } from '../coin.ts';
import type { Warning } from '../approval/summary.ts';
import type { TokenFacts } from './token-facts.ts';
import { type Effect, isUnlimited } from './calls.ts';
import type { Deed, Reading } from '../call-reading/inner-calls.ts';

/** What a chain knows that draws deeds. */
export interface Scene {
  /** The wallet itself. */
  isOwn(address: string): boolean;
  /** The wallet itself, or another one of the user's. */
  isUsers(address: string): boolean;
  /** Whose tokens a deed concerns that names nobody: the wallet, or the account in whose name it calls. */
  account: string;
  tokenOf(address: string): TokenFacts | undefined;
  /** Of a token, what a simulation brought the account. */
  arriving?(token: string): bigint;
  amountOf(token: string | undefined, raw: bigint): Amount;
}

/** The contract whose tokens it concerns; undefined if none. */
export function tokenOfDeed({ effect, contract }: Pick<Deed, 'effect' | 'contract'>): string | undefined {
  switch (effect.kind) {
    case 'token':
    case 'nft':
    case 'approval':
      return effect.token ?? contract;
    case 'nft-approval':
    case 'approval-for-all':
      return contract;
    case 'pay':
    case 'use':
    case 'receive':
    case 'pass-on':
      return effect.token;
    default:
      return undefined;
  }
}

/** Whose tokens a deed moves, or lets be taken; undefined for the account's. */
export function ownerOf({ effect, by }: Pick<Deed, 'effect' | 'by'>): string | undefined {
  return ('from' in effect ? effect.from : undefined) ?? by;
}

/** What to ask about a token before its deeds can be shown. */
export interface TokenQuestion {
  address: string;
  /** What the call names is an item's id (ERC-721) or an amount: both standards have the same functions. Undefined if it is clear. */
  itemId: bigint | undefined;
  /** The spenders whose allowance the call changes; the resulting sum is shown. */
  spenders: string[];
  /** The spenders whom the call lets take it: whether they have code. */
  takers: string[];
  /** Others whose tokens the call lets be taken, and the spenders whose allowance it changes. */
  owners: { owner: string; spenders: string[] }[];
  /** Whether to read the total supply. If the limit exceeds the total supply, it is effectively unlimited. */
  supply: boolean;
}

/** As many tokens of one transaction or signature as the node is asked about; more are a danger, because nobody has looked at them. */
export const MAX_TOKENS = 20;

/** The questions about the first tokens. */
export function tokenQuestions({ deeds }: Pick<Reading, 'deeds'>): TokenQuestion[] {
  const questions = new Map<string, TokenQuestion>();
  for (const deed of deeds) {
    const address = tokenOfDeed(deed);
    if (address === undefined) continue;
    const key = address.toLowerCase();
    let question = questions.get(key);
    if (!question) {
      if (questions.size >= MAX_TOKENS) continue;
      questions.set(
        key,
        (question = { address, itemId: undefined, spenders: [], takers: [], owners: [], supply: false }),
      );
    }
    const { effect } = deed;
    if ((effect.kind === 'token' || effect.kind === 'approval') && !effect.token)
      question.itemId ??= effect.amount;
    if (effect.kind !== 'approval') continue;
    const { spender, amount } = effect;
    if (amount > 0n && !isUnlimited(amount)) question.supply = true;
    const owner = ownerOf(deed);
    let spenders = question.spenders;
    if (owner !== undefined) {
      let entry = question.owners.find((one) => one.owner === owner);
      if (!entry) question.owners.push((entry = { owner, spenders: [] }));
      spenders = entry.spenders;
    }
    if (changes(effect)) addTo(spenders, spender);
    if (amount > 0n && !effect.decrease) addTo(question.takers, spender);
  }
  return [...questions.values()];
}

function addTo(list: string[], one: string): void {
  if (!list.includes(one)) list.push(one);
}

export type Approval = Extract<Effect, { kind: 'approval' }>;

/** Whether it changes the current allowance instead of setting a new one. */
export function changes({ increase, decrease }: Approval): boolean {
  return increase === true || decrease === true;
}

/** All addresses that the deeds concern: contracts called, owners, recipients, and spenders. */
export function involvedIn(contract: string | null, deeds: readonly Deed[]): string[] {
  const addresses = contract === null ? [] : [contract];
  for (const { effect, contract: called, by } of deeds) {
    addresses.push(called, ...(by ? [by] : []));
    const { from, to, spender, operator, token } = effect as Record<string, string | undefined>;
    for (const address of [from, to, spender, operator, token])
      if (address !== undefined) addresses.push(address);
  }
  return [...new Set(addresses)];
}

/** A token's own function that moves it: some answer false where others revert. */
export function movesToken({ deeds, nested }: Reading): boolean {
  return !nested && deeds[0]?.effect.kind === 'token';
}

/** An item of a collection as an amount, which is a count. */
export function itemAmount(amount: Amount, id: bigint): Amount {
  return { ...amount, decimals: 0, symbol: `${amount.symbol} #${id}` };
}

/** Of a simulated change. Ids have up to 78 digits, for which its row has no room. */
export function movedAmount(amount: Amount, id: bigint | undefined): Amount {
  if (id === undefined) return amount;
  const text = String(id);
  const short = text.length > 12 ? `${text.slice(0, 5)}…${text.slice(-5)}` : text;
  return { ...amount, decimals: 0, symbol: `${amount.symbol} #${short}` };
}

/** What simulated changes bring of a token. */
export function arriving(
  changes: readonly { token?: string | undefined; amount: bigint; direction: 'in' | 'out' }[] | undefined,
  token: string,
): bigint {
  return (changes ?? []).reduce(
    (sum, change) =>
      change.direction === 'in' && change.token?.toLowerCase() === token.toLowerCase()
        ? sum + change.amount
        : sum,
    0n,
  );
}

/** Equal for warnings that say the same. */
export function warningKey({ code, params, amount }: Warning): string {
  return JSON.stringify([code, params, amount?.raw.toString(), amount?.symbol]);
}
