/** When to ask for a backup: before receiving, if the browser may delete the wallet, and once the wallet holds something; by one rule. */
import { html, nothing, type TemplateResult } from 'lit';
import { msg } from '../../base/localize.ts';
import type { Unsaved } from '../../wallets/types.ts';

const REMINDED = 'carabiner:reminded';
const DAY = 24 * 60 * 60 * 1000;

/** Whether the browser has granted persistent storage, which was requested when the wallet was created. If not, it may delete it. */
export async function keepsStorage(): Promise<boolean> {
  try {
    return await navigator.storage.persisted();
  } catch {
    return false;
  }
}

/** The one rule of every reminder but that of the value which the user sets: once a day, whichever view it is in. */
export function isReminderDue(now: number): boolean {
  try {
    const at = Number(localStorage.getItem(REMINDED));
    return at > now || now - at >= DAY;
  } catch {
    return true;
  }
}

export function noteReminded(now: number): void {
  try {
    localStorage.setItem(REMINDED, String(now));
  } catch {
    // Storage is full: the next reminder comes sooner.
  }
}

const FROM = 'carabiner:remind-from';

/** Values, offered in Settings, of wallets without a backup from which every opening reminds; 0 for never. In dollars or about as much. */
export const REMIND_FROM: readonly number[] = [10, 100, 1000, 10_000, 0];

/** The user's choice from `REMIND_FROM`. */
export function remindsFrom(): number {
  try {
    const value = Number(localStorage.getItem(FROM) ?? 100);
    return REMIND_FROM.includes(value) ? value : 100;
  } catch {
    return 100;
  }
}

export function setRemindsFrom(value: number): void {
  try {
    localStorage.setItem(FROM, String(value));
  } catch {
    // Storage is full: the setting stays as it was.
  }
}

/** The same in a currency. Assumes that a currency without cents has units worth about a cent. */
export function remindValue(value: number, currency: string): number {
  const { maximumFractionDigits } = new Intl.NumberFormat('en', {
    style: 'currency',
    currency,
  }).resolvedOptions();
  return value * (maximumFractionDigits === 0 ? 100 : 1);
}

// Marks wallets that would be lost with this browser's data.

/** What marks say without opening the database. Nothing depends on it. */
const COPY_HINT = 'carabiner:copy';

export function noteCopy(isKept: boolean): void {
  try {
    if (isKept) localStorage.setItem(COPY_HINT, 'kept');
    else localStorage.removeItem(COPY_HINT);
  } catch {
    // Storage is full: marks say less.
  }
}

/** Whether an encrypted copy of the wallet is kept: only the passkey brings it back. */
export function keepsCopy(): boolean {
  try {
    return localStorage.getItem(COPY_HINT) !== null;
  } catch {
    return false;
  }
}

/** Next to a wallet's name. Needs `listStyles`. */
export function backupMark(unsaved: Unsaved | undefined): TemplateResult | typeof nothing {
  return unsaved
    ? html` <span class="tag warn">${keepsCopy() ? msg('Encrypted copy only') : msg('Not backed up')}</span>`
    : nothing;
}

/** For a browser that has not promised to keep the wallet. WebKit's limit is for what was not visited, not for what lacks space. */
export function mayDelete(): string {
  if (keepsCopy()) return msg('This browser may delete the wallet. Your passkey brings it back.');
  return navigator.vendor.startsWith('Apple')
    ? msg('Safari deletes the wallet after 7 days without a visit. A back-up brings it back.')
    : msg('This browser may delete the wallet to save space. A back-up brings it back.');
}

/** What to do about wallets that a copy alone brings back. */
export function passkeyOnly(): string {
  return msg(
    'Only your passkey brings your wallets back, from the encrypted copy. In case it is deleted, write down the 12 words in Settings.',
  );
}

/** Below a list: what to do about the marks in it. `kept`: the browser has promised to keep its storage. */
export function backupNotes(unsaved: readonly (Unsaved | undefined)[], kept: boolean): TemplateResult[] {
  const notes = [
    !kept && unsaved.some(Boolean) && mayDelete(),
    unsaved.includes('phrase') &&
      (keepsCopy()
        ? passkeyOnly()
        : msg(
            'To back up your wallets, write down the 12 words in Settings. If you use a passkey, the back-up file there is enough.',
          )),
    unsaved.includes('key') &&
      msg(
        'The 12 words do not hold imported wallets. To back one up, save the back-up file in Settings, or export its key and keep it safe.',
      ),
  ];
  return notes.flatMap((text) => (text ? [html`<p class="sm muted">${text}</p>`] : []));
}
