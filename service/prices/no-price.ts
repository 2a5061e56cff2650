/** Why there is no price at the moment. */
import { ConnectError } from '../../src/base/errors.ts';

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
