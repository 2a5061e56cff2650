/**
 * `npm run release`: one archive with all that runs in production, in `release/`: the service, its commands and the frame server as
 * JavaScript, the wallet's pages, `deploy/` and the documentation. The same sources make the same bytes.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { answerHelp } from '../service/help.ts';
import { buildIfStale, filesBelow } from './build.ts';
import { ROOT } from './command.ts';
import { readLock } from './lock.ts';
import { ARCHIVE, archiveManifest } from './release/manifest.ts';
import { entriesIn, serverCode } from './release/server-code.ts';
import { type ArchiveFile, tarball } from './release/tar.ts';

export interface Release {
  /** Path of the archive. */
  path: string;
  /** Name of the folder that it unpacks to. */
  folder: string;
  sha256: string;
  bytes: number;
}

/** Of `dist/`: what the frame's origin and the payment page serve. */
const BUILT = ['connect.js', 'connect.js.br', 'integrity.json', 'chunks', 'frame', 'read', 'wallet', 'pay'];
const TEXTS = ['LICENSE', 'CHANGELOG.md', 'SECURITY.md'];

const readJson = <T>(path: string): T => JSON.parse(readFileSync(join(ROOT, path), 'utf8')) as T;

/** What operators put into `deploy/`, by name: none of it leaves the machine. */
function secretNames(): Set<string> {
  const lines = readFileSync(join(ROOT, '.gitignore'), 'utf8').matchAll(/^deploy\/\*\/(.+)$/gm);
  return new Set([...lines].map(([, name]) => name!));
}

function filesOf(path: string): string[] {
  return filesBelow(join(ROOT, path)).map((file) => relative(ROOT, file));
}

function plainFiles(): ArchiveFile[] {
  const secrets = secretNames();
  const deploy = filesOf('deploy').filter((path) => !path.split('/').some((part) => secrets.has(part)));
  const docs = filesOf('docs').filter((path) => path.endsWith('.md'));
  const paths = [...BUILT.flatMap((name) => filesOf(`dist/${name}`)), ...deploy, ...docs, ...TEXTS];
  return paths.map((path) => ({
    path,
    body: readFileSync(join(ROOT, path)),
    executable: (statSync(join(ROOT, path)).mode & 0o100) !== 0,
  }));
}

/** The time of the commit, in seconds; `SOURCE_DATE_EPOCH` where there is no repository. */
function sourceTime(env: NodeJS.ProcessEnv): number {
  if (/^\d+$/.test(env['SOURCE_DATE_EPOCH'] ?? '')) return Number(env['SOURCE_DATE_EPOCH']);
  if (!existsSync(join(ROOT, '.git'))) return 0;
  return Number(execFileSync('git', ['log', '-1', '--format=%ct'], { cwd: ROOT, encoding: 'utf8' }));
}

/** Of ours, what also holds for the archive, which has `dist/`. */
function dockerIgnore(): ArchiveFile {
  const lines = readFileSync(join(ROOT, '.dockerignore'), 'utf8').match(/^(?:deploy|\*).*$/gm) ?? [];
  return { path: '.dockerignore', body: Buffer.from(`${lines.join('\n')}\n`), executable: false };
}

const json = (path: string, value: unknown): ArchiveFile => ({
  path,
  body: Buffer.from(`${JSON.stringify(value, null, 2)}\n`),
  executable: false,
});

/** Of what `dist/` has now. Writes the archive and its sum into the folder `out`. */
export async function pack(out: string, env: NodeJS.ProcessEnv = process.env): Promise<Release> {
  const root = readJson<Parameters<typeof archiveManifest>[0]['root']>('package.json');
  const { dependencies, ...service } = readJson<typeof root>('service/package.json');
  const code = await serverCode(entriesIn(root.scripts));
  const { manifest, lock } = archiveManifest(
    { root, service: { dependencies }, lock: readLock() },
    code.packages,
  );
  const folder = `${ARCHIVE}-${manifest.version}`;
  const files = [
    ...code.files,
    ...plainFiles(),
    dockerIgnore(),
    json('package.json', manifest),
    json('package-lock.json', lock),
    json('service/package.json', service),
  ].map((file) => ({ ...file, path: `${folder}/${file.path}` }));
  const archive = tarball(files, sourceTime(env));
  const sha256 = createHash('sha256').update(archive).digest('hex');
  const path = join(out, `${folder}.tar.gz`);
  mkdirSync(out, { recursive: true });
  writeFileSync(path, archive);
  writeFileSync(`${path}.sha256`, `${sha256}  ${folder}.tar.gz\n`);
  return { path, folder, sha256, bytes: archive.length };
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  answerHelp({
    usage: ['release'],
    does: 'Builds what is stale, and writes carabiner-service-<version>.tar.gz with its SHA-256 into release/: all that runs in production. docs/operating.md says how to use it.',
    environment: { SOURCE_DATE_EPOCH: 'the time of its files, in seconds; that of the commit without it' },
  });
  await buildIfStale();
  const { path, sha256, bytes } = await pack(join(ROOT, 'release'));
  console.log(`${sha256}  ${relative(ROOT, path)}  ${(bytes / 1e6).toFixed(1)} MB`);
}
