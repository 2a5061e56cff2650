/** Why the browser stores nothing for the wallet, and what to do about it. */
import { ConnectError } from '../base/errors.ts';

export function unavailable(cause?: unknown): ConnectError {
  const name = cause instanceof Error || cause instanceof DOMException ? cause.name : 'UnknownError';
  const [reason, message] =
    name === 'QuotaExceededError'
      ? [
          'full',
          'This browser has no room left for the wallet. Free some disk space or delete site data, then try again.',
        ]
      : name === 'VersionError'
        ? ['newer', 'A newer version of the wallet has been used in this browser. Reload the page.']
        : [
            'denied',
            'This browser does not let the wallet store anything. Allow cookies and site data for the wallet’s address, or leave private browsing, then try again.',
          ];
  return new ConnectError('storage.unavailable', message, { reason, name }, { cause });
}
