import { css, html, type TemplateResult } from 'lit';
import type { SecretType } from '../../chains/secret-type.ts';
import { chainBadge, chainBadgeStyles } from '../../ui/chain-badge.ts';

export { chainBadge, tokenBadge } from '../../ui/chain-badge.ts';

export const chainStyles = [
  chainBadgeStyles,
  css`
    .chain.s { inline-size: 20px; block-size: 20px; }
    .chain.s svg { stroke-width: 2.2; }
    .net { display: inline-flex; align-items: center; gap: 6px; font-size: var(--_fs-sm); font-weight: 560; color: var(--_text-2); white-space: nowrap; }
  `,
];

/** The network's name with its badge, at the end of an approval's title line. */
export function network(secretType: SecretType, name: string): TemplateResult {
  return html`<span class="net">${chainBadge(secretType, 's')}${name}</span>`;
}
