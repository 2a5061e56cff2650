/**
 * The hashes of a release's script, and of the pages that were built with it: `integrity.json` beside `connect.js`. The build writes it, and
 * the frame's server compares what it serves with it. A browser compares only the entry with a page's `integrity` attribute (Subresource
 * Integrity), so the chunks and the pages are checked here alone.
 */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';

export const INTEGRITY = 'integrity.json';
export const ENTRY = 'connect.js';

/** By file, relative to the release's folder, in the form of `<script integrity>`. */
export type Integrity = Record<string, string>;

/** https://www.w3.org/TR/SRI/#the-integrity-attribute */
function sri(body: Buffer): string {
  return `sha384-${createHash('sha384').update(body).digest('base64')}`;
}

/** Folders of pages, where the release's folder has them. Earlier releases are kept without. */
const PAGES = ['frame', 'read', 'wallet'];

/** Whether it is the script or one of its chunks. */
export function isScript(file: string): boolean {
  return file === ENTRY || file.startsWith('chunks/');
}

/** Files of a page, without their compressed copies. */
function pageFiles(folder: string, path: string): string[] {
  const at = join(folder, path);
  if (!existsSync(at)) return [];
  if (!statSync(at).isDirectory()) return path.endsWith('.br') ? [] : [path];
  return readdirSync(at)
    .toSorted()
    .flatMap((name) => pageFiles(folder, `${path}/${name}`));
}

/** Of the files in the folder. Empty for a file whose compressed copy, which browsers get, has other contents. */
export function integrityOf(folder: string): Integrity {
  const chunks = readdirSync(join(folder, 'chunks'))
    .filter((name) => name.endsWith('.js'))
    .toSorted()
    .map((name) => `chunks/${name}`);
  return Object.fromEntries(
    [ENTRY, ...chunks, ...PAGES.flatMap((page) => pageFiles(folder, page))].map((file) => {
      const path = join(folder, file);
      const hash = sri(readFileSync(path));
      const sent = existsSync(`${path}.br`) ? sri(brotliDecompressSync(readFileSync(`${path}.br`))) : hash;
      return [file, sent === hash ? hash : ''];
    }),
  );
}

export function readIntegrity(folder: string): Integrity {
  const path = join(folder, INTEGRITY);
  if (!existsSync(path)) throw new Error(`${path} is missing: it comes with ${ENTRY} from the build.`);
  return JSON.parse(readFileSync(path, 'utf8')) as Integrity;
}
