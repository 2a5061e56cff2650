import { html, type TemplateResult } from 'lit';
import type { Wallet } from '../../api/wallet.ts';
import { shortAddress } from '../../ui/address.ts';
import { chainBadge } from '../../ui/chain-badge.ts';
import { holderMark } from '../../ui/holder-mark.ts';

/** Shows which wallet a view is about. Needs `chainStyles` and `cardStyles`. */
export function walletLine(wallet: Wallet): TemplateResult {
  const { secretType, alias, address } = wallet;
  return html`<div class="line">
    ${chainBadge(secretType, 'l')}
    <span class="row-main"><span class="strong">${alias}</span><span class="sm muted">${shortAddress(address)}${holderMark(wallet)}</span></span>
  </div>`;
}
