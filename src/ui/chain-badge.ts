import { css, html, type SVGTemplateResult, type TemplateResult } from 'lit';
import type { SecretType } from '../chains/secret-type.ts';
import {
  glyphAeternity,
  glyphBitcoin,
  glyphEthereum,
  glyphGochain,
  glyphLitecoin,
  glyphTron,
  glyphVechain,
} from './glyphs.ts';

const GLYPHS: Record<SecretType, () => SVGTemplateResult> = {
  AETERNITY: glyphAeternity,
  BITCOIN: glyphBitcoin,
  ETHEREUM: glyphEthereum,
  GOCHAIN: glyphGochain,
  LITECOIN: glyphLitecoin,
  TRON: glyphTron,
  VECHAIN: glyphVechain,
};

export const chainBadgeStyles = css`
  .chain { --c: #5a6372; display: inline-grid; place-items: center; flex: none; inline-size: 32px; block-size: 32px; border-radius: 28%; background: color-mix(in oklab, var(--c) 13%, var(--_surface)); color: light-dark(color-mix(in oklab, var(--c) 82%, var(--_text)), color-mix(in oklab, var(--c) 52%, var(--_text))); box-shadow: inset 0 0 0 1px color-mix(in oklab, var(--c) 20%, transparent); }
  .chain svg { inline-size: 86%; block-size: 86%; fill: none; stroke: currentColor; stroke-width: 2; stroke-linecap: round; stroke-linejoin: round; }
  .chain.m { inline-size: 26px; block-size: 26px; }
  .chain.l { inline-size: 40px; block-size: 40px; }
  .chain[data-chain="ETHEREUM"] { --c: #4b5a8c; }
  .chain[data-chain="GOCHAIN"] { --c: #1f7a63; }
  .chain[data-chain="VECHAIN"] { --c: #2d6f9f; }
  .chain[data-chain="BITCOIN"] { --c: #a5610f; }
  .chain[data-chain="LITECOIN"] { --c: #4f6b82; }
  .chain[data-chain="TRON"] { --c: #a63b3b; }
  .chain[data-chain="AETERNITY"] { --c: #9a3570; }
  .tok { display: inline-grid; place-items: center; flex: none; inline-size: 26px; block-size: 26px; border-radius: 50%; background: var(--_surface-3); box-shadow: inset 0 0 0 1px var(--_border); color: var(--_text-2); font-size: 13px; font-weight: 640; }
`;

/** Decoration: the chain's name stands beside it. `size`: `m` 26 px, none 32, `l` 40. */
export const chainBadge = (secretType: SecretType, size = ''): TemplateResult =>
  html`<span class="chain ${size}" data-chain=${secretType}><svg viewBox="0 0 24 24" aria-hidden="true">${GLYPHS[secretType]?.()}</svg></span>`;

/** For tokens without a glyph: their first letter. */
export const tokenBadge = (symbol: string): TemplateResult =>
  html`<span class="tok" aria-hidden="true">${[...symbol][0]?.toUpperCase() ?? '?'}</span>`;
