import { css, html, nothing, type TemplateResult } from 'lit';
import { msg } from '../base/localize.ts';

/** `0x71C7…976F`: enough to tell the user's own wallets apart, never enough to verify a recipient. */
export const shortText = (address: string): string =>
  address.length > 12 ? `${address.slice(0, 6)}…${address.slice(-4)}` : address;

/** The short form, with the whole address as its title. Its dots are those of a Latin font in every language. */
export const shortAddress = (address: string): TemplateResult =>
  html`<span class="addr short" lang="en" dir="ltr" title=${address}>${shortText(address)}</span>`;

export const addressStyles = css`
  .groups { direction: ltr; unicode-bidi: isolate; display: inline-grid; inline-size: fit-content; grid-template-columns: repeat(5, auto); column-gap: 7px; font-family: var(--_mono); font-size: var(--_fs-sm); line-height: 1.5; color: var(--_text-2); }
  .groups.lead { grid-template-columns: auto repeat(5, auto); }
  .groups i { font-style: normal; color: var(--_text-3); grid-row: 1 / span 4; }
  .groups mark { color: var(--_danger); background: var(--_danger-soft); font-weight: 700; text-decoration: underline 2px; text-underline-offset: 2px; }
  .groups b { justify-self: start; color: var(--_text); font-weight: 700; box-shadow: inset 0 -1px 0 var(--_border-strong); }
  @container (max-width: 379px) { .groups { column-gap: 5px; } }
  @container (max-width: 339px) { .groups { font-size: var(--_fs-xs); } }
`;

/** Prefixes shared by all addresses of a chain; none in base58. */
const LEAD = /^(?:0x|bc1q|bc1p|tb1q|bcrt1q|ltc1q|tltc1q|rltc1q|ak_)/;

/**
 * The whole address in groups of four, five per row, the first and last group bold (the last two if the last is short). A screen reader
 * finds it as text without gaps, character by character, and so does a copied selection. `marked`: positions of characters that differ from
 * a look-alike address. Needs `addressStyles`.
 */
export function fullAddress(address: string, marked: ReadonlySet<number> = new Set()): TemplateResult {
  const lead = LEAD.exec(address)?.[0] ?? '';
  const groups = address.slice(lead.length).match(/.{1,4}/g) ?? [];
  const bold = groups.length - ((groups.at(-1)?.length ?? 4) < 4 ? 2 : 1);
  const draw = (group: string, i: number): unknown => {
    if (!marked.size) return group;
    const start = lead.length + i * 4;
    return [...group].map((character, j) =>
      marked.has(start + j) ? html`<mark>${character}</mark>` : character,
    );
  };
  const copy = (event: ClipboardEvent): void => {
    event.clipboardData?.setData('text/plain', address);
    event.preventDefault();
  };
  return html`<span translate="no" @copy=${copy}><span class="sr">${address}</span><span class="groups ${lead ? 'lead' : ''}" aria-hidden="true"
    >${lead ? html`<i>${lead}</i>` : nothing}${groups.map((group, i) =>
      i === 0 || i >= bold ? html`<b>${draw(group, i)}</b>` : html`<span>${draw(group, i)}</span>`,
    )}</span
  ></span>`;
}

// Who holds a wallet's key, unless it is only this browser.

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
  return name ? html` <span part="tag" class="tag">${name}</span>` : nothing;
}
