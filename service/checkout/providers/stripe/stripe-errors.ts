/** Errors for callers when Stripe fails. Stripe's own words are passed on only when they are about the request; the rest goes to the log. */
import Stripe from 'stripe';
import { ConnectError } from '../../../../src/base/errors.ts';

/** Throws `checkout.provider.refused` when Stripe refuses, and `checkout.provider.unreachable` when a later try may succeed. */
export async function asStripe<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (
      error instanceof Stripe.errors.StripeInvalidRequestError ||
      error instanceof Stripe.errors.StripeCardError
    )
      throw new ConnectError(
        'checkout.provider.refused',
        `Stripe refused: ${error.message}`,
        error.param ? { param: error.param } : {},
        { cause: error },
      );
    if (error instanceof Stripe.errors.StripeError)
      throw new ConnectError(
        'checkout.provider.unreachable',
        'Stripe did not take the request. Try again later.',
        retryAfter(error),
        { cause: error },
      );
    throw error;
  }
}

function retryAfter({ headers }: Stripe.errors.StripeError): { retryAfter?: number } {
  const seconds = Number(headers?.['retry-after']);
  return Number.isInteger(seconds) && seconds > 0 ? { retryAfter: seconds } : {};
}

export function isRefusal(error: unknown): boolean {
  return error instanceof ConnectError && error.code === 'checkout.provider.refused';
}
