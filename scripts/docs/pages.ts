/** The pages of the docs' site, and where each file of the project is on it. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { ROOT } from '../command.ts';

export interface Source {
  /** From the project's root: `docs/errors.md`. */
  file: string;
  /** From the site's: `errors.html`. */
  path: string;
}

export interface Chapter {
  title: string;
  pages: readonly Source[];
}

/** Folders of `docs/` that are pages, and files beside `docs/`. */
const FOLDERS = ['', 'reference', 'decisions'];
const OTHERS: Readonly<Record<string, string>> = {
  'README.md': 'index.html',
  'CHANGELOG.md': 'changelog.html',
  'CONTRIBUTING.md': 'contributing.html',
  'SECURITY.md': 'security-policy.html',
};

function pathOf(file: string): string {
  const path = OTHERS[file] ?? file.replace(/^docs\//, '').replace(/\.md$/, '.html');
  return path.replace(/\/README\.html$/, '/index.html');
}

const markdownIn = (folder: string): string[] =>
  readdirSync(join(ROOT, folder))
    .filter((name) => name.endsWith('.md'))
    .map((name) => posix.join(folder, name));

export function sources(): Source[] {
  const files = [
    ...Object.keys(OTHERS),
    ...FOLDERS.flatMap((folder) => markdownIn(posix.join('docs', folder))),
  ];
  return files.map((file) => ({ file, path: pathOf(file) }));
}

/** As llms.txt groups them, which a test keeps complete; the pages of a folder follow its first. */
export function chapters(): Chapter[] {
  const all = new Map(sources().map((source) => [source.file, source]));
  const text = readFileSync(join(ROOT, 'llms.txt'), 'utf8');
  return text
    .split(/^## /m)
    .slice(1)
    .map((section) => {
      const files = [...section.matchAll(/\]\(([\w./-]+\.md)\)/g)].flatMap(([, file]) => pagesWith(file!));
      return {
        title: section.split('\n', 1)[0]!.replace('Optional', 'Inside'),
        pages: files.flatMap((file) => all.get(file) ?? []),
      };
    });
}

function pagesWith(file: string): string[] {
  const folder = posix.dirname(file);
  return file === 'docs/reference/README.md'
    ? [file, ...markdownIn(folder).filter((each) => each !== file)]
    : [file];
}

/** What a link from `file` leads to: a page, an image, a file of the project that is not on the site, or nothing. */
export function targetOf(
  file: string,
  link: string,
): { page: Source } | { image: string } | 'file' | undefined {
  const target = posix.normalize(posix.join(posix.dirname(file), link));
  if (target.startsWith('docs/images/') && existsSync(join(ROOT, target)))
    return { image: target.slice('docs/'.length) };
  const page = sources().find(
    (each) => each.file === target || each.file === posix.join(target, 'README.md'),
  );
  if (page) return { page };
  return existsSync(join(ROOT, target)) ? 'file' : undefined;
}
