/**
 * The code of service, frame server and commands as JavaScript, a file for each module at the same place: what looks for files beside its own
 * finds them, and stack traces name the sources' files. Packages are left to npm.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { build, transformSync } from 'esbuild';
import { ROOT } from '../command.ts';
import type { ArchiveFile } from './tar.ts';

/** Modules that the scripts of package.json run: `service/main.ts`. */
export function entriesIn(scripts: Readonly<Record<string, string>>): string[] {
  const paths = Object.values(scripts).map((script) => /(?:^| )(service\/[\w/-]+\.ts)$/.exec(script)?.[1]);
  return [...new Set(paths)].filter((path) => path !== undefined);
}

export interface ServerCode {
  files: ArchiveFile[];
  /** Names of the packages that it imports. */
  packages: string[];
}

/** With `.js` in place of `.ts` where a module is imported. */
function compiled(path: string, tsconfigRaw: string): string {
  const { code } = transformSync(readFileSync(join(ROOT, path), 'utf8'), {
    loader: 'ts',
    format: 'esm',
    target: 'node20',
    sourcefile: path,
    tsconfigRaw,
  });
  return code.replace(/(\b(?:from|import)\s*\(?\s*)(["'`])(\.{1,2}\/[^"'`]*)\.ts\2/g, '$1$2$3.js$2');
}

/** What modules read beside their own files. */
function dataFiles(): string[] {
  const presets = readdirSync(join(ROOT, 'service/networks/presets'));
  return ['service/http/try-it.js', ...presets.map((name) => `service/networks/presets/${name}`)];
}

/** All that the entries import, at once or later. */
export async function serverCode(entries: readonly string[]): Promise<ServerCode> {
  const { metafile } = await build({
    absWorkingDir: ROOT,
    entryPoints: [...entries],
    bundle: true,
    packages: 'external',
    splitting: true,
    format: 'esm',
    platform: 'node',
    metafile: true,
    write: false,
    outdir: '.cache/release-graph',
    logLevel: 'warning',
  });
  const modules = Object.keys(metafile.inputs).filter((path) => path.endsWith('.ts'));
  const packages = Object.values(metafile.inputs)
    .flatMap(({ imports }) => imports)
    .filter(({ path, external }) => external && !/^(node:|\.)/.test(path))
    .map(({ path }) => /^(@[^/]+\/)?[^/]+/.exec(path)![0]);
  const tsconfig = readFileSync(join(ROOT, 'tsconfig.json'), 'utf8');
  return {
    files: [
      ...modules.map((path) => ({
        path: path.replace(/\.ts$/, '.js'),
        body: Buffer.from(compiled(path, tsconfig)),
        executable: false,
      })),
      ...dataFiles().map((path) => ({ path, body: readFileSync(join(ROOT, path)), executable: false })),
    ],
    packages: [...new Set(packages)].toSorted(),
  };
}
