import { css, html, type TemplateResult } from 'lit';
import { icon, iconPasskey } from '../../ui/icons.ts';
import { customElement, property } from '../../ui/decorators.ts';
import { msg } from '../../base/localize.ts';
import { spinStyles } from '../../ui/styles.ts';
import { hero, statusStyles } from '../../ui/status.ts';
import { backButton } from '../ui/head.ts';
import { errorLine, FrameView } from '../ui/view.ts';

export interface MakePasskeyEvents {
  /** Continue with passkey: create it in the same click. Set `busy` meanwhile, then `error` if that failed. */
  'cbf-passkey': null;
  /** Use a PIN instead. */
  'cbf-pin': null;
  /** Back, Esc. */
  'cbf-back': null;
}

/** How a new wallet is opened: with a passkey, unless the user wants a PIN. */
@customElement('cbf-make-passkey')
export class MakePasskeyView extends FrameView<MakePasskeyEvents> {
  static override styles = [
    FrameView.styles,
    statusStyles,
    spinStyles,
    css`
      .hero { margin-block: auto; gap: 12px; }
      .err { justify-content: center; }
    `,
  ];

  @property({ attribute: false }) busy = false;
  @property({ attribute: false }) error = '';

  protected override readonly escape = 'cbf-back';

  protected override render(): TemplateResult {
    return this.layout({
      plain: true,
      body: html`<div class="view-head">${backButton(this)}</div>
        ${hero(
          'acc',
          iconPasskey(),
          msg('Make your wallet with a passkey'),
          msg(
            'Your fingerprint, face or screen lock opens it. The keys stay in this browser, and no site can read them.',
          ),
        )}`,
      foot: html`${errorLine(this.error)}
        <button type="button" class="btn primary lg block" ?disabled=${this.busy} @click=${() => this.emit('cbf-passkey')}>
          ${this.busy ? html`<span class="spin"></span>` : icon(iconPasskey(), 's')}<span>${msg('Continue with passkey')}</span>
        </button>
        <button type="button" class="btn ghost lg block" ?disabled=${this.busy} @click=${() => this.emit('cbf-pin')}>
          <span>${msg('Use a PIN instead')}</span>
        </button>`,
    });
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'cbf-make-passkey': MakePasskeyView;
  }
}
