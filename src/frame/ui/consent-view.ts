/** Views whose main button lets something be done that cannot be taken back: it works only while the guard says that the user sees it. */
import { html, nothing, type TemplateResult } from 'lit';
import { iconPad, iconPasskey } from '../../ui/base-icons.ts';
import { property, query, state } from '../../ui/decorators.ts';
import { icon } from '../../ui/icon.ts';
import { msg, str } from '../../ui/localize.ts';
import './pin-row.ts';
import type { PinRow } from './pin-row.ts';
import { errorLine, FrameView, type LeaveEvents } from './view.ts';

export abstract class ConsentView<E = object> extends FrameView<E> {
  /** The view was in plain sight for long enough. */
  @property({ attribute: false }) armed = false;
  /** The consent is being carried out: nothing can be pressed twice. */
  @property({ attribute: false }) busy = false;
  /** Whether this very event may consent. Ask it first, with the event that the browser sent. */
  allows: (event: Event) => boolean = () => false;
}

/** A line of the footer's summary. */
export interface Line {
  term: unknown;
  value?: unknown;
  /** Of what could be lost: red. */
  risk?: boolean | undefined;
  /** What it says, exactly: with something else it has to be seen anew. */
  what?: string | undefined;
}

/** What the footer sums up: the effect in words, and at most what it costs. */
export type Lines = readonly [effect: Line, total: Line];

/** The one box that is ticked before the PIN: for the worst danger, in its words. */
export interface Tick {
  text: string;
  /** All the dangers that it stands for. With another of them it has to be ticked anew. */
  for: string;
  /** How many those are. */
  of: number;
}

export interface Foot {
  /** Of the main button. */
  action: string;
  /** Name and event of the button at the start side. */
  leave: string;
  leaveEvent: keyof LeaveEvents;
  /** Undefined while they are not known; absent in a view that has none. */
  lines?: { now: Lines | undefined };
  /** There is something that a PIN can let happen. */
  withPin?: boolean;
}

export interface PinConsentEvents {
  /** By a trusted event on a view in plain sight. Take the PIN with `takePin()`, at once. */
  'cbf-approve': null;
  /** With the passkey, likewise. */
  'cbf-passkey-approve': null;
}

/** With summary, tick, PIN and Reject beside the button. What keeps the button from working stands in it. */
export abstract class PinConsentView<E = object> extends ConsentView<E & PinConsentEvents> {
  /** "Wrong PIN. 3 attempts left.", or why the PIN has to be typed again. */
  @property() pinError = '';
  /** A passkey opens the wallet too: then it is the main button, and the PIN is behind "Use PIN". */
  @property({ attribute: false }) passkey = false;
  /** A PIN opens it. */
  @property({ attribute: false }) pin = true;
  /** The PIN field may have the keyboard at once. Not where the user was surprised by what is asked. */
  takesFocus = true;

  @state() private ticked: string | undefined;
  @state() private complete = false;
  @state() private usesPin = false;
  @state() protected padOpen = false;
  @query('cbf-pin-row') protected pinRow?: PinRow;
  #rowClick: Event | undefined;

  /** What the user ticks before anything else. */
  protected abstract tick(): Tick | undefined;
  protected abstract readonly danger: boolean;

  /** Why nothing can be approved yet, whatever was ticked and typed: checks first, then what was not seen. */
  protected get missing(): string | undefined {
    return undefined;
  }

  /** Shows the first of several dangers. */
  protected showRisk(): void {}

  // Out of sight, for a guard or Settings, the field forgets what was typed.
  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.complete = false;
  }

  /** Digits are typed. */
  get pinStarted(): boolean {
    return (this.pinRow?.value.length ?? 0) > 0;
  }

  /** The PIN, which leaves the field with it. */
  takePin(): string {
    const pin = this.pinRow?.value ?? '';
    this.clearPin();
    return pin;
  }

  clearPin(): void {
    this.pinRow?.clear();
    this.complete = false;
  }

  /** What was approved of so far is something else now: tick and PIN are gone, and `why` says so. */
  startOver(why: string): void {
    this.ticked = undefined;
    this.clearPin();
    this.pinError = why;
  }

  /** The passkey is what approves. */
  get #byPasskey(): boolean {
    return this.passkey && !(this.pin && (this.usesPin || this.pinStarted));
  }

  get #unlocked(): boolean {
    const tick = this.tick();
    return !tick || this.ticked === tick.for;
  }

  /** The first thing that is missing, in the words of the button. */
  get #reason(): string | undefined {
    if (this.missing) return this.missing;
    if (!this.#unlocked) return msg('Tick the box first');
    if (!this.#byPasskey && !this.complete) return msg('Enter your PIN');
    return this.armed ? undefined : msg('Just arrived');
  }

  #approve(event: Event): void {
    if (this.busy || this.#reason || !this.allows(event)) return;
    if (!this.#byPasskey && !this.pinRow?.complete) return;
    this.busy = true;
    (this as PinConsentView).emit(this.#byPasskey ? 'cbf-passkey-approve' : 'cbf-approve');
  }

  // The row's own events are not the browser's: consent needs the key and the click themselves.
  #onKeydown(event: KeyboardEvent): void {
    if (event.key === 'Enter' && event.composedPath()[0] instanceof HTMLInputElement) this.#approve(event);
  }

  readonly #onRowClick = {
    handleEvent: (event: Event): void => {
      this.#rowClick = event;
    },
    capture: true,
  };

  /** "Use passkey" beside the PIN. */
  #onPasskey(): void {
    const click = this.#rowClick;
    if (this.busy || this.missing || !this.#unlocked || !this.armed || !click || !this.allows(click)) return;
    this.busy = true;
    (this as PinConsentView).emit('cbf-passkey-approve');
  }

  #tickBox(tick: Tick | undefined): TemplateResult | typeof nothing {
    if (!tick) return nothing;
    return html`<div class="tick">
      <input type="checkbox" class="check" id="tick" .checked=${this.ticked === tick.for} ?disabled=${this.busy}
        @change=${(event: Event) => (this.ticked = (event.target as HTMLInputElement).checked ? tick.for : undefined)} />
      <label for="tick">${tick.text}</label>
      ${
        tick.of > 1
          ? html`<button type="button" class="btn mini text drawn" aria-label=${msg(str`Show the first of ${tick.of} risks`)} data-text=${msg(str`1 of ${tick.of}`)}
              @click=${() => this.showRisk()}></button>`
          : nothing
      }
    </div>`;
  }

  #line({ term, value, risk }: Line, total: boolean): TemplateResult {
    return html`<div class="${total ? 'total' : ''} ${risk ? 'risk' : ''}"><dt>${term}</dt><dd>${value ?? nothing}</dd></div>`;
  }

  #sum({ now }: { now: Lines | undefined }): TemplateResult {
    if (now)
      return html`<dl class="sum" data-seen="total" data-what=${now.map(({ what }) => what).join()}>${this.#line(now[0], false)}${this.#line(now[1], true)}</dl>`;
    const bones = html`<span class="skel"></span><span class="skel long"></span>`;
    return html`<div class="sum" aria-hidden="true">
      <div>${bones}</div>
      <div class="total">${bones}</div>
    </div>`;
  }

  protected foot({ action, leave, leaveEvent, lines, withPin = true }: Foot): TemplateResult {
    return html`${lines ? this.#sum(lines) : nothing} ${withPin ? this.#tickBox(this.tick()) : nothing}
      ${withPin ? this.#entry() : nothing} ${this.#actions(action, leave, leaveEvent, withPin)}`;
  }

  #entry(): TemplateResult | typeof nothing {
    if (this.#byPasskey) return errorLine(this.pinError);
    return html`<cbf-pin-row .error=${this.pinError} ?disabled=${!this.#unlocked || this.busy} ?passkey=${this.passkey}
      @cbf-pin-input=${this.#onPin} @cbf-pad=${this.#onPad} @cbf-passkey=${this.#onPasskey}
      @keydown=${this.#onKeydown} @click=${this.#onRowClick}></cbf-pin-row>`;
  }

  #actions(action: string, leave: string, leaveEvent: keyof LeaveEvents, withPin: boolean): TemplateResult {
    const passkey = withPin && this.#byPasskey;
    const why = this.busy ? undefined : this.#reason;
    const start = this.busy ? html`<span class="spin"></span>` : passkey ? icon(iconPasskey()) : nothing;
    const words = this.busy
      ? html`<span class="word">${msg('Approving')}</span>`
      : html`<span>${action}</span>`;
    return html`${why ? html`<span class="sr" id="why">${why}</span>` : nothing}<div class="actions ${passkey && this.pin ? 'three' : ''}">
      <button type="button" class="btn secondary lg" ?disabled=${this.busy} @click=${() => (this as PinConsentView<LeaveEvents>).emit(leaveEvent)}>${leave}</button>
      <button type="button" class="btn ${this.danger ? 'danger' : 'primary'} lg ${why ? 'why' : ''}"
        aria-label=${passkey ? msg(str`${action} with passkey`) : action} aria-disabled=${why || this.busy ? 'true' : nothing}
        aria-describedby=${why ? 'why' : nothing} data-text=${why ?? nothing} @click=${this.#approve}><span class="line">${start}${words}</span></button>
      ${
        passkey && this.pin
          ? html`<button type="button" class="btn icon boxed" aria-label=${msg('Use PIN')} ?disabled=${this.busy} @click=${this.#usePin}>
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

  protected rejectOrApprove(lines: Lines | undefined, withPin = true): TemplateResult {
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

  #onPad({ detail }: HTMLElementEventMap['cbf-pad']): void {
    this.padOpen = detail.open;
  }
}
