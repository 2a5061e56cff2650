import { css, html, type SVGTemplateResult, type TemplateResult } from 'lit';
import { iconCarabiner, iconPlus } from '../../ui/icons.ts';
import { iconImport } from '../../ui/list-icons.ts';
import { customElement, property } from '../../ui/decorators.ts';
import { msg, str } from '../../base/localize.ts';
import { hero, statusStyles } from '../../ui/status.ts';
import { cardStyles } from '../ui/card-styles.ts';
import { FrameView, type PlainEvent } from '../ui/view.ts';
import { choice, choiceStyles } from './choice.ts';

export interface FirstUseEvents {
  /** Create wallet. */
  'cbf-create': null;
  /** Import wallet. */
  'cbf-import': null;
  /** Esc. */
  'cbf-reject': null;
}

/** No wallet in this browser yet. */
@customElement('cbf-first-use')
export class FirstUseView extends FrameView<FirstUseEvents> {
  static override styles = [
    FrameView.styles,
    cardStyles,
    statusStyles,
    choiceStyles,
    css`
      .hero { gap: 12px; padding-block: 8px 12px; }
      .hero .stack { max-inline-size: none; }
    `,
  ];

  /** The requesting site: `shop.example`. */
  @property() site = '';
  /** Wallets can be created at the wallet service, too. */
  @property({ attribute: false }) service = false;

  protected override readonly escape = 'cbf-reject';

  #choice(
    label: string,
    note: string,
    mark: SVGTemplateResult,
    event: PlainEvent<FirstUseEvents>,
    start: boolean,
  ): TemplateResult {
    return choice({ label, note, mark, id: event, start, act: () => this.emit(event) });
  }

  protected override render(): TemplateResult {
    return this.layout({
      mid: true,
      plain: true,
      body: html`${hero(
        'acc',
        iconCarabiner(),
        msg('Set up your wallet'),
        this.service
          ? msg('Your keys are locked with a passkey or a PIN. No site can read them.')
          : msg(
              'Your keys are made and kept in this browser, locked with a passkey or a PIN. No site can read them.',
            ),
      )}
      ${this.#choice(msg('Create wallet'), this.service ? msg('In this browser or at the wallet service') : msg('New 12-word back-up'), iconPlus(), 'cbf-create', true)}
      ${this.#choice(msg('Import wallet'), msg('12 words or a private key'), iconImport(), 'cbf-import', false)}`,
      foot: html`<p class="xs faint center">${msg(str`${this.site} only sees wallets that you link to it.`)}</p>`,
    });
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'cbf-first-use': FirstUseView;
  }
}
