/** An open request of the page, and the ways it can end. */
import { msg } from '../base/localize.ts';
import { type ConnectError, FrameUnreachableError, UserRejectedError } from '../base/errors.ts';
import { hexDigits } from '../base/bytes.ts';
import type { FrameLink } from './frame-link.ts';
import type { Stage } from './messages.ts';
import type { Action } from '../base/actions.ts';

/** The last argument of every call of the host API. */
export interface CallOptions {
  /**
   * Aborting rejects with `user.rejected` and closes the approval if it is on screen; nothing is signed then. Once the user has
   * approved it is too late: the call rejects with `frame.unreachable`, and `pending()` finds the answer.
   */
  signal?: AbortSignal;
  /** 8 to 64 of `A-Za-z0-9_-`. The same id with the same request gets the same answer and signs nothing new. */
  requestId?: string;
  /**
   * Called when the answer to a transaction or signature arrives. `false` says that nobody takes it: then `pending()` also has it, until
   * somebody does. Without this function, the promise takes it.
   */
  isTaken?: (requestId: string) => boolean;
  /** Called for each stage of the request. `confirmed` and `failed` come after the promise is settled. */
  onProgress?: (progress: { requestId: string; stage: Stage; transactionHash?: string | undefined }) => void;
  /**
   * Called when the wallet could not open (`popup`, `csp`, `silent`), needs a window (`window`), or has the request in a window behind the
   * page (`behind`). Calling `open` inside a click opens the window with the same request, or brings it to the front; `cancel` rejects.
   * Without this handler the call rejects with `frame.blocked`, except for `behind`, where the request stays open.
   */
  onBlocked?: (blocked: {
    reason: 'popup' | 'csp' | 'silent' | 'window' | 'behind';
    open: () => void;
    cancel: () => void;
  }) => void;
}

export interface Call {
  id: string;
  action: Action;
  params: unknown;
  body: string;
  /** The frame that serves a read; approvals go to the current surface. */
  via: FrameLink | undefined;
  options: CallOptions;
  stage?: Stage;
  /** Its id is on disk; it is not sent before. */
  kept: Promise<void>;
  /** Whether a frame may have received it. */
  sent?: boolean;
  /** Withdrawn by the page: it will not be sent. */
  withdrawn: boolean;
  settled: boolean;
  /** Whether the surface closes when this call settles. */
  closing: boolean;
  promise: Promise<unknown>;
  resolve: (result: unknown) => void;
  reject: (error: ConnectError) => void;
}

/** The user approved: from here on it may be signed, whatever happens to the surface. */
export function taken(call: Call): boolean {
  return call.stage !== undefined && call.stage !== 'approval';
}

export function closedError(call: Call): ConnectError {
  return taken(call)
    ? goneError(call)
    : new UserRejectedError('The wallet was closed before the request was approved.', { reason: 'closed' });
}

export function goneError({ id }: Call): ConnectError {
  return new FrameUnreachableError(
    'The wallet went away before it answered. Look the request up with connect.pending().',
    { requestId: id },
  );
}

export function titleOf(action: Action): string {
  return action === 'linkWallets' || action === 'manageWallets' || action === 'chooseRecipient'
    ? msg('Your wallet')
    : msg('Confirm in your wallet');
}

/** Not `randomUUID`, which is missing on pages without TLS. */
export function newId(): string {
  return hexDigits(crypto.getRandomValues(new Uint8Array(16)));
}
