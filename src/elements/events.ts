/** The events of every element. They bubble and cross shadow roots; exactly one of result, cancel and error per request. */
import type { Stage } from '../channel/messages.ts';
import type { Action } from '../action-names.ts';
import type { ConnectError } from '../errors.ts';

const everywhere: EventInit = { bubbles: true, composed: true };
const cancelable: EventInit = { ...everywhere, cancelable: true };

/** Before anything opens. `preventDefault()` rejects the request. */
export class ConnectRequestEvent extends Event {
  constructor(
    readonly action: Action,
    /** What the wallet is about to be asked, as the promise API takes it. */
    readonly request: unknown,
  ) {
    super('connect-request', cancelable);
  }
}

/** `confirmed` and `failed` may come after `connect-result`. */
export class ConnectProgressEvent extends Event {
  constructor(
    readonly action: Action,
    readonly stage: Stage,
    readonly requestId: string,
    readonly transactionHash?: string | undefined,
  ) {
    super('connect-progress', everywhere);
  }
}

/**
 * `result` is what the promise resolves to. Of an element that was removed meanwhile it comes at `document`, and `pending()` keeps the
 * answer until somebody takes it: a listener that does says so by `preventDefault()`. The same holds for `connect-error`.
 */
export class ConnectResultEvent extends Event {
  constructor(
    readonly action: Action,
    readonly result: unknown,
    readonly requestId?: string | undefined,
  ) {
    super('connect-result', cancelable);
  }
}

/** The user rejected or closed, or the page cancelled. */
export class ConnectCancelEvent extends Event {
  constructor(readonly action: Action) {
    super('connect-cancel', everywhere);
  }
}

export class ConnectErrorEvent extends Event {
  constructor(
    readonly action: Action,
    readonly error: ConnectError,
    readonly requestId?: string | undefined,
  ) {
    super('connect-error', cancelable);
  }
}

declare global {
  interface HTMLElementEventMap {
    'connect-request': ConnectRequestEvent;
    'connect-progress': ConnectProgressEvent;
    'connect-result': ConnectResultEvent;
    'connect-cancel': ConnectCancelEvent;
    'connect-error': ConnectErrorEvent;
  }
}
