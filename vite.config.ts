/**
 * The four things that are built. `scripts/build.ts` runs them all; each is a function of the folder it goes to, so that a build that
 * fails leaves the last good one alone.
 */
import { resolve } from 'node:path';
import type { InlineConfig, Plugin } from 'vite';
import { minifyTemplates } from './scripts/minify-templates.ts';

const root = import.meta.dirname;
const TARGET = 'es2022';
const HASHED = '[name]-[hash].js';

/** Vite wraps each lazy import of a page in a helper that adds <link> elements; of a library it does not. */
const LIBRARY = { entry: '', formats: ['es' as const] };
/** Of a library Vite keeps white space and comments. */
const MINIFIED = { minify: true, comments: { annotation: false } };

/**
 * Parts of the frame that are always needed together, each one file: they compress better than many small ones and come in one round.
 * The rest is left to the bundler, which makes a file of every lazy import.
 */
const FRAME_PARTS: Record<string, RegExp> = {
  surface:
    /\/node_modules\/(@?lit|lit-html|lit-element)\/|oxc-project|\/src\/ui\/(base-icons|icon|localize|tokens)\.ts$|\/src\/frame\/(start-surface|origin|place|ui\/(shell|view|base-styles|spin-styles|icon|pin-(row|field|pad))|views\/(consent|approve))\.ts$|\/src\/wallets\/first-paint\.ts$/,
  outcome: /\/src\/frame\/(ui\/(steps|hash|status|status-styles)|views\/(sending|sent))\.ts$/,
  approve:
    /\/src\/(ui\/|frame\/(ui\/(?!phrase-field|words|countdown|pin-entry)|flows\/(transact|approval|drafts|prepare|outcome|unlock|limit|own-wallet|retry-node)|views\/(approve-drawing|approval-styles|summary|warnings)))[\w-]*\.ts$/,
  vault:
    /\/src\/(wallets\/(?!phrase|passkey|pin-|keys)[\w-]+|chains\/(networks?|well-known|payloads|amount|index)|frame\/(start-flows|guard|reader|flows\/(dispatch|stage|reads|frame|delivery)))\.ts$/,
  ethereum:
    /\/src\/chains\/(ethereum\/(?!keystore)|json-rpc)|\/node_modules\/@noble\/(secp256k1\/|hashes\/(sha2|sha3|hmac|utils|_md|_u64)\.js$)/,
};

/**
 * The library's SHA-2 is one module. What only derives keys gets a copy of its own, or its SHA-512 would come with every signature.
 */
function hashesForDeriving(): Plugin {
  return {
    name: 'carabiner:hashes-for-deriving',
    enforce: 'pre',
    async resolveId(id, importer, options) {
      if (!id.endsWith('noble/hashes/sha2.js') || !/@scure|@noble\/curves/.test(importer ?? '')) return null;
      const found = await this.resolve(id, importer, { ...options, skipSelf: true });
      return found && `${found.id}?deriving`;
    },
  };
}

function base(plugins: Plugin[]): InlineConfig {
  return {
    configFile: false,
    root,
    // Relative, so that the files work under any path of the frame's origin.
    base: './',
    logLevel: 'warn',
    publicDir: false,
    plugins,
  };
}

/** What the lazy views of the elements share: one file compresses better than four. */
const SHARED_BY_VIEWS =
  /\/src\/(ui\/(base-icons|chain-badge|address|tokens|amount-text)|elements\/view(-styles)?|chains\/(amount|secret-type))\.ts$/;

/** `connect.js` for a script tag, with its lazy chunks beside it. Resolved by the module's own URL, whatever page it is on. */
export function connectScript(outDir: string, ...plugins: Plugin[]): InlineConfig {
  return {
    ...base([minifyTemplates(), ...plugins]),
    build: {
      outDir,
      emptyOutDir: false,
      target: TARGET,
      reportCompressedSize: false,
      lib: LIBRARY,
      rolldownOptions: {
        input: { connect: resolve(root, 'src/connect.ts') },
        // One request: what lazy chunks share with the entry stays in it, and they import it from there.
        preserveEntrySignatures: 'allow-extension',
        output: {
          ...MINIFIED,
          entryFileNames: '[name].js',
          chunkFileNames: `chunks/${HASHED}`,
          codeSplitting: {
            includeDependenciesRecursively: false,
            groups: [{ name: 'view', test: SHARED_BY_VIEWS }],
          },
        },
      },
    },
  };
}

/** The npm modules: one file a module, dependencies left to the application's own bundler. */
export function npmModules(outDir: string, ...plugins: Plugin[]): InlineConfig {
  return {
    ...base(plugins),
    build: {
      outDir,
      emptyOutDir: false,
      target: TARGET,
      minify: false,
      reportCompressedSize: false,
      lib: {
        entry: ['index', 'elements/index', 'chains/index'].map((name) => resolve(root, `src/${name}.ts`)),
        formats: ['es'],
      },
      rolldownOptions: {
        // What the compiler adds is the only thing that no dependency of ours brings.
        external: (id) => /^[^./\0]/.test(id) && !id.startsWith('@oxc-project/'),
        output: {
          preserveModules: true,
          preserveModulesRoot: resolve(root, 'src'),
          entryFileNames: ({ name }) => `${name.replace(/^_virtual\/.*\//, 'compiler/')}.js`,
        },
      },
    },
  };
}

/** The frame page. Its CSP allows no inline script or style, so nothing may be inlined into the page. */
export function framePage(outDir: string, ...plugins: Plugin[]): InlineConfig {
  return {
    ...base([minifyTemplates(), hashesForDeriving(), ...plugins]),
    root: resolve(root, 'src/frame'),
    // A worker is a bundle of its own.
    worker: {
      format: 'es',
      plugins: () => plugins,
      rolldownOptions: { output: { entryFileNames: `assets/${HASHED}`, chunkFileNames: `assets/${HASHED}` } },
    },
    build: {
      outDir: resolve(outDir, 'frame'),
      emptyOutDir: false,
      target: TARGET,
      modulePreload: false,
      reportCompressedSize: false,
      lib: LIBRARY,
      rolldownOptions: {
        input: resolve(root, 'src/frame/index.html'),
        preserveEntrySignatures: 'allow-extension',
        output: {
          ...MINIFIED,
          entryFileNames: `assets/${HASHED}`,
          chunkFileNames: `assets/${HASHED}`,
          codeSplitting: {
            includeDependenciesRecursively: false,
            groups: Object.entries(FRAME_PARTS).map(([name, test]) => ({ name, test })),
          },
          strictExecutionOrder: false,
        },
      },
    },
  };
}

/** The QA page. It takes Carabiner from the frame's origin, like any other page. */
export function demoPage(outDir: string, ...plugins: Plugin[]): InlineConfig {
  return {
    ...base(plugins),
    root: resolve(root, 'demo/page'),
    build: {
      outDir: resolve(outDir, 'demo'),
      emptyOutDir: false,
      target: TARGET,
      modulePreload: false,
      assetsInlineLimit: 0,
      reportCompressedSize: false,
    },
  };
}
