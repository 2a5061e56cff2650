/**
 * The apps of `demo/frameworks`, each installed from its own lock file with the packed tarball, outside of this project: it builds, and
 * under its development server it links, sends and signs, over a change of the route and of its code, without a word in the console.
 * `APPS=react,next` runs those alone.
 */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  copyFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { after, before, test } from 'node:test';
import { type Framework, frameworkCode } from '../../demo/page/framework-code.ts';
import { ROOT, run } from '../../scripts/command.ts';
import { pack } from '../../scripts/package.ts';
import { DEADLINE_MS, poll } from '../waiting.ts';
import { openWorld, type World } from '../e2e/harness.ts';
import { buyAt, SHOPS } from '../e2e/shops.ts';

interface Quick {
  framework: Framework;
  folder: string;
  extension: 'ts' | 'tsx' | 'vue' | 'svelte';
}

interface App {
  /** The name of the wallet's origin in the app's environment; without one, the app is told in its sources. */
  frame?: string;
  dev: (port: string) => string[];
  /** What a server has to send of the elements. */
  html?: RegExp;
  /** A file whose heading `Shop` a developer changes; absent if the server then loads the page anew. */
  source?: string;
  /** A file that names the wallet's origin. */
  names?: string;
  /** The folder of another app that it is. */
  like?: string;
  /** Packages that are installed besides. */
  with?: string[];
  /** The code that docs and playground have for it, and where the app's own check finds that. */
  quick?: Quick;
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
    quick: { framework: 'React', folder: 'src', extension: 'tsx' },
  },
  'react-18': {
    frame: 'VITE_FRAME',
    dev: onVite,
    source: 'src/shop.tsx',
    quick: { framework: 'React', folder: 'src', extension: 'tsx' },
    like: 'react',
    with: ['react@18.3.1', 'react-dom@18.3.1', '@types/react@18.3.31', '@types/react-dom@18.3.7'],
  },
  next: {
    frame: 'FRAME',
    dev: (port) => ['next', 'dev', '-H', '127.0.0.1', '-p', port],
    html: /<sign-request type="ETHEREUM_RAW"[^>]* data="0x48656c6c6f"[^>]* defer-hydration=""/,
    source: 'app/layout.tsx',
    quick: { framework: 'Next.js', folder: 'app', extension: 'tsx' },
  },
  vue: {
    frame: 'VITE_FRAME',
    dev: onVite,
    source: 'src/shop.vue',
    quick: { framework: 'Vue', folder: 'src', extension: 'vue' },
    wrong: {
      file: 'wrong.vue',
      check: ['vue-tsc', '--noEmit', '--pretty', 'false'],
      found: /wrong\.vue\((\d+),/g,
      lines: ['8', '9', '10', '11'],
    },
  },
  nuxt: {
    frame: 'NUXT_PUBLIC_FRAME',
    dev: (port) => ['nuxt', 'dev', '--host', '127.0.0.1', '--port', port],
    html: /<sign-request type="ETHEREUM_RAW"[^>]* data="0x48656c6c6f"[^>]* defer-hydration(="")?/,
    source: 'app/components/shop-header.vue',
    quick: { framework: 'Nuxt', folder: 'app/code', extension: 'vue' },
  },
  angular: {
    dev: (port) => ['ng', 'serve', '--host', '127.0.0.1', '--port', port],
    source: 'src/app.ts',
    names: 'src/app.ts',
    quick: { framework: 'Angular', folder: 'src', extension: 'ts' },
  },
  solid: {
    frame: 'VITE_FRAME',
    dev: onVite,
    source: 'src/header.tsx',
    quick: { framework: 'Solid', folder: 'src', extension: 'tsx' },
  },
  svelte: {
    frame: 'VITE_FRAME',
    dev: onVite,
    source: 'src/header.svelte',
    quick: { framework: 'Svelte', folder: 'src', extension: 'svelte' },
    wrong: {
      file: 'wrong.svelte',
      check: ['svelte-check', '--output', 'machine'],
      found: /ERROR "src\/wrong\.svelte" (\d+):/g,
      lines: ['7', '8', '9'],
    },
  },
  sveltekit: {
    frame: 'VITE_FRAME',
    dev: onVite,
    html: /<sign-request type="ETHEREUM_RAW"[^>]* data="0x48656c6c6f"[^>]* defer-hydration=""/,
    source: 'src/header.svelte',
    quick: { framework: 'SvelteKit', folder: 'src', extension: 'svelte' },
  },
  'react-router': {
    frame: 'VITE_FRAME',
    dev: (port) => ['react-router', 'dev', '--host', '127.0.0.1', '--port', port, '--strictPort'],
    html: /<sign-request type="ETHEREUM_RAW"[^>]* data="0x48656c6c6f"[^>]* defer-hydration=""/,
    source: 'app/header.tsx',
    quick: { framework: 'React', folder: 'app', extension: 'tsx' },
  },
  'tanstack-start': {
    frame: 'VITE_FRAME',
    dev: onVite,
    html: /<sign-request type="ETHEREUM_RAW"[^>]* data="0x48656c6c6f"[^>]* defer-hydration=""/,
    source: 'src/routes/__root.tsx',
    quick: { framework: 'React', folder: 'src', extension: 'tsx' },
  },
  astro: {
    frame: 'PUBLIC_FRAME',
    dev: (port) => ['astro', 'dev', '--host', '127.0.0.1', '--port', port],
    html: /<sign-request type="ETHEREUM_RAW" data="0x48656c6c6f">/,
  },
};
const wanted = process.env['APPS']?.split(',') ?? [...Object.keys(APPS), 'vitest'];

let world: World;
let folder: string;
let tarball: string;
before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'carabiner-frameworks-'));
  tarball = pack(folder).filename;
  world = await openWorld();
});
after(async () => {
  await world.close();
  rmSync(folder, { recursive: true, force: true });
});

async function freePort(): Promise<string> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return String(port);
}

async function command(cwd: string, env: NodeJS.ProcessEnv, ...args: string[]): Promise<void> {
  const started = Date.now();
  const { code, output } = await run('npm', args, { cwd, env, timeout: 5 * DEADLINE_MS, onLine: () => {} });
  assert.equal(code, 0, `npm ${args.join(' ')}\n${output}`);
  console.log(
    `${basename(cwd)}: npm ${args[0] === 'run' ? args[1] : args[0]} took ${Math.round((Date.now() - started) / 1000)} s`,
  );
}

/** What tells the block of a framework from others in its language. */
const MARKS: Partial<Record<Framework, string>> = {
  Solid: 'carabiner/types/solid',
  Angular: '@angular/core',
};

/** Code of the playground, and of `docs/embedding.md`, for the app's own check to read. */
function writeQuickStarts(home: string, { framework, folder, extension }: Quick): void {
  const docs = readFileSync(join(ROOT, 'docs/embedding.md'), 'utf8');
  const blocks = [...docs.matchAll(/^```(\w+)\n([^]*?)^```$/gm)];
  const mark = MARKS[framework] ?? 'carabiner/';
  const block = blocks.find(([, language, code]) => language === extension && code!.includes(mark));
  assert.ok(block, `docs/embedding.md has no quick start for ${framework}`);
  mkdirSync(join(home, folder), { recursive: true });
  const write = (name: string, code: string): void =>
    writeFileSync(join(home, folder, `${name}.${extension}`), code);
  write('quick-start', block[2]!);
  const shown: [tag: string, ...attributes: [name: string, property: string, value: string][]][] = [
    ['link-wallets', ['secret-types', 'secretTypes', 'ETHEREUM BITCOIN'], ['theme', 'theme', 'dark']],
    [
      'transfer-dialog',
      ['wallet-id', 'walletId', 'w'],
      ['value', 'value', '1.5'],
      ['secret-type', 'secretType', 'ETHEREUM'],
    ],
    [
      'sign-request',
      ['type', 'type', 'ETHEREUM_TYPED_DATA'],
      ['wallet-id', 'walletId', 'w'],
      ['data', 'data', '{"types":{"a":[{"name":"`$"}]}}'],
      ['prefix', 'messagePrefix', 'false'],
    ],
  ];
  for (const [tag, ...list] of shown) {
    const attributes = list.map(([name, property, value]) => ({ name, property, value }));
    write(`code-${tag}`, frameworkCode(framework, { frame: 'https://connect.example', tag, attributes }));
  }
}

/** The checker finds each wrong line. */
async function finds(home: string, { file, check, found, lines }: NonNullable<App['wrong']>): Promise<void> {
  const copy = join(home, 'src', file);
  copyFileSync(join(ROOT, 'test/frameworks', file), copy);
  const [program, ...args] = check;
  const { output } = await run(join(home, 'node_modules/.bin', program!), args, {
    cwd: home,
    timeout: 3 * DEADLINE_MS,
    onLine: () => {},
  });
  rmSync(copy);
  assert.deepEqual([...new Set([...output.matchAll(found)].map(([, line]) => line))], lines, output);
}

for (const [name, app] of Object.entries(APPS)) {
  if (!wanted.includes(name)) continue;
  test(`${name}: is built from the package, links, sends and signs`, async () => {
    const home = join(folder, name);
    cpSync(join(SHOPS, app.like ?? name), home, { recursive: true });
    copyFileSync(tarball, join(home, 'carabiner.tgz'));
    const env = {
      ...process.env,
      // A build of ours leaves it at `production`, for which npm installs no checker.
      NODE_ENV: undefined,
      NEXT_TELEMETRY_DISABLED: '1',
      ASTRO_TELEMETRY_DISABLED: '1',
      ...(app.frame && { [app.frame]: world.frame }),
    };
    const edit = (file: string, from: string, to: string): void => {
      const path = join(home, file);
      writeFileSync(path, readFileSync(path, 'utf8').replace(from, to));
    };
    if (app.names) edit(app.names, 'https://connect.example', world.frame);
    await command(home, env, 'ci', '--no-audit', '--no-fund');
    if (app.quick) writeQuickStarts(home, app.quick);
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
      const html = await poll(answer, `${name}’s server`);
      if (app.html) assert.match(html, app.html);
      const { source } = app;
      await buyAt(world, url, source ? () => edit(source, '<h1>Shop</h1>', '<h1>Store</h1>') : undefined);
    } finally {
      server.kill();
      await ended;
    }
  });
}

if (wanted.includes('vitest'))
  test('vitest: the tests of an app draw the elements and answer for the wallet, in jsdom and happy-dom', async () => {
    const home = join(folder, 'vitest');
    cpSync(join(SHOPS, 'vitest'), home, { recursive: true });
    copyFileSync(tarball, join(home, 'carabiner.tgz'));
    const env = { ...process.env, NODE_ENV: undefined };
    await command(home, env, 'ci', '--no-audit', '--no-fund');
    await command(home, env, 'run', 'test');
    for (const [conditions, found] of [
      [[], /carabiner\/testing is in a production build/],
      [['carabiner-testing'], /fakeWallet: no wallet answers/],
    ] as const)
      assert.match(await bundled(home, env, conditions), found);
  });

/** Vite's production build of a page that makes a fake wallet. */
async function bundled(home: string, env: NodeJS.ProcessEnv, conditions: readonly string[]): Promise<string> {
  writeFileSync(join(home, 'page.js'), "import { fakeWallet } from 'carabiner/testing';\nfakeWallet();\n");
  const code = `import { build, defaultClientConditions } from 'vite';
    const conditions = [...${JSON.stringify(conditions)}, ...defaultClientConditions];
    await build({ logLevel: 'error', resolve: { conditions }, build: { rolldownOptions: { input: 'page.js' } } });`;
  rmSync(join(home, 'dist'), { recursive: true, force: true });
  const { code: exit, output } = await run(process.execPath, ['--input-type=module', '-e', code], {
    cwd: home,
    env,
    timeout: DEADLINE_MS,
    onLine: () => {},
  });
  assert.equal(exit, 0, output);
  const assets = join(home, 'dist/assets');
  return readdirSync(assets)
    .map((file) => readFileSync(join(assets, file), 'utf8'))
    .join('\n');
}
