/**
 * The apps of `demo/frameworks`, each installed from its own lock file with the packed tarball, outside of this project: it builds, and
 * under its development server it links, sends and signs, over a change of the route and of its code, without a word in the console.
 * `APPS=react,next` runs those alone.
 */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { after, before, test } from 'node:test';
import type { BrowserContext, Page } from 'playwright-core';
import { ROOT, run } from '../../scripts/command.ts';
import { pack } from '../../scripts/package.ts';
import { listen } from '../../service/listen.ts';
import { openWorld, poll, Visitor, within, type World } from '../e2e/harness.ts';

const MINUTE = 60_000;
const DEMOS = join(ROOT, 'demo/frameworks');

interface App {
  /** The name of the wallet's origin in the app's environment. */
  frame: string;
  dev: (port: string) => string[];
  /** What a server has to send of the elements. */
  html?: RegExp;
  /** A file whose heading `Shop` a developer changes. */
  source: string;
  /** The folder of another app that it is. */
  like?: string;
  /** Packages that are installed besides. */
  with?: string[];
  /** A file of `test/frameworks` whose lines a checker has to find wrong. */
  wrong?: { file: string; check: string[]; found: RegExp; lines: string[] };
}

const onVite = (port: string): string[] => ['vite', '--host', '127.0.0.1', '--port', port, '--strictPort'];

/** Those with a package. */
const APPS: Record<string, App> = {
  react: {
    frame: 'VITE_FRAME',
    dev: onVite,
    source: 'src/shop.tsx',
  },
  'react-18': {
    frame: 'VITE_FRAME',
    dev: onVite,
    source: 'src/shop.tsx',
    like: 'react',
    with: ['react@18.3.1', 'react-dom@18.3.1', '@types/react@18.3.31', '@types/react-dom@18.3.7'],
  },
  next: {
    frame: 'FRAME',
    dev: (port) => ['next', 'dev', '-H', '127.0.0.1', '-p', port],
    html: /<sign-request type="ETHEREUM_RAW"[^>]* data="0x48656c6c6f"[^>]* defer-hydration=""/,
    source: 'app/layout.tsx',
  },
  vue: {
    frame: 'VITE_FRAME',
    dev: onVite,
    source: 'src/shop.vue',
    wrong: {
      file: 'wrong.vue',
      check: ['vue-tsc', '--noEmit', '--pretty', 'false'],
      found: /wrong\.vue\((\d+),/g,
      lines: ['8', '9', '10', '11'],
    },
  },
  solid: { frame: 'VITE_FRAME', dev: onVite, source: 'src/header.tsx' },
  svelte: {
    frame: 'VITE_FRAME',
    dev: onVite,
    source: 'src/header.svelte',
    wrong: {
      file: 'wrong.svelte',
      check: ['svelte-check', '--output', 'machine'],
      found: /ERROR "src\/wrong\.svelte" (\d+):/g,
      lines: ['7', '8', '9'],
    },
  },
};
const wanted = process.env['APPS']?.split(',') ?? ['html', ...Object.keys(APPS)];

/**
 * Lit says that it is its development build, which every bundler takes in development; and the wallet's own pages deny features that not
 * every browser knows.
 */
const EXPECTED = /^Lit is in dev mode|^Error with Permissions-Policy header/;

let world: World;
let folder: string;
let tarball: string;
before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'carabiner-frameworks-'));
  tarball = pack(folder);
  world = await openWorld();
});
after(async () => {
  await world.close();
  rmSync(folder, { recursive: true, force: true });
});

/** A user of the app. */
class Customer extends Visitor {
  readonly said: string[] = [];

  constructor(
    context: BrowserContext,
    page: Page,
    readonly url: string,
  ) {
    super(world, context, page, 'popup');
    page.on('console', (message) => {
      const text = message.text();
      if (['warning', 'error'].includes(message.type()) && !EXPECTED.test(text)) this.said.push(text);
    });
  }

  override get origin(): string {
    return this.url;
  }

  override async ready(): Promise<void> {
    await this.button('Sign').waitFor();
    // A server has written what is not hydrated yet.
    await this.page.locator('sign-request:not([defer-hydration])').waitFor();
  }

  async goTo(name: string): Promise<void> {
    await this.page.getByRole('navigation').getByText(name, { exact: true }).click();
  }

  /** What the app has heard, in order. */
  async hears(...lines: string[]): Promise<void> {
    const items = this.page.locator('#log li');
    await poll(async () => (await items.count()) >= lines.length || undefined, `${lines.at(-1)} in the app`);
    assert.deepEqual(await items.allInnerTexts(), lines);
  }
}

/** `change`: changes the app's heading to "Store", as a developer does at work. */
async function shop(url: string, change?: () => void): Promise<void> {
  const context = await world.browser.newContext({ locale: 'en-US', reducedMotion: 'reduce' });
  context.setDefaultTimeout(30_000);
  const customer = new Customer(context, await context.newPage(), url);
  await customer.open();
  await customer.wealthyWallet();
  // As on a first visit: the wallet is the user's, and this site knows nothing of it.
  await customer.evaluate(() => localStorage.clear());
  await customer.reload();

  const view = await customer.linking(() => customer.button('Connect wallet').click());
  await view.press('Link wallets');
  await customer.hears('linkWallets');

  const sending = await customer.opening(() => customer.button('Send').click());
  await sending.approve();
  await customer.hears('linkWallets', 'transfer');
  await sending.leave('Done');

  // The user looks elsewhere while the wallet is open.
  const signing = await customer.opening(() => customer.button('Sign').click());
  await signing.approval().waitFor();
  await customer.goTo('About');
  await customer.page.getByText('We sell things.').waitFor();
  await signing.approve();
  await customer.hears('linkWallets', 'transfer', 'sign from another page');

  await customer.goTo('Pay');
  change?.();
  if (change) await customer.page.getByRole('heading', { name: 'Store' }).waitFor();
  const again = await customer.opening(() => customer.button('Sign').click());
  await again.approve();
  await customer.hears('linkWallets', 'transfer', 'sign from another page', 'sign');
  assert.deepEqual([...customer.said, ...customer.complaints], []);
  await customer.close();
}

async function freePort(): Promise<string> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return String(port);
}

async function command(cwd: string, env: NodeJS.ProcessEnv, ...args: string[]): Promise<void> {
  const { code, output } = await run('npm', args, { cwd, env, timeout: 10 * MINUTE, onLine: () => {} });
  assert.equal(code, 0, `npm ${args.join(' ')}\n${output}`);
}

/** The checker finds each wrong line. */
async function finds(home: string, { file, check, found, lines }: NonNullable<App['wrong']>): Promise<void> {
  const copy = join(home, 'src', file);
  copyFileSync(join(ROOT, 'test/frameworks', file), copy);
  const [program, ...args] = check;
  const { output } = await run(join(home, 'node_modules/.bin', program!), args, {
    cwd: home,
    timeout: 5 * MINUTE,
    onLine: () => {},
  });
  rmSync(copy);
  assert.deepEqual([...new Set([...output.matchAll(found)].map(([, line]) => line))], lines, output);
}

const TYPES: Record<string, string> = { '.html': 'text/html', '.js': 'text/javascript' };

if (wanted.includes('html'))
  test('html: links, sends and signs from a script tag', async () => {
    const { port, close } = await listen(
      (request, response) => {
        const path = new URL(request.url ?? '/', 'http://app').pathname;
        const file = join(DEMOS, 'html', path === '/' ? 'index.html' : path);
        if (!existsSync(file)) return void response.writeHead(404).end();
        const text = readFileSync(file, 'utf8').replaceAll('https://connect.example', world.frame);
        response.writeHead(200, { 'Content-Type': `${TYPES[extname(file)]}; charset=utf-8` }).end(text);
      },
      { port: 0, setting: 'tests' },
    );
    await shop(`http://127.0.0.1:${port}`);
    await close();
  });

for (const [name, app] of Object.entries(APPS)) {
  if (!wanted.includes(name)) continue;
  test(`${name}: is built from the package, links, sends and signs`, async () => {
    const home = join(folder, name);
    cpSync(join(DEMOS, app.like ?? name), home, { recursive: true });
    copyFileSync(tarball, join(home, 'carabiner.tgz'));
    const env = {
      ...process.env,
      // A build of ours leaves it at `production`, for which npm installs no checker.
      NODE_ENV: undefined,
      NEXT_TELEMETRY_DISABLED: '1',
      [app.frame]: world.frame,
    };
    await command(home, env, 'ci', '--no-audit', '--no-fund');
    if (app.with) await command(home, env, 'install', '--no-save', '--no-audit', '--no-fund', ...app.with);
    await command(home, env, 'run', 'build');
    if (app.wrong) await finds(home, app.wrong);

    const port = await freePort();
    const url = `http://127.0.0.1:${port}`;
    const [program, ...args] = app.dev(port);
    const server = spawn(join(home, 'node_modules/.bin', program!), args, {
      cwd: home,
      env,
      stdio: 'ignore',
    });
    const ended = once(server, 'exit');
    try {
      const answer = (): Promise<string | undefined> =>
        fetch(url).then(
          (response) => response.text(),
          () => undefined,
        );
      // The first answer waits for the compiler.
      const html = await within(
        (async () => {
          for (;;) {
            const text = await answer();
            if (text !== undefined) return text;
            await new Promise((resolve) => setTimeout(resolve, 200));
          }
        })(),
        `${name}’s server`,
        120,
      );
      if (app.html) assert.match(html, app.html);
      const source = join(home, app.source);
      await shop(url, () =>
        writeFileSync(source, readFileSync(source, 'utf8').replace('<h1>Shop</h1>', '<h1>Store</h1>')),
      );
    } finally {
      server.kill();
      await ended;
    }
  });
}
