/** What a transaction lets others take, over all of its calls. */
import type { Deed } from './inner-calls.ts';
import { type Approval, changes, ownerOf, type Scene, tokenOfDeed } from '../contracts/deeds.ts';
import type { Holding, TokenFacts } from '../contracts/token-facts.ts';

/** Of one spender, by one contract: a token's own allowance and that of Permit2 can both be used. */
interface Limit {
  spender: string;
  /** Who keeps the allowance. */
  contract: string;
  /** The allowance as it is if nothing was taken; undefined if that is not known. */
  allowed: bigint | undefined;
  /** The same if all was taken whenever somebody else could act. */
  left: bigint;
  taken: bigint;
}

/** Of one token of one owner. */
interface Outflow {
  limits: Limit[];
  sent: bigint;
}

export class Limits {
  readonly #outflows = new Map<string, Outflow>();

  /** Takes the deeds in their order; returns the allowance that an approval makes, undefined if that is not known. */
  add(deed: Deed, { account, isOwn, tokenOf }: Scene): bigint | undefined {
    const { effect, contract } = deed;
    if (effect.kind === 'approval') {
      const token = tokenOfDeed(deed)!;
      const { limits } = this.#outflow(token, ownerOf(deed) ?? account);
      const { allowances } = holdingOf(deed, tokenOf(token)) ?? {};
      const spender = effect.spender.toLowerCase();
      let limit = limits.find((one) => one.spender === spender && one.contract === contract);
      if (!limit) {
        const allowed = allowances?.[spender];
        limits.push((limit = { spender, contract, allowed, left: allowed ?? 0n, taken: 0n }));
      }
      return change(limit, effect);
    }
    this.othersAct();
    if (effect.kind === 'token' && !isOwn(effect.to))
      this.#outflow(tokenOfDeed(deed)!, ownerOf(deed) ?? account).sent += effect.amount;
    return undefined;
  }

  /** What was allowed so far may be taken by now: another limit comes on top of it. */
  othersAct(): void {
    for (const { limits } of this.#outflows.values())
      for (const limit of limits) {
        limit.taken += limit.left;
        limit.left = 0n;
      }
  }

  /** By all spenders. What one contract lets take, it takes by its own allowance. */
  together(token: string, owner: string): bigint {
    const { limits } = this.#outflow(token, owner);
    const sumOf = (some: readonly Limit[]) => some.reduce((sum, { taken, left }) => sum + taken + left, 0n);
    const keepers = new Set(limits.map(({ contract }) => contract.toLowerCase()));
    keepers.delete(token.toLowerCase());
    const own = limits.filter(({ contract }) => contract.toLowerCase() === token.toLowerCase());
    return [...keepers].reduce(
      (sum, keeper) =>
        sum +
        max(
          sumOf(own.filter(({ spender }) => spender === keeper)),
          sumOf(limits.filter(({ contract }) => contract.toLowerCase() === keeper)),
        ),
      sumOf(own.filter(({ spender }) => !keepers.has(spender))),
    );
  }

  /** What the transaction sends itself. */
  sent(token: string, owner: string): bigint {
    return this.#outflow(token, owner).sent;
  }

  #outflow(token: string, owner: string): Outflow {
    const key = `${token} ${owner}`.toLowerCase();
    const outflow = this.#outflows.get(key) ?? { limits: [], sent: 0n };
    this.#outflows.set(key, outflow);
    return outflow;
  }
}

function change(limit: Limit, effect: Approval): bigint | undefined {
  const { amount, increase } = effect;
  const by = (before: bigint) => (increase ? before + amount : max(before - amount, 0n));
  const isSet = !changes(effect);
  limit.left = isSet ? amount : by(limit.left);
  limit.allowed = isSet ? amount : limit.allowed === undefined ? undefined : by(limit.allowed);
  return limit.allowed;
}

/** Of whoever the deed's tokens are. */
export function holdingOf(
  deed: Pick<Deed, 'effect' | 'by'>,
  facts: TokenFacts | undefined,
): Holding | undefined {
  const owner = ownerOf(deed)?.toLowerCase();
  return (owner === undefined ? undefined : facts?.owners?.[owner]) ?? facts;
}

function max(one: bigint, other: bigint): bigint {
  return one > other ? one : other;
}
