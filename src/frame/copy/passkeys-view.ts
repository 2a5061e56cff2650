import { html, type TemplateResult } from 'lit';
import { msg, str } from '../../base/localize.ts';
import { customElement, property } from '../../ui/decorators.ts';
import { iconPasskey } from '../../ui/icons.ts';
import { spinStyles } from '../../ui/styles.ts';
import { cardStyles } from '../ui/card-styles.ts';
import { head } from '../ui/head.ts';
import { optionButton, optionCard, optionRow, optionStyles } from '../ui/rows.ts';
import { errorLine, FrameView } from '../ui/view.ts';

export interface ListedPasskey {
  /** As the device lists it. */
  name: string;
  /** It opens the wallet of this browser. */
  isOwn: boolean;
}

export interface PasskeysEvents {
  'cbf-add': null;
  /** The place in the list. */
  'cbf-remove': { index: number };
  /** Back, Esc. */
  'cbf-back': null;
}

/** The passkeys that open the encrypted copy. */
@customElement('cbf-copy-passkeys')
export class PasskeysView extends FrameView<PasskeysEvents> {
  static override styles = [FrameView.styles, cardStyles, optionStyles, spinStyles];

  @property({ attribute: false }) passkeys: readonly ListedPasskey[] = [];
  @property({ attribute: false }) busy = false;
  @property({ attribute: false }) error = '';

  protected override readonly escape = 'cbf-back';

  #row({ name, isOwn }: ListedPasskey, index: number): TemplateResult {
    const act = (): void => this.emit('cbf-remove', { index });
    const control = isOwn ? html`` : optionButton(msg('Remove'), act, msg(str`Remove ${name}`));
    return optionRow(
      iconPasskey(),
      name,
      isOwn ? msg('Opens this browser’s wallet') : msg('Of another device'),
      control,
    );
  }

  protected override render(): TemplateResult {
    return this.layout({
      body: html`${head(this, msg('Passkeys that open it'))}
        <p class="muted sm">${msg('Each of them finds the encrypted copy in another browser, and opens it.')}</p>
        ${optionCard(this.passkeys.map((passkey, index) => this.#row(passkey, index)))}`,
      foot: html`${errorLine(this.error)}<button
        type="button"
        class="btn secondary lg block"
        ?disabled=${this.busy}
        @click=${() => this.emit('cbf-add')}
      >${this.busy ? html`<span class="spin"></span>` : ''}<span>${msg('Add another passkey')}</span></button>`,
    });
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'cbf-copy-passkeys': PasskeysView;
  }
}
