import { html, type TemplateResult } from 'lit';
import { icon, iconDanger, iconRefresh } from '../../ui/icons.ts';
import { customElement, property } from '../../ui/decorators.ts';
import { msg } from '../../base/localize.ts';
import { hero, statusStyles } from '../../ui/status.ts';
import { FrameView } from '../ui/view.ts';

export interface StorageDeniedEvents {
  /** Try again. */
  'cbf-retry': null;
  /** Reject, Esc. */
  'cbf-reject': null;
}

/** The browser does not let the wallet store anything, so nothing is created. */
@customElement('cbf-storage-denied')
export class StorageDeniedView extends FrameView<StorageDeniedEvents> {
  static override styles = [FrameView.styles, statusStyles];

  /** `full`: there is no space left. */
  @property() reason: 'denied' | 'full' = 'denied';

  protected override readonly escape = 'cbf-reject';

  protected override render(): TemplateResult {
    const full = this.reason === 'full';
    return this.layout({
      mid: true,
      plain: true,
      body: hero(
        'bad',
        iconDanger(),
        full ? msg('No space left') : msg('Your wallet cannot be stored'),
        full
          ? msg(
              'This device has no room to keep your wallet. Free some space, then try again. Nothing was made.',
            )
          : msg(
              'This browser does not let your wallet keep anything, as in a private window. Allow storage for it, then try again. Nothing was made.',
            ),
      ),
      foot: html`<div class="actions">
        <button type="button" class="btn secondary lg" @click=${() => this.emit('cbf-reject')}><span>${msg('Reject')}</span></button>
        <button type="button" class="btn primary lg" @click=${() => this.emit('cbf-retry')}>
          ${icon(iconRefresh(), 's')}<span>${msg('Try again')}</span>
        </button>
      </div>`,
    });
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'cbf-storage-denied': StorageDeniedView;
  }
}
