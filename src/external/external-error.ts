/** Errors of external wallets as errors of ours: nobody should have to distinguish wallets by their codes. */
import { ConnectError, FrameUnreachableError, UserRejectedError } from '../base/errors.ts';
import { inertText } from '../base/text.ts';

/** Messages of nodes that reject a transaction do not mention a user. */
const REJECTED =
  /\buser (declined|denied|rejected|cancell?ed)|(declined|denied|rejected|cancell?ed) by (the )?user\b/i;

/** `name`: the wallet's. Codes are those of EIP-1193 and EIP-1474, which other standards have adopted. */
export function externalError(error: unknown, name: string): ConnectError {
  if (error instanceof ConnectError) return error;
  const { code, message } = Object(error) as { code?: unknown; message?: unknown };
  const reason = inertText(typeof error === 'string' ? error : String(message ?? ''));
  // TronLink and VeWorld have no code for that.
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

/** What an external wallet answers, with its errors as ours. */
export async function answerOf<T>(name: string, call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    throw externalError(error, name);
  }
}

export function notSupported(name: string, what: string): ConnectError {
  return new ConnectError('chain.not-supported', `${name} does not support ${what}.`);
}

/** The wallet's answer violates its standard, and none of it is used. */
export function wrongAnswer(name: string, expected: string): ConnectError {
  return new ConnectError('internal.error', `${name} did not return ${expected}.`);
}
