/** The wallet's own window: its size, whether it is on screen, and that it stays open between requests. Loaded in windows only. */
import { isAsk } from '../../base/actions.ts';
import type { Clock } from '../../base/clock.ts';
import { UserRejectedError } from '../../base/errors.ts';
import type { HostRequest } from '../../channel/link.ts';
import { siteName } from './origin.ts';
import type { View } from './room.ts';
import type { Deed } from './session-view.ts';
import type { Shell } from './shell.ts';
import type { ShellFrame } from './stage.ts';

/** Moving a window fires no event, so its position is polled. */
const POSITION_MS = 1000;

export function watchWindow(shell: Shell, clock: Clock): void {
  if (opensTooSmall(window)) enlarge(window);
  const look = () => (shell.outside = isOutside(window));
  look();
  clock.every(POSITION_MS, look);
}

/** Frames of maximised windows extend beyond the screen by this much. */
const FRAME_EDGE = 16;

/** Whether part of the window is off screen. With several screens only the current one is known, so the answer is false. */
export function isOutside(view: View): boolean {
  const { screen, screenX, screenY, outerWidth, outerHeight } = view;
  const {
    availLeft = 0,
    availTop = 0,
    isExtended,
  } = screen as Screen & {
    availLeft?: number;
    availTop?: number;
    isExtended?: boolean;
  };
  if (isExtended) return false;
  return (
    screenX < availLeft - FRAME_EDGE ||
    screenY < availTop - FRAME_EDGE ||
    screenX + outerWidth > availLeft + screen.availWidth + FRAME_EDGE ||
    screenY + outerHeight > availTop + screen.availHeight + FRAME_EDGE
  );
}

/** A smaller window is enlarged once, when it opens. */
const POPUP_LEAST = { width: 360, height: 560 };
const POPUP = { width: 420, height: 720 };

/** Enlarges the wallet's own window to its intended size. Browsers allow this in windows that a page opened. */
export function enlarge(view: View): void {
  view.resizeTo(
    Math.max(view.outerWidth, POPUP.width + view.outerWidth - view.innerWidth),
    Math.max(view.outerHeight, POPUP.height + view.outerHeight - view.innerHeight),
  );
}

export function opensTooSmall({
  innerWidth,
  innerHeight,
}: Pick<View, 'innerWidth' | 'innerHeight'>): boolean {
  return innerWidth < POPUP_LEAST.width || innerHeight < POPUP_LEAST.height;
}

// Keeps the window open after it was used: between requests it shows which site it is waiting for, and when that site is gone. No key is
// kept between requests.

/** How long a page may take to reload. */
const GONE_MS = 10_000;
/** Titles change without an event. */
const TITLE_MS = 100;

/** The part of the window that a session uses. */
export interface SessionWindow {
  readonly document: Pick<Document, 'title' | 'hasFocus'>;
  readonly opener: Pick<Window, 'focus'> | null;
  addEventListener(type: 'focus', listener: () => void): void;
}

/** Call once the link's requests are being served. */
export function keepOpen(frame: ShellFrame, page: SessionWindow = window): void {
  new Session(frame, page);
}

class Session {
  readonly #frame: ShellFrame;
  readonly #page: SessionWindow;
  readonly #site: string;
  readonly #since: number;
  /** Unanswered requests, by id. */
  readonly #open = new Set<string>();
  #deeds: readonly Deed[] = [];
  /** Something was done here, even if its description is not ready yet. */
  #used = false;
  #gone = false;
  #stopWaiting = (): void => {};
  /** Ends what is shown between requests. */
  #resting: AbortController | undefined;
  #onDeed: () => void = () => {};

  constructor(frame: ShellFrame, page: SessionWindow) {
    this.#frame = frame;
    this.#page = page;
    const { link, stage, clock } = frame;
    this.#site = siteName(link.origin);
    this.#since = clock.date();
    const serve = link.onRequest;
    link.onRequest = (request) => serve(isAsk(request.action) ? this.#begin(request) : request);
    link.onGone = () => {
      this.#stopWaiting();
      this.#stopWaiting = clock.after(GONE_MS, () => this.#onGone(), 'limit');
    };
    link.onBack = () => {
      this.#stopWaiting();
      if (!this.#gone) return;
      this.#gone = false;
      if (this.#rests) void this.#rest();
    };
    stage.onIdle = () => void this.#rest();
    stage.session = { site: this.#site, since: this.#since, back: () => page.opener?.focus() };
    page.addEventListener('focus', () => link.front());
    clock.every(TITLE_MS, () => this.#look());
  }

  get #rests(): boolean {
    return this.#resting?.signal.aborted === false;
  }

  #begin(request: HostRequest): HostRequest {
    const { id, signal } = request;
    this.#open.add(id);
    this.#resting?.abort(new UserRejectedError());
    if (this.#page.document.hasFocus()) this.#frame.link.front();
    const end = (): void => void this.#open.delete(id);
    signal.addEventListener('abort', end);
    return {
      ...request,
      resolve: (result) => {
        end();
        request.resolve(result);
        void this.#note(request, result);
      },
      reject: (error) => {
        end();
        request.reject(error);
      },
    };
  }

  /** Adds what was done to the list. */
  async #note({ action, params }: HostRequest, result: unknown): Promise<void> {
    if (action === 'manageWallets' || (Array.isArray(result) && !result.length)) return;
    this.#used = true;
    const at = this.#frame.clock.date();
    const { deedText } = await import('./session-words.ts');
    const text = await deedText(this.#frame, action, params, result);
    this.#deeds = [...this.#deeds, { text, at }];
    this.#onDeed();
  }

  /** No request is open, nor any view of one. */
  async #rest(): Promise<void> {
    const { link, stage } = this.#frame;
    this.#resting?.abort(new UserRejectedError());
    if (!this.#gone && (!this.#used || stage.left)) return link.close();
    const resting = new AbortController();
    this.#resting = resting;
    try {
      const { WaitingView, GoneView } = await import('./session-view.ts');
      const options = { signal: resting.signal, requestId: '' };
      if (this.#gone) {
        const view = Object.assign(new GoneView(), { site: this.#site });
        await stage.open(view, options).next('cbf-close');
        return link.close();
      }
      const view = Object.assign(new WaitingView(), { site: this.#site, since: this.#since });
      this.#onDeed = () => (view.deeds = this.#deeds);
      this.#onDeed();
      const screen = stage.open(view, { ...options, settings: true });
      while ((await screen.next('cbf-back', 'cbf-close')).type === 'cbf-back') stage.session?.back();
    } catch {
      // The next request takes the stage.
    }
    if (!resting.signal.aborted) link.close();
  }

  #onGone(): void {
    this.#gone = true;
    this.#frame.link.forsake();
    if (this.#rests) void this.#rest();
  }

  #look(): void {
    const { stage } = this.#frame;
    const root = stage.titleElement?.getRootNode() as ShadowRoot | undefined;
    // A request has arrived but is not drawn yet.
    if (!root || (this.#open.size && /^cbf-(waiting|gone)$/.test(root.host.localName))) return;
    const { document } = this.#page;
    const title = this.#open.size ? `(${this.#open.size}) ${stage.title}` : stage.title;
    if (title !== document.title) document.title = title;
  }
}
