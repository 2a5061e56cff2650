import { css, html, nothing, type TemplateResult } from 'lit';
import { customElement, property } from '../../ui/decorators.ts';
import { icon } from '../../ui/icons.ts';
import { iconExternal, iconLarger, iconLayers, iconWindow } from '../../ui/list-icons.ts';
import { msg, str } from '../../base/localize.ts';
import { statusStyles } from '../../ui/status.ts';
import { FrameView } from '../ui/view.ts';
import { roomOf, type Shortage, shortageOf } from './room.ts';

/**
 * `covered`: something covers the frame. `small`: an approval does not fit, or is too small to read. `window`: approving needs a window of
 * its own, because of this browser or of where the frame is embedded.
 */
export type GuardKind = 'covered' | 'small' | 'window';

const times = ({ width, height }: { width: number; height: number }): string => `${width} × ${height}`;

export interface GuardEvents {
  /** Open in a window. */
  'cbf-window': null;
  /** Resize window. */
  'cbf-resize': null;
  /** Reject, Esc. */
  'cbf-reject': null;
}

/** Replaces a view that must not be used here. Fits into 200 × 160 px, where nothing else does. */
@customElement('cbf-guard')
export class GuardView extends FrameView<GuardEvents> {
  static override styles = [
    FrameView.styles,
    statusStyles,
    css`
      .hero { gap: 10px; }
      .badge-round { inline-size: 44px; block-size: 44px; }
      .badge-round .i { inline-size: 24px; block-size: 24px; }
      .size { font-variant-numeric: tabular-nums; }
      @media (max-height: 359.98px) {
        .badge-round { display: none; }
        .body { padding-block: 8px; }
        .foot { padding-block: 0 8px; }
        .foot .ghost { display: none; }
      }
      @media (max-height: 279.98px) {
        .hero .muted { display: none; }
      }
      @media (max-height: 219.98px) {
        .size { display: none; }
        .h1 { font-size: 15px; }
        .body { padding: 4px 8px; }
        .foot { padding: 0 8px 4px; }
      }
    `,
  ];

  @property() kind: GuardKind = 'window';
  /** In a window of its own, which can be resized. */
  @property({ attribute: false }) own = false;
  /** The view in whose place it is drawn, which gets the focus back if it stayed there. */
  behind: Element | undefined;

  protected override readonly escape = 'cbf-reject';

  readonly #onResize = (): void => this.requestUpdate();

  override connectedCallback(): void {
    super.connectedCallback();
    addEventListener('resize', this.#onResize);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    removeEventListener('resize', this.#onResize);
    this.behind?.shadowRoot?.querySelector('h1')?.focus({ preventScroll: true });
  }

  #hero(shortage: Shortage | undefined): TemplateResult {
    switch (this.kind) {
      case 'covered':
        return hero(
          'bad',
          iconLayers(),
          msg('Something covers this window'),
          msg(
            'Approving is off, because a page could trick you into a click. Open your wallet on its own to go on.',
          ),
        );
      case 'small':
        if (!this.own)
          return hero(
            'acc',
            iconWindow(),
            msg('Open in a window'),
            msg('Amount and recipient do not fit here, so approving is off. In a window of its own they do.'),
          );
        return hero(
          'acc',
          iconLarger(),
          msg('Make this window larger'),
          msg(
            'Amount and recipient do not fit here, so approving is off. It turns on by itself once they fit.',
          ),
          shortage && this.#shortage(shortage),
        );
      case 'window':
        return hero(
          'acc',
          iconWindow(),
          msg('Open in a window'),
          msg('This browser keeps wallets away from embedded pages. It opens safely in its own window.'),
        );
    }
  }

  #shortage(shortage: Shortage): TemplateResult {
    const text =
      shortage.kind === 'size'
        ? msg(str`Now ${times(shortage.now)} · needed ${times(shortage.needed)}`)
        : msg(str`Zoom now ${shortage.now}% · needed ${shortage.needed}%`);
    return html`<p class="sm size">${text}</p>`;
  }

  /** A larger window does not help if everything in it is drawn too small. */
  #main(shortage: Shortage | undefined): TemplateResult | typeof nothing {
    if (!this.own)
      return html`<button type="button" class="btn primary lg block" @click=${() => this.emit('cbf-window')}>
        ${icon(iconExternal(), 's')}<span>${msg('Open in a window')}</span>
      </button>`;
    if (shortage?.kind === 'zoom') return nothing;
    return html`<button type="button" class="btn primary lg block" @click=${() => this.emit('cbf-resize')}>
      ${icon(iconLarger(), 's')}<span>${msg('Resize window')}</span>
    </button>`;
  }

  protected override render(): TemplateResult {
    const shortage = this.kind === 'small' && this.own ? shortageOf(roomOf(window)) : undefined;
    return this.layout({
      mid: true,
      plain: true,
      body: this.#hero(shortage),
      foot: html`${this.#main(shortage)}
        <button type="button" class="btn ghost block" @click=${() => this.emit('cbf-reject')}>
          <span>${msg('Reject')}</span>
        </button>`,
    });
  }
}

function hero(
  tone: 'bad' | 'acc',
  mark: ReturnType<typeof iconLayers>,
  title: string,
  text: string,
  size: unknown = nothing,
): TemplateResult {
  return html`<div class="hero">
    <span class="badge-round ${tone}">${icon(mark)}</span>
    <div class="stack tight">
      <h1 class="h1" tabindex="-1">${title}</h1>
      <p class="muted">${text}</p>
      ${size}
    </div>
  </div>`;
}

export function guardView(kind: GuardKind, own = false, behind?: Element): GuardView {
  return Object.assign(new GuardView(), { kind, own, behind });
}

declare global {
  interface HTMLElementTagNameMap {
    'cbf-guard': GuardView;
  }
}
