/** The events of every element. They bubble and cross shadow roots; exactly one of result, cancel and error per request. */
import type { Stage } from '../channel/messages.ts';
import type { Action } from '../channel/schema.ts';
import type { ConnectError } from '../errors.ts';

const everywhere: EventInit = { bubbles: true, composed: true };

/** Before anything opens. `preventDefault()` rejects the request. */
export class ConnectRequestEvent extends Event {
  constructor(
    readonly action: Action,
    /** What the wallet is about to be asked, as the promise API takes it. */
    readonly request: unknown,
  ) {
    super('connect-request', { ...everywhere, cancelable: true });
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

/** `result` is what the promise resolves to. */
export class ConnectResultEvent extends Event {
  constructor(
    readonly action: Action,
    readonly result: unknown,
  ) {
    super('connect-result', everywhere);
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
  ) {
    super('connect-error', everywhere);
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
