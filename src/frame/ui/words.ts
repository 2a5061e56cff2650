import { css, html, LitElement, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { type Clock, systemClock } from '../../base/clock.ts';
import { baseStyles, moreStyles } from '../../ui/styles.ts';
import { Countdown, clock } from '../../ui/countdown.ts';
import { customElement, property, state } from '../../ui/decorators.ts';
import { icon } from '../../ui/icons.ts';
import { iconEye, iconEyeOff } from '../../ui/list-icons.ts';
import { msg, str } from '../../base/localize.ts';

/** How long words stay on screen, in milliseconds. */
const SHOWN_FOR = 60_000;

/**
 * Twelve words behind a veil. They are in the DOM, and in this element, only while shown: for at most a minute, and not after the window
 * loses focus. They cannot be copied.
 *
 * @fires cbf-words - `{ shown }`.
 */
@customElement('cbf-words')
export class Words extends LitElement {
  static override styles = [
    baseStyles,
    moreStyles,
    css`
      :host { display: flex; flex-direction: column; gap: var(--_s3); }
      .words { display: grid; grid-template-columns: repeat(3, minmax(0, 1fr)); gap: 6px; position: relative; direction: ltr; user-select: none; -webkit-user-select: none; }
      .veil { position: relative; display: grid; }
      li { display: flex; align-items: baseline; gap: 6px; padding: 9px 8px; border-radius: var(--_r-xs); background: var(--_surface-2); font-family: var(--_mono); font-size: var(--_fs-sm); font-weight: 600; }
      li > span { font: 400 var(--_fs-xs) var(--_font); color: var(--_text-3); min-inline-size: 16px; text-align: end; font-variant-numeric: tabular-nums; }
      .veil li::after { content: "\\a0"; background: var(--_surface-3); border-radius: 4px; inline-size: 44px; block-size: 10px; align-self: center; }
      .veil .btn { position: absolute; inset: 0; margin: auto; inline-size: fit-content; block-size: fit-content; box-shadow: var(--_shadow-2); }
      @container (max-width: 379px) { li { padding-inline: 5px; font-size: 12px; gap: 5px; } }
    `,
  ];

  /** Returns the words at the moment they are shown. */
  @property({ attribute: false }) reveal: () => readonly string[] | Promise<readonly string[]> = () => [];
  /** Shows the words at once, without a press. */
  @property({ attribute: false }) open = false;
  clock: Clock = systemClock;

  @state() private words: readonly string[] = [];

  readonly #countdown = new Countdown(
    this,
    (seconds) => {
      if (seconds === 0) this.hide();
    },
    () => this.clock,
  );

  get shown(): boolean {
    return this.words.length > 0;
  }

  readonly hide = (): void => {
    this.#countdown.stop();
    this.#set([]);
  };

  async show(): Promise<void> {
    const words = await this.reveal();
    if (!this.isConnected) return;
    this.#countdown.start(this.clock.date() + SHOWN_FOR);
    this.#set(words);
  }

  override connectedCallback(): void {
    super.connectedCallback();
    window.addEventListener('blur', this.hide);
    document.addEventListener('visibilitychange', this.hide);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    window.removeEventListener('blur', this.hide);
    document.removeEventListener('visibilitychange', this.hide);
    this.hide();
  }

  protected override firstUpdated(_changed: PropertyValues): void {
    if (this.open) void this.show();
  }

  #set(words: readonly string[]): void {
    if (!words.length && !this.shown) return;
    this.words = words;
    const detail = { shown: this.shown };
    this.dispatchEvent(new CustomEvent('cbf-words', { detail, bubbles: true, composed: true }));
    // Focus moves to the button that replaced the pressed one.
    if (this.shadowRoot?.activeElement)
      void this.updateComplete.then(() => this.renderRoot.querySelector('button')?.focus());
  }

  protected override render(): TemplateResult {
    if (!this.shown)
      return html`<div class="veil">
        <ol class="words" aria-hidden="true">${Array.from(
          { length: 12 },
          (_, i) => html`<li><span>${i + 1}</span></li>`,
        )}</ol>
        <button type="button" class="btn secondary" @click=${() => this.show()}>
          ${icon(iconEye())}<span>${msg('Show words')}</span>
        </button>
      </div>`;
    const { seconds } = this.#countdown;
    return html`<ol class="words" dir="ltr" translate="no" aria-label=${msg(str`Your ${this.words.length} words`)}>
        ${this.words.map((word, i) => html`<li><span aria-hidden="true">${i + 1}</span><b>${word}</b></li>`)}
      </ol>
      <div class="line">
        <button type="button" class="btn quiet" @click=${this.hide}>
          ${icon(iconEyeOff(), 's')}<span>${msg('Hide words')}</span>
        </button>
        ${seconds ? html`<p class="sm faint grow">${msg(str`Hides in ${clock(seconds)}`)}</p>` : nothing}
      </div>`;
  }
}

declare global {
  interface HTMLElementEventMap {
    'cbf-words': CustomEvent<{ shown: boolean }>;
  }
  interface HTMLElementTagNameMap {
    'cbf-words': Words;
  }
}
