import { adoptStyles, html, type PropertyValues, type TemplateResult } from 'lit';
import type { Wallet } from '../../api/wallet.ts';
import type { Summary } from '../../chains/approval/summary.ts';
import type { SecretType } from '../../chains/secret-type.ts';
import { customElement, property } from '../../ui/decorators.ts';
import { msg } from '../../base/localize.ts';
import { BareView, type Step, stepText, type Subject } from '../ui/bare-view.ts';
import { type FootParts, PinConsentView, type Tick } from '../ui/consent-view.ts';
import { footStyles } from '../ui/foot-styles.ts';
import type { ApprovalDrawing } from './drawing/approve-drawing.ts';
import type { LimitOffer } from './drawing/limit-field.ts';
import type { NetworkNote } from './other-network.ts';
import type { ChangedPart, Titled, WorthDrawing } from './drawing/summary.ts';

export interface ApproveEvents {
  /** A limit instead of an unlimited allowance, in smallest units. */
  'cbf-limit': bigint;
  'cbf-reject': null;
}

/**
 * One transaction, rendered from the exact draft that Approve signs. It is shown before there is a draft, so that the user can type the PIN
 * while the node is queried. Approve is enabled once effect, recipients and total have been seen.
 */
@customElement('cbf-approve')
export class ApproveView extends PinConsentView<ApproveEvents> implements Titled {
  static override styles = [BareView.styles, footStyles];

  /** The transaction, with all that draws it; undefined while the node is queried. */
  @property({ attribute: false }) drawing: ApprovalDrawing | undefined;
  @property({ attribute: false }) wallet!: Wallet;
  /** The user's own wallets, to show their names in calls. */
  @property({ attribute: false }) own: readonly Wallet[] = [];
  @property({ attribute: false }) secretType: SecretType = 'ETHEREUM';
  /** What changed since the previous draft. */
  @property({ attribute: false }) changed: ReadonlySet<ChangedPart> = new Set();
  /** What amounts are worth; undefined without prices. */
  @property({ attribute: false }) worthDrawing: WorthDrawing | undefined;
  /** The allowance that the user can limit. */
  @property({ attribute: false }) limit: LimitOffer | undefined;
  /** Title of an action that the user started in the wallet; empty for a site's request. */
  @property({ attribute: false }) heading = '';
  /** The e-mail address by which the recipient was found. */
  @property({ attribute: false }) email = '';
  /** Draws where the site's last approval was, if on another network. */
  @property({ attribute: false }) networkNote: NetworkNote | undefined;
  /** Position in a list of requests: "1 of 3". */
  @property({ attribute: false }) step: Step | undefined;

  titles?(title: unknown, sub: unknown): ReturnType<NonNullable<Titled['titles']>>;

  /** What is on screen. */
  #drawn: ApprovalDrawing | undefined;
  /** When the wait for the node began, by the view's clock. */
  #since: number | undefined;
  /** The skeleton is still shown. */
  #held = false;
  /** The focus may go on from the heading to the PIN field. */
  #toPin = false;

  protected override readonly escape = 'cbf-reject';

  get summary(): Summary | undefined {
    return this.drawing?.summary;
  }

  /** Undefined while the skeleton is shown. */
  get #drawing(): ApprovalDrawing | undefined {
    return this.#held ? undefined : this.drawing;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.requestUpdate();
  }

  protected override async enter(): Promise<void> {
    await super.enter();
    this.#tellSubject();
  }

  /** Puts the network and the step ("1 of 3") into the header. */
  #tellSubject(): void {
    const { drawing, step } = this;
    this.emit('cbf-subject', {
      below: drawing?.network(this),
      step: step && stepText(step),
    } satisfies Subject);
  }

  protected override willUpdate(): void {
    const { drawing } = this;
    if (!drawing) {
      this.#since ??= this.clock.now();
      return;
    }
    // The skeleton appears after 200 ms and then stays for at least 300 ms: it never flashes.
    const waited = this.#drawn || this.#since === undefined ? 0 : this.clock.now() - this.#since;
    this.#held = waited > 200 && waited < 500;
    if (this.#held) return void this.clock.after(500 - waited, () => this.requestUpdate());
    if (!this.#drawn)
      adoptStyles(this.renderRoot as ShadowRoot, [...drawing.styles, this.worthDrawing?.styles ?? []].flat());
  }

  protected override updated(changed: PropertyValues): void {
    super.updated(changed);
    const drawing = this.#drawing;
    if (!drawing) return;
    const before = this.#drawn;
    this.#drawn = drawing;
    if (before && before !== drawing && this.changed.size) this.announce(drawing.feeChange);
    if (this.isConnected) {
      this.sight ??= drawing.sight(this.renderRoot as ShadowRoot, this.clock, () => this.requestUpdate());
      this.sight.update(this);
    }
    if (before !== drawing) this.#tellSubject();
    const title = this.renderRoot.querySelector('h1');
    if (!before && !this.keepsFocus && (!this.padOpen || this.danger)) {
      title?.focus({ preventScroll: true });
      this.#toPin = !this.padOpen;
    }
    // The PIN field gets the focus once it takes digits, unless there is a warning to read, or the user has moved on.
    if (!this.#toPin || this.fresh) return;
    this.#toPin = false;
    const { warnings, shortOf } = drawing.summary;
    const isClear = this.takesFocus && !this.phase && !warnings.length && !shortOf;
    if (isClear && (this.renderRoot as ShadowRoot).activeElement === title) this.pinRow?.focus();
  }

  protected override get danger(): boolean {
    return !!this.summary?.warnings.some(({ level }) => level === 'danger');
  }

  protected override get missing(): string | undefined {
    const drawing = this.#drawing;
    if (!drawing) return msg('Checking balance and fee');
    // Before the first render nothing can have been seen.
    return drawing.obstacle ?? (this.sight ? this.sight.missing : msg('Just arrived'));
  }

  protected override get parts(): FootParts | undefined {
    return this.#drawing?.footParts;
  }

  protected override tick(): Tick | undefined {
    return this.#drawing?.tick;
  }

  protected override showRisk(): void {
    this.renderRoot.querySelector('.alert.danger')?.scrollIntoView({ block: 'nearest' });
  }

  protected override render(): TemplateResult {
    const drawing = this.#drawing;
    const canvas = {
      limit: (raw: bigint) => this.emit('cbf-limit', raw),
      close: () => this.emit('cbf-reject'),
      announce: (text: string) => this.announce(text),
    };
    const body = drawing
      ? html`${drawing.body(this, canvas)}${this.sight?.pill()}`
      : html`<h1 class="sr" tabindex="-1">${this.heading || msg('Approve transaction')}</h1>
          <p class="sr" role="status">${msg('Checking balance and fee')}</p>
          <div
            class="bones"
            aria-hidden="true"
          ><i class="skel head"></i><i class="skel card"></i><i class="skel"></i><i class="skel long"></i></div>`;
    return this.layout({
      body,
      foot: drawing?.closeOnly(canvas) ?? this.rejectOrApprove(drawing?.lines(this), !drawing?.obstacle),
      folded: this.padOpen,
    });
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'cbf-approve': ApproveView;
  }
}
