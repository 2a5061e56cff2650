/** The elements that are live on their guides' pages, as the wallet's origin has them. */
import type { Source } from './pages.ts';

const ELEMENTS: Readonly<Record<string, string>> = {
  'link-wallets': '<link-wallets secret-types="ETHEREUM"></link-wallets>',
  'manage-wallets': '<manage-wallets chain="ethereum"></manage-wallets>',
  'transfer-dialog':
    '<transfer-dialog to="0x8f3Cf7ad23Cd3CaDbD9735AFf958023239c6A063" value="0.25" secret-type="ETHEREUM"></transfer-dialog>',
  'sign-request':
    '<sign-request type="ETHEREUM_RAW" data="0x49206167726565207769746820746865207465726d73206f662074686520747261696c20636c75622e"></sign-request>',
  'swap-panel': '<swap-panel from-secret-type="ETHEREUM" amount="0.5"></swap-panel>',
};

/** By page of the site; those of the reference have their own element. */
const OF_GUIDES: Readonly<Record<string, readonly string[]>> = {
  'embedding.html': ['link-wallets', 'transfer-dialog'],
  'recipes.html': ['sign-request'],
  'own-page.html': ['manage-wallets'],
  'swaps.html': ['swap-panel'],
  'theming.html': ['transfer-dialog'],
};

export function liveElements({ path }: Source): readonly string[] {
  const ofReference = /^reference\/([\w-]+)\.html$/.exec(path)?.[1];
  if (ofReference && Object.hasOwn(ELEMENTS, ofReference)) return [ofReference];
  return OF_GUIDES[path] ?? [];
}

export function liveHtml(names: readonly string[]): string {
  return `<section class="live" aria-label="Live">${names.map((name) => `<div><p><code>&lt;${name}&gt;</code>, live</p>${ELEMENTS[name]}</div>`).join('')}</section>`;
}
