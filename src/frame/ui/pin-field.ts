import { css, html, LitElement, nothing, type TemplateResult } from 'lit';
import { baseStyles } from '../../ui/styles.ts';
import { customElement, property, query, state } from '../../ui/decorators.ts';
import { msg, str } from '../../base/localize.ts';

export const PIN_MIN = 4;
export const PIN_MAX = 6;

// Arabic, Persian and full-width keyboards type these; the low four bits are the digit in each block.
const DIGITS = /[0-9\u0660-\u0669\u06f0-\u06f9\uff10-\uff19]/g;
const MASK = '\u2022';

/**
 * Dots over a real input with a numeric keyboard. The digits are kept only in a private field: the input holds bullets, so no attribute,
 * text or restored form state contains them. Never `type=password`: browsers would offer to save it.
 *
 * @fires cbf-pin-input - `{ length }`, never the digits. Read `value`.
 * @fires cbf-pin-focus - Before `focus()` moves focus into the field; cancelable.
 * @fires cbf-pin-enter - Enter with at least four digits.
 * @fires cbf-pin-lost - Another window or the page took the focus while digits were typed here: they are cleared, the rest went elsewhere.
 */
@customElement('cbf-pin-field')
export class PinField extends LitElement {
  static override styles = [
    baseStyles,
    css`
      :host { display: block; flex: 1; }
      .field { position: relative; display: flex; align-items: center; gap: var(--_s3); min-block-size: 48px; padding: 0 var(--_s3); border: 1px solid var(--_border-strong); border-radius: var(--_r-sm); background: var(--_surface); box-shadow: var(--_shadow-1); cursor: text; }
      .label { font-size: var(--_fs-sm); font-weight: 560; color: var(--_text-2); }
      input { position: absolute; inset: 0; inline-size: 100%; margin: 0; opacity: 0; cursor: text; font-size: 16px; }
      .field:focus-within { outline: 2px solid var(--_focus); outline-offset: -1px; border-color: var(--_focus); }
      .field.invalid { border-color: var(--_danger); }
      .field.off { background: var(--_surface-2); border-color: var(--_border); box-shadow: none; }
      .dots { direction: ltr; display: inline-flex; align-items: center; gap: 12px; }
      .dots i { inline-size: 12px; block-size: 12px; border-radius: 50%; border: 1.5px solid var(--_border-strong); transition: background-color var(--_t-fast); }
      .dots i.opt:not(.on) { inline-size: 8px; block-size: 8px; margin: 2px; border-style: dashed; border-width: 1px; }
      .dots i.on { background: var(--_text); border-color: var(--_text); }
      .invalid .dots i.on { background: var(--_danger); border-color: var(--_danger); }
      :host([big]) .field { justify-content: center; min-block-size: 52px; border: 0; border-radius: var(--_r-md); background: none; box-shadow: none; }
      :host([big]) .field:focus-within { outline-offset: 0; }
      :host([big]) .dots { gap: 18px; }
      :host([big]) .dots i { inline-size: 16px; block-size: 16px; }
      :host([big]) .dots i.opt:not(.on) { inline-size: 10px; block-size: 10px; margin: 3px; }
      @container frame (max-width: 379px) { .field { gap: 8px; padding-inline: 10px; } .dots { gap: 9px; } :host([big]) .dots { gap: 16px; } }
      @container frame (max-width: 559px) and (max-height: 559px) { .field { min-block-size: 44px; } }
      @container frame (max-height: 559px) { :host([big]) .field { min-block-size: 44px; } }
      @container frame (min-width: 560px) and (max-height: 559px) { :host(:not([big])) .field { gap: 8px; padding-inline: 10px; } :host(:not([big])) .dots { gap: 6px; } }
      @media (forced-colors: active) { .dots i.on { background: ButtonText; forced-color-adjust: none; } }
    `,
  ];

  /** `PIN`, `Confirm PIN` or `Current PIN`; default: `PIN`. */
  @property() label = '';
  /** Centred dots without a box: choosing and changing a PIN. */
  @property({ type: Boolean, reflect: true }) big = false;
  /** Red. The next key starts over. */
  @property({ type: Boolean }) invalid = false;
  /** Takes no digits but keeps focus: a busy view must not lose it. */
  @property({ type: Boolean }) disabled = false;
  /** The pad is on screen: touch devices must not open their own keyboard over it. */
  @property({ type: Boolean }) pad = false;
  /** Accessible description of the field, without an id: the error or the hint. */
  @property() description = '';

  @query('input') private input!: HTMLInputElement;
  @state() private length = 0;
  #digits = '';

  /** The digits. Read it at the moment of use; never log, store or send it in an event. */
  get value(): string {
    return this.#digits;
  }

  get complete(): boolean {
    return this.#digits.length >= PIN_MIN;
  }

  /** Returns the digits and forgets them. The dots stay until `clear()`: the PIN is being used. */
  take(): string {
    const digits = this.#digits;
    this.#digits = '';
    return digits;
  }

  /** Clears the digits without firing an event. */
  clear(): void {
    this.#set('', false);
  }

  /** A key of the PIN pad: a digit, `clear` or `delete`. */
  press(key: string): void {
    if (this.disabled) return;
    const digits = this.invalid ? '' : this.#digits;
    this.#set(key === 'clear' ? '' : key === 'delete' ? digits.slice(0, -1) : digits + key);
  }

  override focus(options?: FocusOptions): void {
    const event = new CustomEvent('cbf-pin-focus', { bubbles: true, composed: true, cancelable: true });
    void this.updateComplete.then(() => this.dispatchEvent(event) && this.input.focus(options));
  }

  override connectedCallback(): void {
    super.connectedCallback();
    addEventListener('blur', this.#onBlur);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    removeEventListener('blur', this.#onBlur);
    this.clear();
  }

  // In an iframe nothing has the focus any more, in a window the field still has it.
  readonly #onBlur = (event: Event): void => {
    const { activeElement } = document;
    const isHere = activeElement === document.body || this.shadowRoot!.activeElement;
    if (event.target !== window || !this.#digits || !isHere) return;
    this.#set('');
    this.dispatchEvent(new CustomEvent('cbf-pin-lost', { bubbles: true, composed: true }));
  };

  #set(digits: string, byUser = true): void {
    const next = digits.slice(0, PIN_MAX);
    const changed = byUser && next !== this.#digits;
    this.#digits = next;
    this.length = next.length;
    if (this.input) this.input.value = MASK.repeat(next.length);
    if (changed)
      this.dispatchEvent(
        new CustomEvent('cbf-pin-input', { detail: { length: next.length }, bubbles: true, composed: true }),
      );
  }

  // Typed, pasted or autofilled digits arrive among the bullets, which stand for the digits already kept. After an error the next digit
  // replaces all of them, so there must be room for it.
  #onInput = (): void => {
    const text = this.input.value;
    const bullets = this.invalid ? 0 : text.split(MASK).length - 1;
    const digits = (text.match(DIGITS) ?? []).map((digit) => (digit.codePointAt(0) ?? 0) & 15);
    this.#set(this.#digits.slice(0, bullets) + digits.join(''));
  };

  #onKeydown = (event: KeyboardEvent): void => {
    if (event.key === 'Enter' && this.complete && !this.disabled)
      this.dispatchEvent(new CustomEvent('cbf-pin-enter', { bubbles: true, composed: true }));
  };

  #caretToEnd = (): void => {
    this.input.setSelectionRange(PIN_MAX, PIN_MAX);
  };

  protected override render(): TemplateResult {
    const coarse = this.pad && matchMedia('(pointer: coarse)').matches;
    const classes = `field ${this.invalid ? 'invalid' : ''} ${this.disabled ? 'off' : ''}`;
    return html`<div class=${classes}>
      ${this.big ? nothing : html`<span class="label" aria-hidden="true">${this.label || msg('PIN')}</span>`}
      <span class="dots" aria-hidden="true">
        ${Array.from(
          { length: PIN_MAX },
          (_, i) => html`<i class="${i < this.length ? 'on' : ''} ${i < PIN_MIN ? '' : 'opt'}"></i>`,
        )}
      </span>
      <input
        aria-label=${this.label || msg('PIN')}
        aria-invalid=${this.invalid ? 'true' : 'false'}
        aria-description=${this.description || nothing}
        inputmode=${coarse ? 'none' : 'numeric'}
        autocomplete="off"
        autocapitalize="none"
        spellcheck="false"
        maxlength=${this.invalid ? PIN_MAX * 2 : PIN_MAX}
        ?readonly=${this.disabled}
        aria-disabled=${this.disabled ? 'true' : 'false'}
        @input=${this.#onInput}
        @keydown=${this.#onKeydown}
        @focus=${this.#caretToEnd}
        @click=${this.#caretToEnd}
      />
      <span class="sr" role="status">${this.#count()}</span>
    </div>`;
  }

  /** At each key it would interrupt the next one: only that a PIN can be used, and that there is no room for more. */
  #count(): string | typeof nothing {
    return this.length === PIN_MIN || this.length === PIN_MAX
      ? msg(str`${this.length} digits entered`)
      : nothing;
  }
}

/** What is said of `cbf-pin-lost`. */
export const lostText = (): string =>
  msg('The focus left this window, so the PIN you typed was cleared. Enter it again.');

/** Beside what is wrong with a PIN. `forgot` opens the ways to a new one. */
export const forgotButton = (forgot: (() => void) | undefined): TemplateResult | typeof nothing =>
  forgot
    ? html`<button type="button" class="btn text mini" @click=${forgot}>${msg('Forgot PIN?')}</button>`
    : nothing;

declare global {
  interface HTMLElementEventMap {
    'cbf-pin-input': CustomEvent<{ length: number }>;
    'cbf-pin-focus': CustomEvent<null>;
    'cbf-pin-enter': CustomEvent<null>;
    'cbf-pin-lost': CustomEvent<null>;
  }
  interface HTMLElementTagNameMap {
    'cbf-pin-field': PinField;
  }
}
