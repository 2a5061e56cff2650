/** What a wallet of others says went wrong, as an error of ours: nobody should have to tell two wallets apart by their codes. */
import { ConnectError, FrameUnreachableError, UserRejectedError } from '../errors.ts';
import { inertText } from '../inert-text.ts';

/** What nodes say of a transaction that they reject names no user. */
const REJECTED =
  /\buser (declined|denied|rejected|cancell?ed)|(declined|denied|rejected|cancell?ed) by (the )?user\b/i;

/** `name`: of the wallet. Codes are those of EIP-1193 and EIP-1474, which other standards took over. */
export function externalError(error: unknown, name: string): ConnectError {
  if (error instanceof ConnectError) return error;
  const { code, message } = Object(error) as { code?: unknown; message?: unknown };
  const reason = inertText(typeof error === 'string' ? error : String(message ?? ''));
  // TronLink and VeWorld have no code for it.
  if (code === undefined && REJECTED.test(reason))
    return new UserRejectedError(`The request was rejected in ${name}.`);
  switch (code) {
    case 4001:
      return new UserRejectedError(`The request was rejected in ${name}.`);
    case 4100:
      return new ConnectError(
        'wallet.forbidden',
        `${name} does not let this site use the account. Link it again.`,
      );
    case 4200:
    case -32601:
    case -32004:
      return notSupported(name, 'this request');
    case 4900:
    case 4901:
      return new FrameUnreachableError(`${name} is not connected. Open it and try again.`);
    case -32002:
      return new ConnectError('request.conflict', `${name} already shows a request. Answer that one first.`);
  }
  return new ConnectError(
    'transaction.refused',
    `${name} refused the request${reason ? `: ${reason}` : ''}.`,
    { ...(reason && { reason }) },
    { cause: error },
  );
}

export function notSupported(name: string, what: string): ConnectError {
  return new ConnectError('chain.not-supported', `${name} does not support ${what}.`);
}

/** It answered something that its standard does not allow. Nothing of the answer is used. */
export function wrongAnswer(name: string, expected: string): ConnectError {
  return new ConnectError('internal.error', `${name} did not answer ${expected}.`);
}
