/** Errors of calls to the service. None holds a token, a client secret, a PIN or any other part of the request. */
import type { ErrorCode, ErrorDetails } from '../base/errors.ts';

interface Problem<C extends ErrorCode> {
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
  /** Depends on the code: attempts left, the rule of a policy, the hash of what was signed. */
  readonly details: ErrorDetails<C>;
  /** The status of the answer; undefined if there was none. */
  readonly status: number | undefined;
  /** The request's id in the service's logs; undefined if there was no answer. */
  readonly requestId: string | undefined;
  constructor({ code, detail, details, status, requestId }: Problem<C>) {
    super(`${detail} [${code}]`);
    this.code = code;
    this.details = details ?? ({} as ErrorDetails<C>);
    this.status = status;
    this.requestId = requestId;
  }
}

/**
 * One type for each code, so that comparing `code` narrows `details`.
 *
 * ```ts
 * if (error instanceof ServiceError && error.code === 'pincode.wrong') console.log(error.details.attemptsLeft);
 * ```
 */
export type ServiceError<C extends ErrorCode = ErrorCode> = C extends ErrorCode ? CodedError<C> : never;

interface ServiceErrorClass {
  /** The one that every function has, declared for the type that `instanceof` narrows to. */
  [Symbol.hasInstance](value: unknown): value is ServiceError;
  new <C extends ErrorCode>(problem: Problem<C>): ServiceError<C>;
}
export const ServiceError = CodedError as unknown as ServiceErrorClass;

/** The request does not match its schema; `details.issues` names every bad field. */
export class InvalidRequestError extends CodedError<'request.invalid'> {
  override name = 'InvalidRequestError';
}

/** The `Idempotency-Key` was used with another request, whose `details.field` differs, or the state does not allow the call. */
export class ConflictError extends CodedError<'request.conflict'> {
  override name = 'ConflictError';
}

/** The client's id and secret, or its token, are not accepted or not sufficient: `token.scope` has the accepted `details.scopes`. */
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

/** Too many wrong PINs: `details.retryAfter` in seconds, or `details.hard` if only the recovery code helps. */
export class PincodeLockedError extends CodedError<'pincode.locked'> {
  override name = 'PincodeLockedError';
}

/** A spending policy does not allow it: `details.rule`, and `details.transactionId` if another client can approve it. */
export class PolicyRefusedError extends CodedError<'policy.refused'> {
  override name = 'PolicyRefusedError';
}

/** The wallet does not hold enough for amount and fee. Nothing was signed. */
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
 * The service did not answer, or not as expected; `details.reason` is `timeout`, the runtime's code for the failure, or `answer`. The
 * request may have taken effect: repeat it with the same `idempotencyKey`.
 */
export class UnavailableError extends CodedError<'service.unreachable'> {
  override name = 'UnavailableError';
}

type Classes = { [C in ErrorCode]?: new (problem: Problem<C>) => Error };

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

/** An error of the class for its code. */
export function serviceError<C extends ErrorCode>(problem: Problem<C>): ServiceError {
  const Class = (Object.hasOwn(CLASSES, problem.code) ? CLASSES[problem.code] : ServiceError) as new (
    problem: Problem<C>,
  ) => ServiceError;
  return new Class(problem);
}
