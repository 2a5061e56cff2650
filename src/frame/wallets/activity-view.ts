import { css, html, nothing, type TemplateResult } from 'lit';
import type { Wallet } from '../../api/wallet.ts';
import type { Summary } from '../../chains/chain.ts';
import { shortAddress } from '../../ui/address.ts';
import '../../ui/copy.ts';
import { customElement, property } from '../../ui/decorators.ts';
import { icon } from '../../ui/icon.ts';
import { iconExternal } from '../../ui/icons.ts';
import { language, msg, str } from '../../ui/localize.ts';
import type { ActivityRecord } from '../../wallets/types.ts';
import { headlineText } from '../approve/drawing/summary.ts';
import { money } from '../ui/amount.ts';
import { cardStyles } from '../ui/card-styles.ts';
import { chainStyles } from '../ui/chain-styles.ts';
import { head } from '../ui/head.ts';
import { FrameView } from '../ui/view.ts';
import { walletLine } from '../ui/wallet-line.ts';

export interface ActivityEvents {
  /** Speed up or Cancel, for a pending transaction. */
  'cbf-replace': { hash: string; how: 'speed-up' | 'cancel' };
  /** Send again, for one that the network does not have. */
  'cbf-send': { hash: string };
  /** Back, Esc. */
  'cbf-back': null;
}

/** What a wallet did through Carabiner, latest first. */
@customElement('cbf-activity')
export class ActivityView extends FrameView<ActivityEvents> {
  static override styles = [
    FrameView.styles,
    cardStyles,
    chainStyles,
    css`
      .rows > li { display: grid; gap: 2px; padding-block: 10px; }
      .actions.small { display: flex; gap: var(--_s2); padding-block-start: 6px; }
      .hash { display: flex; align-items: center; margin-block: -6px; }
    `,
  ];

  @property({ attribute: false }) wallet!: Wallet;
  @property({ attribute: false }) records: readonly ActivityRecord[] = [];
  /** URL prefix of a transaction's page. */
  @property() explorer = '';
  /** Pending transactions of the chain can be replaced. */
  @property({ attribute: false }) replaceable = false;
  /** Why the last action failed. */
  @property({ attribute: false }) error = '';

  protected override readonly escape = 'cbf-back';

  #record(record: ActivityRecord): TemplateResult {
    const { hash, summary, at, origin, fee } = record;
    const when = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' }).format(at);
    const about = [
      recipientOf(summary),
      siteOf(origin),
      when,
      fee ? html`${msg('Fee')} ${money({ ...summary.fee.expected, raw: fee })}` : '',
    ].filter((part) => part !== '');
    return html`<li>
      <div class="between"><span class="strong">${whatOf(record)}</span>${state(record)}</div>
      <p class="sm muted">${about.map((part, i) => html`${i ? ' · ' : nothing}${part}`)}</p>
      <div class="hash sm muted">
        ${shortAddress(hash)}
        <cbf-copy .value=${hash} .label=${msg('Copy transaction hash')} .copied=${msg('Transaction hash copied')}></cbf-copy>
        ${
          this.explorer
            ? html`<a class="btn icon" href=${this.explorer + hash} target="_blank" rel="noopener noreferrer"
                aria-label=${msg('View on explorer')}>${icon(iconExternal())}</a>`
            : nothing
        }
      </div>
      ${this.#wishes(record)}
    </li>`;
  }

  #wishes({ hash, state: now, draft, replacedBy }: ActivityRecord): TemplateResult | typeof nothing {
    if (replacedBy || (now !== 'pending' && now !== 'unknown')) return nothing;
    const button = (name: string, act: () => void): TemplateResult =>
      html`<button type="button" class="btn secondary mini" @click=${act}>${name}</button>`;
    const replace = (how: 'speed-up' | 'cancel') => () => this.emit('cbf-replace', { hash, how });
    return html`<div class="actions small">
      ${now === 'unknown' ? button(msg('Send again'), () => this.emit('cbf-send', { hash })) : nothing}
      ${
        draft && this.replaceable
          ? html`${button(msg('Speed up'), replace('speed-up'))}
            ${button(msg('Cancel'), replace('cancel'))}`
          : nothing
      }
    </div>`;
  }

  protected override render(): TemplateResult {
    return this.layout({
      body: html`${head(this, msg('Activity'))} ${walletLine(this.wallet)}
        ${this.error ? html`<p class="err" role="alert">${this.error}</p>` : nothing}
        ${
          this.records.length
            ? html`<div class="card"><ul class="rows">${this.records.map((record) => this.#record(record))}</ul></div>`
            : html`<p class="muted">${msg('Nothing yet. What this wallet sends and signs through Carabiner is listed here.')}</p>`
        }`,
    });
  }
}

function whatOf({ summary }: ActivityRecord): string {
  if (summary.kind === 'call' && !summary.parts && summary.amount.raw === 0n)
    return summary.call?.name ?? msg('Contract call');
  return headlineText(summary);
}

/** Empty if the headline already names the clauses. */
function recipientOf({ to, parts, amount }: Summary): unknown {
  if (parts) return amount.raw ? msg(str`${parts.length} clauses`) : '';
  return to ? html`${msg('To')} ${shortAddress(to)}` : msg('New contract');
}

function siteOf(origin: string): string {
  if (origin === location.origin) return msg('from your wallet');
  return origin.replace(/^https?:\/\//, '');
}

function state({ state: now, replacedBy, fee, expired }: ActivityRecord): TemplateResult {
  if (replacedBy && now !== 'confirmed') return html`<span class="tag">${msg('Replaced')}</span>`;
  switch (now) {
    case 'confirmed':
      return html`<span class="tag good">${msg('Confirmed')}</span>`;
    case 'failed':
      return html`<span class="tag bad">${expired ? msg('Expired') : fee === undefined ? msg('Not sent') : msg('Failed')}</span>`;
    case 'pending':
      return html`<span class="tag warn">${msg('Waiting')}</span>`;
    case 'unknown':
      return html`<span class="tag warn">${msg('Not on the network')}</span>`;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'cbf-activity': ActivityView;
  }
}
