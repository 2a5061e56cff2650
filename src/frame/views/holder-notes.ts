/** Below a list: what the marks of holders in it mean, and that the service does not answer. */
import { html, nothing, type TemplateResult } from 'lit';
import type { Wallet } from '../../api/wallet.ts';
import { iconOffline } from '../../ui/icons.ts';
import { msg } from '../../ui/localize.ts';
import { icon } from '../ui/icon.ts';

/** Why wallets of the service are not in a list. */
export type Trouble = 'unreachable' | 'signed-out' | undefined;

export function holderNotes(wallets: readonly Wallet[]): TemplateResult[] {
  const has = (type: Wallet['walletType']): boolean => wallets.some(({ walletType }) => walletType === type);
  const notes = [
    has('THREEWAY_SHARED') &&
      msg('Service wallets: the wallet service keeps the key, and only your PIN on your devices opens it.'),
    has('WHITE_LABEL') && msg('App wallets: the site’s operator made them, and can use them with their PIN.'),
    (has('THREEWAY_SHARED') || has('WHITE_LABEL')) &&
      has('BROWSER') &&
      msg('The others have their keys in this browser only.'),
  ];
  return notes.flatMap((text) => (text ? [html`<p class="sm muted">${text}</p>`] : []));
}

/** One calm line. Needs `cardStyles`. */
export function troubleLine(
  trouble: Trouble,
  busy: boolean,
  retry: () => void,
): TemplateResult | typeof nothing {
  if (!trouble) return nothing;
  return html`<div class="card padded line" role="status">
    ${icon(iconOffline(), 's')}
    <span class="sm muted grow">${
      trouble === 'unreachable'
        ? msg('The wallet service does not answer. Wallets in this browser work as ever.')
        : msg('The site gave no access to your service wallets. Sign in there again.')
    }</span>
    <button type="button" class="btn ghost" ?disabled=${busy} @click=${retry}><span>${msg('Try again')}</span></button>
  </div>`;
}
