/** The page's end of the wire: all open requests, one approval at a time, and their outcome if the frame goes away. */
import { type Action, actionHas } from '../base/actions.ts';
import { fromWire } from '../base/errors.ts';
import { Approvals } from './approvals.ts';
import type { FrameLink } from './frame-link.ts';
import { Frames } from './frames.ts';
import { type Call, type CallOptions, Calls } from './host-call.ts';
import { askedFor } from './host-record.ts';
import type { FromFrame, ParamsOf, Pending, Replaced, Results } from './messages.ts';
import { Recovery, type RecoveryOptions } from './recovery.ts';

interface HostEndSettings extends RecoveryOptions {
  onReplaced: (replaced: Replaced) => void;
}

export interface HostEnd {
  /** Shows `action` to the user. Opens a surface before it returns, because a popup needs the user's gesture. */
  approve<A extends Action>(action: A, params: ParamsOf<A>, options?: CallOptions): Promise<Results[A]>;
  /** Reads from nodes, through a hidden frame. */
  read<A extends Action>(action: A, params: ParamsOf<A>, options?: CallOptions): Promise<Results[A]>;
  /** Asks the wallet's own page, also hidden. Only if it `reachesVault`. */
  readOwn<A extends Action>(action: A, params: ParamsOf<A>, options?: CallOptions): Promise<Results[A]>;
  /** Whether a dialog or window is open. */
  isOpen(): boolean;
  /** Whether approvals open in a window, which works only in the user's click. */
  opensWindow(): boolean;
  /** Acknowledges the answers for which `take` returns true. */
  pending(take?: (pending: Pending) => boolean): Promise<Pending[]>;
  /** The page got an earlier request's answer by some other way than that request. */
  delivered(requestId: string): void;
  /** What the wallet has said to an earlier load of the page, by its address. */
  receive(message: FromFrame): void;
  destroy(): void;
}

/** How long writing an id to the database may take. If IndexedDB hangs or fails, there is only `localStorage`. */
const STORE_MS = 3000;

export function openHostEnd(settings: HostEndSettings): HostEnd {
  return new PageEnd(settings);
}

class PageEnd implements HostEnd {
  readonly #settings: HostEndSettings;
  readonly #calls: Calls;
  readonly #frames: Frames;
  readonly #approvals: Approvals;
  readonly #recovery: Recovery;

  constructor(settings: HostEndSettings) {
    const calls = new Calls((call, error, isHeard) => {
      // `pending` looks for what may have been signed without an answer.
      if (isHeard && error?.code !== 'frame.unreachable' && isKept(call)) this.#recovery.forget(call.id);
      this.#approvals.onSettled(call);
    });
    const frames = new Frames(settings, calls, (message, from) => this.receive(message, from));
    const approvals = new Approvals(settings, calls, frames);
    this.#settings = settings;
    this.#calls = calls;
    this.#frames = frames;
    this.#approvals = approvals;
    this.#recovery = new Recovery(settings, calls, frames, approvals);
  }

  approve<A extends Action>(action: A, params: ParamsOf<A>, options: CallOptions = {}): Promise<Results[A]> {
    const [call, isNew] = this.#calls.begin(action, params, options);
    if (isNew) {
      if (isKept(call)) this.#store(call);
      this.#approvals.add(call);
    }
    return call.promise as Promise<Results[A]>;
  }

  read<A extends Action>(action: A, params: ParamsOf<A>, options?: CallOptions): Promise<Results[A]> {
    return this.#frames.read('nodes', action, params, options);
  }

  readOwn<A extends Action>(action: A, params: ParamsOf<A>, options?: CallOptions): Promise<Results[A]> {
    return this.#frames.read('vault', action, params, options);
  }

  isOpen(): boolean {
    return !!this.#approvals.link;
  }

  opensWindow(): boolean {
    return this.#approvals.opensWindow();
  }

  pending(take?: (pending: Pending) => boolean): Promise<Pending[]> {
    return this.#recovery.pending(take);
  }

  delivered(requestId: string): void {
    this.#recovery.acknowledge(requestId);
  }

  destroy(): void {
    this.#approvals.abortActive();
    this.#calls.close();
    this.#approvals.close();
    this.#frames.closeHidden();
    this.#recovery.close();
  }

  #store(call: Call): void {
    const { clock, record, requests } = this.#settings;
    const { id, action } = call;
    const undelivered = { action, at: clock.date(), asked: askedFor(action, call.params) };
    record.change((it) => (it.undelivered[id] = undelivered));
    const late = new Promise<void>((resolve) => clock.after(STORE_MS, () => resolve(), 'limit'));
    call.stored = Promise.race([requests.keep(id, undelivered).catch(() => {}), late]);
  }

  receive(message: FromFrame, from?: FrameLink): void {
    const { record, getAccessToken, onReplaced } = this.#settings;
    switch (message.type) {
      case 'progress':
        return this.#onProgress(message);
      case 'result':
      case 'error':
        return this.#onAnswer(message, from);
      case 'wallets':
        return record.setWallets(
          message.wallets,
          message.networks,
          message.browserOnly && getAccessToken() !== undefined,
        );
      case 'replaced':
        return message.replaced.forEach(onReplaced);
      case 'token':
        return void this.#giveToken(message, from!);
      default:
        return this.#approvals.onMessage(message, from!);
    }
  }

  #onProgress({ id, stage, transactionHash }: Extract<FromFrame, { type: 'progress' }>): void {
    const call = this.#calls.get(id);
    if (!call) return;
    call.stage = stage;
    call.options.onProgress?.({ requestId: id, stage, transactionHash });
  }

  #onAnswer(message: Extract<FromFrame, { type: 'result' | 'error' }>, from: FrameLink | undefined): void {
    const { id } = message;
    const call = this.#calls.get(id);
    if (!call && this.#recovery.take(message)) return;
    const error = message.type === 'error' ? fromWire(message.error) : undefined;
    const result = message.type === 'result' ? message.result : undefined;
    if (call?.via) return call.settle(error, result);
    // There is nothing to recover then, so nobody needs to take the answer.
    const isRefusal = /^(request|user)\./.test(error?.code ?? '');
    const isHeard = !call || !isKept(call) || isRefusal || call.options.isTaken?.(id) !== false;
    if (isHeard) from?.send({ type: 'ack', id });
    else this.#recovery.hold(message, call.action);
    if (!call) return;
    // A window closes itself, or stays for the next request. In a dialog, these leave nothing to look at; the
    // frame shows any other failure, and closes itself.
    if (from?.surface.kind === 'popup') call.closing = false;
    else if (isRefusal) call.closing = true;
    call.settle(error, result, isHeard);
  }

  /** Always answers the frame, whatever the page's function does. */
  async #giveToken({ id, expired }: { id: string; expired: boolean }, to: FrameLink): Promise<void> {
    let token: unknown;
    try {
      token = await this.#settings.getAccessToken()?.({ expired });
    } catch {
      // The request ends with `token.expired`.
    }
    to.send(typeof token === 'string' ? { type: 'token', id, token } : { type: 'token', id });
  }
}

/** Its answer is kept across a reload: something was signed. */
function isKept({ action }: Call): boolean {
  return actionHas(action, 'signs');
}
