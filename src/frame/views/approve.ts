import { css, html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import type { Wallet } from '../../api/wallet.ts';
import type { Amount, Summary, Warning } from '../../chains/chain.ts';
import type { SecretType } from '../../chains/secret-type.ts';
import { iconCopy } from '../../ui/icons.ts';
import { msg, str } from '../../ui/localize.ts';
import { alert, alertStyles } from '../ui/alert.ts';
import { addressStyles } from '../ui/address.ts';
import { amountStyles, amountText, figure, money } from '../ui/amount.ts';
import { cardStyles, codeStyles, partyStyles } from '../ui/card-styles.ts';
import { chainStyles, network } from '../ui/chain-badge.ts';
import { writeText } from '../ui/copy.ts';
import { checkStyles } from '../ui/field-styles.ts';
import { icon } from '../ui/icon.ts';
import { kv, kvStyles } from '../ui/kv.ts';
import { spinStyles } from '../ui/status-styles.ts';
import { FrameView } from '../ui/view.ts';
import { PinConsentView } from './consent.ts';
import {
  afterwards,
  alerts,
  amountBlock,
  balanceChanges,
  type ChangedPart,
  contractCall,
  fees,
  parties,
  purpose,
  recipient,
  totalRow,
} from './summary.ts';
import { approvalStyles } from './approval-styles.ts';
import { warningText } from './warnings.ts';

/**
 * One transaction, drawn from the exact draft that Approve signs.
 *
 * @fires cbf-limit - "Limit to …" in place of an unlimited allowance.
 * @fires cbf-reject
 */
@customElement('cbf-approve')
export class ApproveView extends PinConsentView {
  static override styles = [
    FrameView.styles,
    amountStyles,
    addressStyles,
    alertStyles,
    cardStyles,
    partyStyles,
    codeStyles,
    chainStyles,
    checkStyles,
    kvStyles,
    spinStyles,
    approvalStyles,
    css`.under { margin-block-start: 3px; }`,
  ];

  /** Undefined while the node is asked: the PIN can be typed meanwhile. */
  @property({ attribute: false }) summary: Summary | undefined;
  @property({ attribute: false }) wallet!: Wallet;
  /** The user's own wallets, to name them where a call mentions them. */
  @property({ attribute: false }) own: readonly Wallet[] = [];
  @property({ attribute: false }) secretType: SecretType = 'ETHEREUM';
  /** What differs from the figures drawn before. */
  @property({ attribute: false }) changed: ReadonlySet<ChangedPart> = new Set();
  /** What the wallet holds of the token that a site wants without limit; gives "Limit to …". */
  @property({ attribute: false }) held: Amount | undefined;
  /** "1 of 3" in a list of transactions. */
  @property({ attribute: false }) step: { index: number; of: number } | undefined;

  protected override escape = 'cbf-reject';

  protected override willUpdate(changed: PropertyValues): void {
    if (changed.has('summary')) this.keepTicks();
  }

  protected override updated(changed: PropertyValues): void {
    super.updated(changed);
    const before = changed.get('summary') as Summary | undefined;
    if (!changed.has('summary') || !this.summary) return;
    if (before && this.changed.size)
      this.announce(msg(str`Updated. Maximum fee ${amountText(this.summary.fee.maximum)}`));
    // The title comes first when there is something to read before the PIN.
    if (!before && !this.summary.warnings.length && !this.summary.shortOf && !this.padOpen)
      this.pinRow?.focus();
  }

  protected override get danger(): boolean {
    return !!this.summary?.warnings.some(({ level }) => level === 'danger');
  }

  protected override get blocked(): boolean {
    return !this.summary || !!this.summary.shortOf;
  }

  protected override ticks(): string[] {
    const { summary } = this;
    const texts = (summary?.warnings ?? []).flatMap((warning) =>
      warning.tick ? [warningText(warning, summary!).tick ?? msg('I understand the risk')] : [],
    );
    // Two dangers with the same words take one tick.
    return [...new Set(texts)];
  }

  protected override render(): TemplateResult {
    return this.layout({
      body: this.padOpen && this.summary ? this.#folded(this.summary) : this.#body(),
      foot: this.rejectOrApprove(!this.summary?.shortOf),
    });
  }

  #title(): TemplateResult {
    const name = this.summary?.networkName;
    return html`<div class="between">
        <h1 class="title" tabindex="-1">${msg('Approve transaction')}</h1>
        ${name ? network(this.secretType, name) : nothing}
      </div>
      ${this.step ? html`<p class="sm muted">${msg(str`${this.step.index + 1} of ${this.step.of}`)}</p>` : nothing}`;
  }

  #body(): TemplateResult {
    const { summary, wallet } = this;
    if (!summary)
      return html`${this.#title()}
        <p class="line muted wait" role="status"><span class="spin"></span>${msg('Checking balance and fee…')}</p>`;
    const reported = summary.warnings.some(({ code }) => code === 'reported-address');
    const { shown, more } = alerts(summary, (warning) => this.#extra(warning));
    const call = summary.kind === 'call' || summary.kind === 'creation';
    return html`${this.#title()} ${amountBlock(summary)}
      ${balanceChanges(summary, wallet)} ${shown}
      ${parties(summary, wallet, reported)} ${this.#shortOf(summary)}
      ${contractCall(summary.call, this.own)} ${fees(summary, this.changed)}
      ${call || summary.amount.token ? nothing : afterwards(summary, wallet)} ${more} ${this.tickBoxes()}`;
  }

  /** With the pad open: what leaves, to whom in full, at most how much. */
  #folded(summary: Summary): TemplateResult {
    const amount = summary.unlimited
      ? msg(str`Unlimited ${summary.amount.symbol}`)
      : amountText(summary.amount);
    return html`<h1 class="sr" tabindex="-1">${msg('Approve transaction')}</h1>
      <div class="between">
        <span class="row-main">
          <span class="title num">${money(amount)}</span>
          <span class="sm muted">${purpose(summary)}</span>
        </span>
        ${network(this.secretType, summary.networkName)}
      </div>
      <div class="card">${recipient(summary, false)}</div>
      ${kv([totalRow(summary, this.changed)])}`;
  }

  #extra({ code }: Warning): { text?: unknown; action?: unknown } {
    if (code !== 'unlimited-approval' || !this.held) return {};
    return {
      text: html`${msg('You hold')} ${money(this.held)}.`,
      action:
        this.held.raw > 0n
          ? html`<button type="button" class="btn secondary mini" ?disabled=${this.busy} @click=${() => this.emit('cbf-limit')}>
              <span>${msg('Limit to')} ${money(this.held)}</span>
            </button>`
          : nothing,
    };
  }

  #shortOf({ shortOf }: Summary): TemplateResult | typeof nothing {
    if (!shortOf) return nothing;
    const { amount, need, have } = shortOf;
    const text = html`${msg('You need')} ${money({ ...amount, raw: need })} ${msg('and have')}
      <bdi dir="ltr">${figure({ ...amount, raw: have })}</bdi>. ${msg('Short by')} ${money({ ...amount, raw: need - have })}.`;
    const action = html`<button type="button" class="btn secondary mini" @click=${() => this.#copyAddress()}>
      ${icon(iconCopy(), 's')}<span>${msg('Copy address to add funds')}</span>
    </button>`;
    return alert('danger', { title: msg(str`Not enough ${amount.symbol}`), text, action });
  }

  async #copyAddress(): Promise<void> {
    if (await writeText(this.wallet.address)) this.announce(msg('Address copied'));
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'cbf-approve': ApproveView;
  }
}
