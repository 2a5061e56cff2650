import { html, LitElement, type TemplateResult } from 'lit';
import { type Clock, systemClock } from '../base/clock.ts';
import type { Announcement } from './announcement.ts';
import { iconCheck, iconCopy } from './approval-icons.ts';
import { baseStyles } from './base-styles.ts';
import { customElement, property, state } from './decorators.ts';
import { icon } from './icon.ts';
import { msg } from '../base/localize.ts';
import { writeText } from './write-text.ts';

const SHOWN = 2000;

/**
 * An icon button that copies `value`. Not for recovery phrases.
 *
 * @fires cbf-announce - `copied`, for the live region.
 */
@customElement('cbf-copy')
export class Copy extends LitElement {
  static override styles = baseStyles;

  @property({ attribute: false }) value = '';
  /** `Copy transaction hash`. */
  @property() label = '';
  /** Announced when done: `Transaction hash copied`. */
  @property() copied = '';

  clock: Clock = systemClock;

  @state() private done = false;
  #cancel = (): void => {};

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#cancel();
    this.done = false;
  }

  async #copy(): Promise<void> {
    if (!(await writeText(this.value))) return;
    this.done = true;
    const detail: Announcement = { text: this.copied || msg('Copied') };
    this.dispatchEvent(new CustomEvent('cbf-announce', { detail, bubbles: true, composed: true }));
    this.#cancel();
    this.#cancel = this.clock.after(SHOWN, () => (this.done = false));
  }

  protected override render(): TemplateResult {
    return html`<button type="button" class="btn icon" aria-label=${this.label || msg('Copy')} @click=${this.#copy}>
      ${icon(this.done ? iconCheck() : iconCopy())}
    </button>`;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'cbf-copy': Copy;
  }
}
