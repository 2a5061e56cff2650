/**
 * For web-test-runner: each test file as one script and the few that it shares with others. Unbundled, a file loads some 200 modules, which
 * costs as much as its tests. Code that asks for its own URL gets the one that it has unbundled: workers and fixtures are served as they are.
 */
import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { build } from 'esbuild';

const ROOT = join(import.meta.dirname, '..');
const FOLDER = '.cache/unit';

const ownCode = {
  name: 'own-code',
  setup({ onLoad, onResolve }) {
    // What our package.json says of side effects is meant for applications.
    onResolve({ filter: /^\.\.?\/.*\.ts$/ }, ({ path, resolveDir }) => ({
      path: join(resolveDir, path),
      sideEffects: true,
    }));
    onLoad({ filter: /\/(src|test)\/.*\.ts$/ }, ({ path }) => {
      const url = `new URL('/${relative(ROOT, path)}', location.origin).href`;
      return { contents: readFileSync(path, 'utf8').replaceAll('import.meta.url', url), loader: 'ts' };
    });
  },
};

/** `files`: paths from the project's root. */
export function bundledTests(files) {
  let bundles;
  return {
    name: 'bundled-tests',
    async serverStart() {
      bundles ??= build({
        absWorkingDir: ROOT,
        entryPoints: files,
        outbase: '.',
        outdir: FOLDER,
        bundle: true,
        splitting: true,
        format: 'esm',
        target: 'es2022',
        tsconfig: 'tsconfig.json',
        conditions: ['browser', 'development'],
        external: ['/__*'],
        // Beside the scripts: read only where a test fails.
        sourcemap: true,
        logLevel: 'warning',
        plugins: [ownCode],
      });
      await bundles;
    },
    serve({ path }) {
      if (!path.startsWith('/test/') || !path.endsWith('.test.ts')) return undefined;
      return { body: `import '/${FOLDER}${path.replace(/\.ts$/, '.js')}';`, type: 'js' };
    },
  };
}
