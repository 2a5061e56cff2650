/** The requests that wait for the user: one at a time, on one surface. */
import { UserRejectedError } from '../base/errors.ts';
import type { Absence, BlockReason } from './blocked.ts';
import type { Place } from './choose-surface.ts';
import { themeOf } from './dialog-style.ts';
import type { FrameLink, LinkEnd } from './frame-link.ts';
import type { Frames, FramesOptions, LinkEvents } from './frames.ts';
import { type Call, type Calls, titleOf } from './host-call.ts';
import type { FromFrame } from './messages.ts';
import { windowMark, windowSurface } from './popup.ts';
import { iframe, type Surface } from './surface.ts';

/** A frame told to stop answers within one message round trip, unless it is gone. */
const ABORT_MS = 300;

/** A window brought to the front says so within this time. */
const FRONT_MS = 300;

export interface ApprovalsOptions extends FramesOptions {
  /** Where an approval opens. Called at each opening, inside the user's gesture. */
  surface: () => Place;
  /** Opens a window; null when the browser blocks it. */
  popup: () => Surface | null;
  /** Leaves the page with the request. */
  leave: (call: Call) => void;
}

export class Approvals {
  readonly #options: ApprovalsOptions;
  readonly #calls: Calls;
  readonly #frames: Frames;
  readonly #queue: Call[] = [];
  #active: Call | undefined;
  #link: FrameLink | undefined;
  /** Whether the window has reported being in front since the last request was sent to it. */
  #isInFront = false;
  #lastDelivery = Promise.resolve();

  constructor(options: ApprovalsOptions, calls: Calls, frames: Frames) {
    this.#options = options;
    this.#calls = calls;
    this.#frames = frames;
  }

  get link(): FrameLink | undefined {
    return this.#link;
  }

  /** Opens a surface before it returns, because a popup needs the user's gesture. */
  add(call: Call): void {
    const { signal } = call.options;
    // A listener of the page may have aborted it since it was checked.
    if (signal?.aborted) return this.#withdraw(call);
    signal?.addEventListener('abort', () => this.#withdraw(call), { once: true });
    if (this.#options.surface() === 'redirect') return this.#options.leave(call);
    this.#queue.push(call);
    if (this.#active && this.#link) void this.#deliver(this.#link, call);
    this.#showNext();
  }

  /** A window left by an earlier load of this page also serves this one. */
  adopt(win: Window, onEnd: (link: FrameLink) => void): FrameLink {
    const surface = windowSurface(win);
    if (!this.#link) return this.#connect(surface, onEnd);
    const events: LinkEvents = { onConnected() {}, onEnd: (_how, link) => onEnd(link) };
    return this.#frames.open(surface, 'approve', events, true);
  }

  opensWindow(): boolean {
    return this.#frames.blocksIframes || this.#options.surface() === 'popup';
  }

  onSettled(call: Call): void {
    if (this.#queue.includes(call)) this.#queue.splice(this.#queue.indexOf(call), 1);
    if (call !== this.#active) return;
    this.#active = undefined;
    if (call.closing && !this.#queue.length) this.close();
    this.#showNext();
  }

  onMessage(
    message: Extract<FromFrame, { type: 'height' | 'window' | 'front' | 'close' }>,
    from: FrameLink,
  ): void {
    const isOurs = from === this.#link;
    switch (message.type) {
      case 'height':
        return from.surface.resize?.(message.height);
      case 'window':
        if (isOurs && this.#active?.id === message.id && from.surface.kind === 'iframe')
          this.#moveToWindow('window');
        return;
      case 'front':
        this.#isInFront ||= isOurs;
        return;
      case 'close':
        if (!isOurs) return;
        // With a call open, this was sent before the frame saw that call.
        if (this.#active) from.send({ type: 'stay' });
        else this.close();
    }
  }

  close(): void {
    const link = this.#link;
    this.#link = undefined;
    if (link) this.#markWindow(null);
    link?.close();
    this.#calls.forgetSettled();
  }

  abortActive(): void {
    if (this.#active && !this.#active.approved) this.#link?.send({ type: 'abort', id: this.#active.id });
  }

  #showNext(): void {
    if (this.#active || this.#calls.isClosed || !(this.#active = this.#queue.shift())) return;
    // The user closed the window a moment ago.
    if (this.#link?.surface.alive() === false) this.close();
    if (!this.#link) return this.#show(this.opensWindow() ? 'popup' : 'iframe');
    this.#raise(this.#link, this.#active, this.#deliver(this.#link, this.#active));
  }

  #show(kind: 'iframe' | 'popup'): void {
    const { url, theme, popup } = this.#options;
    const title = titleOf(this.#active!.action);
    const onClose = () => this.#onUserClosed();
    const surface =
      kind === 'iframe' ? iframe({ url: url.href, title, theme: themeOf(theme), onClose }) : popup();
    if (surface) this.#connect(surface);
    else this.#onBlocked('popup');
  }

  /**
   * Brings the wallet to the front. Some browsers leave an open window behind the page: the user then has to
   * press again.
   */
  #raise(link: FrameLink, call: Call, delivery: Promise<void>): void {
    this.#isInFront = false;
    link.surface.present(titleOf(call.action));
    if (link.surface.kind === 'iframe') return;
    const isShown = () => link === this.#link && call === this.#active;
    const look = () => {
      if (this.#isInFront || !isShown()) return;
      call.options.onBlocked?.({
        reason: 'behind',
        open: () => isShown() && this.#raise(link, call, delivery),
        cancel: () => this.#withdraw(call),
      });
    };
    void delivery.then(() => this.#options.clock.after(FRONT_MS, look));
  }

  /** `onEnd`: it is a window that has sent `ready` already. */
  #connect(surface: Surface, onEnd?: (link: FrameLink) => void): FrameLink {
    const events: LinkEvents = {
      onSlow: (isKnown) => {
        if (surface.slow) surface.slow(() => this.#active && this.#moveToWindow('popup'));
        else if (!isKnown) void this.#frames.report('silent');
      },
      onConnected: (link) => {
        if (surface.kind === 'popup') this.#markWindow('1');
        for (const call of this.#active ? [this.#active, ...this.#queue] : []) void this.#deliver(link, call);
      },
      onEnd: (how, link) => {
        onEnd?.(link);
        this.#onEnd(how);
      },
    };
    return (this.#link = this.#frames.open(surface, 'approve', events, !!onEnd));
  }

  #onEnd(how: LinkEnd): void {
    this.#markWindow(null);
    this.#link = undefined;
    this.#calls.forgetSettled();
    const call = this.#active;
    if (!call) return;
    if (how === 'closed') call.settle(call.closedError());
    else if (how === 'gone') call.settle(call.goneError());
    else this.#onBlocked(how);
  }

  #onBlocked(reason: BlockReason): void {
    const call = this.#active!;
    this.#frames.blocksIframes ||= reason === 'csp';
    const report = this.#frames.report(reason);
    const { onBlocked } = call.options;
    if (!onBlocked || isFinal(reason)) return void report.then((error) => call.settle(error));
    onBlocked({
      reason,
      open: () => this.#active === call && !this.#link && this.#show('popup'),
      cancel: () => call.settle(new UserRejectedError()),
    });
  }

  /** A click in the frame is a gesture of this page too, so a window may open now. */
  #moveToWindow(otherwise: 'popup' | 'window'): void {
    const surface = this.#options.popup();
    this.close();
    if (surface) this.#connect(surface);
    else this.#onBlocked(otherwise);
  }

  /** Close, Escape. */
  #onUserClosed(): void {
    if (this.#active) this.#withdraw(this.#active, true);
    else this.close();
  }

  /**
   * Withdraws a call. The frame decides while it is reachable, so that `user.rejected` means that nothing was
   * signed.
   */
  #withdraw(call: Call, close = !this.#queue.length): void {
    if (call.settled) return;
    const link = call === this.#active || call.sent ? this.#link : undefined;
    // Whether another one waits is decided when it settles: those that wait now may be withdrawn, too.
    call.closing = true;
    call.withdrawn = true;
    link?.send({ type: 'abort', id: call.id });
    if (!link?.connected || call.approved) return call.settle(call.closedError());
    if (close) link.surface.hide();
    this.#options.clock.after(ABORT_MS, () => call.settle(call.closedError()));
  }

  /** The wallet gets a request only once its id is durable, and in order, because it lists those waiting. */
  #deliver(link: FrameLink, call: Call): Promise<void> {
    return (this.#lastDelivery = this.#lastDelivery.then(async () => {
      await call.stored;
      if (link !== this.#link || !link.connected || call.settled || call.withdrawn) return;
      this.#sendUnlinked(link);
      call.sendTo(link);
    }));
  }

  /**
   * Sends the list again, which keeps entries until the vault knows of them. `init` has it too, but a window
   * stays open between requests.
   */
  #sendUnlinked(link: FrameLink): void {
    const { record } = this.#options;
    for (const walletId of record.read().unlinked)
      this.#frames.ask(link, 'unlink', { walletId }).then(
        () => record.change((it) => (it.unlinked = it.unlinked.filter((id) => id !== walletId))),
        () => {},
      );
  }

  #markWindow(mark: string | null): void {
    windowMark(this.#options.url.origin, mark);
  }
}

/** A window would not help either. */
function isFinal(reason: BlockReason): reason is 'coop' | Absence {
  return ['coop', 'down', 'missing', 'unreadable'].includes(reason);
}
