import { html, type PropertyValues, type TemplateResult } from 'lit';
import { Countdown } from '../../ui/countdown.ts';
import { customElement, property } from '../../ui/decorators.ts';
import { icon, iconRefresh } from '../../ui/icons.ts';
import { iconOffline } from '../../ui/list-icons.ts';
import { msg, str } from '../../base/localize.ts';
import { hero, statusStyles } from '../../ui/status.ts';
import { FrameView } from '../ui/view.ts';

export interface NodeDownEvents {
  /** Retry, or the countdown has ended. */
  'cbf-retry': null;
  /** Reject, Esc. */
  'cbf-reject': null;
}

/** No node of the network answered. */
@customElement('cbf-node-down')
export class NodeDownView extends FrameView<NodeDownEvents> {
  static override styles = [FrameView.styles, statusStyles];

  /** `Ethereum`. */
  @property() network = '';
  /** Epoch milliseconds of the next automatic retry; 0 for none. */
  @property({ attribute: false }) retryAt = 0;

  protected override readonly escape = 'cbf-reject';

  readonly #countdown = new Countdown(
    this,
    (seconds) => {
      if (seconds === 0) this.#retry();
    },
    () => this.clock,
  );

  #retry = (): void => {
    this.#countdown.stop();
    this.emit('cbf-retry');
  };

  protected override willUpdate(changed: PropertyValues): void {
    if (!changed.has('retryAt')) return;
    this.#countdown.stop();
    if (this.retryAt) this.#countdown.start(this.retryAt);
  }

  protected override render(): TemplateResult {
    const { seconds } = this.#countdown;
    return this.layout({
      mid: true,
      plain: true,
      body: html`${hero(
        'warn',
        iconOffline(),
        msg(str`Cannot reach ${this.network}`),
        msg('We could not check your balance and the fee, so nothing can be approved yet.'),
      )}
        <p class="sm faint center">${seconds ? msg(str`Trying again in ${seconds} s`) : msg('Trying again…')}</p>`,
      foot: html`<div class="actions">
        <button type="button" class="btn secondary lg" @click=${() => this.emit('cbf-reject')}><span>${msg('Reject')}</span></button>
        <button type="button" class="btn primary lg" ?disabled=${!seconds && this.retryAt !== 0} @click=${this.#retry}>
          ${icon(iconRefresh(), 's')}<span>${msg('Retry')}</span>
        </button>
      </div>`,
    });
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'cbf-node-down': NodeDownView;
  }
}
