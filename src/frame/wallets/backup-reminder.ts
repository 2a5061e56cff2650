/** When the wallet asks for a back-up: before it receives anything where the browser may delete it, and once it holds something. */
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
