/** Errors for a request that conflicts with one approved before, or in another window. */
import { ConnectError } from '../../base/errors.ts';

export function waiting(): ConnectError {
  return new ConnectError(
    'request.conflict',
    'The same transaction was approved for another request and is not sent yet. Send or dismiss that one first.',
  );
}

export function approvedElsewhere(requestId: string): ConnectError {
  return new ConnectError('request.conflict', 'This request was approved in another window.', { requestId });
}
