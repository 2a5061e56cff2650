import { css, html, LitElement, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { icon, iconPad, iconPasskey } from '../../ui/icons.ts';
import { baseStyles } from '../../ui/styles.ts';
import { customElement, property, query } from '../../ui/decorators.ts';
import { msg } from '../../base/localize.ts';
import { forgotButton, lostText, type PinField } from './pin-field.ts';
import { errorLine } from './bare-view.ts';

/**
 * The PIN in the footer of an approval: field, Use passkey, Show PIN pad, error line. Set `error` after a wrong PIN: the dots are cleared,
 * focus returns and the line is announced at once. Reset it on `cbf-pin-input`, which only the user's typing fires.
 *
 * @fires cbf-pin-input - `{ length }`, from the field. Read `complete`; read `value` when the PIN is used.
 * @fires cbf-pin-enter - Enter with at least four digits: the same as Approve.
 * @fires cbf-passkey - Use passkey was pressed.
 * @fires cbf-pad - `{ open }`: the pad was shown or hidden; the view folds its details.
 */
@customElement('cbf-pin-row')
export class PinRow extends LitElement {
  static override styles = [
    baseStyles,
    css`
      :host { display: flex; flex-direction: column; gap: 6px; }
      cbf-pin-pad { margin-block-start: 6px; }
      /* Its keys have their place before they are loaded: nothing moves when they come. */
      cbf-pin-pad:not(:defined) { display: block; block-size: 202px; }
      @container frame (max-height: 559px) { cbf-pin-pad:not(:defined) { block-size: 172px; } }
      @container frame (min-width: 560px) and (max-height: 379px) { cbf-pin-pad:not(:defined) { block-size: 156px; } }
      @container frame (max-width: 379px) { .line { gap: 6px; } }
      /* Then it is beside Clear. */
      @container frame (max-width: 339px) { :host([open]) .passkey { display: none; } }
      @container frame (max-width: 559px) and (max-height: 559px) { .btn.boxed { block-size: 44px; min-block-size: 44px; } cbf-pin-pad { margin-block-start: 0; } }
      @container frame (min-width: 560px) and (max-height: 559px) { .line { gap: 6px; } cbf-pin-pad { margin-block-start: 2px; } }
    `,
  ];

  /** Default: `PIN`. */
  @property() label = '';
  /** "Wrong PIN. 3 attempts left." */
  @property() error = '';
  /** After a wrong PIN: opens the ways to a new one. */
  @property({ attribute: false }) forgot: (() => void) | undefined;
  /** Why digits were not taken, until the next one is. Unlike an error it moves no focus. */
  @property() note = '';
  /** What is approved by it. */
  @property() description = '';
  @property({ type: Boolean }) disabled = false;
  /** A passkey can approve here. */
  @property({ type: Boolean }) passkey = false;
  /** The pad is shown. */
  @property({ type: Boolean, reflect: true }) open = false;

  @query('cbf-pin-field') private field!: PinField;

  get value(): string {
    return this.field.value;
  }

  /** At least four digits. */
  get complete(): boolean {
    return this.field?.complete ?? false;
  }

  take(): string {
    return this.field.take();
  }

  clear(): void {
    this.field.clear();
  }

  press(key: string): void {
    this.field.press(key);
  }

  override focus(options?: FocusOptions): void {
    void this.updateComplete.then(() => this.field.focus(options));
  }

  protected override willUpdate(): void {
    // Loaded on demand: most desktop users type.
    if (this.open) void import('./pin-pad.ts');
  }

  protected override updated(changed: PropertyValues): void {
    if (changed.has('error') && this.error) {
      this.clear();
      this.focus();
    }
  }

  readonly #usePasskey = (): void => {
    this.dispatchEvent(new CustomEvent('cbf-passkey', { bubbles: true, composed: true }));
  };

  #toggle(): void {
    this.open = !this.open;
    this.dispatchEvent(
      new CustomEvent('cbf-pad', { detail: { open: this.open }, bubbles: true, composed: true }),
    );
    this.focus();
  }

  readonly #onInput = ({ detail }: HTMLElementEventMap['cbf-pin-input']): void => {
    if (detail.length) this.note = '';
  };

  protected override render(): TemplateResult {
    const problem = this.error || this.note;
    return html`<div class="line">
        <cbf-pin-field
          .label=${this.label}
          .description=${`${problem} ${this.description}`.trim()}
          ?invalid=${!!this.error}
          ?disabled=${this.disabled}
          ?pad=${this.open}
          @cbf-pin-input=${this.#onInput}
          @cbf-pin-lost=${() => (this.note = lostText())}
        ></cbf-pin-field>
        ${
          this.passkey
            ? html`<button
                type="button"
                class="btn icon boxed passkey"
                aria-label=${msg('Use passkey')}
                ?disabled=${this.disabled}
                @click=${this.#usePasskey}
              >
              ${icon(iconPasskey())}
            </button>`
            : nothing
        }
        <button type="button" class="btn icon boxed" aria-label=${this.open ? msg('Hide PIN pad') : msg('Show PIN pad')}
          aria-expanded=${this.open ? 'true' : 'false'} ?disabled=${this.disabled} @click=${this.#toggle}>
          ${icon(iconPad())}
        </button>
      </div>
      ${errorLine(problem, undefined, forgotButton(this.error ? this.forgot : undefined))}
      ${
        this.open
          ? html`<cbf-pin-pad
              compact
              ?disabled=${this.disabled}
              .passkey=${this.passkey ? this.#usePasskey : undefined}
              .press=${(key: string) => this.field.press(key)}
            ></cbf-pin-pad>`
          : nothing
      }`;
  }
}

declare global {
  interface HTMLElementEventMap {
    'cbf-pad': CustomEvent<{ open: boolean }>;
  }
  interface HTMLElementTagNameMap {
    'cbf-pin-row': PinRow;
  }
}
