/** Failures as dApp wallets report them: with an integer `code`, by which libraries decide whether to retry. */
import { ConnectError, type ErrorCode, type Issue, RequestInvalidError } from '../base/errors.ts';

/** Codes of EIP-1193, EIP-1474, EIP-3326 and EIP-5792 used here. */
export const CODE = {
  rejected: 4001,
  unauthorized: 4100,
  unsupported: 4200,
  disconnected: 4900,
  chainDisconnected: 4901,
  unknownChain: 4902,
  /** A prompt is already open: libraries wait, and do not retry. */
  pending: -32002,
  refused: -32003,
  noMethod: -32601,
  invalidParams: -32602,
  capability: 5700,
  chainOfCalls: 5710,
  duplicateId: 5720,
  unknownId: 5730,
  tooLarge: 5740,
  atomicity: 5760,
} as const;

export class ProviderRpcError extends Error {
  override name = 'ProviderRpcError';
  constructor(
    readonly code: number,
    message: string,
    readonly data?: unknown,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

export function invalidParam(path: string, message: string): ProviderRpcError {
  return invalidParams([{ path, message }]);
}

function invalidParams(issues: Issue[], cause?: unknown): ProviderRpcError {
  const text = issues.map(({ path, message }) => (path ? `${path} ${message}` : message)).join('; ');
  return new ProviderRpcError(
    CODE.invalidParams,
    text,
    { code: 'request.invalid', details: { issues } },
    { cause },
  );
}

/**
 * Never -32603, -32000, -32005 or no code: some libraries retry after those, and the user would approve twice.
 * Errors that are not listed keep the wallet from answering at all.
 */
const BY_CODE: Partial<Record<ErrorCode, number>> = {
  'user.rejected': CODE.rejected,
  'wallet.forbidden': CODE.unauthorized,
  'wallet.archived': CODE.unauthorized,
  'pincode.wrong': CODE.unauthorized,
  'pincode.locked': CODE.unauthorized,
  'token.missing': CODE.unauthorized,
  'token.invalid': CODE.unauthorized,
  'token.expired': CODE.unauthorized,
  'token.scope': CODE.unauthorized,
  'chain.not-supported': CODE.unsupported,
  'node.unreachable': CODE.chainDisconnected,
  'request.rate-limited': CODE.pending,
  'request.conflict': CODE.pending,
  'transaction.insufficient-funds': CODE.refused,
  'transaction.refused': CODE.refused,
  'policy.refused': CODE.refused,
  'recipient.unknown': CODE.invalidParams,
};

/** `rename` maps a field to the caller's name for it: `params[0].gas`. */
export function toRpcError(error: unknown, rename = (path: string) => path): ProviderRpcError {
  if (error instanceof ProviderRpcError) return error;
  if (error instanceof RequestInvalidError)
    return invalidParams(
      error.issues.map(({ path, message }) => ({ path: rename(path), message })),
      error,
    );
  if (!(error instanceof ConnectError))
    return new ProviderRpcError(CODE.disconnected, 'The wallet could not answer.', undefined, {
      cause: error,
    });
  const { code, shortMessage, details, docsPath } = error;
  return new ProviderRpcError(
    BY_CODE[code] ?? CODE.disconnected,
    shortMessage,
    { code, details, docsPath },
    { cause: error },
  );
}
