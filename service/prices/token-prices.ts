/**
 * The source `token`, whose entry is the address of a token that stands for one unit of the currency: exchanges of the network say what it
 * costs. An entry that is only text is of this source.
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
import type { PriceQuestion, PriceSource } from './price-source.ts';

const entry = z.string().refine((text) => isHexAddress(text) || isTronAddress(text), {
  error: 'must be the address of a token: 0x and 40 hex digits, on Tron T and 33 more characters',
});

export const token = {
  entry,
  problemOf: (address, network) =>
    // A list on the web has not been read yet when the file is.
    network.tokenLists?.length || listedToken(network.tokens, address)
      ? undefined
      : 'must be a token that the network lists: its decimals are needed',
  isReady: (address, network) => listedToken(network.tokens, address) !== undefined,
  canPrice: (address, network, paid) => Boolean(network.exchanges?.length) || isSame(address, paid),
  price: priceOf,
} satisfies PriceSource<string>;

/** What the best exchange takes for exactly the amount; the amount itself when the token that is paid stands for the currency. */
async function priceOf(address: string, question: PriceQuestion): Promise<bigint> {
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
