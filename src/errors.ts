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
  | 'wallet.balance.not.supported.yet'
  | 'wallet.encrypt.internal-error'
  | 'wallet.decrypt.internal-error'
  | 'wallet.secret.not-found'
  | 'wallet.secret.internal-error'
  | 'device.proof.invalid'
  | 'device.unknown'
  | 'swap.no-exchange-found'
  | 'checkout.session.unknown'
  | 'checkout.session.complete'
  | 'checkout.session.expired'
  | 'checkout.payment.pending'
  | 'checkout.wallet.unavailable'
  | 'checkout.wallet.no-price'
  | 'checkout.provider.refused'
  | 'checkout.provider.unreachable'
  | SwapCode
  | 'internal.error';

/** Of one exchange: its name in lower case, with hyphens. */
export type SwapCode = `swap.${string}.${'get-price.failed' | 'allowance-error' | 'exchange-not-found'}`;

/** An error as it crosses the channel: plain data, no stack, no secrets. */
export interface WireError {
  code: ErrorCode;
  message: string;
  details?: Record<string, unknown> | undefined;
}

declare const __DOCS_URL__: string | undefined;
/** Where `docs/` is published: with the package, unless `DOCS_URL` said otherwise when this was built. */
export const DOCS_URL = typeof __DOCS_URL__ === 'string' ? __DOCS_URL__ : 'https://unpkg.com/carabiner/docs/';

export class ConnectError extends Error {
  override name = 'ConnectError';
  /** In the repository and in the package. */
  readonly docsPath: string;
  /** The same place on the web. */
  readonly docsUrl: string;
  constructor(
    readonly code: ErrorCode,
    /** One sentence: what happened and what to do. */
    readonly shortMessage: string,
    readonly details: Record<string, unknown> = {},
    options?: ErrorOptions,
  ) {
    super(`${shortMessage} [${code}]`, options);
    // One heading for all exchanges: `swap.<dex>.allowance-error`.
    const heading = code.replace(/^swap\.[^.]+\./, 'swap.dex.');
    const place = `errors.md#${heading.replaceAll('.', '')}`;
    this.docsPath = `docs/${place}`;
    this.docsUrl = DOCS_URL + place;
  }
}

/** The request does not fit its schema. `issues` names every bad field. */
export class RequestInvalidError extends ConnectError {
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
export class UserRejectedError extends ConnectError {
  override name = 'UserRejectedError';
  constructor(shortMessage = 'The request was rejected.', details?: Record<string, unknown>) {
    super('user.rejected', shortMessage, details);
  }
}

/** The wallet could not be opened; `details.reason` is `popup`, `csp`, `silent`, `coop`, `config` or `version`. */
export class FrameBlockedError extends ConnectError {
  override name = 'FrameBlockedError';
  constructor(
    shortMessage: string,
    reason: 'popup' | 'csp' | 'silent' | 'coop' | 'config' | 'version',
    details?: Record<string, unknown>,
  ) {
    super('frame.blocked', shortMessage, { ...details, reason });
  }
}

/** The wallet went away before it answered; `details.requestId` can be looked up with `connect.pending()`. */
export class FrameUnreachableError extends ConnectError {
  override name = 'FrameUnreachableError';
  constructor(shortMessage: string, details?: Record<string, unknown>) {
    super('frame.unreachable', shortMessage, details);
  }
}

export function toWire(error: unknown): WireError {
  if (error instanceof ConnectError)
    return { code: error.code, message: error.shortMessage, details: error.details };
  return { code: 'internal.error', message: 'Something went wrong inside the wallet.' };
}
