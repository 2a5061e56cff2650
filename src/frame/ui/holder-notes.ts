/**
 * Notes below a list of wallets: what the holder marks mean, that the service does not answer, and which of its wallets are not listed.
 */
import { css, html, nothing, type TemplateResult } from 'lit';
import type { Wallet } from '../../api/wallet.ts';
import { icon } from '../../ui/icons.ts';
import { iconOffline } from '../../ui/list-icons.ts';
import { msg } from '../../base/localize.ts';

/** For `troubleLine`. */
export const troubleStyles = css`
  .card.line { flex-wrap: wrap; }
  .card.line > .grow { min-inline-size: 150px; }
`;

/** Why service wallets are missing from a list. */
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

/** A single, plain line. Needs `cardStyles` and `troubleStyles`. */
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

/** Wallets of the user's account that this browser does not recognize as the user's own yet. Needs `cardStyles`. */
export function elsewhereCard(
  count: number,
  busy: boolean,
  enrol: () => void,
): TemplateResult | typeof nothing {
  if (count === 0) return nothing;
  return html`<section class="card padded stack" aria-labelledby="elsewhere">
    <div class="line"><h2 class="strong grow" id="elsewhere">${msg('These wallets were made elsewhere')}</h2><span class="tag">${count}</span></div>
    <p class="sm muted">${msg(
      'Your account at the wallet service has wallets that were not made in this browser. Your recovery code and your PIN show that they are yours.',
    )}</p>
    <p class="sm muted">${msg('If you never made one, do not use them or give their addresses to anybody, and tell the site.')}</p>
    <button type="button" class="btn secondary block" ?disabled=${busy} @click=${enrol}><span>${msg('Use them here')}</span></button>
  </section>`;
}
