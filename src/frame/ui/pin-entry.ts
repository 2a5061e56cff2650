import { css, html, LitElement, nothing, type TemplateResult } from 'lit';
import { icon, iconCaution } from '../../ui/icons.ts';
import { baseStyles, moreStyles } from '../../ui/styles.ts';
import { customElement, property, query, state } from '../../ui/decorators.ts';
import { msg, str } from '../../base/localize.ts';
import { forgotButton, lostText, PIN_MAX, PIN_MIN, type PinField } from './pin-field.ts';
import './pin-pad.ts';
import { errorLine } from './view.ts';

/**
 * PIN entry as a separate step: large dots, two lines below for what is to be said of them, the pad. Nothing of it moves when they are filled.
 *
 * @fires cbf-pin-input - `{ length }`, from the field.
 * @fires cbf-pin-enter - Enter with at least four digits: the same as Continue.
 */
@customElement('cbf-pin-entry')
export class PinEntry extends LitElement {
  static override styles = [
    baseStyles,
    moreStyles,
    css`
      :host { display: flex; flex-direction: column; flex: 1; gap: var(--_s3); }
      cbf-pin-field { flex: none; }
      /* Keys of 36 to 52 px, as large as the text above leaves room for in a low window. A view that scrolls sets --_pad. */
      cbf-pin-pad { flex: 1000 0 var(--_pad, 162px); max-block-size: 226px; }
      .note { display: grid; align-content: start; min-block-size: 2.7em; font-size: var(--_fs-sm); line-height: 1.35; }
      .err { justify-content: center; }
      .err.caution { color: var(--_caution); }
      @container frame (max-height: 559px) {
        :host { gap: 4px; }
        .note { min-block-size: 0; }
        .note:empty { display: none; }
        cbf-pin-pad { flex-basis: 156px; }
      }
    `,
  ];

  /** Default: `PIN`. */
  @property() label = '';
  @property() error = '';
  /** After a wrong PIN: opens the ways to a new one. */
  @property({ attribute: false }) forgot: (() => void) | undefined;
  @property({ type: Boolean }) disabled = false;
  /** What is wrong with a PIN that could be chosen. */
  @property({ attribute: false }) caution = '';

  @query('cbf-pin-field') private field!: PinField;
  @state() private length = 0;
  @state() private isLost = false;

  get value(): string {
    return this.field.value;
  }

  get complete(): boolean {
    return this.field?.complete ?? false;
  }

  clear(): void {
    this.length = 0;
    this.field?.clear();
  }

  override focus(options?: FocusOptions): void {
    void this.updateComplete.then(() => this.field.focus(options));
  }

  /** What is said of the digits: an error, a caution, or how many there are, and how many more are possible. */
  #note(problem: string): unknown {
    if (problem) return errorLine(problem, undefined, forgotButton(this.error ? this.forgot : undefined));
    if (this.caution)
      return html`<p class="err caution">${icon(iconCaution(), 's')}<span>${this.caution}</span></p>`;
    const text = this.#entered();
    return text ? html`<p class="faint center" aria-hidden="true">${text}</p>` : nothing;
  }

  #entered(): string {
    const { length } = this;
    if (length < PIN_MIN) return '';
    const left = PIN_MAX - length;
    const more = left === 0 ? '' : msg(str` You can add up to ${left} more.`);
    return msg(str`${length} digits entered.`) + more;
  }

  readonly #onInput = ({ detail }: HTMLElementEventMap['cbf-pin-input']): void => {
    this.length = detail.length;
    if (detail.length) this.isLost = false;
  };

  protected override render(): TemplateResult {
    const problem = this.error || (this.isLost ? lostText() : '');
    return html`<cbf-pin-field
        big
        pad
        .label=${this.label}
        .description=${problem || this.caution}
        ?invalid=${!!this.error}
        ?disabled=${this.disabled}
        @cbf-pin-input=${this.#onInput}
        @cbf-pin-lost=${() => (this.isLost = true)}
      ></cbf-pin-field>
      <div class="note">${this.#note(problem)}</div>
      <cbf-pin-pad ?disabled=${this.disabled} .press=${(key: string) => this.field.press(key)}></cbf-pin-pad>`;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'cbf-pin-entry': PinEntry;
  }
}
