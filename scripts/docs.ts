/** `npm run docs`: guides, reference and changelog as a static site with a search, `dist-docs/`. */
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { answerHelp } from '../service/help.ts';
import { areUnchanged } from './build.ts';
import { ROOT } from './command.ts';
import { buildSite, HEADERS, headersFile } from './docs/site.ts';

answerHelp({
  usage: ['docs', 'docs -- [--if-stale] [<folder>]'],
  does: 'Builds guides, reference and changelog into a static site with a search, dist-docs/. It needs an origin of its own, which is neither the wallet’s nor the service’s; _headers has what its host should send.',
  options: { '--if-stale': 'only if a source is newer, or DOCS_FRAME another' },
  environment: {
    DOCS_FRAME: 'the wallet’s origin, whose elements are live on the pages; without it the pages have none',
  },
  exits: { 0: 'every link leads somewhere', 1: 'one does not, or a page could not be drawn' },
});

const SOURCES = [
  'docs',
  'README.md',
  'CHANGELOG.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  'llms.txt',
  'scripts/docs',
  'scripts/docs.ts',
  'package-lock.json',
];

function isFresh(folder: string, frame: string | undefined): boolean {
  const headers = join(folder, HEADERS);
  if (!existsSync(headers) || !areUnchanged(SOURCES, statSync(headers).mtimeMs)) return false;
  return readFileSync(headers, 'utf8') === headersFile(frame);
}

const given = process.argv.slice(2).filter((each) => each !== '--if-stale');
const folder = resolve(given[0] ?? join(ROOT, 'dist-docs'));
try {
  const frame = process.env['DOCS_FRAME']?.replace(/\/$/, '');
  if (frame !== undefined && new URL(frame).origin !== frame)
    throw new Error('DOCS_FRAME: must be an origin, such as https://connect.example');
  if (!process.argv.includes('--if-stale') || !isFresh(folder, frame)) {
    const count = await buildSite(folder, { frame });
    console.log(`${count} pages in ${folder}`);
  }
} catch (error) {
  console.error((error as Error).message);
  process.exit(1);
}
