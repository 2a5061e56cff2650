import { html, type TemplateResult } from 'lit';

/** `0x71C7…976F`: enough to tell the user's own wallets apart, never enough to verify a recipient. */
export const shortText = (address: string): string =>
  address.length > 12 ? `${address.slice(0, 6)}…${address.slice(-4)}` : address;

/** The short form, with the whole address as its title. */
export const shortAddress = (address: string): TemplateResult =>
  html`<span class="addr short" dir="ltr" title=${address}>${shortText(address)}</span>`;
