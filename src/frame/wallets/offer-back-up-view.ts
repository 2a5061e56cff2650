import { css, html, type TemplateResult } from 'lit';
import { customElement } from '../../ui/decorators.ts';
import { iconCaution } from '../../ui/base-icons.ts';
import { msg } from '../../ui/localize.ts';
import { statusStyles } from '../../ui/status-styles.ts';
import { hero } from '../../ui/status.ts';
import { FrameView } from '../ui/view.ts';
import { mayDelete } from './backup-mark.ts';

export interface OfferBackUpEvents {
  /** Show words. */
  'cbf-show-words': null;
  /** Remind me later, Esc. */
  'cbf-back': null;
}

/** Offers a backup before a wallet receives anything, in a browser that may delete it. */
@customElement('cbf-offer-back-up')
export class OfferBackUpView extends FrameView<OfferBackUpEvents> {
  static override styles = [
    FrameView.styles,
    statusStyles,
    css`
      .hero { margin-block: auto; gap: 12px; }
    `,
  ];

  protected override readonly escape = 'cbf-back';

  protected override render(): TemplateResult {
    return this.layout({
      plain: true,
      body: hero('warn', iconCaution(), msg('Back up before you receive'), mayDelete()),
      foot: html`<button type="button" class="btn primary lg block" @click=${() => this.emit('cbf-show-words')}>
          <span>${msg('Show words')}</span>
        </button>
        <button type="button" class="btn ghost lg block" @click=${() => this.emit('cbf-back')}>
          <span>${msg('Remind me later')}</span>
        </button>`,
    });
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'cbf-offer-back-up': OfferBackUpView;
  }
}
