/**
 * What the contracts that a call uses hold while it runs. What is left there in the end, anybody can take: such a contract counts as its
 * recipient.
 */
import type { Effect } from '../contracts/calls.ts';
import type { Deed } from './inner-calls.ts';

/** Asset of a lot, besides the addresses of tokens. The wrapped coin has its own name, because its address is not always known. */
const COIN = 'coin';
const WRAPPED = 'wrapped';
/** In per cent of what came: exact amounts of a split are rounded. */
const MAX_DUST = 1n;

interface Lot {
  asset: string;
  /** At least. */
  came: bigint;
  left: bigint;
  /** Of the contract that holds it. */
  deed: Deed;
}

export class Holdings {
  readonly #wrapped: readonly string[];
  /** Those that no step has emptied. */
  readonly #lots = new Set<Lot>();

  /** `wrapped`: the tokens that stand for the coin; empty if they are not known. */
  constructor(wrapped: readonly string[]) {
    this.#wrapped = wrapped.map((address) => address.toLowerCase());
  }

  /** The deeds without the steps inside the contracts, and with what stays there. `sent`: coins that go with the call of `contract`. */
  after(deeds: readonly Deed[], sent: { contract: string; value: bigint }): Deed[] {
    const { contract, value } = sent;
    const effect: Effect = { kind: 'receive', to: contract, amount: value };
    const coins = value > 0n ? [this.#add(COIN, value, { effect, name: null, contract })] : [];
    const hasFees = new Set(deeds.flatMap((deed) => (deed.effect.kind === 'pass-on' ? deed.contract : [])));
    const shown = deeds.flatMap((deed) => this.#run(deed, !hasFees.has(deed.contract)));
    return [...shown, ...coins].flatMap((one) => ('deed' in one ? this.#leftOf(one) : one));
  }

  /** One step: what the approval shows of it. `isWhole`: nobody else gets a part of what the contract holds. */
  #run(deed: Deed, isWhole: boolean): (Deed | Lot)[] {
    const { effect, contract, by } = deed;
    switch (effect.kind) {
      case 'use': {
        const sum = this.#take(contract, this.#assetOf(effect.token), effect.amount);
        const { amount = sum, wraps } = effect;
        return wraps && amount > 0n ? [this.#add(WRAPPED, amount, deed)] : [];
      }
      case 'pay': {
        const { token, amount, to, coins, priceLimit = 0n } = effect;
        const asset = this.#assetOf(token);
        // Too few coins stay where they are, and the token is taken instead. Up to a price, nothing is sure to be used.
        if (coins && priceLimit === 0n && this.#is(WRAPPED, asset) && this.#sum(contract, COIN) >= amount)
          this.#take(contract, COIN, amount);
        return to === contract && amount > 0n ? [deed, this.#add(asset, amount, deed)] : [deed];
      }
      case 'pass-on':
        if (effect.amount !== undefined && effect.to !== contract)
          this.#take(contract, this.#assetOf(effect.token), effect.amount);
        return [deed];
      case 'coin':
        if (by !== undefined) this.#take(by, COIN, effect.amount);
        return [deed];
      case 'other':
        this.#take(contract, COIN);
        return [deed];
      case 'receive': {
        const { amount = 0n, rest, token, to, unwraps } = effect;
        const asset = this.#assetOf(token);
        // What it sends to itself, it holds already.
        if (rest && !unwraps && to === contract) return [];
        const sum = unwraps ? this.#unwrap(contract, amount) : rest ? this.#take(contract, asset) : 0n;
        const least = sum > amount ? sum : amount;
        if (to === contract) return [this.#add(asset, least, deed)];
        const isSame = unwraps ? this.#wrapped.length > 0 : token !== undefined;
        return [isSame && isWhole && sum > amount ? { ...deed, effect: { ...effect, amount: least } } : deed];
      }
      default:
        return [deed];
    }
  }

  #add(asset: string, came: bigint, deed: Deed): Lot {
    const lot = { asset, came, left: came, deed };
    this.#lots.add(lot);
    return lot;
  }

  #held(contract: string, asset: string): Lot[] {
    return [...this.#lots].filter((lot) => lot.deed.contract === contract && this.#is(lot.asset, asset));
  }

  #sum(contract: string, asset: string): bigint {
    return this.#held(contract, asset).reduce((sum, { left }) => sum + left, 0n);
  }

  /** Up to `amount`, or all. Returns how much it is at least. */
  #take(contract: string, asset: string, amount?: bigint): bigint {
    let sum = 0n;
    for (const lot of this.#held(contract, asset)) {
      const open = amount === undefined ? lot.left : amount - sum;
      const part = open < lot.left ? open : lot.left;
      lot.left -= part;
      sum += part;
      if (amount === undefined) this.#lots.delete(lot);
    }
    return sum;
  }

  /**
   * Where no token is known to be the wrapped coin, the one that came last is taken for it, unless `least` is less than half of it: a unit
   * of the wrapped coin is a unit of the coin.
   */
  #unwrap(contract: string, least: bigint): bigint {
    const sum = this.#take(contract, WRAPPED);
    if (this.#wrapped.length) return sum;
    const last = [...this.#lots].findLast(({ asset, deed }) => deed.contract === contract && asset !== COIN);
    if (!last) return sum;
    const isEnough = least * 2n >= this.#sum(contract, last.asset);
    return isEnough ? sum + this.#take(contract, last.asset) : sum;
  }

  #assetOf(token: string | undefined): string {
    const asset = token?.toLowerCase() ?? COIN;
    return this.#wrapped.includes(asset) ? WRAPPED : asset;
  }

  /** Any token can be the wrapped coin where that is not known. */
  #is(one: string, other: string): boolean {
    if (one === other) return true;
    return one === WRAPPED && other !== COIN && !this.#wrapped.length;
  }

  /** As something that the contract receives. */
  #leftOf(lot: Lot): Deed[] {
    const { asset, came, left, deed } = lot;
    if (!this.#lots.has(lot)) return [];
    const { effect, contract } = deed;
    const alike = [...this.#lots].filter((one) => one.asset === asset && one.deed.contract === contract);
    const sum = (of: 'came' | 'left') => alike.reduce((total, one) => total + one[of], 0n);
    // Of something that may be nothing or much, nobody knows what an exact amount leaves.
    if (came > 0n && (left === 0n || isDust(sum('left'), sum('came')))) return [];
    if (effect.kind === 'receive')
      return [left === came ? deed : { ...deed, effect: { ...effect, amount: left } }];
    const token = 'token' in effect && { token: effect.token };
    return [{ ...deed, effect: { kind: 'receive', to: contract, amount: left, ...token } }];
  }
}

function isDust(left: bigint, of: bigint): boolean {
  return left * 100n <= of * MAX_DUST;
}
