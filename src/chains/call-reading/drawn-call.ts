/** A call as the approval shows it. VeChain's and Tron's contracts have the same functions as Ethereum's. */
import type { Amount } from '../coin.ts';
import type { CallEffect, DecodedCall, Part, Warning, CallArgument } from '../approval/summary.ts';
import { caution, danger } from '../approval/warnings.ts';
import { type Effect, isUnlimited, type Call } from '../contracts/calls.ts';
import { changes, itemAmount, ownerOf, type Scene, tokenOfDeed } from '../contracts/deeds.ts';
import { holdingOf, Limits } from './limits.ts';
import { unlistedWarning, listedToken } from '../contracts/listed-token.ts';
import type { Token } from '../network.ts';
import { callWarnings } from './deed-warnings.ts';
import type { Deed, Reading } from './inner-calls.ts';
import { keccak256 } from 'ethers/crypto';
import type { AbiValue } from '../contracts/abi.ts';

export class DrawnCall {
  /** With what the node says about their tokens. */
  readonly deeds: readonly Deed[];
  /** The one deed of the headline: undefined where the call does several things, or does them by calls inside it, or also sends coins. */
  readonly own: Deed | undefined;

  constructor(
    readonly reading: Reading,
    /** Of the coin, sent with it. */
    readonly value: bigint,
    readonly scene: Scene,
    /** Those of the whole transaction. */
    readonly limits = new Limits(),
  ) {
    this.deeds = reading.deeds.map((deed) => settled(deed, scene, limits));
    if (this.deeds.length === 0) limits.othersAct();
    const { nested, unreadable } = reading;
    this.own = nested || unreadable || this.deeds.length !== 1 || value > 0n ? undefined : this.deeds[0];
  }

  /** The headline does not show what it moves. */
  get isPlain(): boolean {
    return this.own === undefined || UNSHOWN.has(this.own.effect.kind);
  }

  /** Where no simulation tells what it moves: a danger where its arguments do not tell it either. */
  untried(reason?: 'refused'): Warning {
    const isTold = this.deeds.every(({ effect }) => effect.kind !== 'other');
    const params = reason && { reason };
    return isTold
      ? caution('simulation-unavailable', params)
      : danger('simulation-unavailable', params ?? {});
  }

  /** Who gets something from the wallet, or from an account that it controls. */
  get recipients(): string[] {
    return this.deeds.flatMap(({ effect }) =>
      effect.kind === 'coin' || effect.kind === 'token' || effect.kind === 'nft' ? effect.to : [],
    );
  }

  /** Who gets tokens or items. */
  get tokenRecipients(): string[] {
    return this.deeds.flatMap(({ effect }) =>
      effect.kind === 'token' || effect.kind === 'nft' ? effect.to : [],
    );
  }

  /** The headline of a call of `to`; `coins` go with it. */
  headline(to: string, coins: Amount): Omit<Part, 'call'> {
    const { own, deeds, value, scene } = this;
    const headline = own && tokenHeadline(own.effect, to, scene);
    if (headline) return headline;
    const paid = value === 0n ? paidIn(deeds, scene) : undefined;
    const leaving = deeds.flatMap((deed) => takenBy(deed, scene));
    return {
      kind: 'call',
      amount: paid ? scene.amountOf(paid.token, paid.amount) : coins,
      to,
      ...(leaving.length && { leaving }),
    };
  }

  /** With its arguments. `target`: the token that is called. */
  decoded(data: string, target: Token | undefined, tokens: readonly Token[]): DecodedCall {
    return showCall(this.reading.call, data, target, tokens);
  }

  /** Every deed as the approval lists it, where its headline does not show it. */
  effects(): CallEffect[] | undefined {
    const { deeds, own, reading, scene } = this;
    const isPlain = deeds.every(({ effect }) => effect.kind === 'other' || effect.kind === 'nothing');
    if (own !== undefined || (!reading.nested && isPlain)) return undefined;
    return deeds.map((deed) => ({ ...(deed.by && { by: deed.by }), ...shownEffect(deed, scene) }));
  }

  /** As `callWarnings`. */
  warnings(contract: string, arrives: boolean): Warning[] {
    return callWarnings(this, contract, arrives);
  }

  /** Once per unlisted token. Items of a collection are counted: it has no decimals that could be missing. */
  unlisted(): Warning[] {
    const warnings = new Map<string, Warning>();
    for (const deed of this.deeds) {
      const { kind } = deed.effect;
      if (kind !== 'token' && kind !== 'approval' && kind !== 'pay') continue;
      const token = tokenOfDeed(deed);
      const facts = token === undefined ? undefined : this.scene.tokenOf(token);
      if (facts?.decimals === null) warnings.set(facts.address, unlistedWarning(facts));
    }
    return [...warnings.values()];
  }
}

const UNSHOWN: ReadonlySet<Effect['kind']> = new Set(['nothing', 'other', 'control', 'receive', 'pay']);

/** With what the node says about its token: an item instead of an amount, and an allowance as it will be. */
function settled(deed: Deed, scene: Scene, limits: Limits): Deed {
  const { effect } = deed;
  const token = tokenOfDeed(deed);
  const facts = token === undefined ? undefined : scene.tokenOf(token);
  if (facts?.item && effect.kind === 'token' && !effect.token) {
    const { amount: id, ...rest } = effect;
    return { ...deed, effect: { ...rest, kind: 'nft', id, amount: 1n } };
  }
  if (facts?.item && effect.kind === 'approval' && !effect.token && !changes(effect))
    return { ...deed, effect: { kind: 'nft-approval', spender: effect.spender, id: effect.amount } };
  const allowed = limits.add(deed, scene);
  if (effect.kind !== 'approval') return deed;
  // A supply below what its owner holds is disregarded: the contract answers anything.
  const total = facts?.supply;
  const held = holdingOf(deed, facts)?.balance ?? 0n;
  const supply = total === undefined || total < held ? {} : { supply: total };
  if (allowed === undefined) return { ...deed, effect: { ...effect, ...supply } };
  const { increase: _, decrease: __, ...rest } = effect;
  return { ...deed, effect: { ...rest, ...supply, amount: allowed } };
}

/** What the wallet pays into a trade, if it is one token: the headline of a call that sends no coins. */
function paidIn(deeds: readonly Deed[], scene: Scene): { token: string; amount: bigint } | undefined {
  const pays = deeds.filter((deed) => deed.effect.kind === 'pay' && leaves(deed, scene));
  const [token, other] = new Set(pays.map((deed) => tokenOfDeed(deed)!));
  if (token === undefined || other !== undefined) return undefined;
  return {
    token,
    amount: pays.reduce((sum, { effect }) => sum + (effect.kind === 'pay' ? effect.amount : 0n), 0n),
  };
}

/** A token or an item that goes out of the wallet: not out of another account, nor back into the wallet. */
function leaves({ effect, by }: Deed, { isOwn }: Scene): boolean {
  if (effect.kind !== 'pay' && effect.kind !== 'token' && effect.kind !== 'nft') return false;
  const owner = ownerOf({ effect, by });
  if ((owner !== undefined && !isOwn(owner)) || (effect.to !== undefined && isOwn(effect.to))) return false;
  // Coins are part of what is sent with the call.
  return effect.kind !== 'pay' || effect.token !== undefined;
}

function takenBy(deed: Deed, scene: Scene): Amount[] {
  const { effect } = deed;
  if (!leaves(deed, scene)) return [];
  const amount = scene.amountOf(tokenOfDeed(deed), (effect as { amount: bigint }).amount);
  return [effect.kind === 'nft' ? itemAmount(amount, effect.id) : amount];
}

/** For a call that moves no coins; undefined if it does not concern the wallet's own tokens. */
function tokenHeadline(
  effect: Effect,
  contract: string,
  { isOwn, amountOf }: Scene,
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
        ...(isUnlimited(effect.amount, effect.supply) && { unlimited: true }),
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
        ...(isUnlimited(effect.amount, effect.supply) && { unlimited: true }),
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
      return {
        kind: 'pay',
        amount: amountOf(token, effect.amount),
        ...(effect.to !== undefined && { to: effect.to }),
      };
    case 'receive': {
      const { id, amount, to } = effect;
      return {
        kind: 'receive',
        ...(amount !== undefined && {
          amount: id === undefined ? amountOf(token, amount) : item(id, amount),
        }),
        ...(!isOwn(to) && { to }),
      };
    }
    case 'pass-on':
      return {
        kind: 'pass-on',
        amount: amountOf(token, effect.amount ?? 0n),
        ...(effect.share !== undefined && { share: `${Number(effect.share) / 100} %` }),
        to: effect.to,
      };
    case 'nothing':
    case 'use':
    case 'other':
      return { kind: 'call', contract, name };
  }
}

/** The call as the approval shows it. Amounts of tokens the operator lists are scaled. */
export function showCall(
  call: Call,
  data: string,
  target: Token | undefined,
  tokens: readonly Token[],
): DecodedCall {
  const path = call.values.find((v) => v.name === 'path' && Array.isArray(v.value))?.value as
    | string[]
    | undefined;
  const tokenOf = (argument: string): Token | undefined => {
    if (path && argument.startsWith('amountIn')) return listedToken(tokens, path[0] ?? '');
    if (path && argument.startsWith('amountOut')) return listedToken(tokens, path.at(-1) ?? '');
    return argument === 'amount' ? target : undefined;
  };
  return {
    name: call.name,
    data,
    digest: calldataDigest(data),
    arguments: call.values.map(({ name, type, value }): CallArgument => {
      const token = typeof value === 'bigint' ? tokenOf(name) : undefined;
      const amount: Amount | undefined = token && {
        raw: value as bigint,
        decimals: token.decimals,
        symbol: token.symbol,
        token: token.address,
      };
      return { name, type, value: text(value), ...(amount ? { amount } : {}) };
    }),
  };
}

/** keccak256(length ‖ data), where the length is a uint256. */
function calldataDigest(data: string): string {
  const length = (data.length - 2) / 2;
  return keccak256(`0x${length.toString(16).padStart(64, '0')}${data.slice(2)}`);
}

function text(value: AbiValue): string {
  return Array.isArray(value) ? `[${value.map(text).join(', ')}]` : String(value);
}
