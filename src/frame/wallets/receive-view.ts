import { css, html, nothing, type TemplateResult } from 'lit';
import type { Wallet } from '../../api/wallet.ts';
import type { Network } from '../../chains/network.ts';
import { CARDS, type SecretType } from '../../chains/secret-type.ts';
import { alert, alertStyles } from '../../ui/alert.ts';
import { iconCheck, iconCopy } from '../../ui/approval-icons.ts';
import { chainBadge } from '../../ui/chain-badge.ts';
import { customElement, property, state } from '../../ui/decorators.ts';
import { addressStyles, fullAddress } from '../../ui/full-address.ts';
import { holderMark } from '../../ui/holder-mark.ts';
import { icon } from '../../ui/icon.ts';
import { msg, str } from '../../ui/localize.ts';
import { qrCode } from '../../ui/qr-code.ts';
import { writeText } from '../../ui/write-text.ts';
import type { Unsaved } from '../../wallets/types.ts';
import { cardStyles } from '../ui/card-styles.ts';
import { chainStyles } from '../ui/chain-styles.ts';
import { head } from '../ui/head.ts';
import { networkTag } from '../ui/network-tag.ts';
import { FrameView } from '../ui/view.ts';
import { backupNotes } from './backup-mark.ts';

const COPIED = 2000;

export interface ReceiveEvents {
  /** Done, Back, Esc. */
  'cbf-back': null;
}

/** A wallet's address, to be scanned, copied or read out. */
@customElement('cbf-receive')
export class ReceiveView extends FrameView<ReceiveEvents> {
  static override styles = [
    FrameView.styles,
    addressStyles,
    alertStyles,
    cardStyles,
    chainStyles,
    css`
      .code { display: grid; justify-items: center; gap: var(--_s2); padding: var(--_s3); }
      .qr { inline-size: min(184px, 100%); border-radius: var(--_r-sm); }
    `,
  ];

  @property({ attribute: false }) wallet!: Wallet;
  @property({ attribute: false }) network!: Network;
  /** Symbols of the chain's coins: `VET, VTHO`. */
  @property() coins = '';
  @property({ attribute: false }) unsaved: Unsaved | undefined;
  /** The browser has promised to keep what it stores. */
  @property({ attribute: false }) kept = true;

  @state() private copied = false;
  #cancel = (): void => {};

  protected override readonly escape = 'cbf-back';

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#cancel();
    this.copied = false;
  }

  async #copy(): Promise<void> {
    if (!(await writeText(this.wallet.address))) return;
    this.copied = true;
    this.announce(msg('Address copied'));
    this.#cancel();
    this.#cancel = this.clock.after(COPIED, () => (this.copied = false));
  }

  #only(): string {
    const { coins, network } = this;
    return CARDS[this.wallet.secretType].tokens
      ? msg(str`Only send ${coins} and tokens on ${network.name} to this address.`)
      : msg(str`Only send ${coins} on ${network.name} to this address.`);
  }

  protected override render(): TemplateResult {
    const { secretType, alias, address } = this.wallet;
    return this.layout({
      body: html`${head(this, msg(str`Receive ${this.coins}`))}
        <div class="line">
          ${chainBadge(secretType)}
          <span class="row-main"><span class="strong trunc">${alias}</span><span class="sm muted">${this.network.name}${networkTag(this.network)}${holderMark(this.wallet)}</span></span>
        </div>
        <div class="card code">${qrCode(scanned(secretType, address), msg(str`QR code of the address of ${alias}`))} ${fullAddress(address)}</div>
        <p class="sm muted">${this.#only()}</p>
        ${
          this.unsaved
            ? alert('caution', { title: msg('Not backed up'), text: backupNotes([this.unsaved], this.kept) })
            : nothing
        }`,
      foot: html`<div class="actions">
        <button type="button" class="btn secondary lg" @click=${() => this.emit('cbf-back')}>${msg('Done')}</button>
        <button type="button" class="btn primary lg" @click=${() => this.#copy()}>
          ${icon(this.copied ? iconCheck() : iconCopy(), 's')}<span>${this.copied ? msg('Address copied') : msg('Copy address')}</span>
        </button>
      </div>`,
    });
  }
}

/** Upper case makes the QR code of a bech32 address smaller; by BIP-173 wallets accept both cases. */
function scanned(secretType: SecretType, address: string): string {
  const { uriScheme } = CARDS[secretType];
  return uriScheme ? `${uriScheme}:${address}`.toUpperCase() : address;
}

declare global {
  interface HTMLElementTagNameMap {
    'cbf-receive': ReceiveView;
  }
}
