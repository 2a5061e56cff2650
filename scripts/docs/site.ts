/** Builds the site: pages, search index, script, stylesheet and pictures. Links that lead nowhere fail it. */
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { build } from 'esbuild';
import MiniSearch from 'minisearch';
import { ROOT } from '../command.ts';
import { type RenderedPage, renderPage } from './markdown.ts';
import { chapters, type Source, sources } from './pages.ts';
import { SEARCH, type SearchEntry } from './search.ts';
import { type Frame, htmlOf, policy } from './template.ts';

interface Page {
  source: Source;
  page: RenderedPage;
}

/** One line for each link to a page or heading that is not there. */
function brokenLinks(pages: readonly Page[]): string[] {
  const places = new Set(
    pages.flatMap(({ source, page }) => [
      source.path,
      ...page.sections.map(({ anchor }) => `${source.path}#${anchor}`),
    ]),
  );
  return pages.flatMap(({ source, page }) =>
    [...page.broken, ...page.links.filter((link) => !places.has(link))].map(
      (link) => `${source.file}: ${link}`,
    ),
  );
}

/** Section by section. */
function searchIndex(pages: readonly Page[]): string {
  const index = new MiniSearch<SearchEntry>(SEARCH);
  index.addAll(
    pages.flatMap(({ source, page }) =>
      page.sections.map(({ anchor, title, depth, text }) => ({
        id: depth === 1 ? source.path : `${source.path}#${anchor}`,
        title,
        page: page.title,
        text,
      })),
    ),
  );
  return JSON.stringify(index);
}

async function writeAssets(folder: string): Promise<void> {
  const client = join(ROOT, 'scripts/docs/client');
  await build({
    entryPoints: [join(client, 'site.ts')],
    outfile: join(folder, 'site.js'),
    bundle: true,
    minify: true,
    format: 'esm',
    target: 'es2022',
    logLevel: 'error',
  });
  cpSync(join(client, 'site.css'), join(folder, 'site.css'));
  cpSync(join(ROOT, 'docs/images'), join(folder, 'images'), { recursive: true });
}

/** For hosts that read such a file (Netlify, Cloudflare Pages): what `<meta>` cannot say. */
export const HEADERS = '_headers';

export function headersFile(frame: string | undefined): string {
  return `/*
  Content-Security-Policy: ${policy(frame)}; frame-ancestors 'none'
  X-Content-Type-Options: nosniff
  Referrer-Policy: no-referrer
`;
}

const HOUR = 3_600_000;

/** Of builds that were stopped. */
function removeUnfinished(folder: string): void {
  const parent = dirname(folder);
  for (const name of existsSync(parent) ? readdirSync(parent) : []) {
    if (!name.startsWith(`${basename(folder)}-`) || !/-\d+(?:-old)?$/.test(name)) continue;
    const path = join(parent, name);
    if ((statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Infinity) < Date.now() - HOUR)
      rmSync(path, { recursive: true, force: true });
  }
}

/** At no time is a part of it there, even if two demos build it at once. */
function replace(folder: string, unfinished: string): void {
  const old = `${unfinished}-old`;
  try {
    renameSync(folder, old);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  try {
    renameSync(unfinished, folder);
  } catch (error) {
    if (!existsSync(folder)) throw error;
    rmSync(unfinished, { recursive: true });
  }
  rmSync(old, { recursive: true, force: true });
}

/** Replaces `folder`, once all of it is there. */
export async function buildSite(folder: string, { frame }: Frame): Promise<number> {
  const navigation = chapters();
  const listed = new Map(navigation.flatMap(({ pages }) => pages).map((each) => [each.path, each]));
  const pages = sources().map((each): Page => {
    const source = listed.get(each.path) ?? each;
    return { source, page: renderPage(source, readFileSync(join(ROOT, source.file), 'utf8')) };
  });
  const broken = brokenLinks(pages);
  if (broken.length > 0) throw new Error(`These links lead nowhere:\n${broken.join('\n')}`);
  const titles = new Map(
    pages.map(({ source, page }) => [source.path, source.path === 'index.html' ? 'Overview' : page.title]),
  );
  const unfinished = `${folder}-${process.pid}`;
  removeUnfinished(folder);
  rmSync(unfinished, { recursive: true, force: true });
  for (const { source, page } of pages) {
    const file = join(unfinished, source.path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, htmlOf({ source, page, navigation, titles, frame }));
  }
  writeFileSync(join(unfinished, 'search.json'), searchIndex(pages));
  writeFileSync(join(unfinished, HEADERS), headersFile(frame));
  await writeAssets(unfinished);
  replace(folder, unfinished);
  return pages.length;
}
