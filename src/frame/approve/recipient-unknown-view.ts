import { html, type TemplateResult } from 'lit';
import { customElement, property } from '../../ui/decorators.ts';
import { iconSend } from '../../ui/list-icons.ts';
import { msg } from '../../base/localize.ts';
import { hero, statusStyles } from '../../ui/status.ts';
import { FrameView } from '../ui/view.ts';

export interface RecipientUnknownEvents {
  /** Close, Esc. */
  'cbf-reject': null;
}

/** No wallet for an e-mail address, which the site cannot tell from a rejection, or no address for a name. */
@customElement('cbf-recipient-unknown')
export class RecipientUnknownView extends FrameView<RecipientUnknownEvents> {
  static override styles = [FrameView.styles, statusStyles];

  @property({ attribute: false }) email = '';
  /** The user has no account at the service, which alone knows e-mail addresses. */
  @property({ attribute: false }) noAccount = false;
  /** Why a name does not resolve; empty for an e-mail address. */
  @property({ attribute: false }) why = '';

  protected override readonly escape = 'cbf-reject';

  #title(): string {
    if (this.why) return msg('No address found for this name');
    return this.noAccount ? msg('Cannot look up this e-mail') : msg('No wallet found for this e-mail');
  }

  protected override render(): TemplateResult {
    return this.layout({
      mid: true,
      plain: true,
      body: hero(
        'warn',
        iconSend(),
        this.#title(),
        html`<bdi dir="ltr">${this.email}</bdi><br />${
          this.why ||
          (this.noAccount
            ? msg(
                'Only users of the wallet service can send to an e-mail address. Ask the recipient for an address.',
              )
            : msg('Ask the recipient for an address.'))
        }`,
      ),
      foot: html`<button type="button" class="btn secondary lg block" @click=${() => this.emit('cbf-reject')}><span>${msg('Close')}</span></button>`,
    });
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'cbf-recipient-unknown': RecipientUnknownView;
  }
}
