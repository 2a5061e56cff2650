/** Every command of package.json says what it does, and does nothing else then. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { build, type Plugin } from 'esbuild';
import { VARIABLES } from '../../service/config.ts';
import { ROOT } from '../../scripts/command.ts';
import { program } from '../service/programs.ts';

const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
  scripts: Record<string, string>;
};
/** Programs of others, which have a help of their own; and what npm calls by itself. */
const OTHERS = ['pretypecheck', 'typecheck', 'format', 'prepack'];
/** Several commands are one program. */
const programs = new Map<string, string[]>();
for (const [name, command] of Object.entries(scripts))
  if (!OTHERS.includes(name)) {
    const [file = ''] = command.match(/\b(?:demo|service|scripts|bench)\/[\w/-]+\.ts/) ?? [];
    programs.set(file, [...(programs.get(file) ?? []), name]);
  }

/** A module is told where its source is. */
const atSource: Plugin = {
  name: 'at-source',
  setup({ onLoad }) {
    onLoad({ filter: /\.ts$/ }, ({ path }) => ({
      contents: readFileSync(path, 'utf8')
        .replaceAll(/import\.meta\.url/g, JSON.stringify(pathToFileURL(path).href))
        .replaceAll(/import\.meta\.dirname/g, JSON.stringify(dirname(path))),
      loader: 'ts',
    }));
  },
};

/**
 * Each program as one script of its own, so that one process can run them all: nothing but packages is shared. Thirty processes would cost
 * half a minute of a core, nearly all of it to load the same packages.
 */
const RUN = `
import { pathToFileURL } from 'node:url';
const { exit, argv } = process;
const { log } = console;
const [, , given] = argv;
const texts = {};
const end = new Error('It ended.');
process.on('unhandledRejection', (error) => {
  if (error !== end) throw error;
});
for (const [file, source, script] of JSON.parse(given)) {
  texts[file] = '';
  process.argv = [argv[0], source, '--help'];
  console.log = (text) => void (texts[file] += text + '\\n');
  process.exit = (code) => {
    texts[file] += 'exit ' + code;
    throw end;
  };
  await import(pathToFileURL(script).href).catch((error) => {
    if (error !== end) throw error;
  });
}
log(JSON.stringify(texts));
exit(0);
`;

/** What each prints, by file, with the status of its exit in the last line. */
async function helps(files: string[]): Promise<Record<string, string>> {
  const folder = join(ROOT, `.cache/help-${process.pid}`);
  mkdirSync(folder, { recursive: true });
  try {
    await build({
      absWorkingDir: ROOT,
      entryPoints: files,
      outbase: '.',
      outdir: folder,
      outExtension: { '.js': '.mjs' },
      bundle: true,
      packages: 'external',
      platform: 'node',
      format: 'esm',
      target: 'node20',
      tsconfig: 'tsconfig.json',
      plugins: [atSource],
      logLevel: 'error',
    });
    const run = join(folder, 'run.mjs');
    writeFileSync(run, RUN);
    const pairs = files.map((file) => [file, join(ROOT, file), join(folder, file.replace(/ts$/, 'mjs'))]);
    // Without a setting of ours, as on a machine where nothing was set up.
    const env = { PATH: process.env['PATH'] };
    const { stdout } = await promisify(execFile)(process.execPath, [run, JSON.stringify(pairs)], {
      cwd: ROOT,
      env,
    });
    return JSON.parse(stdout) as Record<string, string>;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

test('every command has a help with its usage, settings and exit status', async () => {
  assert.ok(programs.size > 15);
  const texts = await helps([...programs.keys()]);
  for (const [file, names] of programs) {
    const text = texts[file]!;
    for (const name of names)
      assert.ok(text.includes(name.replace(/^test:/, '')), `${file} does not name ${name}`);
    assert.match(text, /^Usage:\n {2}npm run /, file);
    assert.match(text, /\n\n[A-Z][^\n]{30,}\.\n\n/, `${file} does not say what it does`);
    assert.match(text, /\nOptions:\n[^]* {2}--help {2,}/, file);
    assert.match(text, /\nExit status:\n {2}0 {2}/, file);
    assert.match(text, /\nexit 0$/, `${file} goes on after its help`);
  }
});

test('the help of the service names every setting with its default', async () => {
  const env = { PATH: process.env['PATH'] };
  const { stdout: text } = await promisify(execFile)(process.execPath, [...program('main'), '--help'], {
    cwd: ROOT,
    env,
  });
  for (const name of VARIABLES) assert.match(text, new RegExp(`\n {2}${name} +\\S`), name);
  assert.match(text, /\n {2}SERVICE_PORT +default: 4001\n/);
});

test('commands of other makers are the only ones without a help of ours', () => {
  for (const name of OTHERS) assert.doesNotMatch(scripts[name]!, /\.ts\b/, name);
});
