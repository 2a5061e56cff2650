import { html, type TemplateResult } from 'lit';
import { customElement, property } from '../../ui/decorators.ts';
import { icon, iconRefresh } from '../../ui/icons.ts';
import { iconOffline } from '../../ui/list-icons.ts';
import { msg } from '../../base/localize.ts';
import { spinStyles } from '../../ui/styles.ts';
import { hero, statusStyles } from '../../ui/status.ts';
import { FrameView } from '../ui/view.ts';

export interface ServiceDownEvents {
  /** Try again. */
  'cbf-retry': null;
  /** Reject, Esc. */
  'cbf-reject': null;
  /** Later, for a signing request: it stays in the journal. */
  'cbf-close': null;
}

/** The wallet service does not answer. */
@customElement('cbf-service-down')
export class ServiceDownView extends FrameView<ServiceDownEvents> {
  static override styles = [FrameView.styles, statusStyles, spinStyles];

  /** It was asked to sign; whether it did is unknown. */
  @property({ attribute: false }) asked = false;
  @property({ attribute: false }) busy = false;

  protected override readonly escape = 'cbf-reject';

  protected override render(): TemplateResult {
    const { asked, busy } = this;
    return this.layout({
      mid: true,
      plain: true,
      body: hero(
        'warn',
        iconOffline(),
        asked ? msg('No answer yet') : msg('Cannot reach the wallet service'),
        asked
          ? msg(
              'You approved it, and the wallet service has not said whether it was sent. Trying again never sends it twice.',
            )
          : msg('It holds the key of this wallet, so nothing can be approved until it answers.'),
      ),
      foot: html`<div class="actions">
        <button type="button" class="btn secondary lg" ?disabled=${busy} @click=${() => this.emit(asked ? 'cbf-close' : 'cbf-reject')}>
          <span>${asked ? msg('Later') : msg('Reject')}</span>
        </button>
        <button type="button" class="btn primary lg" ?disabled=${busy} @click=${() => this.emit('cbf-retry')}>
          ${busy ? html`<span class="spin"></span>` : icon(iconRefresh(), 's')}<span>${msg('Try again')}</span>
        </button>
      </div>`,
    });
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'cbf-service-down': ServiceDownView;
  }
}
