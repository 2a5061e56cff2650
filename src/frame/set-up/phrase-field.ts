import { css, html, LitElement, nothing, type TemplateResult } from 'lit';
import { baseStyles, moreStyles } from '../../ui/styles.ts';
import { fieldStyles } from '../../ui/field-styles.ts';
import { customElement, property, query, state } from '../../ui/decorators.ts';
import { msg, str } from '../../base/localize.ts';
import { errorLine } from '../ui/view.ts';

/** True for a word in the list; otherwise the closest word, or `''` if none is close. */
export type CheckWord = (word: string) => string | true;

const LENGTHS = [12, 15, 18, 21, 24];

/**
 * A recovery phrase, typed or pasted. A word that is not in the list is reported as soon as it is complete, with the closest match. The
 * text exists only in the textarea, and stays there while a PIN is chosen, so that Back or an error does not cost the twelve words.
 *
 * @fires cbf-phrase-input - `{ complete }`. Read `value` only when needed.
 */
@customElement('cbf-phrase-field')
export class PhraseField extends LitElement {
  static override styles = [
    baseStyles,
    moreStyles,
    fieldStyles,
    css`:host { display: flex; flex-direction: column; gap: var(--_s3); }`,
  ];

  @property({ attribute: false }) check: CheckWord | undefined;
  /** What is wrong with the phrase as a whole. */
  @property({ attribute: false }) error = '';
  @property({ attribute: false }) disabled = false;
  /** The view also accepts a private key. */
  @property({ attribute: false }) keyBeside = false;

  @query('textarea') private area!: HTMLTextAreaElement;
  @state() private count = 0;
  @state() private wrong: { word: string; near: string; index: number } | undefined;
  /** The text looks like a private key: long, no spaces, with digits. */
  @state() private isKey = false;

  /** Lower case, single spaces. */
  get value(): string {
    return this.#words().join(' ');
  }

  /** Whether the number of words is valid, and each is in the list. */
  get complete(): boolean {
    return LENGTHS.includes(this.count) && !this.wrong && !this.isKey;
  }

  /** What a complete phrase still lacks, for the button below it. */
  get missing(): string | undefined {
    if (this.complete) return undefined;
    if (this.isKey || !this.count) return msg('Type your 12 words');
    return this.wrong
      ? msg(str`Word ${this.wrong.index + 1} is wrong`)
      : msg(str`Word ${this.count + 1} is missing`);
  }

  override focus(options?: FocusOptions): void {
    void this.updateComplete.then(() => this.area.focus(options));
  }

  #words(): string[] {
    return (
      this.area?.value
        .normalize('NFKD')
        .toLowerCase()
        .match(/\p{L}+/gu) ?? []
    );
  }

  /** `left`: the field lost focus, so its last word is complete, too. */
  #judge(left: boolean): void {
    const words = this.#words();
    const typed = this.area.value.trim();
    this.isKey = /^\S{50,}$/.test(typed) && /\d/.test(typed);
    this.count = this.isKey ? 0 : words.length;
    const finished =
      left || /[^\p{L}]$/u.test(this.area.value) || LENGTHS.includes(words.length)
        ? words
        : words.slice(0, -1);
    this.wrong = undefined;
    for (const [index, word] of finished.entries()) {
      const near = this.check?.(word) ?? true;
      if (near === true) continue;
      this.wrong = { word, near, index };
      break;
    }
    const detail = { complete: this.complete };
    this.dispatchEvent(new CustomEvent('cbf-phrase-input', { detail, bubbles: true, composed: true }));
  }

  #message(): string {
    if (this.isKey)
      return this.keyBeside
        ? msg('This is a private key. Choose “Private key” above.')
        : msg('This is a private key, not the 12 words.');
    if (!this.wrong) return this.error;
    const { word, near } = this.wrong;
    const unknown = msg(str`“${word}” is not in the word list.`);
    return near ? msg(str`${unknown} ${msg(str`Did you mean “${near}”?`)}`) : unknown;
  }

  protected override render(): TemplateResult {
    const message = this.#message();
    const of = LENGTHS.find((length) => this.count <= length) ?? 24;
    return html`<div class="field">
        <label for="phrase">${msg('12 words')}</label>
        <textarea
          class="input mono"
          id="phrase"
          dir="ltr"
          rows="4"
          spellcheck="false"
          autocomplete="off"
          autocapitalize="none"
          translate="no"
          aria-invalid=${message ? 'true' : 'false'}
          aria-describedby=${message ? 'error' : nothing}
          ?disabled=${this.disabled}
          @input=${() => this.#judge(false)}
          @blur=${() => this.#judge(true)}
        ></textarea>
        ${errorLine(message)}
      </div>
      <p class="sm faint count" role="status">${msg(str`${this.count} of ${of} words`)}</p>`;
  }
}

declare global {
  interface HTMLElementEventMap {
    'cbf-phrase-input': CustomEvent<{ complete: boolean }>;
  }
  interface HTMLElementTagNameMap {
    'cbf-phrase-field': PhraseField;
  }
}
