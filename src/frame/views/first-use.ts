import { css, html, type SVGTemplateResult, type TemplateResult } from 'lit';
import { customElement, property } from '../../ui/decorators.ts';
import { iconCarabiner } from '../../ui/base-icons.ts';
import { iconChevronEnd, iconImport, iconPlus } from '../../ui/icons.ts';
import { msg, str } from '../../ui/localize.ts';
import { cardStyles } from '../ui/card-styles.ts';
import { icon } from '../ui/icon.ts';
import { hero } from '../ui/status.ts';
import { statusStyles } from '../ui/status-styles.ts';
import { FrameView } from '../ui/view.ts';

/**
 * No wallet in this browser yet.
 *
 * @fires cbf-create - Create wallet.
 * @fires cbf-import - Import wallet.
 * @fires cbf-reject - Esc.
 */
@customElement('cbf-first-use')
export class FirstUseView extends FrameView {
  static override styles = [
    FrameView.styles,
    cardStyles,
    statusStyles,
    css`
      .hero { gap: 12px; padding-block: 8px 12px; }
      .hero .stack { max-inline-size: none; }
      .choice { position: relative; display: flex; align-items: center; gap: var(--_s3); inline-size: 100%; padding: var(--_s4); border: 1px solid var(--_border-strong); border-radius: var(--_r-md); background: var(--_surface); box-shadow: var(--_shadow-1); }
      .choice:hover { background: var(--_surface-2); }
      .choice button { position: absolute; inset: -1px; border: 0; border-radius: inherit; background: none; cursor: pointer; }
      .choice .ic { inline-size: 40px; block-size: 40px; border-radius: var(--_r-sm); display: grid; place-items: center; background: var(--_accent-soft); color: var(--_accent-text); flex: none; }
    `,
  ];

  /** Who asks: `shop.example`. */
  @property() site = '';

  protected override escape = 'cbf-reject';

  #choice(
    label: string,
    note: string,
    mark: SVGTemplateResult,
    event: string,
    start: boolean,
  ): TemplateResult {
    // The button lies over its own picture, so that its name is the title alone and the note describes it.
    return html`<div class="choice">
      <span class="ic">${icon(mark)}</span>
      <span class="row-main" aria-hidden="true"><span class="strong">${label}</span><span class="sm muted" id=${event}>${note}</span></span>
      ${icon(iconChevronEnd(), 'flip')}
      <button type="button" aria-label=${label} aria-describedby=${event} ?data-start=${start} @click=${() => this.emit(event)}></button>
    </div>`;
  }

  protected override render(): TemplateResult {
    return this.layout({
      mid: true,
      plain: true,
      body: html`${hero(
        'acc',
        iconCarabiner(),
        msg('Set up your wallet'),
        msg('Your keys are made and kept in this browser, locked with a PIN. No site can read them.'),
      )}
      ${this.#choice(msg('Create wallet'), msg('New 12-word backup'), iconPlus(), 'cbf-create', true)}
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
