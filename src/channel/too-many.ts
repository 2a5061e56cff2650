import { ConnectError } from '../base/errors.ts';
import { READS, WAITING } from './bounds.ts';

/** One request too many. */
export function tooMany(): ConnectError {
  return new ConnectError(
    'request.rate-limited',
    `Too many requests wait for an answer: at most ${WAITING} for the user, and ${READS} reads.`,
    { limit: WAITING },
  );
}
