/**
 * Every failure that reaches a caller of the host API is a `ConnectError` with a stable `code`.
 * The classes carry no behaviour: they exist so that `catch` can tell failures apart.
 */

/** One thing that is wrong with a request: `path` names the field (`clauses.0.to`), `message` what to do. */
export interface Issue {
  path: string;
  message: string;
}

export type ErrorCode =
  | 'request.invalid'
  | 'request.conflict'
  | 'user.rejected'
  | 'frame.blocked'
  | 'frame.unreachable'
  | 'pincode.wrong'
  | 'pincode.locked'
  | 'node.unreachable'
  | 'transaction.insufficient-funds'
  | 'transaction.refused'
  | 'policy.refused'
  | 'recipient.unknown'
  | 'chain.not-supported'
  | 'token.missing'
  | 'token.invalid'
  | 'token.expired'
  | 'token.scope'
  | 'identity-provider.unreachable'
  | 'request.not-found'
  | 'request.method-not-allowed'
  | 'request.too-large'
  | 'request.media-type'
  | 'request.rate-limited'
  | 'service.unreachable'
  | 'storage.unavailable'
  | 'wallet.archived'
  | 'wallet.forbidden'
  | 'wallet.session.ended'
  | 'wallet.session.limit'
  | 'wallet.balance.not.supported.yet'
  | 'wallet.encrypt.internal-error'
  | 'wallet.decrypt.internal-error'
  | 'wallet.secret.not-found'
  | 'wallet.secret.internal-error'
  | 'device.proof.invalid'
  | 'device.unknown'
  | 'passkey.required'
  | 'passkey.invalid'
  | 'swap.no-exchange-found'
  | 'checkout.session.unknown'
  | 'checkout.session.complete'
  | 'checkout.session.expired'
  | 'checkout.payment.pending'
  | 'checkout.refund.refused'
  | 'checkout.wallet.unavailable'
  | 'checkout.wallet.no-price'
  | 'checkout.provider.refused'
  | 'checkout.provider.unreachable'
  | SwapCode
  | 'internal.error';

/** Errors of one exchange: its name in lower case, with hyphens. */
export type SwapCode =
  `swap.${string}.${'get-price.failed' | 'allowance-error' | 'exchange-not-found' | 'sell-only' | 'unavailable'}`;

/** An error as it crosses the channel: plain data, no stack, no secrets. */
export interface WireError {
  code: ErrorCode;
  message: string;
  details?: Record<string, unknown> | undefined;
}

declare const __DOCS_URL__: string | undefined;
/** Where `docs/` is published: with the package, unless the build set `DOCS_URL`. */
export const DOCS_URL = typeof __DOCS_URL__ === 'string' ? __DOCS_URL__ : 'https://unpkg.com/carabiner/docs/';

/** The fields of `details` by code, as described in docs/errors.md. `?`: not always present. */
interface DetailsByCode {
  'request.invalid': { issues: Issue[] };
  'request.conflict': { field?: string };
  'user.rejected': { reason?: 'closed' };
  'frame.blocked': {
    reason: 'popup' | 'csp' | 'silent' | 'unreadable' | 'coop' | 'config' | 'in-app' | 'redirect';
  };
  /**
   * `requestId`: for `connect.pending()` and `connect.resume()`. `version`: page and wallet have no protocol in common; a code: what keeps
   * the outcome from being known.
   */
  'frame.unreachable': { requestId?: string; reason?: 'version' | ErrorCode };
  'pincode.wrong': { attemptsLeft: number };
  /** Seconds; `hard`: there is no next attempt. */
  'pincode.locked': { retryAfter?: number; hard?: boolean };
  /** Which check failed. */
  'passkey.invalid': { check: string };
  /** `tokens`: addresses of those whose balance was not read. */
  'node.unreachable': { transactionHash?: string | undefined; tokens?: readonly string[] };
  /** `maxSpendable`: the maximum that can be sent now, in smallest units. */
  'transaction.insufficient-funds': { reason?: string; maxSpendable?: string };
  'transaction.refused': { reason?: string };
  /** For a name: why it has no address. */
  'recipient.unknown': { reason?: 'form' | 'other-chain' | 'unknown' | 'gateway' | 'no-registry' };
  /** `rule`: its name. `transactionId`: the transaction that another client can approve. `policy`: `wallet:` or `client:` and the id. */
  'policy.refused': { rule: string; transactionId?: string; policy?: string };
  'token.invalid': { reason?: string };
  'token.scope': { scopes: readonly string[] };
  'checkout.session.complete': { redirect: string };
  'checkout.session.expired': { redirect: string };
  /** `refundable`: what is left, in the units of the request. */
  'checkout.refund.refused': {
    reason: 'unpaid' | 'amount' | 'provider' | 'unconfirmed';
    refundable?: string | number;
  };
  'checkout.wallet.no-price': { reason: 'none' | 'unreachable' | 'busy' };
  'checkout.provider.refused': { param?: string };
  'checkout.provider.unreachable': { retryAfter?: number };
  'request.rate-limited': { retryAfter?: number };
  'storage.unavailable': { reason?: string };
  /** `token`: its address, absent for the coin. `left`: what the session may still spend, in smallest units. */
  'wallet.session.limit': {
    reason: 'amount' | 'transactions' | 'not-counted';
    token?: string;
    left?: string;
  };
  'wallet.secret.internal-error': { reason?: string; check?: string };
  'swap.no-exchange-found': { exchange?: string };
}

type SwapDetails = { exchange?: string; reason?: string };

/** `details` of an error with one of these codes. Fields that are not named here are `unknown`. */
export type ErrorDetails<C extends ErrorCode = ErrorCode> = C extends ErrorCode
  ? Record<string, unknown> & {
      /** For `executeAll`: what was sent before. */
      completed?: { transactionHash: string }[];
    } & (C extends keyof DetailsByCode ? DetailsByCode[C] : C extends SwapCode ? SwapDetails : unknown)
  : never;

class CodedError<C extends ErrorCode> extends Error {
  override name = 'ConnectError';
  /** In the repository and in the package. */
  readonly docsPath: string;
  /** The same place on the web. */
  readonly docsUrl: string;
  constructor(
    readonly code: C,
    /** One sentence: what happened and what to do. */
    readonly shortMessage: string,
    readonly details: ErrorDetails<C> = {} as ErrorDetails<C>,
    options?: ErrorOptions,
  ) {
    super(`${shortMessage} [${code}]`, options);
    // All exchanges share one heading: `swap.<dex>.allowance-error`.
    const heading = code.replace(/^swap\.[^.]+\./, 'swap.dex.');
    const place = `errors.md#${heading.replaceAll('.', '')}`;
    this.docsPath = `docs/${place}`;
    this.docsUrl = DOCS_URL + place;
  }
}

/** One type for each code, so that comparing `code` tells what `details` has. */
export type ConnectError<C extends ErrorCode = ErrorCode> = C extends ErrorCode ? CodedError<C> : never;

interface ConnectErrorClass {
  /** Every function's own: for its type, which `instanceof` narrows to. */
  [Symbol.hasInstance](value: unknown): value is ConnectError;
  new <C extends ErrorCode>(
    code: C,
    shortMessage: string,
    details?: ErrorDetails<C>,
    options?: ErrorOptions,
  ): ConnectError<C>;
}
export const ConnectError = CodedError as unknown as ConnectErrorClass;

/** The request does not fit its schema. `issues` names every bad field. */
export class RequestInvalidError extends CodedError<'request.invalid'> {
  override name = 'RequestInvalidError';
  constructor(
    readonly issues: Issue[],
    options?: ErrorOptions,
  ) {
    super(
      'request.invalid',
      issues.map((i) => (i.path ? `${i.path}: ${i.message}` : i.message)).join('; '),
      { issues },
      options,
    );
  }
}

/** The user rejected, closed the window, or the page cancelled. */
export class UserRejectedError extends CodedError<'user.rejected'> {
  override name = 'UserRejectedError';
  constructor(shortMessage = 'The request was rejected.', details?: ErrorDetails<'user.rejected'>) {
    super('user.rejected', shortMessage, details);
  }
}

/** The wallet could not be opened; `details.reason` is `popup`, `csp`, `silent`, `unreadable`, `coop`, `config` or `in-app`. */
export class FrameBlockedError extends CodedError<'frame.blocked'> {
  override name = 'FrameBlockedError';
  constructor(
    shortMessage: string,
    reason: ErrorDetails<'frame.blocked'>['reason'],
    details?: Record<string, unknown>,
  ) {
    super('frame.blocked', shortMessage, { ...details, reason });
  }
}

/**
 * The wallet went away before it answered; `details.requestId` can be looked up with `connect.pending()`. Or page and wallet are of
 * releases that do not understand each other: `details.reason` is `version`.
 */
export class FrameUnreachableError extends CodedError<'frame.unreachable'> {
  override name = 'FrameUnreachableError';
  constructor(shortMessage: string, details?: ErrorDetails<'frame.unreachable'>) {
    super('frame.unreachable', shortMessage, details);
  }
}

export function toWire(error: unknown): WireError {
  if (error instanceof ConnectError)
    return { code: error.code, message: error.shortMessage, details: error.details };
  return { code: 'internal.error', message: 'Something went wrong inside the wallet.' };
}

/** The error that the other side put on the wire. */
export function fromWire({ code, message, details }: WireError): ConnectError {
  switch (code) {
    case 'request.invalid':
      return new RequestInvalidError((details?.['issues'] as Issue[]) ?? [{ path: '', message }]);
    case 'user.rejected':
      return new UserRejectedError(message, details);
    case 'frame.unreachable':
      return new FrameUnreachableError(message, details);
    default:
      return new ConnectError(code, message, details);
  }
}

/** Whether what the user approved may have been sent: the wallet is asked by `details.requestId`, and nothing is requested anew. */
export function mayBeSent({ code, details }: Pick<ConnectError, 'code' | 'details'>): boolean {
  return (
    (code === 'frame.unreachable' || code === 'node.unreachable') &&
    typeof details?.['requestId'] === 'string'
  );
}
