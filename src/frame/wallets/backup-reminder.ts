/** When the wallet asks for a back-up: before it receives anything where the browser may delete it, and once it holds something. */
import type { Vault } from '../../wallets/types.ts';
import type { Frame } from '../frame.ts';
import type { OpenOptions } from '../shell/stage.ts';

const KEY = 'carabiner:reminded';
const DAY = 24 * 60 * 60 * 1000;

/** The browser has promised to keep what the wallet stores; it was asked when the wallet was made. Without the promise it may delete it. */
export async function keepsStorage(): Promise<boolean> {
  try {
    return await navigator.storage.persisted();
  } catch {
    return false;
  }
}

/** The user was reminded within a day. */
export function wasReminded(now: number): boolean {
  try {
    const at = Number(localStorage.getItem(KEY));
    return at <= now && now - at < DAY;
  } catch {
    return false;
  }
}

export function noteReminded(now: number): void {
  try {
    localStorage.setItem(KEY, String(now));
  } catch {
    // Storage is full: it asks again sooner.
  }
}

const FROM = 'carabiner:remind-from';

/** From this value of wallets without a back-up on, every opening reminds: what Settings offers, 0 for none. In dollars, or about as much. */
export const REMIND_FROM: readonly number[] = [10, 100, 1000, 10_000, 0];

/** What the user chose of `REMIND_FROM`. */
export function remindsFrom(): number {
  try {
    const chosen = Number(localStorage.getItem(FROM) ?? 100);
    return REMIND_FROM.includes(chosen) ? chosen : 100;
  } catch {
    return 100;
  }
}

export function setRemindsFrom(value: number): void {
  try {
    localStorage.setItem(FROM, String(value));
  } catch {
    // Storage is full: it stays as it was.
  }
}

/** The same in a currency: a unit of one without cents is worth about as much as a cent. */
export function remindValue(value: number, currency: string): number {
  const { maximumFractionDigits } = new Intl.NumberFormat('en', {
    style: 'currency',
    currency,
  }).resolvedOptions();
  return value * (maximumFractionDigits === 0 ? 100 : 1);
}

/** Before a wallet that is in danger gets anything. Goes on, whatever the user does. */
export async function offerBackUp(frame: Frame, vault: Vault, options: OpenOptions): Promise<void> {
  if (wasReminded(frame.clock.date())) return;
  const { OfferBackUpView } = await import('./offer-back-up-view.ts');
  const { type } = await frame.stage
    .open(new OfferBackUpView(), options)
    .next('cbf-show-words', 'cbf-back', 'cbf-close');
  noteReminded(frame.clock.date());
  if (type !== 'cbf-show-words') return;
  const { showWords } = await import('../settings/settings-flow.ts');
  await showWords(frame, vault, options);
}
