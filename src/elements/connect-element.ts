/** What all elements share: finding their connect, the life of a request, its events, and a view that is loaded on demand. */
import { ContextConsumer, createContext } from '@lit/context';
import {
  adoptStyles,
  css,
  type CSSResultOrNative,
  html,
  LitElement,
  nothing,
  type PropertyDeclarations,
  type PropertyValues,
  type ReactiveController,
  type TemplateResult,
} from 'lit';
import { defaultConnect, setDefaultConnect } from '../actions/default-connect.ts';
import type { CallOptions, Connect } from '../actions/types.ts';
import type { Wallet } from '../api/wallet.ts';
import { type ConnectError, FrameUnreachableError, UserRejectedError } from '../base/errors.ts';
import { msg } from '../base/localize.ts';
import { warn } from '../base/warn.ts';
import type { SecretType } from '../chains/secret-type.ts';
import type { AskedFor, Pending } from '../channel/messages.ts';
import {
  ConnectCancelEvent,
  ConnectErrorEvent,
  ConnectProgressEvent,
  ConnectRequestEvent,
  ConnectResultEvent,
  type ElementAction,
  type ElementActions,
} from './events.ts';
import { askAgain, follow, leave, speakIn } from './language.ts';

/**
 * What a trigger needs before anything else is loaded; every byte of it is in `connect.js`. The roles repeat `ui/tokens.ts`, which is
 * loaded with the first view and gives them the same values.
 */
const triggerStyles = css`:host{display:block;--_accent:var(--cb-color-accent,light-dark(#2351b0,#8fb3f7));--_on-accent:var(--cb-color-on-accent,light-dark(#fff,#0b1730));--_text:var(--cb-color-text,light-dark(#14181f,#eef1f5));font:400 var(--cb-font-size,15px)/1.45 var(--cb-font,system-ui,sans-serif);color:var(--_text)}
:host([theme=light]){color-scheme:light}
:host([theme=dark]){color-scheme:dark}
:host([hidden]),[hidden]{display:none!important}
.line{display:flex;flex-wrap:wrap;align-items:center;gap:8px}
.btn{display:inline-flex;align-items:center;justify-content:center;gap:8px;min-block-size:var(--cb-button-height,44px);margin:0;padding:0 var(--cb-button-padding,16px);border:1px solid var(--cb-color-border-strong,light-dark(#808999,#717b8c));border-radius:calc(var(--cb-radius,12px)*.75);background:none;color:inherit;font:inherit;font-weight:var(--cb-button-weight,560);line-height:1.2;cursor:pointer}
.grow{flex:1 1 120px}
.lg{min-block-size:var(--cb-button-height,48px)}
.primary{border-color:transparent;background:var(--_accent);color:var(--_on-accent)}
.primary:hover{background:color-mix(in oklab,var(--_accent) 88%,var(--_text))}
:focus-visible{outline:2px solid var(--cb-color-focus,var(--_accent));outline-offset:2px}
.i{inline-size:20px;block-size:20px;flex:none;fill:none;stroke:currentColor;stroke-width:1.75;stroke-linecap:round;stroke-linejoin:round}
@media (forced-colors:active){.btn.primary:not(:disabled,[aria-disabled=true]){forced-color-adjust:none;border-color:ButtonText;background:ButtonText;color:ButtonFace}}`;

/** By which `<connect-provider>` gives its connect to the elements inside it. */
export const connectContext = createContext<Connect>(Symbol.for('carabiner.connect'));

export type Blocked = Parameters<NonNullable<CallOptions['onBlocked']>>[0];

/** Where the element's latest request stands. */
export type Status =
  | { kind: 'idle' | 'waiting' }
  /** `closed`: the user did not reject, but closed the wallet's window. */
  | { kind: 'rejected'; closed?: boolean }
  | ({ kind: 'blocked' } & Blocked)
  | { kind: 'done'; result: unknown }
  | { kind: 'failed'; action: ElementAction; error: ConnectError }
  /** Approved, but the answer never came: `resume` asks the wallet for it. */
  | { kind: 'lost'; action: ElementAction; requestId: string };

/** The button's label, icon (a spinner while busy), look, and whether it is busy. */
export type Face = [label: unknown, mark: TemplateResult | undefined, look: string, busy?: boolean];

/** An element's view: a controller that fills the places around the trigger. */
export interface View extends ReactiveController {
  face?(): Face | undefined;
  /** Whether the view replaces the trigger. */
  hides?(): boolean;
  above?(): unknown;
  before?(): unknown;
  after?(): unknown;
  below?(): unknown;
  /** What gets the focus when the element does, or when what had it is gone. */
  focusTarget?(): HTMLElement | undefined;
}
export interface ViewClass {
  new (host: never): View;
  styles: CSSResultOrNative[];
}

export type Call<T> = (connect: Connect, options: CallOptions) => Promise<T>;

export const ignore = (): void => {};

/** The storage key of what a page sent and is still unconfirmed: a list, see `sent-lines.ts`. The number is the format's version. */
export const SENT_ITEM = 'carabiner:sent:1';

/** Ids of outstanding answers that this page has received, whether or not the wallet has already forgotten them. */
const reportedIds = new Set<string>();

/** Ids of answers that were fired at `document`, and that nobody took there. */
const firedIds = new Set<string>();

/**
 * @attr {string} locale - BCP 47 tag; the page's language when absent. The last one set applies to all elements of the page.
 * @attr {'auto'|'light'|'dark'} theme - Follows the page's `color-scheme` when absent.
 * @attr {boolean} defer-hydration - Set while nobody listens, on a server or in a hidden tree: until it is removed, presses do nothing, outstanding answers wait, and events are fired at `document`.
 * @cssproperty --cb-color-accent - Background of the filled button, checked controls and selection. Set it with `--cb-color-on-accent`, at a contrast of 4.5:1.
 * @cssproperty --cb-color-on-accent - Text on the accent.
 * @cssproperty --cb-color-accent-text - Text buttons and links; the accent when absent.
 * @cssproperty --cb-color-focus - Focus ring; the accent when absent.
 * @cssproperty --cb-color-surface - Background of cards and lists.
 * @cssproperty --cb-color-surface-2 - Background of insets in cards.
 * @cssproperty --cb-color-surface-3 - Background of pressed and disabled controls.
 * @cssproperty --cb-color-text - Text.
 * @cssproperty --cb-color-text-2 - Secondary text.
 * @cssproperty --cb-color-text-3 - Tertiary text.
 * @cssproperty --cb-color-border - Hairlines.
 * @cssproperty --cb-color-border-strong - Edges of controls.
 * @cssproperty --cb-color-success - Text and icons of success.
 * @cssproperty --cb-color-caution - Text and icons of cautions.
 * @cssproperty --cb-color-danger - Text and icons of dangers and errors.
 * @cssproperty --cb-color-badge - Color of chain and token badges; each chain's own when absent.
 * @cssproperty --cb-color-star - The star of the primary wallet; the color of cautions when absent.
 * @cssproperty --cb-color-backdrop - What covers the page behind a dialog.
 * @cssproperty --cb-button-height - Least height of buttons that are not small; 44px, or 48px for those that lead on, when absent.
 * @cssproperty --cb-button-padding - Space at both ends of their labels; 16px when absent.
 * @cssproperty --cb-button-weight - Their font weight; 560 when absent.
 * @cssproperty --cb-radius - Base of all corner radii; 12px when absent.
 * @cssproperty --cb-space - Base of all gaps; 4px when absent.
 * @cssproperty --cb-font-size - Base of all font sizes; 15px when absent.
 * @cssproperty --cb-font - Font family.
 * @cssproperty --cb-font-mono - Font family of addresses and hashes.
 * @cssproperty --cb-shadow - Shadow of cards.
 * @cssproperty --cb-duration - Length of transitions; 180ms when absent.
 * @cssproperty --cb-duration-fast - Length of short ones; 120ms when absent.
 */
export abstract class ConnectElement extends LitElement {
  static override properties: PropertyDeclarations = {
    connect: { attribute: false },
    theme: { reflect: true },
    locale: {},
    deferHydration: { type: Boolean, attribute: 'defer-hydration' },
    status: { state: true },
    linked: { state: true },
    broken: { state: true },
    view: { state: true },
  };
  static override styles: CSSResultOrNative = triggerStyles;

  /** @internal Gives the elements of an earlier copy the connect of a script tag that was loaded later. */
  static takeDefault(connect: Connect, frame: string): void {
    setDefaultConnect(() => connect, frame);
    askAgain();
  }

  /** Overrides `<connect-provider>` and the page's default. */
  declare connect: Connect | undefined;
  declare theme: 'auto' | 'light' | 'dark' | undefined;
  /** BCP 47 tag; the page's language when absent. The last one set applies to all elements of the page. */
  declare locale: string | undefined;
  /** @internal */
  declare deferHydration: boolean;
  /** @internal */
  declare status: Status;
  /** @internal All wallets that the page sees; undefined until its record has been read. */
  declare linked: Wallet[] | undefined;
  /** @internal */
  declare view: View | undefined;
  /** @internal Not even the code that explains a failure could be loaded. */
  declare broken: boolean;

  readonly #provided = new ContextConsumer(this, { context: connectContext, subscribe: true });
  #viewing: Promise<View> | undefined;
  #open = false;
  #running: Promise<unknown> | undefined;
  /** The connect that the current request was made with, even if the element has moved since. */
  #asked: Connect | undefined;
  #abort: AbortController | undefined;
  #attached: Connect | undefined;
  #detach: (() => void) | undefined;
  /** The user is likely to press soon. */
  #near = false;
  #preloaded: SecretType | null | undefined = null;

  constructor() {
    super();
    this.status = { kind: 'idle' };
    for (const type of ['pointerover', 'focusin']) this.addEventListener(type, this.#approach);
  }

  protected abstract loadView(): Promise<ViewClass>;
  /** What pressing the trigger does. */
  protected abstract press(): Promise<unknown>;
  /** The trigger at rest. */
  protected abstract face(): Face;
  /** Whether the view is needed to show these wallets. */
  protected shows?(wallets: Wallet[]): unknown;
  /** What is shown until then, if it is more than the trigger. A visitor who never interacts loads nothing else. */
  protected loadRest?(): Promise<ViewClass>;
  /** The chain of the next request, once known: its payload schemas are loaded when a pointer or the focus reaches the element. */
  protected payloadChain?(): SecretType | undefined;

  /** @internal Tells the element what a request of an earlier load of the page asked for. */
  asked?(requestId: string, asked: AskedFor): void;

  /** @internal The connect in use. Throws if the page has configured none. */
  get current(): Connect {
    return this.connect ?? this.#provided.value ?? defaultConnect();
  }

  override connectedCallback(): void {
    super.connectedCallback();
    follow(this);
    this.requestUpdate();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    leave(this);
    this.#leaveConnect();
  }

  #leaveConnect(): void {
    this.#detach?.();
    this.#attached = undefined;
  }

  /** @internal Its listeners would not hear it: the page has removed it, or hidden it and cleaned them up. */
  get isAway(): boolean {
    return !this.isConnected || this.deferHydration;
  }

  protected override updated(changed: PropertyValues): void {
    if (!this.isConnected) return;
    if (changed.has('locale')) speakIn(this.locale ?? null);
    if (this.deferHydration) return this.#leaveConnect();
    let connect: Connect;
    try {
      connect = this.current;
    } catch {
      return; // the first request reports it
    }
    const chain = this.payloadChain?.();
    if (this.#near && chain !== this.#preloaded) connect.preload((this.#preloaded = chain)).catch(ignore);
    if (connect === this.#attached) return;
    this.#attached = connect;
    this.#detach?.();
    const onWallets = (wallets: Wallet[]) => {
      if (connect !== this.#attached) return;
      this.linked = wallets;
      if (this.shows?.(wallets)) this.showView().catch(ignore);
      else if (!this.view) this.loadRest?.().then((rest) => this.#viewing || this.#draw(rest), ignore);
    };
    const recover = async (...answers: Pending[]) => {
      if (answers[0]) (await import('./recover.ts')).recover(this, answers, reportedIds, firedIds);
    };
    const onPending = (pending: Pending): boolean => {
      recover(pending).catch(ignore);
      // It counts as taken once an element has reported it.
      return false;
    };
    const undo = [connect.onWallets(onWallets), connect.onPending(onPending)];
    this.#detach = () => undo.forEach((each) => each());
    connect.wallets().then(onWallets, ignore);
    connect
      .pending(() => false)
      .then((answers) => recover(...answers))
      .catch(ignore);
  }

  /** A pointer or the focus is on the element: loads what a press would need. */
  readonly #approach = (): void => {
    if (this.#near) return;
    this.#near = true;
    this.loadView().catch(ignore);
    this.requestUpdate();
  };

  #draw(view: ViewClass): View {
    this.broken = false;
    if (this.view) this.removeController(this.view);
    adoptStyles(this.renderRoot as ShadowRoot, [triggerStyles, ...view.styles]);
    this.view = new view(this as never);
    this.addController(this.view);
    return this.view;
  }

  /** @internal Loads the view once. */
  showView(): Promise<View> {
    return (this.#viewing ??= this.loadView().then(
      (view) => this.#draw(view),
      (error) => {
        this.#viewing = undefined;
        this.broken = true;
        throw error;
      },
    ));
  }

  /** Loads the view for an action that cannot do without it; reports a failure as that action's. */
  protected async opened(action: ElementAction): Promise<View> {
    try {
      return await this.showView();
    } catch (cause) {
      const error = new FrameUnreachableError('The wallet could not be loaded. Try again.', { cause });
      this.fail(action, error);
      throw error;
    }
  }

  /** @internal One request at a time: while one is open, another call gets the same promise. */
  start<T>(action: ElementAction, request: unknown, call: Call<T>): Promise<T> {
    if (!this.#open) this.#running = this.#run(action, request, call);
    return this.#running as Promise<T>;
  }

  async #run<T>(action: ElementAction, request: unknown, call: Call<T>): Promise<T> {
    this.#open = true;
    let id: string | undefined;
    try {
      if (
        !this.dispatchEvent(
          new ConnectRequestEvent(action, request as ElementActions[ElementAction]['request']),
        )
      )
        throw new UserRejectedError('The page cancelled the request.');
      this.#abort = new AbortController();
      this.status = { kind: 'waiting' };
      this.showView().catch(ignore);
      // Nothing is awaited before this call: a popup opens only inside the user's click.
      const result = await call((this.#asked = this.current), {
        signal: this.#abort.signal,
        isTaken: (requestId) => {
          id = requestId;
          return !this.isAway;
        },
        onProgress: ({ stage, requestId, transactionHash }) => {
          if (this.status.kind === 'blocked') this.status = { kind: 'waiting' };
          this.#tell(new ConnectProgressEvent(action, stage, requestId, transactionHash));
        },
        onBlocked: (blocked) => {
          this.status = { kind: 'blocked', ...blocked };
        },
      });
      this.#open = false;
      this.succeed(action, result, id);
      return result;
    } catch (error) {
      this.#open = false;
      this.fail(action, error as ConnectError, id);
      throw error;
    }
  }

  /** If the element is away, for example because the route has changed, the event is fired at `document`. */
  #tell(event: Event): boolean {
    return (this.isAway ? document : this).dispatchEvent(event);
  }

  /** If the element is away, a listener takes the answer by `preventDefault()`. */
  #answer(event: Event & { requestId?: string | undefined }): void {
    const { requestId } = event;
    const { isAway } = this;
    const unclaimed = this.#tell(event);
    if (!isAway || !requestId) return;
    (unclaimed ? firedIds : reportedIds).add(requestId);
    if (!unclaimed) this.#asked?.pending((each) => each.requestId === requestId).catch(ignore);
  }

  /** @internal */
  succeed(action: ElementAction, result: unknown, requestId?: string): void {
    this.status = { kind: 'done', result };
    this.#answer(
      new ConnectResultEvent(action, result as ElementActions[ElementAction]['result'], requestId),
    );
  }

  /** @internal */
  fail(action: ElementAction, error: ConnectError, requestId?: string): void {
    const rejected = error.code === 'user.rejected';
    const closed = error.details?.['reason'] === 'closed';
    this.status = rejected ? { kind: 'rejected', closed } : { kind: 'failed', action, error };
    // Only the page's developer can fix these.
    if (error.code === 'frame.blocked') warn(error);
    if (error.code === 'request.invalid')
      import('./mistakes.ts').then(
        ({ warnOfFields }) => warnOfFields(this, action, error),
        () => warn(error),
      );
    if (rejected) this.#tell(new ConnectCancelEvent(action));
    else this.#answer(new ConnectErrorEvent(action, error, requestId));
  }

  /** The wallet gives the focus back to the element if what had it is gone by then. */
  override focus(options?: FocusOptions): void {
    const target = this.view
      ? this.view.focusTarget?.()
      : this.renderRoot.querySelector<HTMLElement>('button');
    target?.focus(options);
  }

  /** @internal The user pressed Cancel. */
  cancel(): void {
    this.#abort?.abort();
  }

  /** @internal The outcome is reported by events. */
  onPress(): void {
    if (!this.deferHydration) this.press().catch(ignore);
  }

  /** @internal */
  button(label: unknown, mark: unknown, look: string, busy?: boolean): TemplateResult {
    return html`<button
      part="button button-${look.startsWith('p') ? 'primary' : 'quiet'}"
      type="button"
      class="btn ${look}"
      aria-disabled=${busy || nothing}
      @click=${this.onPress}
    >${mark}<span>${label}</span></button>`;
  }

  protected trigger(): TemplateResult {
    return this.button(...(this.view?.face?.() ?? this.face()));
  }

  /** The trigger stays the same node in every state, so that whatever opens over the page can give the focus back to it. */
  protected override render(): unknown {
    const { view } = this;
    return html`${view?.above?.()}<div
      class="line"
      ?hidden=${view?.hides?.()}
    >${view?.before?.()}${this.trigger()}${view?.after?.()}</div>${view?.below?.()}${this.broken && this.status.kind === 'failed' ? html`<p role="alert" part="panel">${msg('The wallet could not be loaded. Try again.')}</p>` : nothing}`;
  }
}

/** Defines the elements whose names are free: a page may load two copies, or have another element of that name. */
export function register(
  elements: Record<string, CustomElementConstructor>,
  registry: Pick<CustomElementRegistry, 'get' | 'define'> = customElements,
): void {
  for (const [name, element] of Object.entries(elements)) {
    const other = registry.get(name);
    if (!other) registry.define(name, element);
    else if (other !== element)
      void import('./mistakes.ts').then(({ warnOfName }) => warnOfName(name, other));
  }
}

// Lit's development build only: a connect that is found during an update may report its wallets immediately.
if (typeof __WARNS__ === 'undefined') ConnectElement.disableWarning?.('change-in-update');

declare const __WARNS__: boolean | undefined;
