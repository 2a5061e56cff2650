/** Checks the package as npm would publish it: by publint and attw, imported in Node, and with the types of every framework. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { formatMessage } from 'publint/utils';
import { publint } from 'publint';
import { ROOT, run, TSC } from './command.ts';

/** As `npm pack --json` describes it. */
export interface Packed {
  filename: string;
  /** Of all files, in bytes. */
  unpackedSize: number;
  files: readonly { path: string }[];
}

/** Packs the build into `folder`. */
export function pack(folder: string): Packed {
  const args = ['pack', '--ignore-scripts', '--json', '--pack-destination', folder];
  const [packed] = JSON.parse(execFileSync('npm', args, { cwd: ROOT, encoding: 'utf8' })) as [Packed];
  return { ...packed, filename: join(folder, packed.filename) };
}

/** What every application installs, unpacked, in bytes. */
const MOST = 4_200_000;
/** The wallet's own pages, which its operator builds, and what is for readers of the repository. */
const NOT_PACKED =
  /^dist\/(demo|frame|pay|read|wallet)\/|^docs\/(?!reference\/).*\/|^CHANGELOG|\.(br|png|webp|map)$/;

/** A sentence for each thing that the package should not be. */
export function problemsOf({ unpackedSize, files }: Packed): string[] {
  const paths = files.map(({ path }) => path).filter((path) => NOT_PACKED.test(path));
  return [
    ...(unpackedSize > MOST
      ? [`The package has ${unpackedSize} bytes, of at most ${MOST}: see "files" in package.json.`]
      : []),
    ...(paths.length > 0 ? [`The package has what nobody needs who installs it: ${paths.join(', ')}`] : []),
  ];
}

/** True if nothing was found. */
export async function checkPackage(): Promise<boolean> {
  const { messages, pkg } = await publint({ pkgDir: ROOT, strict: true });
  for (const message of messages) console.error(formatMessage(message, pkg));
  const holds = [messages.length === 0, await serverImports(), await tarballHolds(), await frameworkTypes()];
  return holds.every(Boolean);
}

/** No entry may need a DOM, except `connect.js`, which is a page's script. */
async function serverImports(): Promise<boolean> {
  const { exports } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { exports: object };
  const entries = Object.keys(exports)
    .filter((name) => !name.endsWith('.json') && name !== './connect.js')
    .map((name) => name.replace('.', 'carabiner'));
  const code = `for (const name of ${JSON.stringify(entries)}) await import(name);`;
  const { code: exit } = await run(process.execPath, ['--input-type=module', '-e', code], {
    timeout: 60_000,
  });
  return exit === 0;
}

/** Whether the tarball has what it should, and the types of every entry are found by each ESM resolution mode. */
async function tarballHolds(): Promise<boolean> {
  const folder = mkdtempSync(join(tmpdir(), 'carabiner-pack-'));
  try {
    const packed = pack(folder);
    const problems = problemsOf(packed);
    for (const problem of problems) console.error(problem);
    const args = [packed.filename, '--profile', 'esm-only', '--format', 'ascii', '--no-color'];
    const { code, output } = await run('attw', args, { timeout: 120_000, onLine: () => {} });
    if (code !== 0) console.error(output);
    return problems.length === 0 && code === 0;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * Lines that each framework's types must accept or reject; React 18 has its own. Frameworks whose checkers do not run with this TypeScript
 * are in `test/long/frameworks`.
 */
async function frameworkTypes(): Promise<boolean> {
  let holds = true;
  for (const name of ['tsconfig.json', 'tsconfig.react-18.json']) {
    const args = ['-p', `test/frameworks/${name}`, ...TSC.args];
    const { code } = await run('tsc', args, { timeout: 120_000, env: TSC.env });
    holds &&= code === 0;
  }
  return holds;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href)
  process.exit((await checkPackage()) ? 0 : 1);
