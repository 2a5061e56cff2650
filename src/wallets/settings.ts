import type { Database } from './database.ts';
import { storedLanguage, storedTheme } from './first-paint.ts';
import type { Settings } from './types.ts';

type Theme = ReturnType<Settings['theme']>;

export function openSettings(db: Database): Settings {
  // What could not be stored, because storage is full or denied, holds for this page only.
  let theme: Theme | undefined;
  let language: string | undefined;
  const store = <T extends string>(name: string, value: T): T | undefined => {
    try {
      localStorage.setItem(`${db.name}:${name}`, value);
      return undefined;
    } catch {
      return value;
    }
  };
  return {
    theme: () => theme ?? storedTheme(db.name),
    async setTheme(next) {
      theme = store('theme', next);
      db.announce(['settings']);
    },
    language: () => language ?? storedLanguage(db.name),
    setLanguage(next) {
      language = store('language', next);
      db.announce(['settings']);
    },
  };
}
