import type { Database } from './database.ts';
import type { Settings } from './types.ts';

type Theme = ReturnType<Settings['theme']>;

/** In localStorage and not in the database, so that the first paint already has the right colours. */
export function openSettings(db: Database): Settings {
  const item = `${db.name}:theme`;
  let theme: Theme | undefined;
  return {
    theme() {
      return theme ?? stored(item);
    },
    async setTheme(next) {
      try {
        localStorage.setItem(item, next);
        theme = undefined;
      } catch {
        // Full: it holds for this page.
        theme = next;
      }
      db.announce(['settings']);
    },
  };
}

function stored(item: string): Theme {
  try {
    const text = localStorage.getItem(item);
    return text === 'light' || text === 'dark' ? text : 'auto';
  } catch {
    return 'auto';
  }
}
