import { html, type TemplateResult } from 'lit';
import { customElement, property } from '../../ui/decorators.ts';
import { iconExternal, iconLayers, iconWindow } from '../../ui/icons.ts';
import { msg } from '../../ui/localize.ts';
import { icon } from '../ui/icon.ts';
import { hero } from '../ui/status.ts';
import { statusStyles } from '../ui/status-styles.ts';
import { FrameView } from '../ui/view.ts';

/** `covered`: something lies over the frame. `window`: this browser, or this place in the page, cannot approve. */
export type GuardKind = 'covered' | 'window';

/**
 * In place of a view that must not be used here.
 *
 * @fires cbf-window - Open in a window.
 * @fires cbf-reject - Reject, Esc.
 */
@customElement('cbf-guard')
export class GuardView extends FrameView {
  static override styles = [FrameView.styles, statusStyles];

  @property() kind: GuardKind = 'window';

  protected override escape = 'cbf-reject';

  protected override render(): TemplateResult {
    return this.layout({
      mid: true,
      plain: true,
      body:
        this.kind === 'covered'
          ? hero(
              'bad',
              iconLayers(),
              msg('Something covers this window'),
              msg(
                'Approving is off, because a page could trick you into a click. Open your wallet on its own to go on.',
              ),
            )
          : hero(
              'acc',
              iconWindow(),
              msg('Open in a window'),
              msg('This browser keeps wallets away from embedded pages. It opens safely in its own window.'),
            ),
      foot: html`<button type="button" class="btn primary lg block" @click=${() => this.emit('cbf-window')}>
          ${icon(iconExternal(), 's')}<span>${msg('Open in a window')}</span>
        </button>
        <button type="button" class="btn ghost block" @click=${() => this.emit('cbf-reject')}><span>${msg('Reject')}</span></button>`,
    });
  }
}

export function guardView(kind: GuardKind): GuardView {
  const view = new GuardView();
  view.kind = kind;
  return view;
}

declare global {
  interface HTMLElementTagNameMap {
    'cbf-guard': GuardView;
  }
}
