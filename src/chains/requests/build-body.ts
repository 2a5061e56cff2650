/** What becomes of a build body's fields (spec 4.3.1) on every chain. */
import { ConnectError } from '../../errors.ts';
import { AmountError, parseUnits } from '../amount.ts';
import { isEmail } from './fields.ts';
import { invalid } from './payloads.ts';

/** `value` of a coin or token in its smallest units. Throws `request.invalid` at `value`. */
export function unitsOf(value: string, decimals: number): bigint {
  try {
    const raw = parseUnits(value, decimals);
    if (raw >> 256n) throw new AmountError('is too large: it must fit in 256 bits');
    return raw;
  } catch (error) {
    if (error instanceof AmountError) throw invalid('value', error.message);
    throw error;
  }
}

/** Throws `recipient.unknown` for an e-mail address that nobody has resolved before. */
export function recipientOf(to: string): string {
  if (!isEmail(to)) return to;
  throw new ConnectError(
    'recipient.unknown',
    'No wallet was found for this e-mail. Ask the recipient for an address.',
  );
}
