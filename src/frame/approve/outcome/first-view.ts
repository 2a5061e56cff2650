import { html, nothing, type TemplateResult } from 'lit';
import { iconCheck } from '../../../ui/icons.ts';
import { customElement, property } from '../../../ui/decorators.ts';
import { hashStyles, transactionHash } from '../../../ui/copy.ts';
import { msg } from '../../../base/localize.ts';
import { explorerLink, hero, statusStyles } from '../../../ui/status.ts';
import { kv, kvStyles } from '../../ui/kv.ts';
import { FrameView } from '../../ui/view.ts';

export interface FirstEvents {
  /** Done, Esc. */
  'cbf-done': null;
}

/** The transaction to be replaced got into a block first: a normal outcome. */
@customElement('cbf-first')
export class FirstView extends FrameView<FirstEvents> {
  static override styles = [FrameView.styles, statusStyles, hashStyles, kvStyles];

  /** The confirmed transaction's hash. */
  @property({ attribute: false }) hash = '';
  @property({ attribute: false }) explorer = '';
  /** The fee paid, ready to render. */
  @property({ attribute: false }) fee: unknown;

  protected override readonly escape = 'cbf-done';

  protected override render(): TemplateResult {
    const { hash, explorer, fee } = this;
    const done = html`<button
      type="button"
      class="btn primary lg block"
      data-start
      @click=${() => this.emit('cbf-done')}
    >
      <span>${msg('Done')}</span>
    </button>`;
    const sentence = msg(
      'The network took the first transaction before it could be changed. Nothing else was sent, and no higher fee was spent.',
    );
    return this.layout({
      mid: true,
      plain: true,
      body: html`${hero('good', iconCheck(), msg('It was confirmed first'), sentence)}
        ${fee ? kv([{ term: msg('Fee paid'), value: fee }]) : nothing} ${transactionHash(hash)}`,
      foot: explorer ? html`<div class="actions even">${explorerLink(explorer)}${done}</div>` : done,
    });
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'cbf-first': FirstView;
  }
}
