import { css, html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import type { Wallet } from '../../api/wallet.ts';
import { shortAddress, shortText } from '../../ui/address.ts';
import { chainBadge } from '../../ui/chain-badge.ts';
import { customElement, property } from '../../ui/decorators.ts';
import { holderMark } from '../../ui/holder-mark.ts';
import { msg, str } from '../../base/localize.ts';
import { networkTag } from '../ui/rows.ts';
import { type Balances, holding, holdingStyles } from './balances.ts';
import { WalletSwitch } from './wallet-switch.ts';

interface WalletFromEvents {
  /** The list was opened: the wallets' balances are needed now. */
  'cbf-wallets-opened': null;
}

/** A field for the wallet to send from, with each wallet's coin balance. */
@customElement('cbf-wallet-from')
export class WalletFrom extends WalletSwitch {
  static override styles = [
    ...WalletSwitch.styles,
    holdingStyles,
    css`
      .chosen { gap: var(--_s3); min-block-size: 60px; padding: var(--_s2) var(--_s3); border: 1px solid var(--_border-strong); border-radius: var(--_r-sm); background: var(--_surface); box-shadow: var(--_shadow-1); }
      .chosen.alone { background: var(--_surface-2); box-shadow: none; }
      .chosen > .i { transition: transform var(--_t); }
      .chosen.open > .i { transform: rotate(180deg); }
      .held { flex: none; }
    `,
  ];

  @property({ attribute: false }) balances: Balances = new Map();

  protected override get label(): string {
    const { alias, address } = this.wallet;
    return msg(str`From ${alias} ${shortText(address)}`);
  }

  protected override get listLabel(): string {
    return msg('From');
  }

  protected override updated(changed: PropertyValues): void {
    if (changed.has('open') && this.open)
      this.dispatchEvent(new Event('cbf-wallets-opened' satisfies keyof WalletFromEvents));
  }

  protected override draw(wallet: Wallet, mark?: TemplateResult): TemplateResult {
    const { secretType, alias, address, id } = wallet;
    const coin = this.balances.get(id)?.coin;
    return html`${chainBadge(secretType)}<span class="row-main"
        ><span class="strong trunc">${alias}</span
        ><span class="sm muted">${shortAddress(address)}${networkTag(this.networks.get(id))}${holderMark(wallet)}</span></span
      >${holding(coin && { coin })}${mark ?? nothing}`;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'cbf-wallet-from': WalletFrom;
  }
}
