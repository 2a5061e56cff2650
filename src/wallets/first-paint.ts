/** What the frame may know before it opens the vault. In localStorage, so that the first paint needs no database. Only hints: nothing depends on them. */
import type { Settings } from './types.ts';

export function storedTheme(database = 'carabiner'): ReturnType<Settings['theme']> {
  const text = read(`${database}:theme`);
  return text === 'light' || text === 'dark' ? text : 'auto';
}

/** Whether this browser seems to have a vault: then a PIN will be asked for. */
export function seemsMade(database = 'carabiner'): boolean {
  return read(`${database}:vault`) === 'made';
}

export function markMade(database: string): void {
  try {
    localStorage.setItem(`${database}:vault`, 'made');
  } catch {
    // Full: the PIN field comes a moment later.
  }
}

function read(item: string): string | null {
  try {
    return localStorage.getItem(item);
  } catch {
    return null;
  }
}
