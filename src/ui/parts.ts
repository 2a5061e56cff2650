/** What elements and the wallet's own views are put together from. */
import { type CSSResult, html, nothing, type TemplateResult } from 'lit';
import type { Wallet } from '../api/wallet.ts';
import { holderMark, shortAddress } from './address.ts';

export const spinner = (look = ''): TemplateResult => html`<span class="spin ${look}"></span>`;

export interface Headed {
  /** In the page's outline, 1 to 6. */
  headingLevel?: number | undefined;
}

/** The heading of a part of a page. Takes the focus. */
export const heading = ({ headingLevel }: Headed, text: string, look = 'title grow'): TemplateResult =>
  html`<h2 part="heading" class=${look} tabindex="-1" aria-level=${headingLevel ?? nothing}>${text}</h2>`;

/** A wallet's name and address. */
export const walletLines = (alias: unknown, address: string, mark: unknown = nothing): TemplateResult =>
  html`<span class="strong trunc">${alias}</span> <span class="sm muted">${shortAddress(address)}${mark}</span>`;

/** The same, with who holds its key if that is not only this browser. */
export const markedLines = (wallet: Wallet, alias: unknown = wallet.alias): TemplateResult =>
  walletLines(alias, wallet.address, holderMark(wallet));

/** Adds styles to a view that is drawn already. Where no sheets can be adopted, as in jsdom, nothing is laid out either. */
export function adopt(root: HTMLElement | DocumentFragment, ...styles: readonly CSSResult[]): void {
  const sheets = (root as ShadowRoot).adoptedStyleSheets;
  for (const { styleSheet } of styles)
    if (styleSheet && !sheets.includes(styleSheet)) sheets.push(styleSheet);
}
