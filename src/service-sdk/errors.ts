/** What goes wrong with a call of the service. No error here holds a token, a client secret, a PIN or anything else of a request. */
import type { ErrorCode, ErrorDetails } from '../errors.ts';

interface Told<C extends ErrorCode> {
  code: C;
  /** One sentence: what happened and what to do. */
  detail: string;
  details?: ErrorDetails<C>;
  status?: number | undefined;
  requestId?: string | undefined;
}

class CodedError<C extends ErrorCode> extends Error {
  override name = 'ServiceError';
  /** Stable; docs/errors.md explains each. */
  readonly code: C;
  /** By code: attempts left, the rule of a policy, the hash of what was signed. */
  readonly details: ErrorDetails<C>;
  /** Of the answer; undefined when none came. */
  readonly status: number | undefined;
  /** As the service's logs name the request; undefined when no answer came. */
  readonly requestId: string | undefined;
  constructor({ code, detail, details, status, requestId }: Told<C>) {
    super(`${detail} [${code}]`);
    this.code = code;
    this.details = details ?? ({} as ErrorDetails<C>);
    this.status = status;
    this.requestId = requestId;
  }
}

/**
 * One type for each code, so that comparing `code` tells what `details` has.
 *
 * ```ts
 * if (error instanceof ServiceError && error.code === 'pincode.wrong') console.log(error.details.attemptsLeft);
 * ```
 */
export type ServiceError<C extends ErrorCode = ErrorCode> = C extends ErrorCode ? CodedError<C> : never;

interface ServiceErrorClass {
  /** Every function's own: for its type, which `instanceof` narrows to. */
  [Symbol.hasInstance](value: unknown): value is ServiceError;
  new <C extends ErrorCode>(told: Told<C>): ServiceError<C>;
}
export const ServiceError = CodedError as unknown as ServiceErrorClass;

/** The request does not fit its schema; `details.issues` names every bad field. */
export class InvalidRequestError extends CodedError<'request.invalid'> {
  override name = 'InvalidRequestError';
}

/** The `Idempotency-Key` was used with another request, or the state does not allow it; `details.field` says what differs. */
export class ConflictError extends CodedError<'request.conflict'> {
  override name = 'ConflictError';
}

/** The client's id and secret, or its token, are not accepted, or do not suffice: `details.scopes` of `token.scope` are those that do. */
export class TokenError extends CodedError<
  'token.missing' | 'token.expired' | 'token.invalid' | 'token.scope'
> {
  override name = 'TokenError';
}

/** There is no such wallet, or it is another client's. */
export class WalletForbiddenError extends CodedError<'wallet.forbidden'> {
  override name = 'WalletForbiddenError';
}

/** `details.attemptsLeft` until the PIN is locked. */
export class PincodeWrongError extends CodedError<'pincode.wrong'> {
  override name = 'PincodeWrongError';
}

/** Too many wrong PINs: `details.retryAfter` in seconds, or `details.hard`, and only the recovery code helps. */
export class PincodeLockedError extends CodedError<'pincode.locked'> {
  override name = 'PincodeLockedError';
}

/** A spending policy does not allow it: `details.rule`, and `details.transactionId` of what another client can approve. */
export class PolicyRefusedError extends CodedError<'policy.refused'> {
  override name = 'PolicyRefusedError';
}

/** The wallet does not hold amount and fee. Nothing was signed. */
export class InsufficientFundsError extends CodedError<'transaction.insufficient-funds'> {
  override name = 'InsufficientFundsError';
}

/** The node refused the transaction, or it would fail or cost too much. */
export class TransactionRefusedError extends CodedError<'transaction.refused'> {
  override name = 'TransactionRefusedError';
}

/** No node answered. With `details.transactionHash` the transaction is signed and will be sent: do not make another one. */
export class NodeUnreachableError extends CodedError<'node.unreachable'> {
  override name = 'NodeUnreachableError';
}

/** Too many requests; `details.retryAfter` in seconds. */
export class RateLimitedError extends CodedError<'request.rate-limited'> {
  override name = 'RateLimitedError';
}

/**
 * The service did not answer, or not as it must; `details.reason` is `timeout`, the runtime's name of the failure, or `answer`. The request
 * may have taken effect: repeat it with the same `idempotencyKey`.
 */
export class UnavailableError extends CodedError<'service.unreachable'> {
  override name = 'UnavailableError';
}

type Classes = { [C in ErrorCode]?: new (told: Told<C>) => Error };

const CLASSES: Classes = {
  'request.invalid': InvalidRequestError,
  'request.conflict': ConflictError,
  'token.missing': TokenError,
  'token.expired': TokenError,
  'token.invalid': TokenError,
  'token.scope': TokenError,
  'wallet.forbidden': WalletForbiddenError,
  'pincode.wrong': PincodeWrongError,
  'pincode.locked': PincodeLockedError,
  'policy.refused': PolicyRefusedError,
  'transaction.insufficient-funds': InsufficientFundsError,
  'transaction.refused': TransactionRefusedError,
  'node.unreachable': NodeUnreachableError,
  'request.rate-limited': RateLimitedError,
  'service.unreachable': UnavailableError,
};

/** The error of the class that is its code's. */
export function serviceError<C extends ErrorCode>(told: Told<C>): ServiceError {
  const Class = (Object.hasOwn(CLASSES, told.code) ? CLASSES[told.code] : ServiceError) as new (
    of: Told<C>,
  ) => ServiceError;
  return new Class(told);
}
