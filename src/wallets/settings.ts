import type { Database } from './database.ts';
import { storedLanguage, storedTheme } from './first-paint.ts';
import type { Settings } from './types.ts';

type Theme = ReturnType<Settings['theme']>;

export function openSettings(db: Database): Settings {
  const item = `${db.name}:theme`;
  const languageItem = `${db.name}:language`;
  let theme: Theme | undefined;
  let language: string | undefined;
  return {
    theme() {
      return theme ?? storedTheme(db.name);
    },
    async setTheme(next) {
      try {
        localStorage.setItem(item, next);
        theme = undefined;
      } catch {
        // Storage is full: the setting holds for this page only.
        theme = next;
      }
      db.announce(['settings']);
    },
    language() {
      return language ?? storedLanguage(db.name);
    },
    setLanguage(next) {
      try {
        localStorage.setItem(languageItem, next);
        language = undefined;
      } catch {
        language = next;
      }
      db.announce(['settings']);
    },
  };
}
