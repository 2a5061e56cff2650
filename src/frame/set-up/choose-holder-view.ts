import { html, type TemplateResult } from 'lit';
import { customElement } from '../../ui/decorators.ts';
import { iconGlobe, iconWindow } from '../../ui/list-icons.ts';
import { msg } from '../../base/localize.ts';
import { cardStyles } from '../ui/card-styles.ts';
import { head } from '../ui/head.ts';
import { FrameView } from '../ui/view.ts';
import { choice, choiceStyles } from './choice.ts';

export interface ChooseHolderEvents {
  /** This browser. */
  'cbf-browser': null;
  /** The wallet service. */
  'cbf-service': null;
  /** Back, Esc. */
  'cbf-back': null;
}

/** Chooses who holds the key of a new wallet. */
@customElement('cbf-choose-holder')
export class ChooseHolderView extends FrameView<ChooseHolderEvents> {
  static override styles = [FrameView.styles, cardStyles, choiceStyles];

  protected override readonly escape = 'cbf-back';

  protected override render(): TemplateResult {
    return this.layout({
      body: html`${head(this, msg('Where do you want to keep the wallet?'))}
        ${choice({
          label: msg('In this browser'),
          note: msg('Only you have it. 12 words bring it back if you lose this device.'),
          mark: iconWindow(),
          id: 'cbf-browser',
          start: true,
          act: () => this.emit('cbf-browser'),
        })}
        ${choice({
          label: msg('At the wallet service'),
          note: msg(
            'On every device where you sign in. It opens with your PIN; a recovery code replaces the PIN.',
          ),
          mark: iconGlobe(),
          id: 'cbf-service',
          act: () => this.emit('cbf-service'),
        })}`,
    });
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'cbf-choose-holder': ChooseHolderView;
  }
}
