import type { CSSResult } from 'lit';

/** Adds styles to a view that is drawn already. Where no sheets can be adopted, as in jsdom, nothing is laid out either. */
export function adopt(root: HTMLElement | DocumentFragment, ...styles: readonly CSSResult[]): void {
  const sheets = (root as ShadowRoot).adoptedStyleSheets;
  for (const { styleSheet } of styles)
    if (styleSheet && !sheets.includes(styleSheet)) sheets.push(styleSheet);
}
