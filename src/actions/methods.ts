/** The methods of `Connect` that are one request each. */
import { ACTION_NAMES, actionHas, type ActionWith, type Ask, isAsk, type Read } from '../base/actions.ts';
import type { Connect } from './types.ts';

export type AskMethod = Exclude<Ask, ActionWith<'internal'>>;

/** They show the wallet. */
export const ASK_METHODS: readonly AskMethod[] = ACTION_NAMES.filter(
  (name): name is AskMethod => isAsk(name) && !actionHas(name, 'internal'),
);

export type ReadMethod = Exclude<Read, ActionWith<'internal'>> | 'wallet' | 'tokenBalance' | 'networks';

/** They show nothing. The last three are for another read. */
export const READ_METHODS: readonly ReadMethod[] = [
  ...(ACTION_NAMES.filter((name) => !isAsk(name) && !actionHas(name, 'internal')) as ReadMethod[]),
  'wallet',
  'tokenBalance',
  'networks',
];

export type Method = AskMethod | ReadMethod;

export function methodsOf<Name extends keyof Connect>(
  names: readonly Name[],
  methodOf: (name: Name) => unknown,
): Pick<Connect, Name> {
  return Object.fromEntries(names.map((name) => [name, methodOf(name)])) as unknown as Pick<Connect, Name>;
}
