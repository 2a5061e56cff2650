/** How much the tree may grow: read by `npm run lint`. Lower a number when it can be lower. */
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { filesBelow } from './build.ts';
import { ROOT } from './command.ts';
import { CARDS } from '../src/chains/secret-type.ts';

/** Files of `src` written by hand, outside of the chains' own folders: another chain may have as many as it needs. */
const FILES = 705;
/** Of these, files of so few lines. */
const SHORT_FILES = 39;
const SHORT = 20;
/** Files in `src` itself: the entries. */
const LOOSE_FILES = 4;
/** Values whose name is a participle without a noun. */
const PARTICIPLES = 0;
const PARTICIPLE = /\b(?:const|let) (?:taken|told|asked|found|given|known)\b/g;
/** Of a document that no reader has. */
const CITATION = /\bspec (?:section )?\d+\.\d+/i;

const sources = (folder: string): string[] =>
  filesBelow(join(ROOT, folder))
    .filter(
      (path) => path.endsWith('.ts') && !path.includes('/node_modules/') && !path.includes('/src/locales/'),
    )
    .map((path) => relative(ROOT, path));

/** A chain's folder is its name. */
const CHAINS = new RegExp(`^src/chains/(${Object.keys(CARDS).join('|').toLowerCase()})/`);

/** One line for each number that is exceeded, and for each citation. */
export function overgrown(): string[] {
  const files = sources('src');
  const textOf = (file: string): string => readFileSync(join(ROOT, file), 'utf8');
  const shared = files.filter((file) => !CHAINS.test(file));
  const counts: [name: string, count: number, most: number][] = [
    ['files in src', shared.length, FILES],
    [
      `files of ${SHORT} lines or fewer`,
      shared.filter((file) => textOf(file).split('\n').length - 1 <= SHORT).length,
      SHORT_FILES,
    ],
    [
      'files in src itself',
      readdirSync(join(ROOT, 'src')).filter((name) => name.endsWith('.ts')).length,
      LOOSE_FILES,
    ],
    [
      'names that are participles',
      files.reduce((sum, file) => sum + (textOf(file).match(PARTICIPLE)?.length ?? 0), 0),
      PARTICIPLES,
    ],
  ];
  const chains = join(ROOT, 'src/chains');
  const folders = readdirSync(chains, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  return [
    ...counts
      .filter(([, count, most]) => count > most)
      .map(([name, count, most]) => `${count} ${name}: at most ${most} (scripts/tree.ts)`),
    ...folders
      .filter(({ name }) => readdirSync(join(chains, name)).length < 2)
      .map(({ name }) => `src/chains/${name} has a single file`),
    ...[...files, ...sources('service')]
      .filter((file) => CITATION.test(textOf(file)))
      .map(
        (file) => `${file} cites a document that no reader has: link to the page of docs that has the rule`,
      ),
  ];
}
