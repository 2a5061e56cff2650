/** Views whose main button does something irreversible: it works only while the guard confirms that the user sees the view. */
import { html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { icon, iconPad, iconPasskey } from '../../ui/icons.ts';
import { property, query, state } from '../../ui/decorators.ts';
import { msg, str } from '../../base/localize.ts';
import './pin-row.ts';
import type { PinRow } from './pin-row.ts';
import { BareView, errorLine, type Layout, type LeaveEvents } from './bare-view.ts';

/** Touch only, without a mouse or pen. */
const isTouch = (): boolean => matchMedia('(pointer: coarse)').matches;

export abstract class ConsentView<E = object> extends BareView<E> {
  /** The view has been in plain sight for long enough. */
  @property({ attribute: false }) armed = false;
  /** The consent is being carried out: no button can be pressed again. */
  @property({ attribute: false }) busy = false;
  /** It can no longer be cancelled; until then the user may still leave. */
  @property({ attribute: false }) final = false;
  /**
   * Whether this event may consent, on a view that is `ready` for it. Call it first, with the browser's event: a refused one restarts the
   * dwell, so that presses in a row cannot hit what has just become ready.
   */
  allows: (event: Event, ready?: boolean) => boolean = () => false;
}

/** A line of the footer's summary. */
export interface Line {
  term: unknown;
  value?: unknown;
  /** States what could be lost: red. */
  risk?: boolean | undefined;
  /** Its exact content: when that changes, it has to be seen again. */
  what?: string | undefined;
}

/** The footer's summary: the effect in words, and its maximum cost. */
export type Lines = readonly [effect: Line, total: Line];

/** The only checkbox before the PIN, worded for the worst danger. */
export interface Tick {
  text: string;
  /** Identifies the dangers it covers: when they change, it has to be ticked again. */
  for: string;
  /** The number of those dangers. */
  of: number;
}

export interface Foot {
  /** Label of the main button. */
  action: string;
  /** Label and event of the button at the start edge. */
  leave: string;
  leaveEvent: keyof LeaveEvents;
  /** `now` is undefined until the lines are known; absent in a view without lines. */
  lines?: { now: Lines | undefined };
  /** There is something to approve with a PIN. */
  withPin?: boolean;
}

export interface MainButton {
  action: string;
  /** Why it cannot be pressed yet. */
  why: string | undefined;
  press(event: Event): void;
}

/** The checkbox, with the state that its view holds. */
export interface TickBox {
  ticked: boolean;
  disabled: boolean;
  /** The user ticked or unticked it. */
  change(ticked: boolean): void;
  /** Shows the first of several dangers. */
  showRisk(): void;
}

/** Draws the footer once there is something to approve (`foot-parts.ts`). */
export interface FootParts {
  sum(lines: Lines): TemplateResult;
  tickBox(tick: Tick, box: TickBox): TemplateResult;
  stepLayout(view: PinConsentView, layout: Layout): Layout;
  lookButton(view: PinConsentView): MainButton;
}

/** Which parts of a view are still unseen (`sight.ts`). */
export interface Sight {
  /** Call after each render. */
  update(view: PinConsentView<unknown>): void;
  /** Discards everything seen so far. */
  forget(): void;
  stop(): void;
  /** What is asked, as sentences. `brief`: without terms and risk. */
  words(brief?: boolean): string;
  /** What has to be seen first, as the button's text. Undefined once everything has been seen. */
  readonly missing: string | undefined;
  /** The first part out of view, and how to scroll there. */
  readonly next: { name: string; show(): void } | undefined;
  /** A button that scrolls there. */
  pill(): TemplateResult | typeof nothing;
}

export interface PinConsentEvents {
  /** Fired by a trusted event on a view in plain sight. Call `takePin()` at once. */
  'cbf-approve': null;
  /** With the passkey, likewise. */
  'cbf-passkey-approve': null;
}

/** A consent with summary, tick, PIN and Reject. The button itself says why it does not work yet. */
export abstract class PinConsentView<E = object> extends ConsentView<E & PinConsentEvents> {
  /** "Wrong PIN. 3 attempts left.", or why the PIN has to be typed again. */
  @property() pinError = '';
  /** A passkey opens the wallet, too: it is then the main button, and the PIN is behind "Use PIN". */
  @property({ attribute: false }) passkey = false;
  /** A PIN opens it. */
  @property({ attribute: false }) pin = true;
  /** Whether the PIN field may take focus at once, and keep it. Not if the request replaced another one. */
  takesFocus = true;
  /** It has not been in plain sight for long enough since it was shown: the PIN row takes no input yet. */
  @property({ attribute: false }) fresh = false;
  /** In a window too small for everything at once: first what is asked, to its end, then the PIN. */
  @property({ reflect: true }) phase: 'look' | 'pin' | undefined;

  @state() private ticked: string | undefined;
  @state() private complete = false;
  @state() private usesPin = false;
  /** Undefined until the user opens or closes the pad. */
  @state() private padWish: boolean | undefined;
  @query('cbf-pin-row') pinRow?: PinRow;
  /** What has to be seen of it, once that is drawn. */
  sight: Sight | undefined;
  #rowClick: Event | undefined;
  /** Whether all had been seen when the last press began, and nothing has changed since. */
  #isSteady = false;
  /** Digits of a row that is drawn elsewhere next. */
  #carried = '';

  /** Draws tick and summary; undefined until there are any. */
  protected abstract readonly parts: FootParts | undefined;
  /** What the user has to tick before the PIN. */
  protected abstract tick(): Tick | undefined;
  protected abstract readonly danger: boolean;

  /** Why nothing can be approved yet, regardless of tick and PIN: checks first, then unseen parts. */
  protected get missing(): string | undefined {
    return undefined;
  }

  /** There is a danger to read, or something to tick. */
  get risky(): boolean {
    return this.danger || !!this.tick();
  }

  /** There is a text to read, for which the pad would leave little room: the pad stays closed until it has been read. */
  protected get readsFirst(): boolean {
    return false;
  }

  /** Without a mouse it is open from the start: the system keyboard would cover what is being approved. */
  protected get padOpen(): boolean {
    if (this.#byPasskey) return false;
    const fits = isTouch() && !this.phase && this.#unlocked;
    return this.padWish ?? (fits && !(this.readsFirst && this.missing));
  }

  /** Shows the first of several dangers. */
  protected showRisk(): void {}

  // Fired by the row, and by the line into which cautions are folded.
  override connectedCallback(): void {
    super.connectedCallback();
    this.addEventListener('cbf-pad', this.#onPad);
    this.addEventListener('pointerdown', this.#onPress);
  }

  // When a guard or Settings replaces the view, the field clears what was typed.
  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.complete = false;
    this.#carried = '';
    this.sight?.stop();
    this.sight = undefined;
  }

  protected override update(changed: PropertyValues): void {
    if (changed.has('phase') && this.pinStarted) this.#carried = this.takePin();
    super.update(changed);
  }

  protected override updated(changed: PropertyValues): void {
    super.updated(changed);
    this.#isSteady &&= this.#isSeen;
    const row = this.pinRow;
    if (row && this.#carried) {
      const digits = this.#carried;
      this.#carried = '';
      void row.updateComplete.then(() => row.press(digits));
    }
    if (changed.get('busy') && !this.busy) {
      this.clearPin();
      this.announce('');
    }
    if (this.busy && (changed.has('busy') || changed.has('final'))) this.announce(this.#wait);
  }

  // What appears while the user types must not interrupt the digits, unless it is a danger to read first.
  protected override get keepsFocus(): boolean {
    const row = this.pinRow;
    return this.takesFocus && !this.danger && !!row && this.shadowRoot?.activeElement === row;
  }

  /** Whether any digits are typed. */
  get pinStarted(): boolean {
    return (this.pinRow?.value.length ?? 0) > 0;
  }

  /** Returns the PIN, which the field then lacks; its dots stay while the view is busy. */
  takePin(): string {
    this.complete = false;
    return this.pinRow?.take() ?? '';
  }

  clearPin(): void {
    this.#carried = '';
    this.pinRow?.clear();
    this.complete = false;
  }

  /** What is being approved has changed: clears tick and PIN, and shows `why`. */
  startOver(why: string): void {
    this.ticked = undefined;
    this.clearPin();
    this.pinError = why;
    this.sight?.forget();
  }

  /** Whether the main button approves with the passkey. */
  get #byPasskey(): boolean {
    return this.passkey && !(this.pin && (this.usesPin || this.pinStarted));
  }

  get #unlocked(): boolean {
    const tick = this.tick();
    return !tick || this.ticked === tick.for;
  }

  /** What is being done since the main button was pressed. */
  get #wait(): string {
    if (this.final) return this.doing;
    return this.#byPasskey ? msg('Waiting for your passkey…') : msg('Checking PIN…');
  }

  /** What is done once it can no longer be cancelled. */
  protected get doing(): string {
    return msg('Sending…');
  }

  /** The first thing that is missing, as the button's text. */
  get #reason(): string | undefined {
    if (this.unread) return this.unread;
    const isTyped = this.#byPasskey || this.complete;
    if (!isTyped && !this.fresh) return msg('Enter your PIN');
    return isTyped && this.armed ? undefined : msg('Just arrived');
  }

  /** What comes before the PIN. */
  get unread(): string | undefined {
    return this.missing ?? (this.#unlocked ? undefined : msg('Tick the box first'));
  }

  get #isSeen(): boolean {
    return this.armed && !this.unread;
  }

  readonly #onPress = (): void => {
    this.#isSteady = this.#isSeen;
  };

  /** Whether what is on screen now was there when the press began. A key is not held. */
  #isMeant(event: Event): boolean {
    return this.#isSeen && (this.#isSteady || !(event as PointerEvent).pointerType);
  }

  readonly #approve = (event: Event): void => {
    const isTyped = this.#byPasskey || this.pinRow?.complete;
    if (!this.allows(event, !this.busy && this.#isMeant(event) && isTyped)) return;
    this.busy = true;
    (this as PinConsentView).emit(this.#byPasskey ? 'cbf-passkey-approve' : 'cbf-approve');
  };

  // The row's own events are synthetic; consent needs the browser's key or click event.
  #onKeydown(event: KeyboardEvent): void {
    if (event.key === 'Enter' && event.composedPath()[0] instanceof HTMLInputElement) this.#approve(event);
  }

  readonly #onRowClick = {
    handleEvent: (event: Event): void => {
      this.#rowClick = event;
    },
    capture: true,
  };

  /** "Use passkey" next to the PIN. */
  #onPasskey(): void {
    const click = this.#rowClick;
    if (!click || !this.allows(click, !this.busy && this.#isMeant(click))) return;
    this.busy = true;
    (this as PinConsentView).emit('cbf-passkey-approve');
  }

  #tickBox(tick: Tick | undefined): TemplateResult | typeof nothing {
    if (!tick || !this.parts) return nothing;
    return this.parts.tickBox(tick, {
      ticked: this.ticked === tick.for,
      disabled: this.busy,
      change: (ticked) => (this.ticked = ticked ? tick.for : undefined),
      showRisk: () => this.showRisk(),
    });
  }

  #sum({ now }: { now: Lines | undefined }): TemplateResult {
    if (now && this.parts) return this.parts.sum(now);
    const bones = html`<span class="skel"></span><span class="skel long"></span>`;
    return html`<div class="sum" aria-hidden="true">
      <div>${bones}</div>
      <div class="total">${bones}</div>
    </div>`;
  }

  /** The parts of the footer, for `layout`. */
  protected foot(foot: Foot): unknown[] {
    const { lines, withPin = true } = foot;
    const terms = html`${lines ? this.#sum(lines) : nothing} ${withPin ? this.#tickBox(this.tick()) : nothing}`;
    return [terms, withPin ? this.#entry() : nothing, this.#actions(foot, withPin)];
  }

  protected override layout(layout: Layout): TemplateResult {
    const isInSteps = this.phase && this.parts && Array.isArray(layout.foot);
    return super.layout(isInSteps ? this.parts.stepLayout(this as PinConsentView, layout) : layout);
  }

  #entry(): TemplateResult | typeof nothing {
    if (this.#byPasskey) return errorLine(this.pinError);
    return html`<cbf-pin-row
      ?inert=${this.fresh}
      .error=${this.pinError}
      .forgot=${this.forgotPin}
      .open=${this.padOpen}
      ?disabled=${!this.#unlocked || this.busy}
      ?passkey=${this.passkey}
      @cbf-pin-input=${this.#onPin}
      @cbf-passkey=${this.#onPasskey}
      @keydown=${this.#onKeydown}
      @click=${this.#onRowClick}
    ></cbf-pin-row>`;
  }

  #actions({ action: approve, leave, leaveEvent }: Foot, withPin: boolean): TemplateResult {
    const look = this.phase === 'look' ? this.parts?.lookButton(this as PinConsentView) : undefined;
    const {
      action,
      why: reason,
      press,
    } = look ?? { action: approve, why: this.#reason, press: this.#approve };
    const passkey = withPin && this.#byPasskey && !look;
    const why = this.busy ? undefined : reason;
    const start = this.busy ? html`<span class="spin"></span>` : passkey ? icon(iconPasskey()) : nothing;
    const words = this.busy
      ? html`<span class="drawn" data-text=${this.#wait}></span>`
      : html`<span>${action}</span>`;
    const reasonLine = why ? html`<span class="sr" id="why">${why}</span>` : nothing;
    return html`${reasonLine}<div class="actions ${passkey && this.pin ? 'three' : ''}">
      <button
        type="button"
        class="btn secondary lg"
        ?disabled=${this.final}
        @click=${() => (this as PinConsentView<LeaveEvents>).emit(leaveEvent)}
      >${leave}</button>
      <button
        type="button"
        class="btn ${this.danger && !look ? 'danger' : 'primary'} lg ${why ? 'why' : ''}"
        aria-label=${passkey ? msg(str`${action} with passkey`) : action}
        aria-disabled=${why || this.busy ? 'true' : nothing}
        aria-describedby=${why ? 'why' : nothing}
        data-text=${why ?? nothing}
        @click=${press}
      ><span class="line">${start}${words}</span></button>
      ${
        passkey && this.pin
          ? html`<button
              type="button"
              class="btn icon boxed"
              aria-label=${msg('Use PIN')}
              ?disabled=${this.busy}
              @click=${this.#usePin}
            >
              ${icon(iconPad())}
            </button>`
          : nothing
      }
    </div>`;
  }

  #usePin(): void {
    this.usesPin = true;
    void this.updateComplete.then(() => this.pinRow?.focus());
  }

  protected rejectOrApprove(lines: Lines | undefined, withPin = true): unknown[] {
    return this.foot({
      action: msg('Approve'),
      leave: msg('Reject'),
      leaveEvent: 'cbf-reject',
      lines: { now: lines },
      withPin,
    });
  }

  #onPin({ detail }: HTMLElementEventMap['cbf-pin-input']): void {
    this.complete = detail.length >= 4;
    if (detail.length) this.pinError = '';
  }

  readonly #onPad = ({ detail }: HTMLElementEventMap['cbf-pad']): void => {
    this.padWish = detail.open;
  };
}
