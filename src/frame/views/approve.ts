import { adoptStyles, css, html, type PropertyValues, type TemplateResult } from 'lit';
import { customElement, property } from '../../ui/decorators.ts';
import type { Wallet } from '../../api/wallet.ts';
import type { Amount, Summary } from '../../chains/chain.ts';
import type { SecretType } from '../../chains/secret-type.ts';
import { msg, str } from '../../ui/localize.ts';
import { spinStyles } from '../ui/spin-styles.ts';
import { FrameView } from '../ui/view.ts';
import type * as Drawing from './approve-drawing.ts';
import { PinConsentView } from './consent.ts';
import type { ChangedPart } from './summary.ts';

/** Loaded once for all approvals, after the PIN field is there to type in. */
let drawing: typeof Drawing | undefined;

async function loadDrawing(summary: Summary): Promise<void> {
  drawing = await import('./approve-drawing.ts');
  await drawing.load(summary);
}

/**
 * One transaction, drawn from the exact draft that Approve signs. It is on screen before anything is known of the transaction, so
 * that the PIN can be typed while the node is asked; Approve waits for the drawing.
 *
 * @fires cbf-limit - "Limit to …" in place of an unlimited allowance.
 * @fires cbf-reject
 */
@customElement('cbf-approve')
export class ApproveView extends PinConsentView {
  static override styles = [FrameView.styles, spinStyles, css`.wait { flex: 1; justify-content: center; }`];

  /** Undefined while the node is asked. */
  @property({ attribute: false }) summary: Summary | undefined;
  @property({ attribute: false }) wallet!: Wallet;
  /** The user's own wallets, to name them where a call mentions them. */
  @property({ attribute: false }) own: readonly Wallet[] = [];
  @property({ attribute: false }) secretType: SecretType = 'ETHEREUM';
  /** What differs from the figures drawn before. */
  @property({ attribute: false }) changed: ReadonlySet<ChangedPart> = new Set();
  /** What the wallet holds of the token that a site wants without limit; gives "Limit to …". */
  @property({ attribute: false }) held: Amount | undefined;
  /** In place of "Approve transaction", for what the user started. */
  @property({ attribute: false }) heading = '';
  /** What the recipient was found by. */
  @property({ attribute: false }) email = '';
  /** "1 of 3" in a list of transactions. */
  @property({ attribute: false }) step: { index: number; of: number } | undefined;

  /** The summary that is on screen. */
  #drawn: Summary | undefined;

  protected override escape = 'cbf-reject';

  /** Undefined until all that the summary needs is there. */
  get #drawing(): typeof Drawing | undefined {
    return this.summary && drawing?.canDraw(this.summary) ? drawing : undefined;
  }

  protected override async getUpdateComplete(): Promise<boolean> {
    if (this.summary && !this.#drawing) await loadDrawing(this.summary);
    return super.getUpdateComplete();
  }

  protected override willUpdate(changed: PropertyValues): void {
    if (!this.summary) return;
    const drawing = this.#drawing;
    if (!drawing) return void loadDrawing(this.summary).then(() => this.requestUpdate());
    if (!this.#drawn)
      adoptStyles(this.renderRoot as ShadowRoot, [...ApproveView.elementStyles, ...drawing.styles]);
    if (changed.has('summary') || !this.#drawn) this.keepTicks();
  }

  protected override updated(changed: PropertyValues): void {
    super.updated(changed);
    const drawing = this.#drawing;
    if (!this.summary || !drawing) return;
    const before = this.#drawn;
    this.#drawn = this.summary;
    if (before === this.summary) return;
    if (before && this.changed.size)
      this.announce(msg(str`Updated. Maximum fee ${drawing.amountText(this.summary.fee.maximum)}`));
    if (before || this.padOpen || this.shadowRoot?.activeElement === this.pinRow) return;
    // The title comes first when there is something to read before the PIN.
    if (!this.summary.warnings.length && !this.summary.shortOf) this.pinRow?.focus();
    else this.renderRoot.querySelector('h1')?.focus({ preventScroll: true });
  }

  protected override get danger(): boolean {
    return !!this.summary?.warnings.some(({ level }) => level === 'danger');
  }

  protected override get blocked(): boolean {
    return !this.#drawing || !!this.summary?.shortOf || this.summary?.order?.state === 'wrong';
  }

  protected override ticks(): string[] {
    return (this.summary && this.#drawing?.ticks(this.summary)) ?? [];
  }

  protected override render(): TemplateResult {
    const { summary } = this;
    const drawing = this.#drawing;
    const body =
      summary && drawing
        ? drawing.body(this, summary, {
            padOpen: this.padOpen,
            tickBoxes: () => this.tickBoxes(),
            limit: () => this.emit('cbf-limit'),
            announce: (text) => this.announce(text),
          })
        : html`<div class="between"><h1 class="title" tabindex="-1">${this.heading || msg('Approve transaction')}</h1></div>
            <p class="line muted wait" role="status"><span class="spin"></span>${msg('Checking balance and fee…')}</p>`;
    return this.layout({ body, foot: this.rejectOrApprove(!summary?.shortOf) });
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'cbf-approve': ApproveView;
  }
}
