/** A row of settings: name, state, and a control. Needs `cardStyles`. */
import { css, html, nothing, type SVGTemplateResult, type TemplateResult } from 'lit';
import type { Wallet } from '../../api/wallet.ts';
import { msg } from '../../base/localize.ts';
import type { Network, NetworkKind } from '../../chains/network.ts';
import { shortAddress } from '../../ui/address.ts';
import { chainBadge } from '../../ui/chain-badge.ts';
import { holderMark } from '../../ui/holder-mark.ts';
import { icon } from '../../ui/icons.ts';

export const optionStyles = css`
  .rows > li { padding-inline: 14px; }
  .rows .i { color: var(--_text-2); }
  @container frame (max-width: 339px) { .rows > li { flex-wrap: wrap; padding-inline: var(--_s3); } .rows .row-main { flex-basis: 130px; } }
`;

export function optionRow(
  mark: SVGTemplateResult,
  name: string,
  note: string,
  control: TemplateResult,
): TemplateResult {
  return html`<li>
    ${icon(mark)}<span class="row-main"><span class="strong">${name}</span><span class="sm muted">${note}</span></span>${control}
  </li>`;
}

/** At the end of a row. `name`: its accessible name, if `text` alone is not clear. */
export function optionButton(text: string, act: () => void, name = text): TemplateResult {
  return html`<button type="button" class="btn quiet" aria-label=${name} @click=${act}><span>${text}</span></button>`;
}

export function optionCard(rows: unknown): TemplateResult {
  return html`<div class="card"><ul class="rows">${rows}</ul></div>`;
}

// Marks wallets whose coins are not real money.

export function kindName(kind: NetworkKind): string | undefined {
  if (kind === 'testnet') return msg('Testnet');
  return kind === 'local' ? msg('Local') : undefined;
}

/** Next to a wallet's address. Empty on a live network. Needs `cardStyles`. */
export function networkTag(network: Network | undefined): TemplateResult | typeof nothing {
  // Its network was removed from `networks.json`.
  if (!network) return html` <span class="tag bad">${msg('Unavailable')}</span>`;
  const name = kindName(network.kind);
  return name ? html` <span class="tag" title=${network.name}>${name}</span>` : nothing;
}

/** Shows which wallet a view is about. Needs `chainStyles` and `cardStyles`. */
export function walletLine(wallet: Wallet): TemplateResult {
  const { secretType, alias, address } = wallet;
  return html`<div class="line">
    ${chainBadge(secretType, 'l')}
    <span class="row-main"><span class="strong">${alias}</span><span class="sm muted">${shortAddress(address)}${holderMark(wallet)}</span></span>
  </div>`;
}
