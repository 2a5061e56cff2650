/** Keeps the catalogues in `src/locales/`, which are not in git, as the sources and `locales/` say. */
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { ROOT } from '../command.ts';

const FOLDER = 'src/locales';
const SOURCES = ['src', 'locales', 'scripts/strings', 'service/checkout/receipts'];
const STAMP = join(ROOT, '.cache/catalogues');

/** Names, sizes and times of all sources, and of all catalogues. */
function fingerprints(): { sources: string; catalogues: string } {
  const [sources, catalogues] = [createHash('sha256'), createHash('sha256')];
  for (const folder of SOURCES)
    for (const name of readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).sort()) {
      const path = `${folder}/${name}`;
      const file = statSync(join(ROOT, path), { throwIfNoEntry: false });
      if (file?.isFile())
        (path.startsWith(`${FOLDER}/`) ? catalogues : sources).update(
          `${path} ${file.size} ${file.mtimeMs}\n`,
        );
    }
  return { sources: sources.digest('hex'), catalogues: catalogues.digest('hex') };
}

function readText(path: string): string | undefined {
  return existsSync(path) ? readFileSync(path, 'utf8') : undefined;
}

/** Several processes may do it at once: a file is replaced as a whole, and only by another text. */
function replace(path: string, text: string): void {
  if (readText(path) === text) return;
  mkdirSync(dirname(path), { recursive: true });
  const unfinished = join(ROOT, `.cache/catalogue-${process.pid}`);
  writeFileSync(unfinished, text);
  renameSync(unfinished, path);
}

/** Takes a second, and no time if nothing has changed. */
export async function writeCatalogues(): Promise<void> {
  const { sources, ...before } = fingerprints();
  if (readText(STAMP) === `${sources} ${before.catalogues}`) return;
  const { catalogues } = await import('./catalogues.ts');
  const { readSources } = await import('./source.ts');
  const files = catalogues(readSources());
  mkdirSync(dirname(STAMP), { recursive: true });
  for (const [name, text] of files) replace(join(ROOT, name), text);
  for (const name of readdirSync(join(ROOT, FOLDER), { recursive: true, encoding: 'utf8' }))
    if (name.endsWith('.ts') && !files.has(`${FOLDER}/${name}`))
      rmSync(join(ROOT, FOLDER, name), { force: true });
  // A source that has changed meanwhile is for the next time.
  writeFileSync(STAMP, `${sources} ${fingerprints().catalogues}`);
}
