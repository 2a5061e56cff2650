/** The events of all elements. They bubble and cross shadow roots. Each request ends with exactly one of result, cancel and error. */
import type { SignParams } from '../actions/types.ts';
import type { Wallet } from '../api/wallet.ts';
import type { TransactionRequest } from '../chains/requests.ts';
import type { SecretType } from '../chains/secret-type.ts';
import type { TransferParams } from '../channel/ask-schema.ts';
import type { SignResult, Stage, TransactionResult } from '../channel/messages.ts';
import type { ConnectError } from '../base/errors.ts';

/** By `action`: what elements request of the wallet, and what it answers. */
export interface ElementActions {
  linkWallets: { request: { secretTypes?: SecretType[]; external?: 'on' | 'off' }; result: Wallet[] };
  manageWallets: { request: { chain: SecretType }; result: Wallet };
  transfer: { request: TransferParams; result: TransactionResult };
  execute: { request: TransactionRequest; result: TransactionResult };
  executeAll: { request: readonly TransactionRequest[]; result: TransactionResult[] };
  sign: { request: SignParams; result: SignResult };
}

export type ElementAction = keyof ElementActions;

const everywhere: EventInit = { bubbles: true, composed: true };
const cancelable: EventInit = { ...everywhere, cancelable: true };

/** Before anything opens. `preventDefault()` rejects the request. */
class RequestEvent<A extends ElementAction> extends Event {
  constructor(
    readonly action: A,
    /** The request, as the promise API takes it; `{ requestId }` when the user resumes one whose answer was lost. */
    readonly request: ElementActions[A]['request'] | { requestId: string },
  ) {
    super('connect-request', cancelable);
  }
}
/** One type for each action, so that comparing `action` tells what `request` is. */
export type ConnectRequestEvent<A extends ElementAction = ElementAction> = A extends ElementAction
  ? RequestEvent<A>
  : never;
export const ConnectRequestEvent = RequestEvent;

/** `confirmed` and `failed` may come after `connect-result`. */
export class ConnectProgressEvent<A extends ElementAction = ElementAction> extends Event {
  constructor(
    readonly action: A,
    readonly stage: Stage,
    readonly requestId: string,
    readonly transactionHash?: string | undefined,
  ) {
    super('connect-progress', everywhere);
  }
}

/**
 * `result` is what the promise resolves to. If the element was removed meanwhile, the event is fired at `document`, and `pending()` keeps the
 * answer until a listener takes it by `preventDefault()` or another part of the page does. The same holds for `connect-error`.
 */
class ResultEvent<A extends ElementAction> extends Event {
  constructor(
    readonly action: A,
    readonly result: ElementActions[A]['result'],
    readonly requestId?: string | undefined,
  ) {
    super('connect-result', cancelable);
  }
}
/** One type for each action, so that comparing `action` tells what `result` is. */
export type ConnectResultEvent<A extends ElementAction = ElementAction> = A extends ElementAction
  ? ResultEvent<A>
  : never;
export const ConnectResultEvent = ResultEvent;

/** The user rejected or closed, or the page cancelled. */
export class ConnectCancelEvent<A extends ElementAction = ElementAction> extends Event {
  constructor(readonly action: A) {
    super('connect-cancel', everywhere);
  }
}

export class ConnectErrorEvent<A extends ElementAction = ElementAction> extends Event {
  constructor(
    readonly action: A,
    readonly error: ConnectError,
    readonly requestId?: string | undefined,
  ) {
    super('connect-error', cancelable);
  }
}

declare global {
  /** For elements, `document` and `window`, because the events bubble. */
  interface GlobalEventHandlersEventMap {
    'connect-request': ConnectRequestEvent;
    'connect-progress': ConnectProgressEvent;
    'connect-result': ConnectResultEvent;
    'connect-cancel': ConnectCancelEvent;
    'connect-error': ConnectErrorEvent;
  }
}
