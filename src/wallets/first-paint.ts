/** Hints that the frame has before it opens the vault. They are in localStorage, so that the first paint needs no database. Nothing depends on them. */
import type { Settings } from './types.ts';

export function storedTheme(database = 'carabiner'): ReturnType<Settings['theme']> {
  const text = read(`${database}:theme`);
  return text === 'light' || text === 'dark' ? text : 'auto';
}

/** The language that the user chose, as a BCP 47 tag; empty to follow the site. */
export function storedLanguage(database = 'carabiner'): string {
  return read(`${database}:language`) ?? '';
}

/** What probably opens this browser's vault, and therefore what the wallet will ask for. */
export function seemsMade(database = 'carabiner'): 'pin' | 'passkey' | undefined {
  const text = read(`${database}:vault`);
  return text === 'made' ? 'pin' : text === 'passkey' ? text : undefined;
}

/** The item in which `src/frame/shell/replacements.ts` stores which request was on screen a moment ago. */
export const ASKED = 'carabiner:asked';

/** Whether a request was on screen a moment ago: the next one may replace it while the user is still typing. */
export function seemsAsked(): boolean {
  return read(ASKED) !== null;
}

/** The item in which a window keeps the origin that it serves, over a reload. */
const SITE = 'carabiner:site';

/** The window's own storage. Undefined in an iframe, which is the page's, and where storage is denied. */
export function windowStorage(surface: 'iframe' | 'popup'): Storage | undefined {
  try {
    return surface === 'popup' ? sessionStorage : undefined;
  } catch {
    return undefined;
  }
}

/** The origin that this window served before, if it is another one. */
export function formerSite(origin: string, window?: Pick<Storage, 'getItem'>): string | undefined {
  const former = window?.getItem(SITE) ?? origin;
  return former === origin ? undefined : former;
}

export function keepSite(origin: string, window?: Pick<Storage, 'setItem'>): void {
  window?.setItem(SITE, origin);
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
