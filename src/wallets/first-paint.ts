/** Hints that the frame has before it opens the vault. In localStorage, so that the first paint needs no database. Nothing depends on them. */
import type { Settings } from './types.ts';

export function storedTheme(database = 'carabiner'): ReturnType<Settings['theme']> {
  const text = read(`${database}:theme`);
  return text === 'light' || text === 'dark' ? text : 'auto';
}

/** BCP 47, as the user chose it; empty to follow the site. */
export function storedLanguage(database = 'carabiner'): string {
  return read(`${database}:language`) ?? '';
}

/** What probably opens this browser's vault, and therefore what the wallet will ask for. */
export function seemsMade(database = 'carabiner'): 'pin' | 'passkey' | undefined {
  const text = read(`${database}:vault`);
  return text === 'made' ? 'pin' : text === 'passkey' ? text : undefined;
}

/** The key under which `src/frame/shell/replacements.ts` stores what a site asked a moment ago. */
export function askedKey(origin: string): string {
  return `carabiner:asked:${origin}`;
}

/** Whether the site made a request a moment ago: this one may replace it while the user is still typing. */
export function seemsAsked(origin: string): boolean {
  return read(askedKey(origin)) !== null;
}

export function markMade(database: string, passkey: boolean): void {
  try {
    localStorage.setItem(`${database}:vault`, passkey ? 'passkey' : 'made');
  } catch {
    // Storage is full: the field or the button appears a moment later.
  }
}

function read(item: string): string | null {
  try {
    return localStorage.getItem(item);
  } catch {
    return null;
  }
}
