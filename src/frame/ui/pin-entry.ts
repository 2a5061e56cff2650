import { css, html, LitElement, type TemplateResult } from 'lit';
import { baseStyles, moreStyles } from '../../ui/styles.ts';
import { customElement, property, query, state } from '../../ui/decorators.ts';
import { msg, str } from '../../base/localize.ts';
import { forgotButton, lostText, PIN_MAX, PIN_MIN, type PinField } from './pin-field.ts';
import './pin-pad.ts';
import { errorLine } from './view.ts';

/**
 * PIN entry as a separate step: large dots, a line below, the pad. Fills a view's body.
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
      .err { justify-content: center; }
      @container frame (max-height: 559px) {
        :host { gap: 4px; }
        .fill, .blank { display: none; }
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
  /** Shows how many digits are entered, and how many more are possible. */
  @property({ attribute: false }) hint = true;

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

  /** Reserves its space, so that no key moves under a finger, except in a low window, which lacks the room. */
  #line(): TemplateResult {
    const text = this.#entered();
    return html`<p class="sm faint center ${text ? '' : 'blank'}" aria-hidden="true">${text || '\u00a0'}</p>`;
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
    return html`<div class="fill"></div>
      <cbf-pin-field
        big
        pad
        .label=${this.label}
        .description=${problem}
        ?invalid=${!!this.error}
        ?disabled=${this.disabled}
        @cbf-pin-input=${this.#onInput}
        @cbf-pin-lost=${() => (this.isLost = true)}
      ></cbf-pin-field>
      ${problem ? errorLine(problem, undefined, forgotButton(this.error ? this.forgot : undefined)) : this.hint ? this.#line() : ''}
      <div class="fill"></div>
      <cbf-pin-pad ?disabled=${this.disabled} .press=${(key: string) => this.field.press(key)}></cbf-pin-pad>`;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'cbf-pin-entry': PinEntry;
  }
}
