/** The page's open requests, and the ways they can end. */
import { msg } from '../base/localize.ts';
import { ConnectError, FrameUnreachableError, UserRejectedError } from '../base/errors.ts';
import { hexDigits } from '../base/bytes.ts';
import { canonical } from '../base/canonical.ts';
import { WAITING } from './bounds.ts';
import { tooMany } from './request-errors.ts';
import type { FrameLink } from './frame-link.ts';
import type { Stage } from './messages.ts';
import { type Action, actionHas } from '../base/actions.ts';

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

/** `isHeard`: somebody in the page has the answer. */
type OnSettled = (call: Call, error: ConnectError | undefined, isHeard: boolean) => void;

export class Call {
  readonly promise: Promise<unknown>;
  stage: Stage | undefined;
  /** Its id is on disk; it is not sent before. */
  stored: Promise<void> | undefined;
  /** Whether a frame may have received it. */
  sent = false;
  /** Withdrawn by the page: it will not be sent. */
  withdrawn = false;
  settled = false;
  /** Whether the surface closes when this call settles. */
  closing = false;
  #resolve!: (result: unknown) => void;
  #reject!: (error: ConnectError) => void;

  constructor(
    readonly id: string,
    readonly action: Action,
    readonly params: unknown,
    /** Action and parameters: the page may repeat only these with the same id. */
    readonly body: string,
    readonly options: CallOptions,
    /** The frame that serves a read; approvals go to the current surface. */
    readonly via: FrameLink | undefined,
    readonly onSettled: OnSettled,
  ) {
    this.promise = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
  }

  /** The user approved: from here on it may be signed, whatever happens to the surface. */
  get approved(): boolean {
    return this.stage !== undefined && this.stage !== 'approval';
  }

  sendTo(link: FrameLink): void {
    const { id, action, params } = this;
    this.sent = true;
    link.send({ type: 'request', id, action, params });
  }

  settle(error: ConnectError | undefined, result?: unknown, isHeard = true): void {
    if (this.settled) return;
    this.settled = true;
    if (error) this.#reject(error);
    else this.#resolve(result);
    this.onSettled(this, error, isHeard);
  }

  closedError(): ConnectError {
    return this.approved
      ? this.goneError()
      : new UserRejectedError('The wallet was closed before the request was approved.', { reason: 'closed' });
  }

  goneError(): ConnectError {
    return new FrameUnreachableError(
      'The wallet went away before it answered. Look the request up with connect.pending().',
      { requestId: this.id },
    );
  }
}

/** Open calls by id, and answered ones whose confirmation may still come. */
export class Calls {
  isClosed = false;
  readonly #byId = new Map<string, Call>();
  readonly #onSettled: OnSettled;

  /** `onSettled`: of an approval. */
  constructor(onSettled: OnSettled) {
    this.#onSettled = (call, ...outcome) => {
      if (call.via) this.#byId.delete(call.id);
      else onSettled(call, ...outcome);
    };
  }

  get(id: string): Call | undefined {
    return this.#byId.get(id);
  }

  isOpen(id: string): boolean {
    return this.#byId.get(id)?.settled === false;
  }

  servedBy(link: FrameLink): Call[] {
    return [...this.#byId.values()].filter(({ via }) => via === link);
  }

  /** A new call, or the open one that this repeats. */
  begin(
    action: Action,
    params: unknown,
    options: CallOptions,
    via?: FrameLink,
  ): [call: Call, isNew: boolean] {
    const id = options.requestId ?? newId();
    const body = canonical([action, params]);
    const same = this.#byId.get(id);
    if (same && !same.settled) {
      if (same.body === body) return [same, false];
      throw new ConnectError('request.conflict', 'This requestId is in use for another request.', {
        requestId: id,
      });
    }
    this.assertOpen();
    if (options.signal?.aborted) throw new UserRejectedError('The request was aborted before it began.');
    if (!via && this.#waiting >= WAITING) throw tooMany();
    const call = new Call(id, action, params, body, options, via, this.#onSettled);
    this.#byId.set(id, call);
    return [call, true];
  }

  assertOpen(): void {
    if (this.isClosed) throw new FrameUnreachableError('This connect was destroyed. Make a new one.');
  }

  forgetSettled(): void {
    for (const [id, call] of this.#byId) if (call.settled) this.#byId.delete(id);
  }

  close(): void {
    this.isClosed = true;
    for (const call of this.#byId.values())
      call.settle(call.approved ? call.goneError() : new UserRejectedError('The page closed the wallet.'));
  }

  /** How many calls wait for the user. */
  get #waiting(): number {
    return [...this.#byId.values()].filter(({ via, settled }) => !via && !settled).length;
  }
}

export function titleOf(action: Action): string {
  return actionHas(action, 'signs') || action === 'resume'
    ? msg('Confirm in your wallet')
    : msg('Your wallet');
}

/** Not `randomUUID`, which is missing on pages without TLS. */
export function newId(): string {
  return hexDigits(crypto.getRandomValues(new Uint8Array(16)));
}
