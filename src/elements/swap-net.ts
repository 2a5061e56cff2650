/** Compares the exchanges' offers after the network fee. No rendering. */
import type { ExchangeRate, ExchangeRates } from '../api/swap.ts';
import type { Asset } from '../ui/assets.ts';
import { otherAmount } from './swap-fields.ts';

export interface Offer {
  rate: ExchangeRate;
  /** In smallest units of the other side: the output of a sale less the fee, or the input of a purchase plus the fee. */
  net: bigint;
}

export interface Offers {
  /** Best first. */
  list: Offer[];
  /** Whether `net` includes the fees: those of all offers, or of none. */
  isNet: boolean;
}

/** Converts a fee into smallest units of another asset; undefined if a price is missing. */
export type Priced = (fee: NonNullable<ExchangeRate['networkFee']>, of: Asset) => bigint | undefined;

export function offersOf(
  { exchangeRates, bestRate }: ExchangeRates,
  sides: { from: Asset; to: Asset },
  priced: Priced,
): Offers {
  const gross = exchangeRates.map((rate): Offer => ({ rate, net: otherAmount(rate).raw }));
  const fees = exchangeRates.map((rate) => bestRate && feeOf(rate, bestRate, sides, priced));
  const isNet = fees.length > 0 && fees.every((fee) => fee != null);
  const list = isNet
    ? gross.map(({ rate, net }, i) => ({ rate, net: isSale(rate) ? net - fees[i]! : net + fees[i]! }))
    : gross;
  return {
    isNet,
    list: [...list].sort((a, b) => {
      const [one, other] = isSale(a.rate) ? [b, a] : [a, b];
      return one.net < other.net ? -1 : one.net > other.net ? 1 : 0;
    }),
  };
}

const isSale = ({ orderType }: ExchangeRate): boolean => orderType === 'SELL';

/** In the other side's smallest units, rounded up. If the coin is one side of the swap, its best rate is the coin's price. */
function feeOf(
  { networkFee: fee, orderType }: ExchangeRate,
  best: ExchangeRate,
  { from, to }: { from: Asset; to: Asset },
  priced: Priced,
): bigint | undefined {
  if (!fee) return undefined;
  const raw = BigInt(fee.rawAmount);
  const [other, exact] = orderType === 'SELL' ? [to, from] : [from, to];
  if (other.symbol === fee.symbol) return raw;
  if (exact.symbol !== fee.symbol) return priced(fee, other);
  const [input, output] = [BigInt(best.rawInputAmount!), BigInt(best.rawOutputAmount!)];
  const [of, per] = orderType === 'SELL' ? [output, input] : [input, output];
  return per > 0n ? (raw * of + per - 1n) / per : undefined;
}

/** How much worse an offer is than the best, in percent; 0 for the best itself. */
export function behind({ rate, net }: Offer, { net: best }: Offer): number {
  const gap = isSale(rate) ? best - net : net - best;
  return best > 0n ? Number((gap * 10_000n) / best) / 100 : 0;
}

/**
 * How many smallest units `money` buys if one whole token is worth `one`, rounded up. Undefined if that exceeds what a number can hold: a
 * token may have any number of decimals, and be worth next to nothing.
 */
export function unitsFor(money: number, one: number, decimals: number): bigint | undefined {
  const raw = Math.ceil((money / one) * 10 ** decimals);
  return Number.isFinite(raw) ? BigInt(raw) : undefined;
}
