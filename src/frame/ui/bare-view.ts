import {
  type CSSResultGroup,
  html,
  LitElement,
  nothing,
  type PropertyValues,
  type TemplateResult,
} from 'lit';
import { type Clock, systemClock } from '../../base/clock.ts';
import { msg, str } from '../../base/localize.ts';
import { icon, iconDanger } from '../../ui/icons.ts';
import type { Announcement } from '../../ui/status.ts';
import { baseStyles, layoutStyles } from '../../ui/styles.ts';

/** The header's content about the current view, which fires it as `cbf-subject`. */
export interface Subject {
  /** The network of a request, below the origin. */
  below?: unknown;
  /** Its position in a list of requests: `stepText`. */
  step?: unknown;
}

/** A request's position among several. */
export interface Step {
  index: number;
  of: number;
}

/** Events that every view fires for the shell. */
interface ShellEvents {
  /** Announced by the shell's live regions. */
  'cbf-announce': Announcement;
  'cbf-subject': Subject;
}

/** Events by which the user leaves a view. A view also lists its own among its events. */
export interface LeaveEvents {
  'cbf-reject': null;
  'cbf-back': null;
  'cbf-close': null;
  'cbf-done': null;
}

/** Fired on a view after Settings, opened over it, has been closed. */
export interface CoveredEvents {
  'cbf-settings-closed': null;
}

/** The arguments of `emit` after an event's name: none if its detail is null. */
type DetailOf<D> = [D] extends [null] ? [] : [detail: D];

/** The events of `E` without a detail. */
export type PlainEvent<E> = { [K in keyof E]: E[K] extends null ? K : never }[keyof E] & string;

export interface Layout {
  /** Scrolls. */
  body: unknown;
  /** Never scrolls: PIN, buttons. */
  foot?: unknown;
  /** Centres a short body. */
  mid?: boolean | undefined;
  /** No line above the footer. */
  plain?: boolean | undefined;
  /** The footer needs the space: the body shows only what must be seen. */
  folded?: boolean | undefined;
}

/**
 * Base of every view in the frame: a body that scrolls and a footer that does not, below the header that `<cbf-shell>` draws. Contains
 * only what the first view needs; all others extend `FrameView` (`view.ts`) or a consent (`consent-view.ts`).
 *
 * A subclass returns `this.layout({ body, foot })` from `render()` and has exactly one `h1`, from `head()` or with `tabindex="-1"`. When the
 * view opens, focus goes to the element marked `data-start`, otherwise to the `h1`; a view that changes its step in place calls
 * `this.enter()` again. Views get everything as properties and answer with events, so that they can be tested without a vault.
 *
 * `E` maps the names of those events to their details, null for none: `emit` and `Screen.next` accept no others.
 */
export abstract class BareView<E = object> extends LitElement {
  static override styles: CSSResultGroup = [baseStyles, layoutStyles];

  /** Type only, for `Screen.next`. */
  declare readonly events: E;

  /** For views that wait or count down. */
  clock: Clock = systemClock;

  /** Opens the ways to a new PIN over this view. Set after a wrong one. */
  forgotPin: (() => void) | undefined;

  /** The event that Esc fires. */
  protected readonly escape: keyof LeaveEvents | undefined;

  readonly #onKeydown = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape' || event.defaultPrevented || event.isComposing || !this.escape) return;
    event.preventDefault();
    (this as BareView<LeaveEvents>).emit(this.escape);
  };

  override connectedCallback(): void {
    super.connectedCallback();
    document.addEventListener('keydown', this.#onKeydown);
    // Shown again after a guard or Settings had replaced it.
    if (this.hasUpdated) void this.enter();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    document.removeEventListener('keydown', this.#onKeydown);
  }

  protected override firstUpdated(_changed: PropertyValues): void {
    void this.enter();
  }

  protected override updated(_changed: PropertyValues): void {
    // Safari does not make scrollable elements keyboard-focusable.
    const body = this.renderRoot.querySelector('.body');
    if (body && body.scrollHeight > body.clientHeight) body.setAttribute('tabindex', '0');
    else body?.removeAttribute('tabindex');
  }

  /** Whether the user has moved focus meanwhile, so that it must stay. */
  protected get keepsFocus(): boolean {
    return false;
  }

  /** Moves focus to the start of the view and announces its title. */
  protected async enter(): Promise<void> {
    await this.updateComplete;
    const title = this.renderRoot.querySelector('h1');
    const start = this.renderRoot.querySelector<HTMLElement>('[data-start]') ?? title;
    if (!this.keepsFocus) start?.focus({ preventScroll: true });
    if (title?.textContent && (start !== title || this.keepsFocus || !document.hasFocus()))
      this.announce(title.textContent.trim());
  }

  protected announce(text: string, assertive = false): void {
    this.emit('cbf-announce', { text, assertive });
  }

  protected emit<K extends keyof ShellEvents>(type: K, detail: ShellEvents[K]): void;
  protected emit<K extends keyof E & string>(type: K, ...detail: DetailOf<E[K]>): void;
  protected emit(type: string, detail?: unknown): void {
    this.dispatchEvent(new CustomEvent(type, { detail, bubbles: true, composed: true }));
  }

  protected layout({ body, foot, mid, plain, folded }: Layout): TemplateResult {
    return html`<div class="body ${mid ? 'mid' : ''} ${folded ? 'folded' : ''}">${body}</div>
      ${foot ? html`<footer class="foot ${plain ? 'plain' : ''}">${foot}</footer>` : nothing}`;
  }
}

declare global {
  interface HTMLElementEventMap {
    'cbf-subject': CustomEvent<Subject>;
  }
}

/** The error line under a field or PIN. Takes up space only if there is an error. */
/** `more`: what can be done about it. */
export function errorLine(
  text: string | undefined,
  id = 'error',
  more?: unknown,
): TemplateResult | typeof nothing {
  return text
    ? html`<p class="err" id=${id} role="alert">${icon(iconDanger(), 's')}<span>${text}</span>${more}</p>`
    : nothing;
}

const positionOf = ({ index, of }: Step): string => msg(str`${index + 1} of ${of}`);

export const stepText = (step: Step): TemplateResult =>
  html`<span class="sm muted">${positionOf(step)}</span>`;

/** With several waiting: opens their list. */
export const stepButton = (step: Step, open: () => void): TemplateResult =>
  html`<button
    type="button"
    class="btn quiet mini"
    aria-label=${msg(str`Request ${step.index + 1} of ${step.of}, show all`)}
    @click=${open}
  >${positionOf(step)}</button>`;
