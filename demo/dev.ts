/**
 * `npm run dev`: the demo, whose page reloads within two seconds of a change to elements, frame or page. A change to server code (service,
 * chains, demo) makes tsx restart everything.
 */
import { watch } from 'node:fs';
import { resolve } from 'node:path';
import { buildPages, pagesAreFresh } from '../scripts/build.ts';
import { writeCatalogues } from '../scripts/strings/fresh.ts';
import { LiveReload } from './live-reload.ts';
import { runDemo } from './start.ts';

/** Debounce in milliseconds: editors write a file more than once. */
const QUIET = 100;
const ROOT = resolve(import.meta.dirname, '..');

const live = new LiveReload();
let timer: NodeJS.Timeout | undefined;
let building = false;
let again = false;

async function build(): Promise<void> {
  if (building) return void (again = true);
  building = true;
  do {
    again = false;
    try {
      await buildPages();
      live.reload();
    } catch (error) {
      // The last good build stays in place until the code is fixed.
      console.error((error as Error).message);
    }
  } while (again);
  building = false;
}

await writeCatalogues();
// Unbundled, as tsx watches the files that it loads.
await runDemo(() => import('./demo.ts'), { live });
for (const folder of ['src', 'demo/page'])
  watch(resolve(ROOT, folder), { recursive: true }, () => {
    clearTimeout(timer);
    timer = setTimeout(() => void build(), QUIET);
  });
if (pagesAreFresh()) {
  // For the first change: the start may have done without.
  await import('vite');
} else {
  // Something was changed meanwhile.
  await build();
}
