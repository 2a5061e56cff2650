import { html, type TemplateResult } from 'lit';
import { ConnectError } from '../../base/errors.ts';
import { customElement, property } from '../../ui/decorators.ts';
import { iconUnlink } from '../../ui/list-icons.ts';
import { msg } from '../../base/localize.ts';
import { hero, statusStyles } from '../../ui/status.ts';
import { FrameView } from '../ui/view.ts';

/**
 * `opener`: no page opened this window, or it is gone. `coop`: the site's COOP header severed the window from its opener. `config`: site
 * and wallet share an origin, or the wallet's own configuration does not load. `silent`: the embedding or opening page does not answer.
 */
export type CutOffReason = 'opener' | 'coop' | 'config' | 'silent';

export interface CutOffEvents {
  /** Close, Esc. */
  'cbf-close': null;
}

/** There is no connection to a site, so the user can only close. */
@customElement('cbf-cut-off')
export class CutOffView extends FrameView<CutOffEvents> {
  static override styles = [FrameView.styles, statusStyles];

  @property() reason: CutOffReason = 'opener';

  protected override readonly escape = 'cbf-close';

  #words(): [string, string] {
    switch (this.reason) {
      case 'opener':
        return [
          msg('No site is connected'),
          msg(
            'This window opens from a site that asks your wallet for something. Close it and start again on the site.',
          ),
        ];
      case 'coop':
        return [
          msg('The site cut this window off'),
          msg(
            'Its security settings do not let it talk to a wallet window. Nothing was sent. Tell the site’s makers.',
          ),
        ];
      case 'silent':
        return [
          msg('The site was closed'),
          msg(
            'Nothing is waiting for you. You can close this window. If the site is only slow, it goes on by itself.',
          ),
        ];
      case 'config':
        return [
          msg('This wallet is not set up right'),
          msg(
            'It must be on an address of its own, with its list of networks. Nothing was sent. Tell the site’s makers.',
          ),
        ];
    }
  }

  protected override render(): TemplateResult {
    const [title, text] = this.#words();
    const silent = this.reason === 'silent';
    return this.layout({
      mid: true,
      plain: true,
      body: hero(silent ? '' : 'warn', iconUnlink(), title, text),
      foot: html`<button type="button" class="btn ${silent ? 'primary' : 'secondary'} lg block" @click=${() => this.emit('cbf-close')}>
        <span>${silent ? msg('Close window') : msg('Close')}</span>
      </button>`,
    });
  }
}

/** The view for an error at the start. Close closes the window. */
export function cutOff(error: unknown): CutOffView {
  const view = Object.assign(new CutOffView(), { reason: reasonOf(error) });
  view.addEventListener('cbf-close', () => window.close());
  return view;
}

/** A window severed from its opener still has that page as its referrer; one opened by hand has none. */
function reasonOf(error: unknown): CutOffReason {
  if (!error) return 'silent';
  if (!(error instanceof ConnectError) || error.code !== 'frame.blocked') return 'config';
  return document.referrer ? 'coop' : 'opener';
}

declare global {
  interface HTMLElementTagNameMap {
    'cbf-cut-off': CutOffView;
  }
}
