/** Errors for secrets that cannot be stored or opened. The cause goes to the log only. */
import { ConnectError } from '../../src/base/errors.ts';

export function encryptFailed(cause: unknown): ConnectError {
  if (cause instanceof ConnectError) return cause;
  return new ConnectError(
    'wallet.encrypt.internal-error',
    'The secret could not be encrypted; nothing was stored. Try again later.',
    {},
    { cause },
  );
}

export function decryptFailed(cause?: unknown): ConnectError {
  if (cause instanceof ConnectError) return cause;
  return new ConnectError(
    'wallet.decrypt.internal-error',
    "The wallet's secret could not be decrypted. Contact the operator of the service.",
    {},
    { cause },
  );
}

export function secretMissing(): ConnectError {
  return new ConnectError(
    'wallet.secret.not-found',
    'The wallet is known, but its secret is not. Contact the operator of the service.',
  );
}

export function secretDamaged(cause: unknown): ConnectError {
  if (cause instanceof ConnectError) return cause;
  return new ConnectError(
    'wallet.secret.internal-error',
    'The secret could not be read. Contact the operator of the service.',
    {},
    { cause },
  );
}

/** The error for wallets of others and for ids that do not exist. */
export function forbidden(): ConnectError {
  return new ConnectError('wallet.forbidden', 'There is no such wallet, or it is not yours.');
}

export function archived(): ConnectError {
  return new ConnectError('wallet.archived', 'The wallet is archived. Restore it first.');
}

export function conflict(message: string): ConnectError {
  return new ConnectError('request.conflict', message);
}
