import { adoptStyles, css, html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { customElement, property } from '../../ui/decorators.ts';
import type { Wallet } from '../../api/wallet.ts';
import type { SigningSummary, Summary } from '../../chains/chain.ts';
import { msg, str } from '../../ui/localize.ts';
import { alert, alertStyles } from '../ui/alert.ts';
import { addressStyles } from '../ui/address.ts';
import { amountStyles } from '../ui/amount.ts';
import { cardStyles, codeStyles, partyStyles } from '../ui/card-styles.ts';
import { chainStyles, network } from '../ui/chain-badge.ts';
import { checkStyles } from '../ui/check-styles.ts';
import { kvStyles } from '../ui/kv.ts';
import { spinStyles } from '../ui/status-styles.ts';
import { FrameView } from '../ui/view.ts';
import { visibleText } from '../ui/visible-text.ts';
import { approvalStyles } from './approval-styles.ts';
import { PinConsentView } from './consent.ts';
import { balanceChanges, clauseCall, contractCall } from './rare-drawing.ts';
import { holderMark } from '../../ui/holder-mark.ts';
import { type Draws, type SignatureDrawing, unprefixed } from './signature-drawing.ts';
import { alerts, also, amountBlock, disclosure, fees, parties, walletName } from './summary.ts';
import { clauses, details, feeTerms, memo, termsStyles } from './terms-drawing.ts';
import { warningText } from './warnings.ts';

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
    termsStyles,
    css`.code.hex { max-block-size: 96px; }`,
  ];

  @property({ attribute: false }) summary!: SigningSummary;
  @property({ attribute: false }) wallet!: Wallet;
  @property({ attribute: false }) own: readonly Wallet[] = [];
  @property() site = '';
  @property({ attribute: false }) networkName = '';
  /** Of the summary's kind, where it is one that has a drawing of its own. */
  @property({ attribute: false }) draws: Draws<SigningSummary> | undefined;

  protected override escape = 'cbf-reject';

  protected override async enter(): Promise<void> {
    await super.enter();
    if (this.summary.kind === 'text') this.pinRow?.focus();
  }

  protected override willUpdate(changed: PropertyValues): void {
    if (changed.has('draws') && this.draws)
      adoptStyles(this.renderRoot as ShadowRoot, [...SignatureView.elementStyles, ...this.draws.styles]);
  }

  get #drawing(): SignatureDrawing | undefined {
    return this.draws?.draw(this.summary, this);
  }

  protected override ticks(): string[] {
    const { summary } = this;
    const drawing = this.#drawing;
    if (drawing) return [...new Set(drawing.notices.flatMap(({ tick }) => tick ?? []))];
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
    const drawing = this.#drawing;
    if (drawing) return drawing.notices.some(({ level }) => level === 'danger');
    if (summary.kind !== 'transaction') return summary.kind === 'blind';
    return summary.summary.warnings.some(({ level }) => level === 'danger');
  }

  protected override render(): TemplateResult {
    const { summary } = this;
    const drawing = this.#drawing;
    return this.layout({
      body: html`<div class="between">
          <h1 class="title" tabindex="-1">${drawing?.title ?? msg('Approve signature')}</h1>
          ${network(this.wallet.secretType, summary.kind === 'transaction' ? summary.summary.networkName : this.networkName)}
        </div>
        ${
          drawing
            ? html`<p class="sm muted">${drawing.sub}</p>
              ${drawing.notices.map(({ level, title, text }) => alert(level, { title, text }))} ${drawing.body}`
            : this.#what(summary)
        }
        ${this.tickBoxes()}`,
      foot: this.rejectOrApprove(),
    });
  }

  #what(summary: SigningSummary): unknown {
    const signer = html`<div class="card"><div class="party">
      <span class="k">${msg('With')}</span><span>${walletName(this.wallet)}${holderMark(this.wallet)}</span>
    </div></div>`;
    switch (summary.kind) {
      case 'text':
        return html`<p class="sm muted">${msg('Signing costs nothing and moves nothing by itself.')}</p>
          ${summary.unprefixed ? alert('caution', unprefixed()) : nothing}
          <div class="card"><p class="message" dir="auto">${visibleText(summary.text)}</p></div>
          ${signer}`;
      case 'blind':
        return html`${alert('danger', { title: msg('You cannot read what you sign'), text: blindText(summary.reason) })}
          <p class="code hex" tabindex="0" role="region" aria-label=${msg('Data to sign')}>${summary.hex}</p>
          ${signer}`;
      case 'transaction':
        return this.#transaction(summary.summary);
      default:
        return nothing;
    }
  }

  /** Signed here, sent by the site: drawn like any transaction. */
  #transaction(summary: Summary): TemplateResult {
    const { shown, more } = alerts(summary);
    const reported = summary.warnings.some(({ code }) => code === 'reported-address');
    return html`<p class="sm muted">${msg(str`${this.site} can send this transaction at any time once you sign it.`)}</p>
      ${amountBlock(summary)} ${also.swap?.(summary, this)} ${balanceChanges(summary, this.wallet)} ${shown}
      ${parties(summary, this.wallet, reported, summary.exchange)}
      ${summary.parts ? clauses(summary, (part) => [also.swap?.(part, this), clauseCall(part, this.own)]) : nothing} ${memo(summary)}
      ${contractCall(summary, this.own)} ${fees(summary, new Set(), feeTerms(summary))}
      ${more} ${disclosure(msg('Details'), details(summary))}`;
  }
}

function blindText(reason: 'bytes' | 'hash' | 'transaction'): string {
  switch (reason) {
    case 'bytes':
      return msg('This data is not text. A site you do not trust could use it to take your funds.');
    case 'hash':
      return msg(
        'This is only a hash. It can stand for a transaction, or hand over the whole account: a site you do not trust could take everything in it.',
      );
    case 'transaction':
      return msg(
        'This data is a transaction in disguise. A site you do not trust could use it to take your funds.',
      );
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'cbf-signature': SignatureView;
  }
}
