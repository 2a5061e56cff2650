/** The list of waiting requests, and the question whether to reject them all. Nothing is approved here. */
import { css, html, type TemplateResult } from 'lit';
import type { Action } from '../../base/actions.ts';
import { customElement, property } from '../../ui/decorators.ts';
import { icon, iconPen, iconWallet } from '../../ui/icons.ts';
import { iconLayers, iconLink, iconSend } from '../../ui/list-icons.ts';
import { msg, str } from '../../base/localize.ts';
import { hero, statusStyles } from '../../ui/status.ts';
import { cardStyles } from '../ui/card-styles.ts';
import { FrameView } from '../ui/view.ts';

export interface QueueItem {
  action: Action;
  effect: string;
  state: 'approved' | 'rejected' | 'next' | 'waiting';
}

export interface QueueEvents {
  /** Review 2 of 3. */
  'cbf-continue': null;
  /** Reject all. */
  'cbf-reject-all': null;
}

const MARKS: Partial<Record<Action, typeof iconSend>> = {
  transfer: iconSend,
  linkWallets: iconLink,
  manageWallets: iconWallet,
  sign: iconPen,
};

@customElement('cbf-queue')
export class QueueView extends FrameView<QueueEvents> {
  static override styles = [
    FrameView.styles,
    cardStyles,
    css`
      .rows > li { min-block-size: 64px; }
      .mark { inline-size: 34px; block-size: 34px; border-radius: 50%; display: grid; place-items: center; flex: none; background: var(--_surface-2); color: var(--_text-2); box-shadow: inset 0 0 0 1px var(--_border); }
      .mark.approved { background: var(--_success-soft); color: var(--_success); box-shadow: none; }
      .row-main { overflow-wrap: anywhere; }
      .tag.acc { background: var(--_accent-soft); color: var(--_accent-text); }
      @media (forced-colors: active) { .card, .mark, .tag { border: 1px solid CanvasText; } }
    `,
  ];

  @property() site = '';
  @property({ attribute: false }) items: readonly QueueItem[] = [];

  #state({ state }: QueueItem): [text: string, drawn: TemplateResult] {
    const tag = (text: string, look: string): [string, TemplateResult] => [
      text,
      html`<span class="tag ${look}">${text}</span>`,
    ];
    switch (state) {
      case 'approved':
        return tag(msg('Approved'), 'good');
      case 'rejected':
        return tag(msg('Rejected'), '');
      case 'next':
        return tag(msg('Next'), 'acc');
      case 'waiting':
        return [msg('Waiting'), html`<span class="sm faint">${msg('Waiting')}</span>`];
    }
  }

  #item(item: QueueItem, index: number): TemplateResult {
    const [status, drawn] = this.#state(item);
    const mark = MARKS[item.action] ?? iconLayers;
    return html`<li aria-label=${msg(str`Request ${index + 1}: ${item.effect}, ${status}`)}>
      <span class="mark ${item.state}">${icon(mark())}</span>
      <span class="row-main"><span class="strong">${item.effect}</span></span>
      ${drawn}
    </li>`;
  }

  protected override render(): TemplateResult {
    const { items } = this;
    const of = items.length;
    const next = items.findIndex(({ state }) => state === 'next') + 1;
    return this.layout({
      body: html`<div class="stack tight">
          <h1 class="h1" tabindex="-1">${msg(str`${of} requests`)}</h1>
          <p class="sm muted">${msg(
            str`${this.site} asks for these, in this order. Each one is approved on its own.`,
          )}</p>
        </div>
        <div class="card"><ol class="rows">${items.map((item, index) => this.#item(item, index))}</ol></div>`,
      foot: foot(
        () => this.emit('cbf-reject-all'),
        msg(str`Review ${next} of ${of}`),
        () => this.emit('cbf-continue'),
      ),
    });
  }
}

@customElement('cbf-rest')
export class RestView extends FrameView<QueueEvents> {
  static override styles = [FrameView.styles, statusStyles];

  /** How many still wait. */
  @property({ attribute: false }) others = 1;
  @property({ attribute: false }) next = 1;
  @property({ attribute: false }) of = 1;

  protected override render(): TemplateResult {
    const { others, next, of } = this;
    return this.layout({
      mid: true,
      plain: true,
      body: hero(
        '',
        iconLayers(),
        others === 1 ? msg('Reject the other one too?') : msg(str`Reject the other ${others} too?`),
        msg('You rejected this request. The site has asked for more.'),
      ),
      foot: foot(
        () => this.emit('cbf-reject-all'),
        msg(str`Review ${next} of ${of}`),
        () => this.emit('cbf-continue'),
      ),
    });
  }
}

function foot(rejectAll: () => void, review: string, go: () => void): TemplateResult {
  return html`<div class="actions">
    <button type="button" class="btn secondary lg" @click=${rejectAll}><span>${msg('Reject all')}</span></button>
    <button type="button" class="btn primary lg" @click=${go}><span>${review}</span></button>
  </div>`;
}

declare global {
  interface HTMLElementTagNameMap {
    'cbf-queue': QueueView;
    'cbf-rest': RestView;
  }
}
