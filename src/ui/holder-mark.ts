/** Says who holds a wallet's key, where it is not this browser alone. */
import { html, nothing, type TemplateResult } from 'lit';
import { msg } from './localize.ts';

interface KeyHolder {
  walletType: 'BROWSER' | 'WHITE_LABEL' | 'THREEWAY_SHARED' | 'EXTERNAL';
  hasCustomPin: boolean;
}

/** Nothing for a wallet of this browser. */
export function holderName({ walletType, hasCustomPin }: KeyHolder): string {
  if (walletType === 'BROWSER') return '';
  if (walletType === 'WHITE_LABEL') return msg('App wallet');
  if (walletType === 'EXTERNAL') return msg('Browser wallet');
  return hasCustomPin ? msg('Service wallet, own PIN') : msg('Service wallet');
}

/** Beside a wallet's address. Needs the style of a `tag`. */
export function holderMark(wallet: KeyHolder): TemplateResult | typeof nothing {
  const name = holderName(wallet);
  return name ? html` <span class="tag">${name}</span>` : nothing;
}
