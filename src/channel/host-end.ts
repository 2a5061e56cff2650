/** The page's end of the wire: all open requests, one approval at a time, and their outcome if the frame goes away. */
import {
  ConnectError,
  FrameBlockedError,
  FrameUnreachableError,
  fromWire,
  UserRejectedError,
} from '../base/errors.ts';
import { canonical } from '../base/canonical.ts';
import type { Clock } from '../base/clock.ts';
import { language } from '../base/localize.ts';
import { askedFor, type AskedRequests, type HostRecord } from './host-record.ts';
import { tooMany, WAITING } from './bounds.ts';
import { type Call, type CallOptions, closedError, goneError, newId, taken, titleOf } from './host-call.ts';
import { FrameLink, type LinkEnd } from './frame-link.ts';
import type { Absence, BlockReason } from './blocked.ts';
import type { FromFrame, ParamsOf, Pending, Replaced, Results } from './messages.ts';
import { openRecovery } from './recovery.ts';
import type { Action } from '../base/actions.ts';
import { warn } from '../base/warn.ts';
import { windowMark, windowSurface } from './popup.ts';
import { hidden, iframe, type Surface } from './surface.ts';

export interface HostEndSettings {
  clock: Clock;
  /** The wallet's page. */
  url: URL;
  theme?: 'auto' | 'light' | 'dark' | undefined;
  locale?: string | undefined;
  record: HostRecord;
  asked: AskedRequests;
  /** Where an approval opens. Called at each opening, inside the user's gesture. */
  surface: () => 'iframe' | 'popup';
  /** Opens a window; null when the browser blocks it. */
  popup: () => Surface | null;
  /** Whether a hidden iframe of the wallet's own page would answer: its storage there is the wallet's, and this page may embed it. */
  reachesVault: () => Promise<boolean>;
  /** The function that supplies access tokens for the wallet service. Undefined if the page has none. */
  getAccessToken: () => ((hint: { expired: boolean }) => unknown) | undefined;
  /** An answer for an earlier load of this page. Returns whether somebody took it. */
  onOrphan: (pending: Pending) => boolean;
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
  destroy(): void;
}

/** A frame told to stop answers within one message round trip, unless it is gone. */
const ABORT_MS = 300;
const READ_MS = 30_000;

/** A window brought to the front says so within this time. */
const FRONT_MS = 300;

/** How long writing an id to the database may take. If IndexedDB hangs or fails, there is only `localStorage`. */
const KEPT_MS = 3000;

/** Their answers are kept across a reload: something was signed. */
const KEPT: readonly Action[] = ['transfer', 'execute', 'executeAll', 'sign'];

export function openHostEnd(settings: HostEndSettings): HostEnd {
  const { clock, url, record } = settings;
  const frameOrigin = url.origin;
  /** Open calls, and answered ones whose confirmation may still come. */
  const calls = new Map<string, Call>();
  const queue: Call[] = [];
  let active: Call | undefined;
  let approvals: FrameLink | undefined;
  /** Hidden frames: the public page for reads, and the wallet's own. */
  const reads: { nodes?: FrameLink | undefined; vault?: FrameLink | undefined } = {};
  let destroyed = false;
  /** Whether the window has reported being in front since the last request was sent to it. */
  let front = false;
  let sent = Promise.resolve();
  /** Whether the page's own CSP blocks iframes, which cannot change before a reload. */
  let noIframe = false;

  const recovery = openRecovery({
    clock,
    frameOrigin,
    record,
    asked: settings.asked,
    expectsWindow: windowMark(frameOrigin) !== null,
    // A window left by an earlier load of this page also serves this one.
    connect: (win, onEnd) =>
      approvals
        ? link(
            windowSurface(win),
            'approve',
            { onConnected() {}, onEnd: (_how, ended) => onEnd(ended) },
            true,
          )
        : use(windowSurface(win), onEnd),
    ask: (to, requestIds) => ask(to, 'pending', { requestIds }),
    reachesVault: async () => !noIframe && settings.reachesVault(),
    askHidden: (requestIds) => host.readOwn('pending', { requestIds }),
    isOpen: (id) => calls.get(id)?.settled === false,
    onArrived: settings.onOrphan,
    frames: () => [reads.vault, approvals],
  });

  function begin(action: Action, params: unknown, options: CallOptions, via?: FrameLink): [Call, boolean] {
    const id = options.requestId ?? newId();
    const body = canonical([action, params]);
    const known = calls.get(id);
    if (known && !known.settled) {
      if (known.body === body) return [known, false];
      throw new ConnectError('request.conflict', 'This requestId is in use for another request.', {
        requestId: id,
      });
    }
    if (destroyed) throw new FrameUnreachableError('This connect was destroyed. Make a new one.');
    if (options.signal?.aborted) throw new UserRejectedError('The request was aborted before it began.');
    if (!via && queue.length + (active ? 1 : 0) >= WAITING) throw tooMany();
    const call = {
      id,
      action,
      params,
      body,
      via,
      options,
      withdrawn: false,
      settled: false,
      closing: false,
    } as Call;
    call.promise = new Promise((resolve, reject) => Object.assign(call, { resolve, reject }));
    calls.set(id, call);
    options.signal?.addEventListener('abort', () => withdraw(call), { once: true });
    return [call, true];
  }

  /** `taken`: somebody in the page has the answer. */
  function settle(call: Call, error: ConnectError | undefined, result?: unknown, taken = true): void {
    if (call.settled) return;
    call.settled = true;
    if (error) call.reject(error);
    else call.resolve(result);
    if (call.via) calls.delete(call.id);
    // `pending` looks for what may have been signed without an answer.
    else if (taken && error?.code !== 'frame.unreachable' && isKept(call)) recovery.forget(call.id);
    if (queue.includes(call)) queue.splice(queue.indexOf(call), 1);
    if (call !== active) return;
    active = undefined;
    if (call.closing && !queue.length) closeApprovals();
    pump();
  }

  /** The wallet gets a request only once its id is durable, and in order, because it lists those waiting. */
  function deliver(link: FrameLink, call: Call): Promise<void> {
    return (sent = sent.then(async () => {
      await call.kept;
      if (link !== approvals || !link.connected || call.settled || call.withdrawn) return;
      tellUnlinked(link);
      send(link, call);
    }));
  }

  function send(link: FrameLink, call: Call): void {
    const { id, action, params } = call;
    call.sent = true;
    link.send({ type: 'request', id, action, params });
  }

  // Approvals: one at a time, on one surface.

  function pump(): void {
    if (active || destroyed || !(active = queue.shift())) return;
    // The user closed the window a moment ago.
    if (approvals?.surface.alive() === false) closeApprovals();
    if (!approvals) return show(noIframe ? 'popup' : settings.surface());
    raise(approvals, active, deliver(approvals, active));
  }

  /**
   * Brings the wallet to the front. Some browsers leave an open window behind the page: the user then has to
   * press again.
   */
  function raise(link: FrameLink, call: Call, delivered: Promise<void>): void {
    front = false;
    link.surface.present(titleOf(call.action));
    if (link.surface.kind === 'iframe') return;
    const look = () => {
      if (front || link !== approvals || call !== active) return;
      call.options.onBlocked?.({
        reason: 'behind',
        open: () => link === approvals && call === active && raise(link, call, delivered),
        cancel: () => withdraw(call),
      });
    };
    void delivered.then(() => clock.after(FRONT_MS, look));
  }

  function show(kind: 'iframe' | 'popup'): void {
    const { theme } = settings;
    const title = titleOf(active!.action);
    const surface =
      kind === 'iframe' ? iframe({ url: url.href, title, theme, onClose: userClosed }) : settings.popup();
    if (surface) use(surface);
    else blocked('popup');
  }

  function use(surface: Surface, onEnded?: (ended: FrameLink) => void): FrameLink {
    const events: Events = {
      onSlow(isKnown) {
        if (surface.slow) surface.slow(() => active && moveToWindow('popup'));
        else if (!isKnown) void tell('silent');
      },
      onConnected(to) {
        if (surface.kind === 'popup') windowMark(frameOrigin, '1');
        for (const call of active ? [active, ...queue] : []) void deliver(to, call);
      },
      onEnd(how, ended) {
        onEnded?.(ended);
        windowMark(frameOrigin, null);
        approvals = undefined;
        forgetSettled();
        if (!active) return;
        if (how === 'closed') settle(active, closedError(active));
        else if (how === 'gone') settle(active, goneError(active));
        else blocked(how);
      },
    };
    return (approvals = link(surface, 'approve', events, !!onEnded));
  }

  /** Logs the reason even if the user finds a way around it: otherwise the developer would never know. */
  async function tell(reason: BlockReason): Promise<FrameBlockedError> {
    const base = new URL('..', url).href;
    const error = await import('./blocked.ts').then(
      ({ blockedError }) => blockedError(reason, base),
      // Not even the texts could be loaded.
      () => new FrameBlockedError(`Nothing answers at ${base}.`, 'silent'),
    );
    warn(error);
    return error;
  }

  function blocked(reason: BlockReason): void {
    const call = active!;
    noIframe ||= reason === 'csp';
    const told = tell(reason);
    const { onBlocked } = call.options;
    if (!onBlocked || isFinal(reason)) return void told.then((error) => settle(call, error));
    onBlocked({
      reason,
      open: () => active === call && !approvals && show('popup'),
      cancel: () => settle(call, new UserRejectedError()),
    });
  }

  /** Close, Escape. */
  function userClosed(): void {
    if (active) withdraw(active, true);
    else closeApprovals();
  }

  /**
   * Withdraws a call. The frame decides while it is reachable, so that `user.rejected` means that nothing was
   * signed.
   */
  function withdraw(call: Call, close = !queue.length): void {
    if (call.settled) return;
    const asked = call.via ?? (call === active || call.sent ? approvals : undefined);
    call.closing = close;
    call.withdrawn = true;
    asked?.send({ type: 'abort', id: call.id });
    if (!asked?.connected || call.via || taken(call)) return settle(call, closedError(call));
    if (close) asked.surface.hide();
    clock.after(ABORT_MS, () => settle(call, closedError(call)));
  }

  function closeApprovals(): void {
    const link = approvals;
    approvals = undefined;
    if (link) windowMark(frameOrigin, null);
    link?.close();
    forgetSettled();
  }

  function forgetSettled(): void {
    for (const [id, call] of calls) if (call.settled) calls.delete(id);
  }

  // Messages.

  function link(surface: Surface, mode: 'approve' | 'read', events: Events, ready = false): FrameLink {
    const unlinked = mode === 'approve' ? record.read().unlinked : [];
    // Only a hint: the wallet takes it if it is one of the browser's. A page may have written anything there.
    const locale = (settings.locale ?? language ?? document.documentElement.lang).slice(0, 35);
    const tokens = settings.getAccessToken() !== undefined;
    return new FrameLink({
      clock,
      surface,
      frameOrigin,
      mode,
      locale,
      tokens,
      unlinked,
      ready,
      // If not even this loads, neither does the wallet.
      look: () =>
        import('./blocked.ts').then(
          ({ lookForFrame }) => lookForFrame(url),
          () => 'down',
        ),
      onMessage,
      ...events,
    });
  }

  function onMessage(message: FromFrame, from: FrameLink): void {
    switch (message.type) {
      case 'progress': {
        const call = calls.get(message.id);
        if (!call) return;
        call.stage = message.stage;
        const { id, stage, transactionHash } = message;
        return call.options.onProgress?.({ requestId: id, stage, transactionHash });
      }
      case 'result':
      case 'error':
        return onAnswer(message, from);
      case 'wallets':
        return record.setWallets(
          message.wallets,
          message.networks,
          message.browserOnly && settings.getAccessToken() !== undefined,
        );
      case 'replaced':
        return message.replaced.forEach(settings.onReplaced);
      case 'token':
        return void giveToken(message, from);
      case 'height':
        return from.surface.resize?.(message.height);
      case 'window':
        if (active?.id !== message.id || from !== approvals || from.surface.kind !== 'iframe') return;
        return moveToWindow('window');
      case 'front':
        front ||= from === approvals;
        return;
      case 'close':
        if (from !== approvals) return;
        // With a call open, this was sent before the frame saw that call.
        if (active) from.send({ type: 'stay' });
        else closeApprovals();
    }
  }

  /** Always answers the frame, whatever the page's function does. */
  async function giveToken({ id, expired }: { id: string; expired: boolean }, to: FrameLink): Promise<void> {
    let token: unknown;
    try {
      token = await settings.getAccessToken()?.({ expired });
    } catch {
      // The request ends with `token.expired`.
    }
    to.send(typeof token === 'string' ? { type: 'token', id, token } : { type: 'token', id });
  }

  function onAnswer(message: Extract<FromFrame, { type: 'result' | 'error' }>, from: FrameLink): void {
    const { id } = message;
    const call = calls.get(id);
    const error = message.type === 'error' ? fromWire(message.error) : undefined;
    if (!call && recovery.take(message)) return;
    if (call?.via) return settle(call, error, message.type === 'result' ? message.result : undefined);
    // If there is nothing to recover, nobody needs to take the answer.
    const nobody =
      !!call &&
      isKept(call) &&
      !/^(request|user)\./.test(error?.code ?? '') &&
      call.options.isTaken?.(id) === false;
    if (nobody) recovery.hold(message, call.action);
    else from.send({ type: 'ack', id });
    if (!call) return;
    // A window closes itself, or stays for the next request. In a dialog, these leave nothing to look at; the
    // frame shows any other failure, and closes itself.
    if (from.surface.kind === 'popup') call.closing = false;
    else if (error && /^(request|user)\./.test(error.code)) call.closing = true;
    settle(call, error, message.type === 'result' ? message.result : undefined, !nobody);
  }

  /** A click in the frame is a gesture of this page too, so a window may open now. */
  function moveToWindow(otherwise: 'popup' | 'window'): void {
    const surface = settings.popup();
    closeApprovals();
    if (surface) use(surface);
    else blocked(otherwise);
  }

  /**
   * Sends the list again, which keeps entries until the vault knows of them. `init` has it too, but a window
   * stays open between requests.
   */
  function tellUnlinked(to: FrameLink): void {
    for (const walletId of record.read().unlinked)
      ask(to, 'unlink', { walletId }).then(
        () => record.change((it) => (it.unlinked = it.unlinked.filter((id) => id !== walletId))),
        () => {},
      );
  }

  // Reads.

  function ask<A extends Action>(
    to: FrameLink,
    action: A,
    params: ParamsOf<A>,
    options: CallOptions = {},
  ): Promise<Results[A]> {
    const [call, fresh] = begin(action, params, options, to);
    if (fresh) {
      const late = new FrameUnreachableError('The wallet did not answer in time.', { requestId: call.id });
      clock.after(READ_MS, () => settle(call, late), 'limit');
      if (to.connected) send(to, call);
    }
    return call.promise as Promise<Results[A]>;
  }

  function hiddenLink(kind: keyof typeof reads): FrameLink {
    if (destroyed) throw new FrameUnreachableError('This connect was destroyed. Make a new one.');
    const page = kind === 'vault' ? url : new URL('../read/', url);
    return (reads[kind] ??= link(hidden(page.href), 'read', {
      onConnected(to) {
        for (const call of calls.values()) if (call.via === to) send(to, call);
      },
      onEnd(how, from) {
        reads[kind] = undefined;
        noIframe ||= how === 'csp';
        for (const call of calls.values())
          if (call.via === from) {
            if (how === 'gone' || how === 'closed') settle(call, goneError(call));
            else void tell(how).then((error) => settle(call, error));
          }
      },
    }));
  }

  function keep(call: Call): void {
    const { id, action } = call;
    const undelivered = { action, at: clock.date(), asked: askedFor(action, call.params) };
    record.change((it) => (it.undelivered[id] = undelivered));
    const late = new Promise<void>((resolve) => clock.after(KEPT_MS, () => resolve(), 'limit'));
    call.kept = Promise.race([settings.asked.keep(id, undelivered).catch(() => {}), late]);
  }

  const host: HostEnd = {
    approve<A extends Action>(action: A, params: ParamsOf<A>, options: CallOptions = {}) {
      const [call, fresh] = begin(action, params, options);
      if (fresh) {
        if (isKept(call)) keep(call);
        queue.push(call);
        if (active && approvals) void deliver(approvals, call);
        pump();
      }
      return call.promise as Promise<Results[A]>;
    },
    read: (action, params, options) => ask(hiddenLink('nodes'), action, params, options),
    readOwn: (action, params, options) => ask(hiddenLink('vault'), action, params, options),
    isOpen: () => !!approvals,
    opensWindow: () => noIframe || settings.surface() === 'popup',
    pending: recovery.pending,
    delivered: recovery.acknowledge,
    destroy() {
      destroyed = true;
      if (active && !taken(active)) approvals?.send({ type: 'abort', id: active.id });
      for (const call of calls.values())
        settle(call, taken(call) ? goneError(call) : new UserRejectedError('The page closed the wallet.'));
      closeApprovals();
      for (const kind of ['nodes', 'vault'] as const) {
        reads[kind]?.close();
        reads[kind] = undefined;
      }
      recovery.close();
    },
  };
  return host;
}

/** A window would not help either. */
function isFinal(reason: BlockReason): reason is 'coop' | Absence {
  return ['coop', 'down', 'missing', 'unreadable'].includes(reason);
}

function isKept({ action }: Call): boolean {
  return KEPT.includes(action);
}

interface Events {
  onSlow?: (isKnown: boolean) => void;
  onConnected: (link: FrameLink) => void;
  onEnd: (how: LinkEnd, link: FrameLink) => void;
}
