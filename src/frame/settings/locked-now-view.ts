import { html, type TemplateResult } from 'lit';
import { iconLock } from '../../ui/icons.ts';
import { customElement, property } from '../../ui/decorators.ts';
import { msg, str } from '../../base/localize.ts';
import { hero, statusStyles } from '../../ui/status.ts';
import { FrameView } from '../ui/view.ts';

export interface LockedNowEvents {
  /** Done, Esc. */
  'cbf-done': null;
}

/** Explains what "Lock now" did. No key is held between approvals, so it only ends the request. */
@customElement('cbf-locked-now')
export class LockedNowView extends FrameView<LockedNowEvents> {
  static override styles = [FrameView.styles, statusStyles];

  @property() site = '';

  protected override readonly escape = 'cbf-done';

  protected override render(): TemplateResult {
    return this.layout({
      mid: true,
      plain: true,
      body: hero(
        'good',
        iconLock(),
        msg('Your wallet is locked'),
        msg(
          str`What ${this.site} asked for ends here, and none of it was approved. The next approval needs your PIN or passkey again.`,
        ),
      ),
      foot: html`<button type="button" class="btn primary lg block" data-start @click=${() => this.emit('cbf-done')}>
        <span>${msg('Done')}</span>
      </button>`,
    });
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'cbf-locked-now': LockedNowView;
  }
}
