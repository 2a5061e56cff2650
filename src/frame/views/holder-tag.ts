/** Says who holds a wallet's key, where it is not this browser alone. */
import { html, nothing, type TemplateResult } from 'lit';
import type { Wallet } from '../../api/wallet.ts';
import { msg } from '../../ui/localize.ts';

/** Nothing for a wallet of this browser. */
export function holderName({ walletType }: Pick<Wallet, 'walletType'>): string {
  if (walletType === 'BROWSER') return '';
  return walletType === 'WHITE_LABEL' ? msg('App wallet') : msg('Service wallet');
}

/** Beside a wallet's address. Needs `cardStyles`. */
export function holderTag(wallet: Pick<Wallet, 'walletType'>): TemplateResult | typeof nothing {
  const name = holderName(wallet);
  return name ? html` <span class="tag">${name}</span>` : nothing;
}
