/** Marks wallets whose coins are not real money. */
import { html, nothing, type TemplateResult } from 'lit';
import type { Network, NetworkKind } from '../../chains/network.ts';
import { msg } from '../../base/localize.ts';

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
