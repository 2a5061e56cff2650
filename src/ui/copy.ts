import { css, html, LitElement, nothing, type TemplateResult } from 'lit';
import { type Clock, systemClock } from '../base/clock.ts';
import { msg } from '../base/localize.ts';
import { writeText } from './clipboard.ts';
import { customElement, property, state } from './decorators.ts';
import { icon, iconCheck, iconCopy } from './icons.ts';
import { iconExternal } from './list-icons.ts';
import type { Announcement } from './status.ts';
import { baseStyles } from './styles.ts';

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

export const hashStyles = css`
  .hash { display: flex; align-items: center; gap: var(--_s1); padding-inline-start: var(--_s3); border: 1px solid var(--_border); border-radius: var(--_r-sm); background: var(--_surface-2); min-block-size: var(--_hit); }
  .hash:dir(rtl) .addr { text-align: right; }
  .hash .addr { flex: 1; min-inline-size: 0; color: var(--_text-2); }
`;

/**
 * A shortened transaction hash with the full one in its `title`, a copy button, and a link to `explorer`, the URL of its page, if given.
 * Needs `hashStyles`.
 */
export function transactionHash(hash: string, explorer = ''): TemplateResult {
  const shown = hash.length > 24 ? `${hash.slice(0, 12)}…${hash.slice(-8)}` : hash;
  return html`<div class="hash">
    <span class="sr">${msg('Transaction hash')}</span>
    <span class="addr trunc" title=${hash}>${shown}</span>
    <cbf-copy
      .value=${hash}
      .label=${msg('Copy transaction hash')}
      .copied=${msg('Transaction hash copied')}
    ></cbf-copy>
    ${
      explorer
        ? html`<a
          class="btn icon"
          href=${explorer}
          target="_blank"
          rel="noopener noreferrer"
          aria-label=${msg('View on explorer')}
        >${icon(iconExternal())}</a>`
        : nothing
    }
  </div>`;
}
