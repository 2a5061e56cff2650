/** The user hides what their wallets hold from whoever else can see the screen. What is being approved always shows its amounts. */
import { html, type TemplateResult } from 'lit';
import { msg } from '../../base/localize.ts';

const KEY = 'carabiner:hidden-balances';

/** What could not be stored, because storage is full or denied, holds for this page only. */
let isHiding: boolean | undefined;

export function hidesBalances(): boolean {
  if (isHiding !== undefined) return isHiding;
  try {
    return localStorage.getItem(KEY) === 'yes';
  } catch {
    return false;
  }
}

export function hideBalances(hide: boolean): void {
  isHiding = hide;
  try {
    if (hide) localStorage.setItem(KEY, 'yes');
    else localStorage.removeItem(KEY);
    isHiding = undefined;
  } catch {
    // See `isHiding`.
  }
}

/** In place of an amount, of the same width whatever that is. */
export const hiddenAmount = (): TemplateResult =>
  html`<span aria-hidden="true">••••</span><span class="sr">${msg('hidden')}</span>`;

/** `draw()`, or what stands for it. */
export function unlessHidden<T>(draw: () => T): T | TemplateResult {
  return hidesBalances() ? hiddenAmount() : draw();
}
