import { css, html, nothing, type TemplateResult } from 'lit';
import type { Wallet } from '../../api/wallet.ts';
import { msg, str } from '../../base/localize.ts';
import { alert, alertStyles } from '../../ui/alert.ts';
import { writeText } from '../../ui/clipboard.ts';
import { customElement, property, state } from '../../ui/decorators.ts';
import { icon, iconCheck, iconCopy } from '../../ui/icons.ts';
import { spinStyles } from '../../ui/styles.ts';
import { chainStyles, codeStyles, tickStyles } from '../ui/card-styles.ts';
import { PinConsentView, type Tick } from '../ui/consent-view.ts';
import { footParts } from '../ui/foot-parts.ts';
import { footStyles } from '../ui/foot-styles.ts';
import { head } from '../ui/head.ts';
import { listStyles, walletLine } from '../ui/rows.ts';
import { FrameView } from '../ui/view.ts';

export interface ExportEvents {
  /** Back, Cancel, Esc. */
  'cbf-back': null;
}

/** Asks the user to approve showing a private key. */
@customElement('cbf-export')
export class ExportView extends PinConsentView<ExportEvents> {
  static override styles = [
    FrameView.styles,
    alertStyles,
    listStyles,
    chainStyles,
    spinStyles,
    footStyles,
    tickStyles,
  ];

  @property({ attribute: false }) wallet!: Wallet;
  /** The wallet is on a test network. */
  @property({ attribute: false }) test = false;

  protected override readonly escape = 'cbf-back';
  protected override readonly danger = true;
  protected override readonly parts = footParts;

  protected override tick(): Tick {
    return { text: msg('I understand the risk'), for: 'export', of: 1 };
  }

  protected override render(): TemplateResult {
    return this.layout({
      body: html`${head(this, msg('Export wallet'))} ${walletLine(this.wallet)}
        ${alert('danger', {
          title: msg('Never share a private key'),
          text: msg(
            'Anyone who has it can take everything in this wallet. Support staff and websites never need it.',
          ),
        })}
        ${
          this.test
            ? alert('caution', {
                title: msg('The same key opens the mainnet address'),
                text: msg(
                  'This wallet is on a testnet, but its key also opens the address on the mainnet, where it may hold money.',
                ),
              })
            : nothing
        }`,
      foot: this.foot({ action: msg('Show private key'), leave: msg('Cancel'), leaveEvent: 'cbf-back' }),
    });
  }
}

const SHOWN = 30;

export interface PrivateKeyEvents {
  /** Done, Back, Esc, or timeout. */
  'cbf-done': null;
  /** Back: fires Done. */
  'cbf-back': null;
}

/** The private key itself, for at most 30 seconds. */
@customElement('cbf-private-key')
export class PrivateKeyView extends FrameView<PrivateKeyEvents> {
  static override styles = [
    FrameView.styles,
    alertStyles,
    codeStyles,
    css`.code { font-size: 14px; white-space: pre-wrap; }`,
  ];

  @property({ attribute: false }) alias = '';
  /** As the chain exports it. In the DOM only while this view is shown. */
  @property({ attribute: false }) key = '';

  @state() private left = SHOWN;
  @state() private copied = false;
  #cancel = (): void => {};

  protected override readonly escape = 'cbf-done';

  readonly #hide = (): void => this.emit('cbf-done');

  override connectedCallback(): void {
    super.connectedCallback();
    this.addEventListener('cbf-back', this.#hide);
    this.#cancel = this.clock.every(1000, () => {
      this.left--;
      if (this.left <= 0) this.#hide();
    });
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#cancel();
    this.removeEventListener('cbf-back', this.#hide);
    this.key = '';
  }

  async #copy(): Promise<void> {
    this.copied = await writeText(this.key);
    if (this.copied) this.announce(msg('Private key copied'));
  }

  protected override render(): TemplateResult {
    // Grouped hex is easier to copy by hand; the clipboard gets it without spaces.
    const groups = /^(0x)?[0-9a-f]{64}$/i.test(this.key)
      ? this.key.replace(/^0x/, '').match(/.{4}/g)!.join(' ')
      : this.key;
    const left = `0:${String(this.left).padStart(2, '0')}`;
    return this.layout({
      body: html`${head(this, msg(str`Private key of ${this.alias}`))}
        <p class="code" translate="no">${groups}</p>
        <div class="line">
          <button type="button" class="btn quiet" @click=${() => this.#copy()}>
            ${icon(this.copied ? iconCheck() : iconCopy(), 's')}<span>${msg('Copy private key')}</span>
          </button>
          <p class="sm faint grow">${msg(str`Hides in ${left}`)}</p>
        </div>
        ${alert('caution', { text: msg('What you copy can be read by other apps. Clear your clipboard afterwards.') })}`,
      foot: html`<button type="button" class="btn primary lg block" @click=${this.#hide}>${msg('Done')}</button>`,
    });
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'cbf-export': ExportView;
    'cbf-private-key': PrivateKeyView;
  }
}
