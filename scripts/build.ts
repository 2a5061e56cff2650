/** `npm run build`: everything that ships, and the demo, into `dist/`. With `--if-stale` only when a source is newer. */
import { spawnSync } from 'node:child_process';
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
import { dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress } from 'node:zlib';
import { build } from 'vite';
import { ENTRY, INTEGRITY, integrityOf, readIntegrity } from '../service/integrity.ts';
import { OUTPUTS } from '../vite.config.ts';
import { answerHelp } from '../service/help.ts';
import { checkGraph } from './boundaries.ts';
import { TSC } from './command.ts';
import { GRAPH_FILE, type Graph, type Output, recordChunks } from './graph.ts';

const root = resolve(import.meta.dirname, '..');
const DIST = join(root, 'dist');
const brotli = promisify(brotliCompress);
const SOURCES = [
  'src',
  'demo/page',
  'vite.config.ts',
  'scripts/boundaries.ts',
  'scripts/minify-templates.ts',
  'tsconfig.json',
  'tsconfig.build.json',
  'package-lock.json',
];

const NAMES = Object.keys(OUTPUTS) as Output[];
/** Folders below `dist/`, for outputs that have one. */
const FOLDERS: Partial<Record<Output, string>> = {
  frame: 'frame/',
  read: 'read/',
  pay: 'pay/',
  demo: 'demo/',
};

export function filesBelow(path: string): string[] {
  if (!statSync(path).isDirectory()) return [path];
  return readdirSync(path).flatMap((name) => filesBelow(join(path, name)));
}

function isStale(): boolean {
  const last = join(DIST, 'demo/index.html');
  if (![last, GRAPH_FILE, join(DIST, INTEGRITY)].every((file) => existsSync(file))) return true;
  const built = statSync(last).mtimeMs;
  return SOURCES.flatMap((path) => filesBelow(join(root, path))).some(
    (file) => statSync(file).mtimeMs > built,
  );
}

/** Only writes them; `npm run typecheck` checks them. */
function writeTypes(folder: string): void {
  const tsc = join(root, 'node_modules/.bin/tsc');
  spawnSync(tsc, ['-p', 'tsconfig.build.json', '--outDir', folder, ...TSC.args], {
    cwd: root,
    env: { ...process.env, ...TSC.env },
  });
  if (!existsSync(join(folder, 'index.d.ts'))) throw new Error('tsc wrote no types.');
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
  await Promise.all(files.map(async (file) => writeFileSync(`${file}.br`, await brotli(readFileSync(file)))));
}

export async function buildAll(): Promise<void> {
  const out = join(root, `.cache/build-${process.pid}`);
  const graph: Graph = {
    connect: [],
    walletconnect: [],
    modules: [],
    frame: [],
    read: [],
    pay: [],
    demo: [],
  };
  rmSync(out, { recursive: true, force: true });
  try {
    for (const name of NAMES) await build(OUTPUTS[name](out, recordChunks(graph[name], FOLDERS[name])));
    writeTypes(out);
    checkSyntax(out);
    checkGraph(graph);
    await compress(out);
    writeFileSync(join(out, INTEGRITY), `${JSON.stringify(integrityOf(out), null, 1)}\n`);
    mkdirSync(dirname(GRAPH_FILE), { recursive: true });
    writeFileSync(GRAPH_FILE, JSON.stringify(graph, null, 1));
    rmSync(DIST, { recursive: true, force: true });
    renameSync(out, DIST);
  } finally {
    rmSync(out, { recursive: true, force: true });
  }
}

/**
 * Builds only what pages load, in a second or two: no npm modules, types, checks or compression. The next `buildIfStale` builds everything.
 * Throws if something cannot be built, and then leaves the last build in place.
 */
export async function buildPages(): Promise<void> {
  const out = join(root, `.cache/dev-${process.pid}`);
  rmSync(GRAPH_FILE, { force: true });
  mkdirSync(DIST, { recursive: true });
  try {
    await Promise.all(NAMES.filter((name) => name !== 'modules').map((name) => build(OUTPUTS[name](out))));
    for (const file of filesBelow(DIST)) if (file.endsWith('.br')) rmSync(file);
    cpSync(out, DIST, { recursive: true });
  } finally {
    rmSync(out, { recursive: true, force: true });
  }
}

export async function buildIfStale(): Promise<void> {
  if (isStale()) await buildAll();
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  answerHelp({
    usage: ['build', 'build -- --if-stale'],
    does: 'Builds the script tag, the npm modules with their types, the frame, the payment page and the demo into dist/, and checks what may be in which of them.',
    options: { '--if-stale': 'only if a source is newer than the last build' },
    environment: { DOCS_URL: 'where docs/ is published, with a slash at its end: errors link to it' },
  });

  await (process.argv.includes('--if-stale') ? buildIfStale() : buildAll());
  const version = (JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string })
    .version;
  console.log(`built carabiner ${version} in dist/`);
  console.log(`${ENTRY} ${readIntegrity(DIST)[ENTRY]}`);
}
