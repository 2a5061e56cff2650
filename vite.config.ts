/**
 * The eight things that are built. `scripts/build.ts` runs them all; each is a function of the folder it goes to, so that a build that
 * fails leaves the last good one alone. `npx vite build --mode frame` builds one of them into `dist/`.
 */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { defineConfig, type InlineConfig, type Plugin } from 'vite';
import {
  CONNECT_AT_REST,
  CONNECT_CHUNKS,
  type Chunks,
  FRAME_CHUNKS,
  groupBeside,
  groupsOf,
  READ_CHUNKS,
  WALLET_CHUNKS,
} from './scripts/chunks.ts';
import type { Output } from './scripts/graph.ts';
import { licences } from './scripts/licences.ts';
import { minifyTemplates } from './scripts/minify-templates.ts';

const root = import.meta.dirname;
const TARGET = 'es2022';
// Of 42 bits: names are most of what compression cannot shorten.
const HASHED = '[name]-[hash:7].js';

/** Vite wraps each lazy import of a page in a helper that adds <link> elements; of a library it does not. */
const LIBRARY = { entry: '', formats: ['es' as const] };
/** Of a library Vite keeps white space and comments. */
const MINIFIED = { minify: true, comments: { annotation: false } };
/** Without the warning that a build was slow, which tells of the machine and not of the code. */
const CHECKS = { bundlerTimings: false };
/** `'use client'` stays at the top of its file, as every module has one. */
const MODULE_CHECKS = { ...CHECKS, moduleLevelDirective: false };

interface Copy {
  module: RegExp;
  importer: RegExp;
  copy: string;
}

/**
 * Modules of libraries that hold more than one chain uses. Each of these importers gets a copy, which the bundler strips to what is used
 * there, or SHA-512 would come with every signature, and bech32 with Tron's.
 */
const COPIES: readonly Copy[] = [
  {
    module: /noble\/hashes\/(sha2|hmac|legacy)\.js$/,
    importer: /@scure|@noble\/curves|\/slip10\.ts$/,
    copy: 'deriving',
  },
  // The service's contract uses parts of zod that nobody without a service wallet should download.
  { module: /^zod\/mini$/, importer: /\/src\/api\/(?!(secret-type|swap|text|jws)\.ts)/, copy: 'api' },
  { module: /^\.{1,2}\//, importer: /\/node_modules\/zod\/.*\?api$/, copy: 'api' },
  // Loaded with a name's record.
  { module: /^@scure\/base$/, importer: /\/chains\/names\//, copy: 'names' },
];

/**
 * What is on screen before anybody presses anything is one file: chains' names and badges in a copy of its own, as the views' file, where they
 * are too, is loaded with the first press.
 */
const COPIES_AT_REST: readonly Copy[] = [
  {
    module: /\/(chain-badge|secret-type|cards?)\.ts$/,
    importer: /\/manage-wallets-rest\.ts$|\?rest$/,
    copy: 'rest',
  },
];

function copies(list: readonly Copy[]): Plugin {
  return {
    name: 'carabiner:copies',
    enforce: 'pre',
    async resolveId(id, importer = '', options) {
      const wanted = list.find((one) => one.module.test(id) && one.importer.test(importer));
      if (!wanted) return null;
      const found = await this.resolve(id, importer, { ...options, skipSelf: true });
      return found && `${found.id}?${wanted.copy}`;
    },
  };
}

/** Of a namespace the bundler makes an object with a helper, and the helper would be a file more. */
function restCards(): Plugin {
  return {
    name: 'carabiner:rest-cards',
    enforce: 'pre',
    transform(code, id) {
      if (/\/chains\/secret-type\.ts(\?rest)?$/.test(id))
        return code.replace('import * as cards', 'import cards');
      if (!/\/chains\/cards\.ts(\?rest)?$/.test(id)) return null;
      const names = [...code.matchAll(/\bcard as (\w+)/g)].map(([, name]) => name);
      return `${code.replace(/^export (?=\{)/gm, 'import ')}\nexport default { ${names.join(', ')} };`;
    },
  };
}

/** Where keys come from: seeds, and what users import. A page without keys gets an empty module in its place. */
const KEY_SOURCES = /\/(derivation|path-index|import-key|hex-key|keystore|slip10)\.ts$/;
const NO_KEYS = '\0carabiner:no-keys';

function withoutKeys(): Plugin {
  return {
    name: 'carabiner:without-keys',
    enforce: 'pre',
    resolveId: (id) => (KEY_SOURCES.test(id) ? NO_KEYS : null),
    load: (id) => (id === NO_KEYS ? 'export {};' : null),
  };
}

/**
 * The bundler makes the object of an `import * as` by every name that a plain object has, inherited ones too. A page may have polluted
 * `Object.prototype`: what it put there is no export.
 */
function ownExports(): Plugin {
  return {
    name: 'carabiner:own-exports',
    renderChunk(code) {
      const inherited = 'for (var name in all)';
      return code.includes(inherited)
        ? { code: code.replace(inherited, 'for (const name of Object.keys(all))'), map: null }
        : null;
    },
  };
}

/** `docs`: where the documentation is published, with a slash at its end; `src/base/errors.ts` has what holds without. */
function base(plugins: Plugin[], docs = process.env['DOCS_URL']): InlineConfig {
  return {
    configFile: false,
    root,
    // Relative, so that the files work under any path of the frame's origin.
    base: './',
    logLevel: 'warn',
    publicDir: false,
    define: { __DOCS_URL__: JSON.stringify(docs) ?? 'undefined', __WALLETCONNECT__: 'undefined' },
    plugins,
  };
}

/** Of WalletConnect's client, by its version. */
const WALLETCONNECT = `walletconnect-${versionOf('@walletconnect/sign-client')}`;

function versionOf(name: string): string {
  const manifest = readFileSync(resolve(root, `node_modules/${name}/package.json`), 'utf8');
  return (JSON.parse(manifest) as { version: string }).version;
}

/** The script tag has Lit's release build, which warns of nothing, and a client of WalletConnect beside its chunks. */
const released: Plugin = {
  name: 'carabiner:released',
  config: () => ({
    define: { __WARNS__: 'false', __WALLETCONNECT__: JSON.stringify(`./${WALLETCONNECT}.js`) },
  }),
};

/** `connect.js` for a script tag, with its lazy chunks beside it. Resolved by the module's own URL, whatever page it is on. */
export function connectScript(outDir: string, ...plugins: Plugin[]): InlineConfig {
  return {
    ...base([minifyTemplates(), ownExports(), copies(COPIES_AT_REST), restCards(), released, ...plugins]),
    build: {
      outDir,
      emptyOutDir: false,
      target: TARGET,
      reportCompressedSize: false,
      lib: LIBRARY,
      rolldownOptions: {
        checks: CHECKS,
        input: { connect: resolve(root, 'src/connect.ts') },
        // One request: what lazy chunks share with the entry stays in it, and they import it from there.
        preserveEntrySignatures: 'allow-extension',
        output: {
          ...MINIFIED,
          entryFileNames: '[name].js',
          chunkFileNames: `chunks/${HASHED}`,
          codeSplitting: {
            includeDependenciesRecursively: false,
            groups: [groupBeside(CONNECT_AT_REST, CONNECT_CHUNKS)],
          },
        },
      },
    },
  };
}

/**
 * WalletConnect's client for the script tag: one file that is loaded when somebody chooses it, with the licences of all that is in it. It is
 * none of connect.js's chunks, as it brings curves and hashes of its own, which nothing of ours may get at.
 */
export function walletConnect(outDir: string, ...plugins: Plugin[]): InlineConfig {
  return {
    ...base([...plugins, licences(`chunks/${WALLETCONNECT}.txt`)]),
    build: {
      outDir,
      emptyOutDir: false,
      target: TARGET,
      reportCompressedSize: false,
      lib: LIBRARY,
      rolldownOptions: {
        checks: CHECKS,
        input: { [WALLETCONNECT]: resolve(root, 'node_modules/@walletconnect/sign-client') },
        output: {
          ...MINIFIED,
          entryFileNames: 'chunks/[name].js',
          codeSplitting: false,
          banner: `/*! WalletConnect's sign-client and what it needs: licences in ${WALLETCONNECT}.txt */`,
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
        entry: [
          'index',
          'elements/index',
          'chains/index',
          'react/index',
          'service-sdk/index',
          'testing/index',
          'testing/production',
          'testing/published',
          'wagmi',
        ].map((name) => resolve(root, `src/${name}.ts`)),
        formats: ['es'],
      },
      rolldownOptions: {
        checks: MODULE_CHECKS,
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

/** The wallet's page. */
export function framePage(outDir: string, ...plugins: Plugin[]): InlineConfig {
  return isolatedPage('src/frame', resolve(outDir, 'frame'), FRAME_CHUNKS, plugins);
}

/** The wallet by itself: a build of its own, so that it has nothing that answers a page, and its worker its policy. */
export function walletPage(outDir: string, ...plugins: Plugin[]): InlineConfig {
  const { plugins: ours = [], ...config } = isolatedPage(
    'src/frame/own',
    resolve(outDir, 'wallet'),
    WALLET_CHUNKS,
    plugins,
  );
  const files = filesOf('src/frame/own', 'manifest.json', 'icon.svg', 'icon.png');
  return { ...config, plugins: [...ours, files] };
}

/** Sends files of a folder as they are, under their own names: a manifest names its icons. */
function filesOf(folder: string, ...names: string[]): Plugin {
  return {
    name: 'carabiner:files',
    generateBundle() {
      for (const fileName of names)
        this.emitFile({ type: 'asset', fileName, source: readFileSync(resolve(root, folder, fileName)) });
    },
  };
}

/** The page for reads, which any site may embed. */
export function readPage(outDir: string, ...plugins: Plugin[]): InlineConfig {
  return isolatedPage('src/frame/reads', resolve(outDir, 'read'), READ_CHUNKS, [withoutKeys(), ...plugins]);
}

/** A page of the frame's origin. Its CSP allows no inline script or style, so nothing may be inlined into the page. */
function isolatedPage(folder: string, outDir: string, chunks: Chunks, plugins: Plugin[]): InlineConfig {
  return {
    // Errors get their place in the documentation where the page hears of them.
    ...base([minifyTemplates(), copies(COPIES), ...plugins], ''),
    root: resolve(root, folder),
    // A worker is a bundle of its own.
    worker: {
      format: 'es',
      plugins: () => plugins,
      rolldownOptions: {
        checks: CHECKS,
        output: { entryFileNames: `assets/${HASHED}`, chunkFileNames: `assets/${HASHED}` },
      },
    },
    build: {
      outDir,
      emptyOutDir: false,
      target: TARGET,
      modulePreload: false,
      reportCompressedSize: false,
      lib: LIBRARY,
      rolldownOptions: {
        checks: CHECKS,
        input: resolve(root, folder, 'index.html'),
        preserveEntrySignatures: 'allow-extension',
        output: {
          ...MINIFIED,
          entryFileNames: `assets/${HASHED}`,
          chunkFileNames: `assets/${HASHED}`,
          codeSplitting: {
            groups: groupsOf(chunks),
          },
          strictExecutionOrder: false,
        },
      },
    },
  };
}

/** The start page, the playground and the QA page. They take Carabiner from the frame's origin, like any other page. */
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
      rolldownOptions: {
        checks: CHECKS,
        input: ['index', 'playground', 'qa'].map((name) => resolve(root, `demo/page/${name}.html`)),
      },
    },
  };
}

/** The payment page, which the service sends from its own origin under a policy as strict as the frame's. */
export function payPage(outDir: string, ...plugins: Plugin[]): InlineConfig {
  return {
    ...base([minifyTemplates(), ...plugins]),
    root: resolve(root, 'src/pay'),
    build: {
      outDir: resolve(outDir, 'pay'),
      emptyOutDir: false,
      target: TARGET,
      modulePreload: false,
      reportCompressedSize: false,
      lib: LIBRARY,
      rolldownOptions: {
        checks: CHECKS,
        input: resolve(root, 'src/pay/index.html'),
        preserveEntrySignatures: 'allow-extension',
        output: {
          ...MINIFIED,
          entryFileNames: `assets/${HASHED}`,
          chunkFileNames: `assets/${HASHED}`,
          // One file, which what a wallet needs later does not break up.
          codeSplitting: { groups: [{ name: 'page', test: /\/src\/pay\/main\.ts$/ }] },
        },
      },
    },
  };
}

/** By name: each is a function of the folder it goes to, and of further plugins. */
export const OUTPUTS: Record<Output, (outDir: string, ...plugins: Plugin[]) => InlineConfig> = {
  connect: connectScript,
  walletconnect: walletConnect,
  modules: npmModules,
  frame: framePage,
  wallet: walletPage,
  read: readPage,
  pay: payPage,
  demo: demoPage,
};

export default defineConfig(({ mode }) => {
  if (!Object.hasOwn(OUTPUTS, mode))
    throw new Error(
      `--mode must be one of ${Object.keys(OUTPUTS).join(', ')}; npm run build makes them all.`,
    );
  const { configFile: _, ...config } = OUTPUTS[mode as Output](resolve(root, 'dist'));
  return config;
});
