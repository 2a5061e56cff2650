import { css, html, LitElement, svg, type TemplateResult } from 'lit';
import { icon, iconPasskey } from '../../ui/icons.ts';
import { baseStyles } from '../../ui/styles.ts';
import { customElement, property } from '../../ui/decorators.ts';
import { msg } from '../../base/localize.ts';

const backspace = () =>
  svg`<path d="M9 5.5h9a2.5 2.5 0 0 1 2.5 2.5v8a2.5 2.5 0 0 1-2.5 2.5H9L3.5 12z"/><path d="m11 9.8 4.4 4.4m0-4.4L11 14.2"/>`;

/**
 * A number pad for touch. Its keys are out of the tab order and never take focus from the field. It calls `press` instead of firing events,
 * so that no digit travels through the DOM.
 */
@customElement('cbf-pin-pad')
export class PinPad extends LitElement {
  static override styles = [
    baseStyles,
    css`
      :host { display: grid; }
      div { direction: ltr; display: grid; grid-template-columns: repeat(3, 1fr); grid-auto-rows: 1fr; gap: 6px; }
      button { appearance: none; border: 0; min-block-size: 36px; border-radius: var(--_r-sm); background: var(--_surface-2); font-size: 22px; font-weight: 500; font-variant-numeric: tabular-nums; display: grid; place-items: center; cursor: pointer; transition: background-color var(--_t-fast); touch-action: manipulation; }
      button:hover { background: var(--_surface-3); }
      button:disabled { color: var(--_text-3); cursor: not-allowed; }
      @media (forced-colors: active) { button { border: 1px solid ButtonText; } button:disabled { border-color: GrayText; color: GrayText; } }
      .i { inline-size: 24px; block-size: 24px; }
      .two { display: contents; }
      .passkey { display: none; }
      @container frame (max-width: 339px) { .two { display: grid; grid-template-columns: 1fr 1fr; } .passkey { display: grid; } }
      .fn { background: none; color: var(--_text-2); font-size: var(--_fs-sm); }
      :host([compact]) button { min-block-size: 46px; }
      @container frame (max-height: 559px) { div { gap: 4px; } :host([compact]) button { min-block-size: 40px; } }
      @container frame (min-width: 560px) and (max-height: 379px) { :host([compact]) button { min-block-size: 36px; } }
    `,
  ];

  @property({ type: Boolean, reflect: true }) compact = false;
  @property({ type: Boolean }) disabled = false;
  /** Called with `0` to `9`, `clear` or `delete`: `PinField.press`. */
  @property({ attribute: false }) press: (key: string) => void = () => {};
  /** "Use passkey" next to Clear, if the row above has no room for it. */
  @property({ attribute: false }) passkey: (() => void) | undefined;

  #clear(): TemplateResult {
    const clear = this.#key('clear', msg('Clear'), msg('Clear PIN'));
    if (!this.passkey) return clear;
    return html`<span class="two">${clear}<button
      type="button"
      tabindex="-1"
      class="fn passkey"
      aria-label=${msg('Use passkey')}
      ?disabled=${this.disabled}
      @click=${this.passkey}
    >${icon(iconPasskey())}</button></span>`;
  }

  #key(key: string, content: unknown, label?: string): TemplateResult {
    return html`<button
      type="button"
      tabindex="-1"
      class=${label ? 'fn' : ''}
      aria-label=${label ?? key}
      ?disabled=${this.disabled}
      @click=${() => this.press(key)}
    >${content}</button>`;
  }

  protected override render(): TemplateResult {
    // Focus stays in the field, for Enter and the keyboard.
    return html`<div role="group" aria-label=${msg('PIN pad')} @pointerdown=${keepFocus} @mousedown=${keepFocus}>
      ${[...'123456789'].map((digit) => this.#key(digit, digit))}
      ${this.#clear()}
      ${this.#key('0', '0')}
      ${this.#key('delete', icon(backspace()), msg('Delete digit'))}
    </div>`;
  }
}

function keepFocus(event: Event): void {
  event.preventDefault();
}

declare global {
  interface HTMLElementTagNameMap {
    'cbf-pin-pad': PinPad;
  }
}
