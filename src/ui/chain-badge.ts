import { css, html, svg, type TemplateResult, unsafeCSS } from 'lit';
import { CARDS, SECRET_TYPES, type SecretType } from '../chains/secret-type.ts';

const colors = SECRET_TYPES.map(
  (secretType) => `.chain[data-chain="${secretType}"] { --c: ${CARDS[secretType].badge.color}; }`,
).join('\n');

export const chainBadgeStyles = css`
  .chain { --c: #5a6372; --b: var(--cb-color-badge, var(--c)); display: inline-grid; place-items: center; flex: none; inline-size: 32px; block-size: 32px; border-radius: 28%; background: color-mix(in oklab, var(--b) 13%, var(--_surface)); color: light-dark(color-mix(in oklab, var(--b) 82%, var(--_text)), color-mix(in oklab, var(--b) 52%, var(--_text))); box-shadow: inset 0 0 0 1px color-mix(in oklab, var(--b) 20%, transparent); }
  .chain svg { inline-size: 86%; block-size: 86%; fill: none; stroke: currentColor; stroke-width: 2; stroke-linecap: round; stroke-linejoin: round; }
  .chain.m { inline-size: 26px; block-size: 26px; }
  .chain.l { inline-size: 40px; block-size: 40px; }
  ${unsafeCSS(colors)}
  .tok { display: inline-grid; place-items: center; flex: none; inline-size: 26px; block-size: 26px; border-radius: 50%; background: var(--_surface-3); box-shadow: inset 0 0 0 1px var(--_border); color: var(--_text-2); font-size: 13px; font-weight: 640; }
`;

/** Decorative: the chain's name is next to it. `size`: `m` 26 px, none 32 px, `l` 40 px. */
export const chainBadge = (secretType: SecretType, size = ''): TemplateResult =>
  html`<span part="badge" class="chain ${size}" data-chain=${secretType}><svg viewBox="0 0 24 24" aria-hidden="true">${mark(secretType)}</svg></span>`;

/** Empty for a chain that this release does not know but a site may name. */
const mark = (secretType: SecretType) => svg`<path d=${CARDS[secretType]?.badge.path ?? ''} />`;

/** For tokens without a glyph: their first letter. */
export const tokenBadge = (symbol: string): TemplateResult =>
  html`<span part="badge" class="tok" aria-hidden="true">${[...symbol][0]?.toUpperCase() ?? '?'}</span>`;
