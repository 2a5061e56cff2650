/** What the open window shows between requests, and after its site is gone. */
import { css, html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { icon, iconCheck } from '../../ui/icons.ts';
import { iconLink, iconUnlink } from '../../ui/list-icons.ts';
import { customElement, property } from '../../ui/decorators.ts';
import { msg, str } from '../../base/localize.ts';
import { hero, statusStyles } from '../../ui/status.ts';
import { listStyles } from '../ui/rows.ts';
import { FrameView } from '../ui/view.ts';
import { sessionFoot, sessionLine, timeOf } from './session-words.ts';

/** An action completed in this window. */
export interface Deed {
  text: string | TemplateResult;
  /** Epoch milliseconds. */
  at: number;
}

export interface WaitingEvents {
  /** Back to the site. */
  'cbf-back': null;
  /** Close window. */
  'cbf-close': null;
}

/** Idle until the site's next request. Calm: no spinner, no countdown. */
@customElement('cbf-waiting')
export class WaitingView extends FrameView<WaitingEvents> {
  static override styles = [
    FrameView.styles,
    statusStyles,
    listStyles,
    css`
      .hero { gap: 8px; padding-block: 22px 10px; }
      .hero .stack { max-inline-size: 350px; }
      .rows > li { min-block-size: 44px; padding-block: 4px; }
      .row-main { overflow-wrap: anywhere; }
      .done { inline-size: 26px; block-size: 26px; border-radius: 50%; display: grid; place-items: center; flex: none; background: var(--_success-soft); color: var(--_success); }
      @media (forced-colors: active) { .done, .card { border: 1px solid CanvasText; } }
    `,
  ];

  @property() site = '';
  /** When the window opened, in epoch milliseconds. */
  @property({ attribute: false }) since = 0;
  /** Oldest first. */
  @property({ attribute: false }) deeds: readonly Deed[] = [];

  // On every update: the language may have changed.
  protected override updated(changed: PropertyValues<this>): void {
    super.updated(changed);
    this.emit('cbf-subject', { below: sessionLine(this.since) });
  }

  #deed({ text, at }: Deed): TemplateResult {
    return html`<li>
      <span class="done">${icon(iconCheck(), 's')}</span>
      <span class="row-main sm"><span class="strong">${text}</span></span>
      <span class="xs faint num">${timeOf(at)}</span>
    </li>`;
  }

  protected override render(): TemplateResult {
    const { site, deeds } = this;
    return this.layout({
      body: html`${hero(
        'acc',
        iconLink(),
        msg(str`Waiting for ${site}`),
        msg('Keep this window open: the site can ask next here.'),
      )}
        ${
          deeds.length
            ? html`<section class="stack tight">
                <h2 class="sect">${msg('In this session')}</h2>
                <div class="card"><ul class="rows">${deeds.map((deed) => this.#deed(deed))}</ul></div>
              </section>`
            : nothing
        }`,
      foot: sessionFoot(site, (by) => this.emit(by)),
    });
  }
}

export interface GoneEvents {
  /** Close window, Esc. */
  'cbf-close': null;
}

/** The site has been gone too long: no more requests will come. */
@customElement('cbf-gone')
export class GoneView extends FrameView<GoneEvents> {
  static override styles = [FrameView.styles, statusStyles];

  @property() site = '';

  protected override readonly escape = 'cbf-close';

  // On every update: the language may have changed.
  protected override updated(changed: PropertyValues<this>): void {
    super.updated(changed);
    this.emit('cbf-subject', { below: html`<span>${msg('Session ended')}</span>` });
  }

  protected override render(): TemplateResult {
    return this.layout({
      mid: true,
      plain: true,
      body: hero(
        '',
        iconUnlink(),
        msg(str`${this.site} was closed`),
        msg('Nothing is waiting for you. You can close this window.'),
      ),
      foot: html`<button type="button" class="btn primary lg block" data-start @click=${() => this.emit('cbf-close')}>
        <span>${msg('Close window')}</span>
      </button>`,
    });
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'cbf-waiting': WaitingView;
    'cbf-gone': GoneView;
  }
}
