/**
 * Bundles each test file into one script plus shared chunks. Unbundled, a file loads some 200 modules in the browser, and in Node has them
 * transpiled in every process, which costs as much as the tests of most files. `import.meta.url` stays what it is unbundled, so that
 * fixtures and workers are found.
 */
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { SourceMap, type SourceMapPayload } from 'node:module';
import { dirname, join, relative, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build, type BuildOptions, type Plugin } from 'esbuild';
import { ROOT } from './command.ts';

const UNIT = '.cache/unit';

/** `place`: the JavaScript expression that replaces `import.meta.url` in a file. */
function ownCode(place: (path: string) => string): Plugin {
  return {
    name: 'own-code',
    setup({ onLoad, onResolve }) {
      // `sideEffects` in our package.json is meant for applications.
      onResolve({ filter: /^\.\.?\/.*\.ts$/ }, ({ path, resolveDir }) => ({
        path: join(resolveDir, path),
        sideEffects: true,
      }));
      onLoad({ filter: /\.ts$/ }, ({ path }) =>
        path.includes('/node_modules/')
          ? undefined
          : {
              contents: readFileSync(path, 'utf8')
                .replaceAll('import.meta.url', place(path))
                .replaceAll('import.meta.dirname', JSON.stringify(dirname(path))),
              loader: 'ts',
            },
      );
    },
  };
}

/** `import url from 'x.wasm?url&inline'`, as Vite has it. */
const wasmInside: Plugin = {
  name: 'wasm-inside',
  setup({ onLoad, onResolve, resolve }) {
    onResolve({ filter: /\.wasm\?url&inline$/ }, async ({ path, ...from }) => ({
      ...(await resolve(path.replace(/\?.*/, ''), { kind: from.kind, resolveDir: from.resolveDir })),
      namespace: 'wasm-inside',
    }));
    onLoad({ filter: /.*/, namespace: 'wasm-inside' }, ({ path }) => ({
      contents: readFileSync(path),
      loader: 'dataurl',
    }));
  },
};

/** `files`: paths from the project's root. */
function options(files: string[], outdir: string): BuildOptions {
  return {
    absWorkingDir: ROOT,
    entryPoints: files,
    outbase: '.',
    outdir,
    bundle: true,
    splitting: true,
    format: 'esm',
    tsconfig: 'tsconfig.json',
    // In files beside the scripts, read only when a test fails.
    sourcemap: true,
    logLevel: 'warning',
  };
}

const bundled = (path: string): string => path.replace(/\.ts$/, '.js');

interface Served {
  body: string;
  type: string;
}

interface Context {
  path: string;
  type: string;
  body: unknown;
  set(header: string, value: string): void;
}

/**
 * For web-test-runner, before its own handling of a file: a bundle needs none. Successive pages in a tab take
 * it, compiled, from the browser's cache.
 */
export async function serveBundles(context: Context, next: () => Promise<unknown>): Promise<unknown> {
  if (!context.path.startsWith(`/${UNIT}/`) || !context.path.endsWith('.js')) return next();
  context.set('Cache-Control', 'max-age=86400, immutable');
  context.type = 'js';
  context.body = await readFile(join(ROOT, context.path));
}

interface ServerPlugin {
  name: string;
  serverStart(): Promise<void>;
  serve(context: { path: string }): Served | undefined | Promise<Served | undefined>;
}

/** For web-test-runner. */
export function bundledTests(files: string[]): ServerPlugin {
  let bundles: Promise<unknown> | undefined;
  return {
    name: 'bundled-tests',
    async serverStart() {
      bundles ??= build({
        ...options(files, UNIT),
        target: 'es2022',
        conditions: ['browser', 'development'],
        external: ['/__*'],
        banner: { js: `globalThis.TEST_DEADLINE = ${JSON.stringify(process.env['TEST_DEADLINE'] ?? '')};` },
        plugins: [ownCode((path) => `new URL('/${relative(ROOT, path)}', location.origin).href`)],
      });
      await bundles;
    },
    serve({ path }) {
      if (!path.startsWith('/test/') || !path.endsWith('.test.ts')) return undefined;
      return { body: `import '/${UNIT}${bundled(path)}';`, type: 'js' };
    },
  };
}

/** For web-test-runner: the workers that tests start, each as one script. */
export function bundledWorkers(...workers: string[]): ServerPlugin {
  const scripts = new Map<string, Promise<string>>();
  const bundle = async (file: string): Promise<string> => {
    const { outputFiles } = await build({
      ...options([file], UNIT),
      splitting: false,
      sourcemap: false,
      write: false,
      target: 'es2022',
      plugins: [wasmInside],
    });
    return outputFiles[0]!.text;
  };
  return {
    name: 'bundled-workers',
    async serverStart() {
      for (const file of workers) scripts.set(`/${file}`, bundle(file));
      await Promise.all(scripts.values());
    },
    async serve({ path }) {
      const script = scripts.get(path);
      return script && { body: await script, type: 'js' };
    },
  };
}

/**
 * Libraries of many modules, which cost each process up to half a second to resolve. The rest is not bundled: tools, native code, and
 * packages that look for files beside their own.
 */
const INSIDE =
  /^(@adraffy|@aeternity|@bitcoinerlab|@fastify|@noble|@scure|@vechain|aes-js|bip322-js|bitcoinjs-lib|dataloader|ecpair|ethers|fastify.*|ipaddr\.js|jose|kysely|nodemailer|pg|prom-client|stripe|tronweb|viem|zod)(\/|$)/;
const NATIVE = /^(@node-rs\/argon2|bindings|bufferutil|node-gyp-build|pg-native|utf-8-validate)$/;

const outside: Plugin = {
  name: 'outside',
  setup({ onResolve }) {
    onResolve({ filter: /^[^./]/ }, ({ path, importer, kind }) => {
      const inside = importer.includes('/node_modules/') ? !NATIVE.test(path) : INSIDE.test(path);
      return kind === 'entry-point' || inside ? undefined : { path, external: true };
    });
  },
};

/**
 * Required, even if imported: for an import, Node parses its 3.6 MB again just for the names of its exports,
 * which costs each process an eighth of a second.
 */
const playwrightRequired: Plugin = {
  name: 'playwright-required',
  setup({ onLoad, onResolve }) {
    onResolve({ filter: /^playwright-core$/ }, ({ path, kind }) =>
      kind === 'require-call' ? { path, external: true } : { path, namespace: 'required' },
    );
    onLoad({ filter: /.*/, namespace: 'required' }, ({ path }) => ({
      contents: `module.exports = require('${path}');`,
    }));
  },
};

/** What libraries in CommonJS require is in Node itself. */
const REQUIRE =
  "import { createRequire as requiring } from 'node:module'; const require = requiring(import.meta.filename);";

/** For Node: writes scripts into a folder inside the project, and returns the path of a test file's script. */
export async function bundleForNode(files: string[], folder: string): Promise<(file: string) => string> {
  await build({
    ...options(files, folder),
    platform: 'node',
    target: 'node20',
    banner: { js: REQUIRE },
    plugins: [playwrightRequired, outside, ownCode((path) => JSON.stringify(pathToFileURL(path).href))],
  });
  return (file) => join(folder, bundled(file));
}

/** A position in a bundled script, as the test runner and stack traces write it. */
const POSITION = /(?:file:\/\/)?([^\s()]*\.cache\/carabiner-run-[^\s()]+\.js):(\d+):(\d+)/g;
const maps = new Map<string, SourceMap>();

function mapOf(script: string): SourceMap {
  let map = maps.get(script);
  if (!map) {
    map = new SourceMap(JSON.parse(readFileSync(`${script}.map`, 'utf8')) as SourceMapPayload);
    maps.set(script, map);
  }
  return map;
}

/** A line of a test's output with positions in the sources instead of in their bundle. */
export function atSources(line: string): string {
  return line.replace(POSITION, (text, path: string, row: string, column: string) => {
    const script = resolve(ROOT, path);
    const origin = mapOf(script).findOrigin(Number(row), Number(column));
    if (!('fileName' in origin)) return text;
    return `${relative(ROOT, resolve(dirname(script), origin.fileName))}:${origin.lineNumber}:${origin.columnNumber}`;
  });
}

/** For a page: writes one script to the file `to`. */
export async function bundleForPage(file: string, to: string): Promise<void> {
  const { outdir: _outdir, splitting: _splitting, sourcemap: _sourcemap, ...rest } = options([file], '');
  await build({ ...rest, outfile: to, format: 'iife', target: 'es2022', plugins: [ownCode(() => '""')] });
}
