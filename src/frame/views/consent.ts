/** Views whose main button lets something be done that cannot be taken back: it works only while the guard says that the user sees it. */
import { html, nothing, type TemplateResult } from 'lit';
import { property, query, state } from '../../ui/decorators.ts';
import { msg } from '../../ui/localize.ts';
import '../ui/pin-row.ts';
import type { PinRow } from '../ui/pin-row.ts';
import { FrameView } from '../ui/view.ts';

export abstract class ConsentView extends FrameView {
  /** The view was in plain sight for long enough. */
  @property({ attribute: false }) armed = false;
  /** The consent is being carried out: nothing can be pressed twice. */
  @property({ attribute: false }) busy = false;
  /** Whether this very event may consent. Ask it first, with the event that the browser sent. */
  allows: (event: Event) => boolean = () => false;
}

/**
 * With the PIN and Reject beside the button. Dangers are ticked before the PIN unlocks.
 *
 * @fires cbf-approve - By a trusted event on a view in plain sight. Take the PIN with `takePin()`, at once.
 * @fires cbf-passkey-approve - Use passkey, likewise.
 */
export abstract class PinConsentView extends ConsentView {
  /** "Wrong PIN. 3 attempts left.", or why the PIN has to be typed again. */
  @property() pinError = '';
  /** A passkey opens the wallet too. */
  @property({ attribute: false }) passkey = false;
  /** A PIN opens it. */
  @property({ attribute: false }) pin = true;

  @state() private ticked = new Set<string>();
  @state() private complete = false;
  @state() protected padOpen = false;
  @query('cbf-pin-row') protected pinRow?: PinRow;
  #rowClick: Event | undefined;

  /** What the user ticks before anything else, by its words. */
  protected abstract ticks(): string[];
  protected abstract readonly danger: boolean;
  /** Nothing to approve yet, or nothing that could be. */
  protected get blocked(): boolean {
    return false;
  }

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

  /** A tick is for what was read: it does not outlive its words. */
  protected keepTicks(): void {
    const wanted = this.ticks();
    if ([...this.ticked].some((text) => !wanted.includes(text)))
      this.ticked = new Set([...this.ticked].filter((text) => wanted.includes(text)));
  }

  get #unlocked(): boolean {
    return this.ticks().every((text) => this.ticked.has(text));
  }

  get #ready(): boolean {
    return !this.blocked && this.#unlocked && this.armed && !this.busy;
  }

  #approve(event: Event): void {
    if (!this.#ready || !this.pinRow?.complete || !this.allows(event)) return;
    this.busy = true;
    this.emit('cbf-approve');
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

  #onPasskey(): void {
    if (!this.#ready || !this.#rowClick || !this.allows(this.#rowClick)) return;
    this.busy = true;
    this.emit('cbf-passkey-approve');
  }

  protected tickBoxes(): TemplateResult[] {
    return this.ticks().map(
      (text) => html`<label class="tick">
        <input type="checkbox" class="check" .checked=${this.ticked.has(text)} ?disabled=${this.busy}
          @change=${(event: Event) => this.#tick(text, (event.target as HTMLInputElement).checked)} />
        <span>${text}</span>
      </label>`,
    );
  }

  #tick(text: string, on: boolean): void {
    const next = new Set(this.ticked);
    if (on) next.add(text);
    else next.delete(text);
    this.ticked = next;
  }

  /** `leave`: name and event of the button at the start side. */
  protected pinFoot(action: string, leave: string, leaveEvent: string, withPin = true): TemplateResult {
    return html`${
      withPin
        ? html`<cbf-pin-row .error=${this.pinError} ?disabled=${!this.#unlocked || this.busy} ?passkey=${this.passkey}
              @cbf-pin-input=${this.#onPin} @cbf-pad=${this.#onPad} @cbf-passkey=${this.#onPasskey}
              @keydown=${this.#onKeydown} @click=${this.#onRowClick}></cbf-pin-row>`
        : nothing
    }
      <div class="actions">
        <button type="button" class="btn secondary lg" ?disabled=${this.busy} @click=${() => this.emit(leaveEvent)}>${leave}</button>
        <button type="button" class="btn ${this.danger ? 'danger' : 'primary'} lg" ?disabled=${!this.#ready || !this.complete || !withPin}
          @click=${this.#approve}>${this.busy ? html`<span class="spin"></span>` : nothing}<span>${action}</span></button>
      </div>`;
  }

  protected rejectOrApprove(withPin = true): TemplateResult {
    return this.pinFoot(msg('Approve'), msg('Reject'), 'cbf-reject', withPin);
  }

  #onPin({ detail }: CustomEvent<{ length: number }>): void {
    this.complete = detail.length >= 4;
    if (detail.length) this.pinError = '';
  }

  #onPad({ detail }: CustomEvent<{ open: boolean }>): void {
    this.padOpen = detail.open;
  }
}
