/** What a session costs now, by the exchanges of the network. */
import { formatAmount } from '../../../src/chains/amount.ts';
import { ConnectError } from '../../../src/errors.ts';
import { swapRates } from '../../../src/swaps/index.ts';
import type { SessionRow } from '../../database/schema.ts';
import type { Reach } from '../../networks.ts';
import type { Questions } from '../../swaps/questions.ts';
import { tokensFor } from './amounts.ts';
import type { Offer } from './offer.ts';
import { isSame } from './receiving-wallets.ts';

/**
 * Smallest units of the coin or token that the best exchange takes for exactly the total; the total itself where the token stands for the
 * currency. Throws `checkout.wallet.no-price`.
 */
export async function priceOf(
  { wallet, network, price }: Offer,
  { currency, amount_total: total }: SessionRow,
  reach: Reach,
  questions: Questions,
): Promise<bigint> {
  const exact = tokensFor(BigInt(total), currency, price.decimals);
  if (wallet.token_address && isSame(wallet.token_address, price.address)) return exact;
  const query = {
    fromSecretType: wallet.secret_type,
    toSecretType: wallet.secret_type,
    fromToken: wallet.token_address,
    toToken: price.address,
    amount: formatAmount(exact, price.decimals),
    orderType: 'BUY' as const,
  };
  const { bestRate } = await questions
    .askOnce(network.id, query, () => swapRates(query, () => reach))
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

export function noPrice(
  reason: 'none' | 'unreachable' | 'busy',
  message: string,
  cause?: unknown,
): ConnectError {
  return new ConnectError(
    'checkout.wallet.no-price',
    message,
    { reason },
    cause === undefined ? {} : { cause },
  );
}

export function nodesAway(cause: unknown): ConnectError {
  return noPrice('unreachable', 'The network does not answer at the moment. Try again soon.', cause);
}
