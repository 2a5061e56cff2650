/** Makes a folder with those above it, one by one: below `/proc`, Node's own `recursive` never returns. */
import { existsSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';

/** Throws the system's error. Folders that exist stay as they are. */
export function makeFolder(path: string, mode = 0o755): void {
  const missing: string[] = [];
  for (let folder = path; !existsSync(folder); folder = dirname(folder)) missing.unshift(folder);
  for (const folder of missing)
    try {
      mkdirSync(folder, { mode });
    } catch (error) {
      // Another process was faster.
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
}
