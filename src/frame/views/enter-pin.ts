import { html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { customElement, property, query, state } from '../../ui/decorators.ts';
import { msg } from '../../ui/localize.ts';
import '../ui/pin-entry.ts';
import type { PinEntry } from '../ui/pin-entry.ts';
import { spinStyles } from '../ui/status-styles.ts';
import { FrameView } from '../ui/view.ts';

/**
 * The PIN, to open the wallet for something that the user started in it.
 *
 * @fires cbf-pin - Continue: read `pin`. Set `busy` while it is tried, then `error` when it was wrong.
 * @fires cbf-back - Back.
 */
@customElement('cbf-enter-pin')
export class EnterPinView extends FrameView {
  static override styles = [FrameView.styles, spinStyles];

  @property({ attribute: false }) heading = msg('Enter your PIN');
  /** What happens next. */
  @property({ attribute: false }) text = '';
  @property({ attribute: false }) error = '';
  @property({ attribute: false }) busy = false;

  @state() private length = 0;
  @query('cbf-pin-entry') private entry!: PinEntry;

  protected override escape = 'cbf-back';

  get pin(): string {
    return this.entry.value;
  }

  get #ready(): boolean {
    return !this.busy && !this.error && this.length >= 4;
  }

  protected override willUpdate(changed: PropertyValues): void {
    if (changed.has('error') && this.error) this.length = 0;
  }

  protected override updated(changed: PropertyValues): void {
    super.updated(changed);
    if (changed.has('error') && this.error) {
      this.entry.clear();
      this.entry.focus();
    }
  }

  protected override render(): TemplateResult {
    return this.layout({
      plain: true,
      body: html`${this.head(this.heading)} ${this.text ? html`<p class="muted sm">${this.text}</p>` : nothing}
        <cbf-pin-entry data-start .error=${this.error} ?disabled=${this.busy}
          @cbf-pin-input=${(event: CustomEvent<{ length: number }>) => {
            this.length = event.detail.length;
            this.error = '';
          }}
          @cbf-pin-enter=${() => this.#ready && this.emit('cbf-pin')}></cbf-pin-entry>`,
      foot: html`<button type="button" class="btn primary lg block" ?disabled=${!this.#ready} @click=${() => this.emit('cbf-pin')}>
        ${this.busy ? html`<span class="spin"></span>` : nothing}<span>${msg('Continue')}</span>
      </button>`,
    });
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'cbf-enter-pin': EnterPinView;
  }
}
