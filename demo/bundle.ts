/**
 * The demo's server code and libraries as some 200 scripts in `.cache/demo`, written again after each change. Otherwise a start loads more
 * than 3,000 modules, which takes a third of its time.
 */
import { existsSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { areUnchanged, filesBelow } from '../scripts/build.ts';
import { ROOT } from '../scripts/command.ts';

const ENTRY = 'demo/demo.ts';
const FOLDER = join(ROOT, '.cache/demo');
const SCRIPT = join(FOLDER, 'demo/demo.js');
/** There only if the bundle is complete; as old as the code in it. */
const STAMP = join(FOLDER, 'stamp');
const DAY = 86_400_000;

/** Not those of browsers. */
const FOR_PAGES = ['page', 'frameworks'];
const SOURCES = [
  ...readdirSync(join(ROOT, 'demo'))
    .filter((name) => !FOR_PAGES.includes(name))
    .map((name) => `demo/${name}`),
  'service',
  'src',
  'scripts/bundled-tests.ts',
  'tsconfig.json',
  'package-lock.json',
];

export async function loadBundledDemo(): Promise<typeof import('./demo.ts')> {
  if (!existsSync(STAMP) || !areUnchanged(SOURCES, statSync(STAMP).mtimeMs)) await bundle();
  return (await import(pathToFileURL(SCRIPT).href)) as typeof import('./demo.ts');
}

async function bundle(): Promise<void> {
  // They are not in git, and the build that writes them runs beside this.
  const { writeCatalogues } = await import('../scripts/strings/fresh.ts');
  await writeCatalogues();
  const began = new Date();
  rmSync(STAMP, { force: true });
  // Chunks are named by their content. Those of the last bundles stay for a day: a demo that still runs may load more of them.
  for (const file of existsSync(FOLDER) ? filesBelow(FOLDER) : [])
    if (statSync(file).mtimeMs < began.getTime() - DAY) rmSync(file);
  const { bundleForNode } = await import('../scripts/bundled-tests.ts');
  await bundleForNode([ENTRY], FOLDER);
  const { stop } = await import('esbuild');
  await stop();
  writeFileSync(STAMP, '');
  utimesSync(STAMP, began, began);
}
