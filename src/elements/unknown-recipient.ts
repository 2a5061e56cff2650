import type { ConnectError } from '../base/errors.ts';
import { msg } from '../base/localize.ts';

/** Of `recipient.unknown`: only that of a name has a reason. */
export function unknownRecipient({ details }: ConnectError): string {
  return details['reason']
    ? msg('No address found for this name. Ask the recipient for an address.')
    : msg('No wallet found for this e-mail. Ask the recipient for an address.');
}
