/**
 * `npm run bench -- weights`: what a page downloads before and after the first click, with Carabiner and with other packages that connect
 * wallets. All are bundled in the same way and run in a browser that can reach only the page's own server: what wallets, ours included, load
 * in windows, in iframes and from their makers' servers does not count.
 */
import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { build } from 'esbuild';
import { chromium } from 'playwright-core';
import { findBrowser, FLAGS } from '../scripts/browser.ts';
import { ROOT } from '../scripts/command.ts';
import { pack } from '../scripts/package.ts';
import { compressed } from '../scripts/sizes.ts';
import { listen } from '../service/listen.ts';

/** A module, and what its first click does. */
const PAGES: Record<string, { ready: string; click: string }> = {
  carabiner: {
    ready: `import 'carabiner/elements';
      document.body.innerHTML = '<connect-provider frame="https://connect.example"><link-wallets></link-wallets><transfer-dialog></transfer-dialog></connect-provider>';`,
    click: `document.querySelector('link-wallets').link()`,
  },
  '@venly/connect': {
    ready: `import { VenlyConnect } from '@venly/connect'; const connect = new VenlyConnect('shop');`,
    click: `connect.flows.getAccount('ETHEREUM')`,
  },
  'magic-sdk': {
    ready: `import { Magic } from 'magic-sdk'; const magic = new Magic('pk_live_0000000000000000');`,
    click: `magic.wallet.connectWithUI()`,
  },
  '@coinbase/wallet-sdk': {
    ready: `import { createCoinbaseWalletSDK } from '@coinbase/wallet-sdk';
      const provider = createCoinbaseWalletSDK({ appName: 'Shop' }).getProvider();`,
    click: `provider.request({ method: 'eth_requestAccounts' })`,
  },
  '@getalby/bitcoin-connect': {
    ready: `import { init, launchModal } from '@getalby/bitcoin-connect'; init({ appName: 'Shop' });`,
    click: `launchModal()`,
  },
  porto: {
    ready: `import { Porto } from 'porto'; const porto = Porto.create();`,
    click: `porto.provider.request({ method: 'wallet_connect' })`,
  },
  '@reown/appkit': {
    ready: `import { createAppKit } from '@reown/appkit'; import { EthersAdapter } from '@reown/appkit-adapter-ethers';
      import { mainnet } from '@reown/appkit/networks';
      const modal = createAppKit({ adapters: [new EthersAdapter()], networks: [mainnet], projectId: '0'.repeat(32),
        metadata: { name: 'Shop', description: '', url: location.origin, icons: [] } });`,
    click: `modal.open()`,
  },
};

const FOLDER = join(ROOT, 'bench/weights');
/** Installed once per lock file. */
const HOME = join(ROOT, '.cache/weights');

function install(): void {
  const lock = 'package-lock.json';
  const mark = join(HOME, 'node_modules/.package-lock.json');
  const same =
    existsSync(mark) && readFileSync(join(HOME, lock), 'utf8') === readFileSync(join(FOLDER, lock), 'utf8');
  if (!same) {
    rmSync(HOME, { recursive: true, force: true });
    cpSync(FOLDER, HOME, { recursive: true });
  }
  renameSync(pack(HOME).filename, join(HOME, 'carabiner.tgz'));
  if (!same)
    execFileSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], {
      cwd: HOME,
      stdio: 'ignore',
    });
  // The installed package may be an earlier build.
  const ours = join(HOME, 'node_modules/carabiner');
  rmSync(ours, { recursive: true, force: true });
  mkdirSync(ours);
  execFileSync('tar', ['-xzf', 'carabiner.tgz', '-C', ours, '--strip-components=1'], { cwd: HOME });
}

async function bundle(name: string): Promise<string> {
  const { ready, click } = PAGES[name]!;
  const outdir = join(HOME, 'built', name.replace('/', '-'));
  rmSync(outdir, { recursive: true, force: true });
  await build({
    stdin: { contents: `${ready}\nwindow.first = () => ${click};\nwindow.ready = true;`, resolveDir: HOME },
    outdir,
    entryNames: 'page',
    chunkNames: '[hash]',
    bundle: true,
    splitting: true,
    minify: true,
    format: 'esm',
    target: 'es2022',
    conditions: ['browser', 'production'],
    define: { 'process.env.NODE_ENV': '"production"', global: 'globalThis' },
    banner: { js: 'globalThis.process ??= { env: {} };' },
    logLevel: 'error',
    // Optional peers, and modules that exist only in Node.
    plugins: [
      {
        name: 'absent',
        setup({ onResolve, onLoad, resolve }) {
          onResolve({ filter: /^[^./]/ }, async ({ path, pluginData, ...from }) => {
            if (pluginData === 'asked') return undefined;
            const found = await resolve(path, { ...from, pluginData: 'asked' });
            return found.errors.length ? { path, namespace: 'absent' } : found;
          });
          onLoad({ filter: /.*/, namespace: 'absent' }, () => ({ contents: 'module.exports = {};' }));
        },
      },
    ],
  });
  return outdir;
}

/** The files sent so far. */
interface Sent {
  files: number;
  brotli: number;
}

async function serve(folder: string): Promise<{ url: string; sent(): Sent; close(): Promise<void> }> {
  const files = new Set<string>();
  const { port, close } = await listen(
    (request, response) => {
      const path = request.url!.split('?')[0]!;
      const file = join(folder, path);
      if (path === '/')
        response
          .writeHead(200, { 'Content-Type': 'text/html' })
          .end(
            '<!doctype html><link rel="icon" href="data:,"><body><script type="module" src="/page.js"></script>',
          );
      else if (existsSync(file)) {
        files.add(file);
        response.writeHead(200, { 'Content-Type': 'text/javascript' }).end(readFileSync(file));
      } else response.writeHead(404).end();
    },
    { port: 0, setting: 'bench' },
  );
  return {
    url: `http://127.0.0.1:${port}/`,
    sent() {
      const all = [...files].map((file) => compressed(readFileSync(file)).brotli);
      return { files: all.length, brotli: all.reduce((sum, bytes) => sum + bytes, 0) };
    },
    close,
  };
}

/** Long enough for what a page loads by itself. */
const QUIET = 2000;

async function weigh(name: string): Promise<string> {
  const folder = await bundle(name);
  const server = await serve(folder);
  const browser = await chromium.launch({
    executablePath: findBrowser(),
    args: [...FLAGS, '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1'],
  });
  try {
    const page = await browser.newPage();
    await page.goto(server.url);
    await page.waitForFunction('window.ready');
    await page.waitForTimeout(QUIET);
    const before = server.sent();
    // It never settles: no wallet answers.
    await page.evaluate('void Promise.resolve(window.first()).catch(() => {})');
    await page.waitForTimeout(QUIET);
    const after = server.sent();
    const cells = [before, after].flatMap(({ files, brotli }) => [files, (brotli / 1024).toFixed(1)]);
    const { version } = JSON.parse(readFileSync(join(HOME, 'node_modules', name, 'package.json'), 'utf8'));
    return `| ${[`${name} ${version}`, ...cells].join(' | ')} |`;
  } finally {
    await browser.close();
    await server.close();
  }
}

export async function weights(): Promise<string> {
  try {
    install();
  } catch (error) {
    return `What other packages weigh: they could not be installed. ${(error as Error).message.split('\n')[0]}`;
  }
  const lines = [
    '| | files before | KiB brotli before | files after a click | KiB brotli after |',
    '|---|---|---|---|---|',
  ];
  for (const name of Object.keys(PAGES))
    lines.push(await weigh(name).catch((error: Error) => `| ${name} | ${error.message.split('\n')[0]} |`));
  return lines.join('\n');
}
