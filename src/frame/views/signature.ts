import { css, html, type TemplateResult } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import type { Wallet } from '../../api/wallet.ts';
import type { SigningSummary, Summary } from '../../chains/chain.ts';
import { msg, str } from '../../ui/localize.ts';
import { alert, alertStyles } from '../ui/alert.ts';
import { addressStyles } from '../ui/address.ts';
import { amountStyles } from '../ui/amount.ts';
import { cardStyles, codeStyles, partyStyles } from '../ui/card-styles.ts';
import { chainStyles, network } from '../ui/chain-badge.ts';
import { checkStyles } from '../ui/field-styles.ts';
import { kvStyles } from '../ui/kv.ts';
import { spinStyles } from '../ui/status-styles.ts';
import { FrameView } from '../ui/view.ts';
import { approvalStyles } from './approval-styles.ts';
import { PinConsentView } from './consent.ts';
import { alerts, amountBlock, contractCall, fees, parties, walletName } from './summary.ts';
import { warningText } from './warnings.ts';

/**
 * Control characters and everything that changes the direction of text or is not seen (Unicode's `Cc` and `Cf`, line and paragraph
 * separators, fillers): in a message they hide or reorder words.
 */
const UNSEEN = /([\p{Cc}\p{Cf}\u2028\u2029\u115f\u1160\u3164\uffa0])/u;

/**
 * What is signed: readable text, bytes that nobody can read, or a raw transaction.
 *
 * @fires cbf-reject
 */
@customElement('cbf-signature')
export class SignatureView extends PinConsentView {
  static override styles = [
    FrameView.styles,
    alertStyles,
    addressStyles,
    amountStyles,
    cardStyles,
    partyStyles,
    codeStyles,
    chainStyles,
    checkStyles,
    kvStyles,
    spinStyles,
    approvalStyles,
    css`
      .message { padding: 12px; font-size: 14px; line-height: 1.5; white-space: pre-wrap; overflow-wrap: anywhere; }
      .unseen { display: inline-block; padding-inline: 3px; border: 1px solid var(--_caution-line); border-radius: 4px; background: var(--_caution-soft); color: var(--_caution); font: 600 11px/1.4 var(--_mono); direction: ltr; unicode-bidi: isolate; }
      .code.hex { max-block-size: 96px; }
    `,
  ];

  @property({ attribute: false }) summary!: SigningSummary;
  @property({ attribute: false }) wallet!: Wallet;
  @property({ attribute: false }) own: readonly Wallet[] = [];
  @property() site = '';
  @property({ attribute: false }) networkName = '';

  protected override escape = 'cbf-reject';

  protected override async enter(): Promise<void> {
    await super.enter();
    if (this.summary.kind === 'text') this.pinRow?.focus();
  }

  protected override ticks(): string[] {
    const { summary } = this;
    if (summary.kind === 'text') return [];
    const risk = msg(str`I understand the risk and trust ${this.site}`);
    const shown = summary.kind === 'transaction' ? summary.summary : undefined;
    const others = (shown?.warnings ?? []).flatMap((warning) => {
      const text = warning.tick ? warningText(warning, shown!).tick : undefined;
      return text ? [text] : [];
    });
    return [...new Set(summary.kind === 'blind' ? [risk] : others)];
  }

  protected override get danger(): boolean {
    const { summary } = this;
    if (summary.kind !== 'transaction') return summary.kind === 'blind';
    return summary.summary.warnings.some(({ level }) => level === 'danger');
  }

  protected override render(): TemplateResult {
    const { summary } = this;
    return this.layout({
      body: html`<div class="between">
          <h1 class="title" tabindex="-1">${msg('Approve signature')}</h1>
          ${network(this.wallet.secretType, summary.kind === 'transaction' ? summary.summary.networkName : this.networkName)}
        </div>
        ${this.#what(summary)}
        ${this.tickBoxes()}`,
      foot: this.rejectOrApprove(),
    });
  }

  #what(summary: SigningSummary): unknown {
    const signer = html`<div class="card"><div class="party">
      <span class="k">${msg('With')}</span><span>${walletName(this.wallet)}</span>
    </div></div>`;
    switch (summary.kind) {
      case 'text':
        return html`<p class="sm muted">${msg('Signing costs nothing and moves nothing by itself.')}</p>
          <div class="card"><p class="message" dir="auto">${visibleText(summary.text)}</p></div>
          ${signer}`;
      case 'blind':
        return html`${alert('danger', { title: msg('You cannot read what you sign'), text: blindText(summary.reason) })}
          <p class="code hex" tabindex="0" role="region" aria-label=${msg('Data to sign')}>${summary.hex}</p>
          ${signer}`;
      case 'transaction':
        return this.#transaction(summary.summary);
    }
  }

  /** Signed here, sent by the site: drawn like any transaction. */
  #transaction(summary: Summary): TemplateResult {
    const { shown, more } = alerts(summary);
    const reported = summary.warnings.some(({ code }) => code === 'reported-address');
    return html`<p class="sm muted">${msg(str`${this.site} can send this transaction at any time once you sign it.`)}</p>
      ${amountBlock(summary)} ${shown} ${parties(summary, this.wallet, reported)}
      ${contractCall(summary.call, this.own)} ${fees(summary, new Set())} ${more}`;
  }
}

function blindText(reason: 'bytes' | 'hash' | 'transaction'): string {
  switch (reason) {
    case 'bytes':
      return msg('This data is not text. A site you do not trust could use it to take your funds.');
    case 'hash':
      return msg(
        'This is only a hash: it could stand for anything. A site you do not trust could use it to take your funds.',
      );
    case 'transaction':
      return msg(
        'This data is a transaction in disguise. A site you do not trust could use it to take your funds.',
      );
  }
}

/** Line breaks stay; what cannot be seen becomes a box with its name. */
export function visibleText(text: string): unknown[] {
  return text
    .replaceAll('\r\n', '\n')
    .split(UNSEEN)
    .map((part, i) => {
      if (i % 2 === 0 || part === '\n') return part;
      return html`<span class="unseen" role="img" aria-label=${codePoint(part)}>${symbol(part)}</span>`;
    });
}

function codePoint(character: string): string {
  return `U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}`;
}

/** Unicode's own pictures for C0 controls; the code point for the rest. */
function symbol(character: string): string {
  const point = character.codePointAt(0)!;
  return point < 0x20 ? String.fromCodePoint(0x2400 + point) : codePoint(character);
}

declare global {
  interface HTMLElementTagNameMap {
    'cbf-signature': SignatureView;
  }
}
