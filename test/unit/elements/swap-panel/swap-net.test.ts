import { expect } from '@open-wc/testing';
import type { ExchangeRate, ExchangeRates } from '../../../../src/api/swap.ts';
import type { Asset } from '../../../../src/ui/assets.ts';
import { behind, offersOf, unitsFor } from '../../../../src/ui/swap/swap-offers.ts';

const ETH: Asset = { symbol: 'ETH', decimals: 18, raw: null };
const DUSD: Asset = { address: '0x1', symbol: 'DUSD', decimals: 6, raw: null };
const WBTC: Asset = { address: '0x2', symbol: 'WBTC', decimals: 8, raw: null };
const never = () => undefined;

/** `fee`: in wei; undefined where the node does not say it. */
function rate(
  exchange: string,
  orderType: 'SELL' | 'BUY',
  input: bigint,
  output: bigint,
  fee?: bigint,
): ExchangeRate {
  return {
    exchange,
    orderType,
    inputAmount: 0,
    outputAmount: 0,
    slippage: 0.5,
    fee: 0.3,
    rawInputAmount: String(input),
    rawOutputAmount: String(output),
    ...(fee !== undefined && {
      networkFee: { symbol: 'ETH', decimals: 18, amount: 0, rawAmount: String(fee) },
    }),
  };
}

const rates = (...exchangeRates: ExchangeRate[]): ExchangeRates => ({
  exchangeRates,
  bestRate: exchangeRates[0]!,
});
const names = ({ list }: ReturnType<typeof offersOf>) => list.map((offer) => offer.rate.exchange);
const ether = 10n ** 18n;

describe('offers of exchanges', () => {
  it('are compared by what a sale leaves after the fee, at the best rate where the coin is sold', () => {
    // 2,000 DUSD a coin: a fee of 0.004 is 8 DUSD.
    const dear = rate('Dear', 'SELL', ether, 2_000_000_000n, (4n * ether) / 1000n);
    const cheap = rate('Cheap', 'SELL', ether, 1_995_000_000n, ether / 1000n);
    const offers = offersOf(rates(dear, cheap), { from: ETH, to: DUSD }, never);
    expect(names(offers)).to.deep.equal(['Cheap', 'Dear']);
    expect(offers.isNet).to.equal(true);
    expect(offers.list.map(({ net }) => net)).to.deep.equal([1_993_000_000n, 1_992_000_000n]);
    expect(behind(offers.list[1]!, offers.list[0]!)).to.equal(0.05);
  });

  it('take the fee off the coin itself where it is bought', () => {
    const dear = rate('Dear', 'SELL', 2_000_000_000n, ether, ether / 100n);
    const cheap = rate('Cheap', 'SELL', 2_000_000_000n, ether - ether / 200n, ether / 1000n);
    expect(names(offersOf(rates(dear, cheap), { from: DUSD, to: ETH }, never))).to.deep.equal([
      'Cheap',
      'Dear',
    ]);
  });

  it('add the fee to what a purchase costs', () => {
    const dear = rate('Dear', 'BUY', ether, 2_000_000_000n, ether / 100n);
    const cheap = rate('Cheap', 'BUY', ether + ether / 200n, 2_000_000_000n, ether / 1000n);
    const offers = offersOf(rates(dear, cheap), { from: ETH, to: DUSD }, never);
    expect(names(offers)).to.deep.equal(['Cheap', 'Dear']);
    expect(offers.list[0]!.net).to.equal(ether + ether / 200n + ether / 1000n);
  });

  it('go by prices between two tokens', () => {
    const dear = rate('Dear', 'SELL', 10n ** 8n, 50_000_000_000n, ether / 100n);
    const cheap = rate('Cheap', 'SELL', 10n ** 8n, 49_990_000_000n, ether / 1000n);
    const sides = { from: WBTC, to: DUSD };
    const priced = ({ rawAmount }: { rawAmount: string }) => (BigInt(rawAmount) * 2000n) / 10n ** 12n;
    expect(names(offersOf(rates(dear, cheap), sides, priced))).to.deep.equal(['Cheap', 'Dear']);
  });

  it('are compared without the fee where its worth, or one of the fees, is not known', () => {
    const dear = rate('Dear', 'SELL', 10n ** 8n, 50_000_000_000n, ether);
    const cheap = rate('Cheap', 'SELL', 10n ** 8n, 49_990_000_000n, 1n);
    const unpriced = offersOf(rates(dear, cheap), { from: WBTC, to: DUSD }, never);
    expect([names(unpriced), unpriced.isNet]).to.deep.equal([['Dear', 'Cheap'], false]);
    const silent = rate('Silent', 'SELL', ether, 1n);
    const unknown = offersOf(rates(dear, silent), { from: ETH, to: DUSD }, never);
    expect([names(unknown), unknown.isNet]).to.deep.equal([['Dear', 'Silent'], false]);
  });

  it('are priced where a number can say it, and else compared without', () => {
    expect(unitsFor(1, 3, 6)).to.equal(333_334n);
    expect([unitsFor(1, 1e-300, 18), unitsFor(1, 0, 18), unitsFor(1, 1, 400)]).to.deep.equal([
      undefined,
      undefined,
      undefined,
    ]);
  });
});
