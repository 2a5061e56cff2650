/**
 * `npm run build`: everything that ships, and the demo, into `dist/`. With `--if-stale` only when a source is newer, with `--pages` only what
 * the demo serves.
 */
import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, type BrotliOptions, constants } from 'node:zlib';
import { ENTRY, INTEGRITY, integrityOf, readIntegrity } from '../service/integrity.ts';
import { answerHelp } from '../service/help.ts';
import { checkGraph } from './boundaries.ts';
import { ROOT, run, TSC } from './command.ts';
import { writeCatalogues } from './strings/fresh.ts';
import { type Graph, GRAPH_FILE, type Output, OUTPUT_NAMES, recordChunks } from './graph.ts';

const DIST = join(ROOT, 'dist');
const CACHE = join(ROOT, '.cache');
const brotli = promisify(brotliCompress);
/** Ways of the slowest to write distances: which is the shortest differs by file. */
export const BROTLI: readonly BrotliOptions[] = [
  [0, 8],
  [2, 4],
].map(([postfix, direct]) => ({
  params: {
    [constants.BROTLI_PARAM_QUALITY]: 11,
    [constants.BROTLI_PARAM_NPOSTFIX]: postfix!,
    [constants.BROTLI_PARAM_NDIRECT]: direct!,
  },
}));
const SOURCES = [
  'src',
  'locales',
  'demo/page',
  'docs/images',
  'vite.config.ts',
  'scripts/boundaries.ts',
  'scripts/folders.ts',
  'scripts/licences.ts',
  'scripts/minify-templates.ts',
  'tsconfig.json',
  'tsconfig.build.json',
  'package-lock.json',
];

/** Files of every build. */
const PAGE_FILES = [
  'connect.js',
  ...['frame', 'wallet', 'read', 'pay', 'demo'].map((name) => `${name}/index.html`),
];
/** Of a whole build: pages need neither modules nor types. */
const MODULE_FILES = ['index.js', 'index.d.ts'];
/** Folders below `dist/`, for outputs that have one. */
const FOLDERS: Partial<Record<Output, string>> = {
  frame: 'frame/',
  wallet: 'wallet/',
  read: 'read/',
  pay: 'pay/',
  demo: 'demo/',
};

export function filesBelow(path: string): string[] {
  if (!statSync(path).isDirectory()) return [path];
  return readdirSync(path).flatMap((name) => filesBelow(join(path, name)));
}

/** Whether no file of `sources` was changed since then, in milliseconds; both from the project's root. */
export function areUnchanged(sources: readonly string[], since: number): boolean {
  return sources
    .flatMap((path) => filesBelow(join(ROOT, path)))
    .every((file) => statSync(file).mtimeMs < since);
}

/** Whether `dist/` has these files, and all that they were built from is as it was then. */
function areFresh(names: readonly string[]): boolean {
  const files = [INTEGRITY, ...names].map((name) => join(DIST, name));
  return files.every((file) => existsSync(file)) && areUnchanged(SOURCES, statSync(files[0]!).mtimeMs);
}

/** Of a whole build, or of the pages alone. */
export function pagesAreFresh(): boolean {
  return areFresh(PAGE_FILES);
}

function everythingIsFresh(): boolean {
  return existsSync(GRAPH_FILE) && areFresh([...PAGE_FILES, ...MODULE_FILES]);
}

/** If one fails, its error is thrown when no other writes any more. */
async function together(work: readonly Promise<void>[]): Promise<void> {
  const failed = (await Promise.allSettled(work)).find((outcome) => outcome.status === 'rejected');
  if (failed) throw failed.reason;
}

/** Side by side. The bundler is loaded only now: whoever finds a fresh build does without it. */
async function bundle(folder: string, names: readonly Output[], graph?: Graph): Promise<void> {
  const [{ build }, { OUTPUTS }] = await Promise.all([import('vite'), import('../vite.config.ts')]);
  await together(
    names.map(async (name) => {
      const plugins = graph ? [recordChunks(graph[name], FOLDERS[name])] : [];
      await build(OUTPUTS[name](folder, ...plugins));
    }),
  );
}

/** Only writes them; `npm run typecheck` checks them. */
async function writeTypes(folder: string): Promise<void> {
  const args = ['-p', 'tsconfig.build.json', '--outDir', folder, ...TSC.args];
  await run('tsc', args, { timeout: 300_000, env: TSC.env, onLine: () => {} });
  if (!existsSync(join(folder, 'index.d.ts'))) throw new Error('tsc wrote no types.');
}

/** Declarations that no entry's types reach: no application's compiler opens them. */
function removeUnreachedTypes(folder: string): void {
  const { exports } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
    exports: Record<string, { types?: string }>;
  };
  const queue = Object.values(exports).map(({ types = '' }) => join(folder, types.replace('./dist/', '')));
  const reached = new Set<string>();
  for (let file = queue.pop(); file !== undefined; file = queue.pop()) {
    if (!file.endsWith('.d.ts') || reached.has(file) || !existsSync(file)) continue;
    reached.add(file);
    // Whatever is quoted like a module, in comments too: rather too much than too little.
    for (const [, path] of readFileSync(file, 'utf8').matchAll(/['"](\.{1,2}\/[^'"]+)\.[jt]s['"]/g))
      queue.push(join(dirname(file), `${path}.d.ts`));
  }
  for (const file of filesBelow(folder)) if (file.endsWith('.d.ts') && !reached.has(file)) rmSync(file);
}

/** A bundler passes on syntax that it does not know, so the JavaScript engine parses every file. */
function checkSyntax(folder: string): void {
  const scripts = filesBelow(folder).filter((file) => file.endsWith('.js'));
  const parse = `const { SourceTextModule } = require('node:vm'); const { readFileSync } = require('node:fs');
    for (const file of JSON.parse(readFileSync(0, 'utf8'))) new SourceTextModule(readFileSync(file, 'utf8'), { identifier: file });`;
  const { status, stderr } = spawnSync(
    process.execPath,
    ['--experimental-vm-modules', '--no-warnings', '-e', parse],
    { input: JSON.stringify(scripts), encoding: 'utf8' },
  );
  if (status !== 0) throw new Error(`A built file is not JavaScript that Node knows:\n${stderr}`);
}

/** Compressed once, at build time, so that no visitor waits for it. */
async function compress(folder: string): Promise<void> {
  const files = filesBelow(folder).filter((file) => /\.(js|css|html|json|svg)$/.test(file));
  await Promise.all(
    files.map(async (file) => {
      const text = readFileSync(file);
      const ways = await Promise.all(BROTLI.map((options) => brotli(text, options)));
      writeFileSync(
        `${file}.br`,
        ways.reduce((least, way) => (way.length < least.length ? way : least)),
      );
    }),
  );
}

/** Folders of builds that were interrupted are removed with the next one. */
function removeUnfinished(): void {
  for (const name of existsSync(CACHE) ? readdirSync(CACHE) : []) {
    const pid = /^build-(\d+)$/.exec(name)?.[1];
    if (pid && !isAlive(Number(pid))) rmSync(join(CACHE, name), { recursive: true, force: true });
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Replaces `dist/` by what `write` writes into another folder; if that fails, `dist/` stays as it is. */
async function replaceDist(write: (folder: string) => Promise<Graph | undefined>): Promise<void> {
  removeUnfinished();
  const own = join(CACHE, `build-${process.pid}`);
  const [out, old] = [join(own, 'new'), join(own, 'old')];
  const began = new Date();
  rmSync(own, { recursive: true, force: true });
  mkdirSync(out, { recursive: true });
  try {
    const graph = await write(out);
    writeFileSync(join(out, INTEGRITY), `${JSON.stringify(integrityOf(out), null, 1)}\n`);
    // By this time `areFresh` knows what was changed while it was built.
    utimesSync(join(out, INTEGRITY), began, began);
    // Of another build it would name files that are not there.
    rmSync(GRAPH_FILE, { force: true });
    if (existsSync(DIST)) renameSync(DIST, old);
    renameSync(out, DIST);
    if (graph) writeFileSync(GRAPH_FILE, JSON.stringify(graph, null, 1));
  } finally {
    rmSync(own, { recursive: true, force: true });
  }
}

export async function buildAll(): Promise<void> {
  await writeCatalogues();
  await replaceDist(async (folder) => {
    const graph = Object.fromEntries(
      OUTPUT_NAMES.map((name): [Output, Graph[Output]] => [name, []]),
    ) as Graph;
    await together([bundle(folder, OUTPUT_NAMES, graph), writeTypes(folder)]);
    removeUnreachedTypes(folder);
    checkSyntax(folder);
    checkGraph(graph);
    await compress(folder);
    return graph;
  });
}

/**
 * Builds only what pages load, in a few seconds: no npm modules, types, checks or compression. The next `buildIfStale` builds everything.
 * Throws if something cannot be built, and then leaves the last build in place.
 */
export async function buildPages(): Promise<void> {
  await replaceDist(async (folder) => {
    await bundle(
      folder,
      OUTPUT_NAMES.filter((name) => name !== 'modules'),
    );
    return undefined;
  });
}

export async function buildIfStale(): Promise<void> {
  await writeCatalogues();
  if (!everythingIsFresh()) await buildAll();
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  answerHelp({
    usage: ['build', 'build -- --if-stale', 'build -- --pages'],
    does: 'Builds the script tag, the npm modules with their types, the frame, the payment page and the demo into dist/, and checks what may be in which of them.',
    options: {
      '--if-stale': 'only if a source is newer than the last build',
      '--pages': 'only what the demo serves, neither checked nor compressed',
    },
    environment: { DOCS_URL: 'where docs/ is published, with a slash at its end: errors link to it' },
  });

  // Started beside something else, it ends with that, which may be gone already.
  process.once('disconnect', () => process.exit(1));
  if (process.connected === false) process.exit(1);
  process.channel?.unref();
  if (process.argv.includes('--pages')) {
    await writeCatalogues();
    await buildPages();
  } else if (process.argv.includes('--if-stale')) await buildIfStale();
  else await buildAll();
  const version = (JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string })
    .version;
  console.log(`built carabiner ${version} in dist/`);
  console.log(`${ENTRY} ${readIntegrity(DIST)[ENTRY]}`);
}
