import { css, html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import type { Amount } from '../../chains/coin.ts';
import type { Worth } from '../../prices/prices.ts';
import { worthText } from '../../ui/worth.ts';
import { customElement, property } from '../../ui/decorators.ts';
import { msg } from '../../base/localize.ts';
import type { Replacing } from '../../wallets/types.ts';
import { ApproveView } from '../approve/approve-view.ts';
import { feeFigure, feeText } from '../ui/amount.ts';
import type { Lines } from '../ui/consent-view.ts';
import type { Layout } from '../ui/view.ts';

export type Choice = 'wait' | Replacing;

const replaceStyles = css`
  .choices { display: grid; }
  .choice { display: grid; grid-template-columns: auto 1fr auto; gap: 0 var(--_s3); align-items: center; min-block-size: 58px; padding: 6px var(--_s3); cursor: pointer; line-height: 1.3; }
  .choice + .choice { border-block-start: 1px solid var(--_border); }
  .choice:has(:checked) { background: var(--_accent-soft); }
  .choice:first-child { border-start-start-radius: var(--_r-md); border-start-end-radius: var(--_r-md); }
  .choice:last-child { border-end-start-radius: var(--_r-md); border-end-end-radius: var(--_r-md); }
  .choice > span > * { display: block; }
  .choice .num { text-align: end; }
  .choice .radio { appearance: none; inline-size: 22px; block-size: 22px; margin: 0; flex: none; border: 1.5px solid var(--_border-strong); border-radius: 50%; background: var(--_surface); display: grid; place-items: center; cursor: pointer; }
  .choice .radio:checked { background: var(--_accent); border-color: var(--_accent); }
  .choice .radio:checked::after { content: ""; inline-size: 8px; block-size: 8px; border-radius: 50%; background: var(--_on-accent); }
  /* The choice says what happens; the effect repeats it in a line. */
  .effect { min-block-size: 0; }
  .effect > :first-child { display: none; }
  .effect h1, .effect.long h1 { font-size: var(--_fs-lg); letter-spacing: -.01em; }
  .party:not(.must) { display: none; }
  @media (forced-colors: active) {
    .choice .radio { appearance: auto; }
    .choice:has(:checked) { outline: 2px solid Highlight; outline-offset: -2px; }
  }
`;

/** The approval of a replacement, below the choice between waiting, speeding up and cancelling. Each has its own draft and approval. */
@customElement('cbf-replace')
export class ReplaceView extends ApproveView {
  static override styles = [...ApproveView.styles, replaceStyles];

  @property({ attribute: false }) choice: Choice = 'speed-up';
  /** The choice that the draft on screen is for. */
  @property({ attribute: false }) drawnFor: Replacing = 'speed-up';
  /** The maximum fee of the pending transaction. */
  @property({ attribute: false }) approved!: Amount;
  /** Maximum fees of the two replacements, once drafted. */
  @property({ attribute: false }) fees: Partial<Record<Replacing, Amount>> = {};
  /** What a cancellation undoes: `Take back 0.25 ETH to Ada`. */
  @property({ attribute: false }) takesBack = '';
  /** Undefined without a price source. */
  @property({ attribute: false }) worth: ((amount: Amount) => Worth | undefined) | undefined;

  #choose(choice: Choice): void {
    this.choice = choice;
    // Waiting needs no draft: the current one stays on screen.
    if (choice === 'wait' || choice === this.drawnFor) return;
    this.drawing = undefined;
    this.startOver('');
    this.emit('cbf-reject');
  }

  protected override updated(changed: PropertyValues): void {
    super.updated(changed);
    // The drawing replaces all adopted styles with its own; these override them, so they must come last.
    const { adoptedStyleSheets: sheets } = this.renderRoot as ShadowRoot;
    const own = replaceStyles.styleSheet!;
    if (sheets.at(-1) !== own) sheets.push(own);
    const maximum = this.choice === this.drawnFor ? this.summary?.fee.maximum : undefined;
    if (maximum && this.fees[this.drawnFor]?.raw !== maximum.raw)
      this.fees = { ...this.fees, [this.drawnFor]: maximum };
  }

  #fee(fee: Amount | undefined): TemplateResult {
    if (!fee) return html`<span class="num"><span class="skel"></span></span>`;
    const more: Amount = { ...fee, raw: fee.raw > this.approved.raw ? fee.raw - this.approved.raw : 0n };
    const [all, added] = [this.worth?.(fee), this.worth?.(more)];
    const fiat = (worth: Worth): string => worthText(worth, 'up');
    const difference =
      fee === this.approved || !more.raw
        ? all && html`<bdi dir="ltr">${fiat(all)}</bdi>`
        : all && added
          ? html`<bdi dir="ltr">${fiat(all)} · +${fiat(added)}</bdi>`
          : html`<bdi dir="ltr">+${feeFigure(more)}</bdi>`;
    return html`<span class="num"><span class="strong">${feeText(fee)}</span>${
      difference ? html`<span class="sm muted">${difference}</span>` : nothing
    }</span>`;
  }

  #choice(value: Choice, name: string, note: string, fee: Amount | undefined): TemplateResult {
    return html`<label class="choice">
      <input type="radio" class="radio" name="what" aria-label=${`${name}, ${note}`} .checked=${this.choice === value}
        ?disabled=${this.busy} @change=${() => this.#choose(value)} />
      <span><span class="strong">${name}</span><span class="sm muted">${note}</span></span>
      ${this.#fee(fee)}
    </label>`;
  }

  /** A cancellation's draft moves nothing, so its own effect would not say what it is for. */
  override titles(title: unknown, sub: unknown): { title: unknown; sub: unknown } {
    const effect = sub ? html`${title} · ${sub}` : title;
    return { title: this.heading, sub: this.drawnFor === 'cancel' ? this.takesBack : effect };
  }

  /** Nor would its lines. */
  protected override rejectOrApprove(lines: Lines | undefined, withPin?: boolean): unknown[] {
    const isCancel = this.drawnFor === 'cancel';
    const said: Lines | undefined = lines && isCancel ? [{ term: this.takesBack }, lines[1]] : lines;
    return super.rejectOrApprove(said, withPin);
  }

  protected override layout(parts: Layout): TemplateResult {
    const { fees, approved } = this;
    const keepWaiting = html`<button type="button" class="btn primary lg block" @click=${() => this.emit('cbf-reject')}>
      <span>${msg('Keep waiting')}</span>
    </button>`;
    const choices = html`<p class="sm muted">${msg('Only one of them can happen. The fees shown are the most you can pay.')}</p>
      <div class="card choices" role="radiogroup" aria-label=${msg('What to do')}>
        ${this.#choice('wait', msg('Keep waiting'), msg('as approved'), approved)}
        ${this.#choice('speed-up', msg('Speed up'), msg('the same, sooner'), fees['speed-up'])}
        ${this.#choice('cancel', msg('Cancel'), msg('cancels it, if it comes first'), fees.cancel)}
      </div>`;
    if (this.choice === 'wait') return super.layout({ ...parts, body: choices, foot: keepWaiting });
    return super.layout({ ...parts, body: html`${choices}${parts.body}` });
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'cbf-replace': ReplaceView;
  }
}
