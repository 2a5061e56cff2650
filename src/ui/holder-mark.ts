/** Shows who holds a wallet's key, unless it is only this browser. */
import { html, nothing, type TemplateResult } from 'lit';
import { msg } from '../base/localize.ts';

interface KeyHolder {
  walletType: 'BROWSER' | 'WHITE_LABEL' | 'THREEWAY_SHARED' | 'EXTERNAL';
  hasCustomPin: boolean;
}

/** Empty for a browser wallet. */
export function holderName({ walletType, hasCustomPin }: KeyHolder): string {
  if (walletType === 'BROWSER') return '';
  if (walletType === 'WHITE_LABEL') return msg('App wallet');
  if (walletType === 'EXTERNAL') return msg('Browser wallet');
  return hasCustomPin ? msg('Service wallet, own PIN') : msg('Service wallet');
}

/** Next to a wallet's address. Needs the `tag` style. */
export function holderMark(wallet: KeyHolder): TemplateResult | typeof nothing {
  const name = holderName(wallet);
  return name ? html` <span class="tag">${name}</span>` : nothing;
}
