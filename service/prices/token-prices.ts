/**
 * The source `token`, whose entry has the address of a token that stands for one unit of the currency: exchanges of the network say what
 * it costs, and tickers whether it still holds its value. An entry that is only an address is of this source.
 */
import * as z from 'zod';
import { formatAmount } from '../../src/base/amount.ts';
import { isAddress as isHexAddress } from '../../src/chains/contracts/evm-address.ts';
import { listedToken } from '../../src/chains/contracts/listed-token.ts';
import { isAddress as isTronAddress } from '../../src/chains/tron/address.ts';
import { currencyDigits } from '../../src/api/currency.ts';
import { ConnectError } from '../../src/base/errors.ts';
import { swapRates } from '../../src/swaps/index.ts';
import { nodesAway, noPrice } from './no-price.ts';
import { basisOf, live, type Oracle, requirePeg, TickerEntries } from './oracle.ts';
import type { PriceQuestion, PriceSource } from './price-source.ts';

const Address = z.string().refine((text) => isHexAddress(text) || isTronAddress(text), {
  error: 'must be the address of a token: 0x and 40 hex digits, on Tron T and 33 more characters',
});

/** Percent, and the same in hundredths of it. */
const DEVIATION = 1;
const HUNDREDTHS = 100;

const Guarded = z.strictObject({
  source: z.literal('token'),
  token: Address,
  /** Exchanges that say what the token costs in the currency: the price ends where they say that it is off its peg. */
  peg: z.strictObject({
    tickers: TickerEntries,
    /** Percent that it may be off. */
    deviation: z.number().min(0.1).max(10).multipleOf(0.01).default(DEVIATION),
  }),
});

/** `peg` is absent where nobody watches it: the entry is the address alone. */
interface Entry extends Pick<z.infer<typeof Guarded>, 'token'> {
  peg?: z.infer<typeof Guarded>['peg'];
}

const entry = z.unknown().transform((value, context): Entry => {
  const isObject = typeof value === 'object' && value !== null;
  const { data, error } = (isObject ? Guarded : Address).safeParse(value);
  if (data !== undefined) return typeof data === 'string' ? { token: data } : data;
  for (const { path, message } of error.issues) context.addIssue({ code: 'custom', path, message });
  return z.NEVER;
});

export function tokenSource(oracle: Oracle) {
  return {
    entry,
    problemOf: ({ token, peg }, network, currency) => {
      // A list on the web has not been read yet when the file is.
      if (!network.tokenLists?.length && !listedToken(network.tokens, token))
        return 'must be a token that the network lists: its decimals are needed';
      return peg && currency === undefined
        ? 'must be beside the currency that the token stands for: its tickers are of that'
        : undefined;
    },
    isReady: ({ token }, network) => listedToken(network.tokens, token) !== undefined,
    canPrice: ({ token }, network, paid) => Boolean(network.exchanges?.length) || isSame(token, paid),
    async price({ token, peg }, question) {
      const price = priceIn(token, question);
      if (!peg) return price;
      const { network, currency, note } = question;
      const pair = `${listedToken(network.tokens, token)!.symbol}/${currency}`;
      // Both at once; whatever fails first is why there is no price.
      const [units, rate] = await Promise.all([price, oracle.rate(pair, peg.tickers)]);
      requirePeg(rate, BigInt(Math.round(peg.deviation * HUNDREDTHS)));
      note?.({ source: 'token', rates: [basisOf(rate, true)] });
      return units;
    },
  } satisfies PriceSource<Entry>;
}

export const token = tokenSource(live);

/** What the best exchange takes for exactly the amount; the amount itself when the token that is paid stands for the currency. */
async function priceIn(address: string, question: PriceQuestion): Promise<bigint> {
  const { network, secretType, token: paid, currency, minorUnits, reach, queries } = question;
  const { decimals } = listedToken(network.tokens, address)!;
  const exact = tokensFor(minorUnits, currency, decimals);
  if (isSame(paid, address)) return exact;
  const query = {
    fromSecretType: secretType,
    toSecretType: secretType,
    fromToken: paid,
    toToken: address,
    amount: formatAmount(exact, decimals),
    orderType: 'BUY' as const,
  };
  const { bestRate } = await queries
    .runShared(network.id, query, () => swapRates(query, () => Promise.resolve(reach)))
    .catch((error: unknown) => {
      throw error instanceof ConnectError && error.code === 'node.unreachable' ? nodesAway(error) : error;
    });
  if (!bestRate)
    throw noPrice(
      'none',
      'No exchange has a price for this amount at the moment. Pay in another way, or try again later.',
    );
  return BigInt(bestRate.rawInputAmount!);
}

function isSame(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase();
}

/** A currency's minor units in smallest units of the token that stands for it, rounded up when the token has fewer digits. */
export function tokensFor(minorUnits: bigint, currency: string, decimals: number): bigint {
  const digits = currencyDigits(currency);
  if (decimals >= digits) return minorUnits * 10n ** BigInt(decimals - digits);
  const unit = 10n ** BigInt(digits - decimals);
  return (minorUnits + unit - 1n) / unit;
}
