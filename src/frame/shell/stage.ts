/** The visible part of the frame: one view at a time, and a guard before every consent. */
import { nothing } from 'lit';
import type { HostLink } from '../../channel/link.ts';
import type { FlowStage, Frame } from '../frame.ts';
import { ConsentView, PinConsentView } from '../ui/consent-view.ts';
import type { BareView, LeaveEvents } from '../ui/bare-view.ts';
import { type OpenOptions, Screen } from '../ui/screen.ts';
import type { GuardKind } from './guard-view.ts';
import { GRACE, type Guard } from './guard.ts';
import { holding, type Shell } from './shell.ts';

/** For how long, in milliseconds, what was on screen may still be what the user acts on. */
const WARY = 60_000;

/** The frame as the parts of the shell know it. */
export interface ShellFrame extends Frame {
  readonly stage: Stage;
}

/** An approval that is shown before the flows have loaded. */
export interface Opening {
  view: BareView;
  requestId: string;
  /** The user has left it after the flows had got its request. */
  rejected: AbortController;
  /** The flows take over: from now on they handle Reject and Close. */
  stop(): void;
}

export class Stage implements FlowStage {
  /** Opens Settings over the current view. Set by `dispatch.ts`. */
  onSettings!: (screen: Screen) => void;
  /** Takes the wallet's turn for what the user begins here. Set by `dispatch.ts`. */
  asks!: FlowStage['asks'];
  /** Set by `dispatch.ts`. */
  lends!: FlowStage['lends'];
  /** No request is left. Set by `own-window.ts` if the window stays open for the next. */
  onIdle = (): void => this.link.close();
  /** The user chose to close the window, by the header's Close or "Close window", instead of waiting for the site's next request. */
  left = false;
  /** The user has seen the notice that this request replaced another one: no PIN field focuses itself. */
  calm = false;
  /** No PIN is accepted until the guard was clear once since the view came up. */
  fresh = false;
  /** The site whose next request the window waits for, and the way back there. Set by `own-window.ts`. */
  session: { site: string; since: number; back(): void } | undefined;
  #current: Screen | undefined;
  #guardView: GuardKind | undefined;
  #warnedAt = -Infinity;
  readonly #watched = new WeakSet<PinConsentView>();
  #covering: (() => void) | undefined;

  constructor(
    readonly shell: Shell,
    readonly guard: Guard,
    readonly link: HostLink,
    /** What was shown before there was a stage, until the first view. */
    public opening?: Opening,
  ) {
    shell.addEventListener('cbf-settings', () => {
      const screen = this.#current;
      if (!screen || (screen.view instanceof ConsentView && screen.view.busy)) return;
      this.onSettings(screen);
    });
    // Close works even if no view awaits it, such as between two views.
    shell.addEventListener('cbf-close', () => {
      this.left = true;
      if (!this.#current?.waits && !this.opening) link.close();
    });
    guard.onChange = () => this.#onGuard();
    guard.onResize = () => this.#fit();
    // What was typed until now was meant for what was in front.
    addEventListener('focus', () => {
      const { view } = this.#current ?? {};
      if (guard.state === 'waiting' && view instanceof PinConsentView) view.fresh = this.fresh = true;
    });
  }

  set theme(theme: 'auto' | 'light' | 'dark') {
    this.shell.theme = theme === 'auto' ? undefined : theme;
  }

  /** The title of the current view. */
  get title(): string {
    return this.titleElement?.textContent?.replace(/\s+/g, ' ').trim() ?? '';
  }

  get titleElement(): HTMLElement | null | undefined {
    return this.#current?.view.renderRoot?.querySelector('h1');
  }

  /** Something stands here that must not be passed by a digit meant for what was here before: a danger, a notice. */
  warn(): void {
    this.#warnedAt = this.guard.clock.now();
  }

  /** Within a minute of that, only somebody who chooses the PIN field types into it. */
  get isWary(): boolean {
    return this.calm || this.guard.clock.now() - this.#warnedAt < WARY;
  }

  /** What is on screen. */
  get screen(): Screen | undefined {
    return this.#current;
  }

  open<V extends BareView>(view: V, options: OpenOptions): Screen<V> {
    const screen = new Screen(this.shell, view, options);
    this.show(screen);
    return screen;
  }

  /** Shows a screen, or shows it again. */
  show(screen: Screen): void {
    // The request was withdrawn while its view loaded: another one has taken its place.
    if (screen.options.signal.aborted) return;
    this.#current = screen;
    this.left = false;
    this.#draw();
    if (screen.view instanceof PinConsentView) {
      this.#watchRisk(screen.view);
      screen.view.takesFocus = !this.isWary;
    }
    if (!(screen.view instanceof ConsentView)) return;
    screen.view.armed = false;
    screen.view.allows = (event, ready) => this.#current === screen && this.guard.allows(event, ready);
    this.guard.watch(this.shell);
    this.#onGuard();
  }

  take<V extends BareView>(type: new () => V): V | undefined {
    const view = this.opening?.view;
    return view instanceof type ? view : undefined;
  }

  clear(): void {
    this.#current = undefined;
    this.#draw();
  }

  #draw(): void {
    this.opening?.stop();
    this.opening = undefined;
    this.#covering?.();
    this.#covering = undefined;
    this.#guardView = undefined;
    const { view, options } = this.#current ?? {};
    this.shell.own = options?.own ?? false;
    this.shell.settings = options?.settings ?? false;
    this.shell.view = view ? holding(view) : nothing;
    if (view instanceof PinConsentView) view.fresh = this.fresh = true;
    this.#fit();
  }

  /** A danger may be redrawn away, as by "Limit to". */
  #watchRisk(view: PinConsentView): void {
    if (this.#watched.has(view)) return;
    this.#watched.add(view);
    let wasRisky = false;
    const look = (): void => {
      if (wasRisky || view.risky) this.warn();
      wasRisky = view.risky;
    };
    view.addController({ hostUpdated: look, hostDisconnected: look });
  }

  /** A window too small for everything at once approves in two steps, which begin again when its size changes. */
  #fit(): void {
    const { view } = this.#current ?? {};
    if (view instanceof PinConsentView) view.phase = this.guard.isCramped ? 'look' : undefined;
  }

  #onGuard(): void {
    const screen = this.#current;
    if (!(screen?.view instanceof ConsentView)) return;
    const { state } = this.guard;
    if (state === 'clear' || state === 'waiting') {
      this.#covering?.();
      this.#covering = undefined;
      // A cover may come back at once, so this waits for `clear`; an approval that now fits is shown immediately.
      if (this.#guardView && (state === 'clear' || this.#guardView === 'small')) this.#draw();
    } else if (this.#guardView !== kindOf(state)) {
      this.#covering?.();
      // Host dialogs fade in and pages scroll: only a lasting state is reported.
      this.#covering = this.guard.clock.after(
        state === 'covered' ? GRACE : 0,
        () => void this.#showGuard(screen),
      );
    }
    screen.view.armed = state === 'clear';
    if (!screen.view.armed) return;
    this.fresh = false;
    if (screen.view instanceof PinConsentView) screen.view.fresh = false;
  }

  async #showGuard(screen: Screen): Promise<void> {
    const [{ guardView }, { enlarge }] = await Promise.all([
      import('./guard-view.ts'),
      import('./own-window.ts'),
    ]);
    const { state } = this.guard;
    if (this.#current !== screen || state === 'clear' || state === 'waiting') return;
    this.#guardView = kindOf(state);
    const view = guardView(this.#guardView, this.link.surface === 'popup', screen.view);
    view.addEventListener('cbf-window', () => this.link.openWindow(screen.options.requestId));
    view.addEventListener('cbf-resize', () => enlarge(window));
    view.addEventListener('cbf-reject', () =>
      screen.view.dispatchEvent(new CustomEvent('cbf-reject' satisfies keyof LeaveEvents)),
    );
    // A phone is turned back, and what was typed is still there.
    this.shell.view = state === 'small' ? holding(screen.view, view) : holding(view);
  }
}

function kindOf(state: 'covered' | 'small' | 'unsupported'): GuardKind {
  return state === 'unsupported' ? 'window' : state;
}
