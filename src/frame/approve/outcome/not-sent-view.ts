import { css, html, nothing, type TemplateResult } from 'lit';
import type { Amount } from '../../../chains/coin.ts';
import { iconClose } from '../../../ui/icons.ts';
import { customElement, property } from '../../../ui/decorators.ts';
import { hashStyles, transactionHash } from '../../../ui/copy.ts';
import { msg } from '../../../base/localize.ts';
import { explorerLink, hero, statusStyles } from '../../../ui/status.ts';
import { strangersStyles, strangersWords } from '../../../ui/text.ts';
import { sessionFoot } from '../../shell/session-words.ts';
import { money } from '../../ui/amount.ts';
import { FrameView } from '../../ui/view.ts';

export interface NotSentEvents {
  /** Try again. */
  'cbf-retry': null;
  /** Close, or Close window. */
  'cbf-close': null;
  /** Esc: the window stays open. */
  'cbf-done': null;
  /** Back to the site. */
  'cbf-back': null;
  /** Take back the approval. */
  'cbf-take-back': null;
}

/** The transaction was rejected by the network, or failed in a block. */
@customElement('cbf-not-sent')
export class NotSentView extends FrameView<NotSentEvents> {
  static override styles = [
    FrameView.styles,
    statusStyles,
    hashStyles,
    strangersStyles,
    css`.strangers { flex: none; text-align: start; }`,
  ];

  /** The fee spent nevertheless, ready to render: `0.000248 ETH`. Absent if none. */
  @property({ attribute: false }) fee: unknown;
  /** It expired before a block took it. */
  @property({ attribute: false }) expired = false;
  /** The node's own words. */
  @property() reason = '';
  @property({ attribute: false }) hash = '';
  @property({ attribute: false }) explorer = '';
  /** Offers Try again. */
  @property({ attribute: false }) retry = true;

  /** What the contract that did not take it may still take. */
  @property({ attribute: false }) left: Amount | undefined;
  /** The window waits for this site's next request; empty elsewhere. */
  @property() site = '';

  protected override readonly escape = 'cbf-done';

  protected override render(): TemplateResult {
    const { fee, expired, reason, hash, explorer, site, left } = this;
    const sentence = fee
      ? msg(html`The network refused the transaction. Only the fee of ${fee} was spent.`)
      : expired
        ? msg('It expired before a block included it. Nothing was spent. You can make a new one.')
        : msg('The network refused the transaction. Nothing was spent.');
    const close = html`<button type="button" class="btn secondary lg" @click=${() => this.emit('cbf-close')}>
      <span>${msg('Close')}</span>
    </button>`;
    const again = html`<button type="button" class="btn primary lg" @click=${() => this.emit('cbf-retry')}>
      <span>${msg('Try again')}</span>
    </button>`;
    const beside = explorer ? explorerLink(explorer) : close;
    return this.layout({
      mid: true,
      plain: true,
      body: html`${hero('bad', iconClose(), msg('Not sent'), sentence)}
        ${reason ? strangersWords(msg('Answer of the network'), reason, 300) : nothing}
        ${hash ? transactionHash(hash, site && explorer) : nothing}
        ${
          left
            ? html`<p class="sm">${msg(html`The exchange may still take ${money(left)} of this wallet.`)}</p>
                <button
                  type="button"
                  class="btn secondary"
                  @click=${() => this.emit('cbf-take-back')}
                ><span>${msg('Take back the approval')}</span></button>`
            : nothing
        }`,
      foot: site
        ? sessionFoot(site, (by) => this.emit(by))
        : this.retry
          ? html`<div class="actions even">${beside}${again}</div>`
          : explorer
            ? html`<div class="actions even">${beside}${close}</div>`
            : close,
    });
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'cbf-not-sent': NotSentView;
  }
}
