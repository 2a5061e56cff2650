/** What elements and the wallet's own views are put together from. */
import { type CSSResult, html, nothing, type TemplateResult } from 'lit';
import type { Wallet } from '../api/wallet.ts';
import { shortAddress } from './address.ts';
import { holderMark } from './holder-mark.ts';

export const spinner = (look = ''): TemplateResult => html`<span class="spin ${look}"></span>`;

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
