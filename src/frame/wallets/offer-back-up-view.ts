import { css, html, nothing, type TemplateResult } from 'lit';
import { customElement, property } from '../../ui/decorators.ts';
import { iconCaution } from '../../ui/icons.ts';
import { msg } from '../../base/localize.ts';
import { hero, statusStyles } from '../../ui/status.ts';
import type { Unsaved } from '../../wallets/types.ts';
import { FrameView } from '../ui/view.ts';
import { mayDelete } from '../ui/backup-reminder.ts';

export interface OfferBackUpEvents {
  /** Show words. */
  'cbf-show-words': null;
  /** Save back-up file. */
  'cbf-save-file': null;
  /** Export: the key of an imported wallet. */
  'cbf-export': null;
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

  /** Of what kind the wallet is: the words bring no imported one back. */
  @property({ attribute: false }) unsaved: Unsaved = 'phrase';
  /** A passkey opens the file; without one only the words do, and then it is no back-up of what the words bring back. */
  @property({ attribute: false }) passkey = false;

  protected override readonly escape = 'cbf-back';

  #button(look: string, name: string, event: keyof OfferBackUpEvents): TemplateResult {
    return html`<button type="button" class="btn ${look} lg block" @click=${() => this.emit(event)}><span>${name}</span></button>`;
  }

  protected override render(): TemplateResult {
    const isKey = this.unsaved === 'key';
    const file = (look: string) => this.#button(look, msg('Save back-up file'), 'cbf-save-file');
    return this.layout({
      plain: true,
      body: hero('warn', iconCaution(), msg('Back up before you receive'), mayDelete()),
      foot: html`${
        isKey
          ? html`${file('primary')}${this.#button('secondary', msg('Export wallet'), 'cbf-export')}`
          : html`${this.#button('primary', msg('Show words'), 'cbf-show-words')}${this.passkey ? file('secondary') : nothing}`
      }${this.#button('ghost', msg('Remind me later'), 'cbf-back')}`,
    });
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'cbf-offer-back-up': OfferBackUpView;
  }
}
