/** What is made of the things that a call does: what to ask the node, what to show, what to warn about. Shared with VeChain and Tron. */
import type { Amount, CallEffect, Warning } from '../chain.ts';
import type { TokenFacts } from './token-facts.ts';
import { caution, danger } from '../approval/warnings.ts';
import { type Effect, isNobody, isUnlimited } from './calls.ts';
import type { Deed, Reading } from '../call-reading/inner-calls.ts';

/** What a call does; undefined where there is none. The code that reads calls is loaded for it: most transactions have none. */
export async function readingOf(
  { to, data }: { to: string | null; data: string },
  wallet: string,
): Promise<Reading | undefined> {
  if (to === null || data === '0x') return undefined;
  const { readCall } = await import('../call-reading/inner-calls.ts');
  return readCall(to, data, wallet);
}

/** What a chain knows that draws deeds. */
export interface Scene {
  isOwn(address: string): boolean;
  tokenOf(address: string): TokenFacts | undefined;
  amountOf(token: string | undefined, raw: bigint): Amount;
}

/** The contract whose tokens it is about; undefined where it is about none. */
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
    case 'receive':
    case 'pass-on':
      return effect.token;
    default:
      return undefined;
  }
}

/** What to ask about a token before its deeds can be shown. */
export interface TokenQuestion {
  address: string;
  /** Whether `approve` and `transferFrom` are of an item (ERC-721) or of an amount: both standards have the same functions. */
  kind: boolean;
  /** Whose allowance changes by the call: the sum is shown. */
  spenders: string[];
}

/** Of the first `limit` tokens. */
export function tokenQuestions({ deeds }: Pick<Reading, 'deeds'>, limit: number): TokenQuestion[] {
  const questions = new Map<string, TokenQuestion>();
  for (const deed of deeds) {
    const address = tokenOfDeed(deed);
    if (address === undefined) continue;
    const key = address.toLowerCase();
    let question = questions.get(key);
    if (!question) {
      if (questions.size >= limit) continue;
      questions.set(key, (question = { address, kind: false, spenders: [] }));
    }
    const { effect } = deed;
    if ((effect.kind === 'token' || effect.kind === 'approval') && !effect.token) question.kind = true;
    if (effect.kind === 'approval' && changes(effect) && !question.spenders.includes(effect.spender))
      question.spenders.push(effect.spender);
  }
  return [...questions.values()];
}

/** By the spender's address in lower case. */
export function allowances(
  spenders: readonly string[],
  allowed: readonly (bigint | undefined)[],
): Record<string, bigint> {
  return Object.fromEntries(
    spenders.flatMap((spender, i) => {
      const amount = allowed[i];
      return amount === undefined ? [] : [[spender.toLowerCase(), amount]];
    }),
  );
}

type Approval = Extract<Effect, { kind: 'approval' }>;

function changes({ increase, decrease }: Approval): boolean {
  return increase === true || decrease === true;
}

/** The deeds, with what the node says about their tokens: items instead of amounts, and allowances as they will be. */
export function settled(deeds: readonly Deed[], { tokenOf }: Pick<Scene, 'tokenOf'>): Deed[] {
  return deeds.map((deed) => {
    const { effect } = deed;
    const token = tokenOfDeed(deed);
    const facts = token === undefined ? undefined : tokenOf(token);
    return { ...deed, effect: settle(effect, facts) };
  });
}

function settle(effect: Effect, facts: TokenFacts | undefined): Effect {
  if (facts?.item && effect.kind === 'token' && !effect.token) {
    const { amount: id, ...rest } = effect;
    return { ...rest, kind: 'nft', id, amount: 1n };
  }
  if (effect.kind !== 'approval') return effect;
  if (facts?.item && !effect.token && !changes(effect))
    return { kind: 'nft-approval', spender: effect.spender, id: effect.amount };
  const allowed = facts?.allowances?.[effect.spender.toLowerCase()];
  if (!changes(effect) || allowed === undefined) return effect;
  const { increase, decrease: _, ...rest } = effect;
  const sum = increase ? allowed + effect.amount : allowed - effect.amount;
  return { ...rest, amount: sum < 0n ? 0n : sum };
}

/** A call as it is drawn. */
export interface DrawnCall {
  reading: Reading;
  /** Settled. */
  deeds: readonly Deed[];
  /** The one deed of the headline: undefined where the call does several things, or does them by calls inside it, or also sends coins. */
  own: Deed | undefined;
  /** Of the coin, sent with it. */
  value: bigint;
  scene: Scene;
}

export function drawCall(reading: Reading, value: bigint, scene: Scene): DrawnCall {
  const deeds = settled(reading.deeds, scene);
  const own = reading.nested || reading.unreadable || deeds.length !== 1 || value > 0n ? undefined : deeds[0];
  return { reading, deeds, own, value, scene };
}

/** The headline does not show what it moves. */
export function isPlainCall({ own }: Pick<DrawnCall, 'own'>): boolean {
  return own === undefined || own.effect.kind === 'other' || own.effect.kind === 'control';
}

/** What is paid into a trade, where it is one token: the headline of a call that sends no coins. */
export function paidIn(deeds: readonly Deed[]): { token: string; amount: bigint } | undefined {
  const pays = deeds.flatMap(({ effect }) => (effect.kind === 'pay' ? effect : []));
  const token = pays[0]?.token;
  if (token === undefined || pays.some((pay) => pay.token.toLowerCase() !== token.toLowerCase()))
    return undefined;
  return { token, amount: pays.reduce((sum, { amount }) => sum + amount, 0n) };
}

/** Everybody whom the deeds are about: who is called, who gets something and who may take it. */
export function involvedIn(contract: string | null, deeds: readonly Deed[]): string[] {
  const found = contract === null ? [] : [contract];
  for (const { effect, contract: called, by } of deeds) {
    found.push(called, ...(by ? [by] : []));
    const { to, spender, operator, token } = effect as Record<string, string | undefined>;
    for (const address of [to, spender, operator, token]) if (address !== undefined) found.push(address);
  }
  return [...new Set(found)];
}

/** Every deed as the approval lists it, where its headline does not show it. */
export function shownEffects({ deeds, own, reading, scene }: DrawnCall): CallEffect[] | undefined {
  const told = own !== undefined || (!reading.nested && deeds.every(({ effect }) => effect.kind === 'other'));
  if (told) return undefined;
  return deeds.map((deed) => ({ ...(deed.by && { by: deed.by }), ...shownEffect(deed, scene) }));
}

function shownEffect(deed: Deed, { amountOf, isOwn }: Scene): CallEffect {
  const { effect, contract, name } = deed;
  const token = tokenOfDeed(deed);
  const item = (id: bigint, raw: bigint): Amount => itemAmount(amountOf(token, raw), id);
  const from =
    'from' in effect && effect.from !== undefined && !isOwn(effect.from) ? { by: effect.from } : {};
  switch (effect.kind) {
    case 'coin':
      return { kind: 'send', amount: amountOf(undefined, effect.amount), to: effect.to };
    case 'token':
      return { ...from, kind: 'send', amount: amountOf(token, effect.amount), to: effect.to };
    case 'nft':
      return { ...from, kind: 'send', amount: item(effect.id, effect.amount), to: effect.to };
    case 'approval':
      return {
        ...from,
        kind: 'allow',
        amount: amountOf(token, effect.amount),
        ...(isUnlimited(effect.amount) && { unlimited: true }),
        to: effect.spender,
        ...(effect.until !== undefined && { until: effect.until }),
      };
    case 'nft-approval':
      return { kind: 'allow', amount: item(effect.id, 1n), to: effect.spender };
    case 'approval-for-all':
      return {
        kind: effect.approved ? 'allow-all' : 'allow',
        amount: { ...amountOf(token, 0n), decimals: 0 },
        to: effect.operator,
      };
    case 'control':
    case 'foreign-code':
      return { kind: effect.kind, contract, ...(effect.to !== undefined && { to: effect.to }) };
    case 'pay':
      return { kind: 'pay', amount: amountOf(token, effect.amount) };
    case 'receive':
      return {
        kind: 'receive',
        amount: effect.id === undefined ? amountOf(token, effect.amount) : item(effect.id, effect.amount),
        ...(!isOwn(effect.to) && { to: effect.to }),
      };
    case 'pass-on':
      return {
        kind: 'pass-on',
        amount: amountOf(token, effect.amount ?? 0n),
        ...(effect.share !== undefined && { share: `${Number(effect.share) / 100} %` }),
        to: effect.to,
      };
    case 'other':
      return { kind: 'call', contract, name };
  }
}

/** Of a collection's tokens, which are counted. */
export function itemAmount(amount: Amount, id: bigint): Amount {
  return { ...amount, decimals: 0, symbol: `${amount.symbol} #${id}` };
}

/** Of everything that a call of `contract` does. `arrives`: a trial run brought the wallet coins, or tokens that the operator lists. */
export function callWarnings(drawn: DrawnCall, contract: string, arrives: boolean): Warning[] {
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

/** Equal for warnings that say the same. */
export function warningKey({ code, params, amount }: Warning): string {
  return JSON.stringify([code, params, amount?.raw.toString(), amount?.symbol]);
}

/** Who gets something of the wallet's, or of an account that it commands. */
export function recipientsIn(deeds: readonly Deed[]): string[] {
  return deeds.flatMap(({ effect }) =>
    effect.kind === 'coin' || effect.kind === 'token' || effect.kind === 'nft' ? effect.to : [],
  );
}

/** Of a deed that lets somebody else take tokens or command a contract. */
function takingWarnings(deed: Deed, scene: Scene): Warning[] {
  const { effect, contract, by } = deed;
  // Allowances that others gave by a signature of theirs are no risk of this wallet's.
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
      // What is allowed already may not be known: the new limit is higher than this.
      const more = { ...params(effect.spender), ...(effect.increase && { more: 'more' }) };
      return isUnlimited(effect.amount)
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

/** For a deed by which something leaves, where the headline does not show it. */
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

/** Names that promise something to the caller. With coins attached they are how scams collect money. */
const PROMISES = /^(claim|claimRewards?|claimAirdrop|getReward|securityUpdate|connect|verify)$/;

/** For a trade that gives the wallet nothing, and for coins sent for a promise. */
function bargainWarnings({ reading, deeds, value, scene }: DrawnCall, arrives: boolean): Warning[] {
  const asked = deeds.flatMap(({ effect, by }) =>
    effect.kind === 'receive' ? { ...effect, back: scene.isOwn(effect.to) || effect.to === by } : [],
  );
  const promised = value > 0n && PROMISES.test(reading.call.name ?? '') && !arrives;
  const gets = asked.some(({ back, amount }) => back && amount > 0n);
  if (!promised && (!reading.trade || gets)) return [];
  const other = asked.find(({ back }) => !back)?.to;
  return [danger('nothing-back', other === undefined ? {} : { address: other })];
}
