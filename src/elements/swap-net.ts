/** Compares what exchanges offer by what is left of it after the network's fee; no rendering. */
import type { ExchangeRate, ExchangeRates } from '../api/swap.ts';
import type { Asset } from '../ui/assets.ts';
import { otherAmount } from './swap-fields.ts';

export interface Offer {
  rate: ExchangeRate;
  /** Smallest units of the other side: of a sale what is left of the output, of a purchase what it costs, fee included. */
  net: bigint;
}

export interface Offers {
  /** Best first. */
  list: Offer[];
  /** Every fee is in `net`; else none is. */
  isNet: boolean;
}

/** What an amount of the coin that pays fees is worth in smallest units of another asset; undefined where nobody says. */
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

/** In the other side's smallest units, rounded up. The swap's own best rate says what the coin is worth where the coin is a side of it. */
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

/** How much worse than the first, in percent; 0 for the first. */
export function behind({ rate, net }: Offer, { net: best }: Offer): number {
  const gap = isSale(rate) ? best - net : net - best;
  return best > 0n ? Number((gap * 10_000n) / best) / 100 : 0;
}

/**
 * Smallest units for so much money, where one whole is worth `one`; rounded up. Undefined where no number holds them: a token may have any
 * number of decimals, and be worth next to nothing.
 */
export function unitsFor(money: number, one: number, decimals: number): bigint | undefined {
  const raw = Math.ceil((money / one) * 10 ** decimals);
  return Number.isFinite(raw) ? BigInt(raw) : undefined;
}
