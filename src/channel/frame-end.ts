/** The frame's end of the wire: who may talk to the wallet, and which messages are accepted. */
import {
  FrameBlockedError,
  RequestInvalidError,
  toWire,
  UserRejectedError,
  ConnectError,
} from '../base/errors.ts';
import type { Wallet } from '../api/wallet.ts';
import { canonical } from '../base/canonical.ts';
import { type Clock, systemClock } from '../base/clock.ts';
import { excess, READS, WAITING } from './bounds.ts';
import type { HostLink, HostRequest } from './link.ts';
import type { FromFrame, Replaced, Stage } from './messages.ts';
import { type Action, isAsk } from '../base/actions.ts';
import { AnyParams, FromHost, INIT, Init, PROTOCOLS, READY, RequestId } from './schema.ts';

/**
 * How often the frame sends `ready` until a page answers: a page that was just reloaded listens late, and its
 * user may be quick.
 */
const ANNOUNCE_MS = 200;
/** A window that is done waits this long for the page's next queued request before it closes itself. */
const LINGER_MS = 200;
/** A page may have to ask its own server for a token. */
const TOKEN_MS = 15_000;
/** A page that has not answered by then is gone or slow. */
const SILENT_MS = 10_000;

type Answer = Extract<FromFrame, { type: 'result' | 'error' }>;

interface RequestState {
  action: Action;
  body: string;
  abort: AbortController;
  /** Set from `signing` on: from there nothing can be cancelled. */
  signing: boolean;
  sent: boolean;
  answer?: Answer | undefined;
  acknowledged: boolean;
}

/**
 * Announces the frame to the page that opened it and waits for that page's `init`. Resolves once, with a link whose `origin` is what
 * the browser says it is. Rejects with `frame.blocked` when there is no page: the window was opened by hand, or the page's
 * Cross-Origin-Opener-Policy cut it off. `onSilent`: the page of a window has not answered for 10 s; it still may.
 */
export function connectHost(
  win: Window = window,
  clock: Clock = systemClock,
  onSilent: () => void = () => {},
): Promise<HostLink> {
  const surface = win.parent === win ? 'popup' : 'iframe';
  const host = surface === 'iframe' ? win.parent : (win.opener as Window | null);
  if (!host)
    return Promise.reject(new FrameBlockedError('This window has lost the page that opened it.', 'coop'));
  return new Promise((resolve) => {
    const stopSilence = surface === 'popup' ? clock.after(SILENT_MS, onSilent, 'limit') : () => {};
    const onConnected = (link: HostLink): void => {
      stopSilence();
      resolve(link);
    };
    new FrameEnd(win, host, surface, clock, onConnected);
  });
}

class FrameEnd implements HostLink {
  origin = '';
  mode: 'approve' | 'read' = 'read';
  locale: string | undefined;
  tokens = false;
  unlinked: readonly string[] = [];
  onAck: HostLink['onAck'] = () => {};
  onGone: HostLink['onGone'] = () => {};
  onBack: HostLink['onBack'] = () => {};

  sheet = false;
  #onSheet: HostLink['onSheet'] = () => {};

  #port: MessagePort | undefined;
  #states = new Map<string, RequestState>();
  #stopAnnouncing = (): void => {};
  #stopClosing = (): void => {};
  #onRequest: HostLink['onRequest'] | undefined;
  /** Open questions for a token, by id. */
  #tokens = new Map<string, (token: string | undefined) => void>();
  /** Requests that arrived before the flows were loaded. */
  #earlyRequests: HostRequest[] = [];

  constructor(
    readonly win: Window,
    readonly host: Window,
    readonly surface: 'iframe' | 'popup',
    readonly clock: Clock,
    readonly onConnected: (link: HostLink) => void,
  ) {
    win.addEventListener('message', (event) => this.#init(event));
    // A window is closed by the user. An iframe is removed by the page, which then knows by itself that it
    // got no answer.
    if (surface === 'popup') win.addEventListener('pagehide', () => this.#rejectOpen());
    this.#announce();
  }

  get onRequest(): HostLink['onRequest'] {
    return this.#onRequest ?? (() => {});
  }
  set onRequest(handler: HostLink['onRequest']) {
    this.#onRequest = handler;
    for (const request of this.#earlyRequests.splice(0)) handler(request);
  }

  get onSheet(): HostLink['onSheet'] {
    return this.#onSheet;
  }
  set onSheet(handler: HostLink['onSheet']) {
    this.#onSheet = handler;
    if (this.sheet) handler();
  }

  tellHeight(height: number): void {
    this.#post({ type: 'height', height: Math.ceil(height) });
  }

  sendWallets(wallets: Wallet[], networks?: Record<string, string>, browserOnly?: boolean): void {
    this.#post({ type: 'wallets', wallets, networks, browserOnly });
  }

  sendReplaced(replaced: Replaced[]): void {
    this.#post({ type: 'replaced', replaced });
  }

  accessToken(expired: boolean): Promise<string | undefined> {
    const id = crypto.randomUUID();
    return new Promise((resolve) => {
      this.#tokens.set(id, resolve);
      this.clock.after(TOKEN_MS, () => resolve(undefined), 'limit');
      this.#post({ type: 'token', id, expired });
    });
  }

  get undelivered(): boolean {
    return [...this.#states.values()].some(
      ({ signing, answer, acknowledged }) => !acknowledged && (signing || answer?.type === 'result'),
    );
  }

  front(): void {
    this.#post({ type: 'front' });
  }

  forsake(): void {
    this.#rejectOpen();
    if (!this.undelivered) this.#stopAnnouncing();
  }

  openWindow(id: string): void {
    this.#post({ type: 'window', id });
  }

  close(): void {
    this.#rejectOpen();
    this.#post({ type: 'close' });
    if (this.surface === 'iframe') return;
    this.#stopClosing();
    this.#stopClosing = this.clock.after(LINGER_MS, () => {
      if (![...this.#states.values()].some((state) => !state.answer)) this.win.close();
    });
  }

  /** `ready` contains nothing private, so it may go to whatever page is there. */
  #announce(): void {
    this.#stopAnnouncing();
    const say = () => this.host.postMessage({ type: READY, protocols: PROTOCOLS }, '*');
    this.#stopAnnouncing = this.clock.every(ANNOUNCE_MS, say);
    say();
  }

  #init(event: MessageEvent): void {
    if (event.source !== this.host || event.data?.type !== INIT || excess(event.data)) return;
    const init = Init.safeParse(event.data);
    const port = event.ports[0];
    const { protocol } = event.data as { protocol?: unknown };
    if (port && !this.#port && typeof protocol === 'number' && !PROTOCOLS.includes(protocol)) {
      this.#stopAnnouncing();
      return void import('./refusals.ts').then(({ refuseRelease }) => refuseRelease(port, protocol));
    }
    // A second page may only follow the first: of the same origin, and after the first one is gone. A sandboxed page without an
    // origin has no identity that a user could judge.
    if (
      !init.success ||
      !port ||
      event.ports.length > 1 ||
      this.#port ||
      event.origin === 'null' ||
      (this.origin && (event.origin !== this.origin || init.data.mode !== this.mode))
    ) {
      for (const each of event.ports) each.close();
      if (init.success && this.#isFree(event.origin)) this.win.location.reload();
      return;
    }
    this.#stopAnnouncing();
    const returning = this.origin !== '';
    this.origin = event.origin;
    this.mode = init.data.mode;
    this.locale = init.data.locale;
    this.tokens = !!init.data.tokens;
    this.unlinked = init.data.unlinked ?? [];
    this.#port = port;
    port.onmessage = ({ data }: MessageEvent) => this.#message(data);
    if (!returning) return this.onConnected(this);
    for (const { answer, acknowledged } of this.#states.values())
      if (answer && !acknowledged) this.#post(answer);
    this.onBack();
  }

  /**
   * Whether the window may go to a page of another origin in the same tab: the first page is gone, and nothing of it is open or
   * undelivered. It goes as a new document, so that nothing of the one site is left when it serves the other.
   */
  #isFree(origin: string): boolean {
    return (
      !this.#port &&
      !['', origin].includes(this.origin) &&
      origin !== 'null' &&
      !this.undelivered &&
      [...this.#states.values()].every(({ answer }) => answer)
    );
  }

  /** The page is unloading; in a window the wallet outlives it. */
  #gone(): void {
    this.#port?.close();
    this.#port = undefined;
    this.#announce();
    this.onGone();
  }

  #message(data: unknown): void {
    const id = RequestId.safeParse((data as { id?: unknown } | null)?.id);
    const refuse = (error: RequestInvalidError) => {
      if (id.success && !this.#states.has(id.data)) this.#refuse(id.data, error);
    };
    // Checked before the schemas, which traverse whatever they are given.
    const tooMuch = excess(data);
    if (tooMuch)
      return refuse(new RequestInvalidError([{ ...tooMuch, path: tooMuch.path.replace(/^params\.?/, '') }]));
    const message = FromHost.safeParse(data);
    if (!message.success)
      return void import('./refusals.ts').then((it) => refuse(it.malformed(message.error)));
    const state = 'id' in message.data ? this.#states.get(message.data.id) : undefined;
    switch (message.data.type) {
      case 'sheet':
        this.sheet = message.data.on;
        return this.onSheet();
      case 'theme':
        // Once: a page cannot make the wallet flicker.
        this.win.document.documentElement.style.colorScheme ||= message.data.theme;
        return;
      case 'token':
        return this.#tokens.get(message.data.id)?.(message.data.token);
      case 'request':
        return this.#request(message.data.id, message.data.action, message.data.params);
      case 'abort':
        if (state && !state.answer && !state.signing) {
          this.#reject(message.data.id, state, 'The page took the request back.');
        }
        return;
      case 'ack':
        if (state) state.acknowledged = true;
        return this.onAck(message.data.id);
      case 'stay':
        return this.#stopClosing();
      case 'bye':
        // An iframe lives and dies with its page, back/forward cache included.
        if (this.surface === 'popup') this.#gone();
    }
  }

  #request(id: string, action: Action, raw: unknown): void {
    // A hidden frame never serves requests that the user has to see.
    const needsUser = isAsk(action);
    const params = AnyParams.safeParse(raw);
    if (!params.success)
      return void import('./refusals.ts').then((it) => this.#refuse(id, it.malformed(params.error)));
    if (this.mode === 'read' && needsUser)
      return this.#refuse(
        id,
        new RequestInvalidError([{ path: 'action', message: 'needs a visible surface' }]),
      );
    const body = canonical([action, params.data]);
    const earlier = this.#states.get(id);
    if (earlier && earlier.body !== body)
      return this.#refuse(
        id,
        new ConnectError('request.conflict', 'This requestId is in use for another request.', {
          requestId: id,
        }),
      );
    if (earlier) {
      if (earlier.answer) this.#post(earlier.answer);
      return;
    }
    const open = [...this.#states.values()].filter(
      (state) => !state.answer && isAsk(state.action) === needsUser,
    );
    if (open.length >= (needsUser ? WAITING : READS))
      return void import('./refusals.ts').then((it) => this.#refuse(id, it.tooMany()));
    this.#serve(id, action, params.data, body);
  }

  #serve(id: string, action: Action, params: unknown, body: string): void {
    const state: RequestState = {
      action,
      body,
      abort: new AbortController(),
      signing: false,
      sent: false,
      acknowledged: false,
    };
    this.#states.set(id, state);
    const request: HostRequest = {
      id,
      action,
      params,
      signal: state.abort.signal,
      progress: (stage: Stage, transactionHash?: string) => {
        // Back from `signing` to `approval`: whoever holds the key refused. Anything already sent stays sent.
        state.sent ||= stage === 'broadcast';
        state.signing = state.sent || stage !== 'approval';
        this.#post({ type: 'progress', id, stage, transactionHash });
      },
      resolve: (result) => this.#settle(state, { type: 'result', id, result }),
      reject: (error) => this.#settle(state, { type: 'error', id, error: toWire(error) }),
    };
    if (this.#onRequest) this.#onRequest(request);
    else this.#earlyRequests.push(request);
  }

  #settle(state: RequestState, answer: Answer): void {
    if (state.answer) return;
    state.answer = answer;
    this.#post(answer);
    // Reads are repeated rather than remembered.
    if (!isAsk(state.action)) this.#states.delete(answer.id);
  }

  /** Nothing was signed for these, and nothing will be. */
  #rejectOpen(): void {
    for (const [id, state] of this.#states)
      if (!state.answer && !state.signing && isAsk(state.action))
        this.#reject(id, state, 'The wallet was closed before the request was approved.', {
          reason: 'closed',
        });
  }

  #reject(id: string, state: RequestState, why: string, details?: Record<string, unknown>): void {
    state.abort.abort();
    this.#settle(state, { type: 'error', id, error: toWire(new UserRejectedError(why, details)) });
  }

  #refuse(id: string, error: ConnectError): void {
    this.#post({ type: 'error', id, error: toWire(error) });
  }

  #post(message: FromFrame): void {
    this.#port?.postMessage(message);
  }
}
