import { css, html, nothing, type TemplateResult } from 'lit';
import { customElement, property } from '../../../ui/decorators.ts';
import { hashStyles, transactionHash } from '../../../ui/copy.ts';
import { iconClock } from '../../../ui/list-icons.ts';
import { msg } from '../../../base/localize.ts';
import { spinStyles } from '../../../ui/styles.ts';
import { hero, statusStyles } from '../../../ui/status.ts';
import { kv, kvStyles } from '../../ui/kv.ts';
import { errorLine, FrameView } from '../../ui/view.ts';

export interface UnsentEvents {
  /** Send again: the same bytes. */
  'cbf-send': null;
  /** Dismiss: it is never sent from here. */
  'cbf-dismiss': null;
  /** Esc: decide later. */
  'cbf-close': null;
}

/** Signed, but not known to have reached the network. */
@customElement('cbf-unsent')
export class UnsentView extends FrameView<UnsentEvents> {
  static override styles = [
    FrameView.styles,
    statusStyles,
    hashStyles,
    kvStyles,
    spinStyles,
    css`.kv { margin-block-start: 8px; }`,
  ];

  @property() amount = '';
  @property({ attribute: false }) to = '';
  @property({ attribute: false }) toShort = '';
  @property({ attribute: false }) hash = '';
  /** `closed`: the wallet was closed between signing and sending. */
  @property({ attribute: false }) reason: 'closed' | 'unreachable' = 'closed';
  @property({ attribute: false }) busy = false;
  @property({ attribute: false }) error = '';

  protected override readonly escape = 'cbf-close';

  protected override render(): TemplateResult {
    const { amount, to, hash, busy } = this;
    return this.layout({
      mid: true,
      plain: true,
      body: html`${hero(
        'warn',
        iconClock(),
        msg('Approved but not sent'),
        this.reason === 'closed'
          ? msg(
              'The wallet closed before it was certain that the network had it. Send the same transaction again, or stop sending it.',
            )
          : msg(
              'It is not known whether the network has it. Send the same transaction again, or stop sending it.',
            ),
      )}
        ${kv([
          amount ? { term: msg('Amount'), value: html`<bdi dir="ltr">${amount}</bdi>` } : undefined,
          to
            ? {
                term: msg('To'),
                value: html`<span class="addr ${this.toShort ? 'short' : ''}" title=${to}>${this.toShort || to}</span>`,
              }
            : undefined,
        ])}
        ${hash ? transactionHash(hash) : nothing} ${errorLine(this.error)}`,
      foot: html`<div class="actions">
        <button type="button" class="btn secondary lg" ?disabled=${busy} @click=${() => this.emit('cbf-dismiss')}>
          <span>${msg('Stop sending')}</span>
        </button>
        <button type="button" class="btn primary lg" ?disabled=${busy} @click=${() => this.emit('cbf-send')}>
          ${busy ? html`<span class="spin"></span>` : nothing}<span>${msg('Send again')}</span>
        </button>
      </div>`,
    });
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'cbf-unsent': UnsentView;
  }
}
