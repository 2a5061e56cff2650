/**
 * Apps of `demo/frameworks` as they are shipped, under a strict policy: the plain page, and React as it is built from the packed tarball
 * with this project's own React and Vite. All the others, and all of them in development, are in `test/long/frameworks.test.ts`.
 */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { build } from 'vite';
import { ROOT } from '../../scripts/command.ts';
import { pack } from '../../scripts/package.ts';
import { openWorld, type World } from './harness.ts';
import { buyAt, serveShop, SHOPS } from './shops.ts';

let world: World;
before(async () => {
  world = await openWorld();
});
after(() => world.close());

async function buyFrom(folder: string): Promise<void> {
  const shop = await serveShop(folder, world.frame);
  await buyAt(world, shop.url);
  await shop.close();
}

test('a plain page with the script tag links, sends and signs', () => buyFrom(join(SHOPS, 'html')));

test('a React shop, built from the package, links, sends and signs', async () => {
  // Below our own `node_modules`, where it finds what the package depends on.
  mkdirSync(join(ROOT, '.cache'), { recursive: true });
  const home = mkdtempSync(join(ROOT, '.cache/shop-'));
  try {
    cpSync(join(SHOPS, 'react'), home, { recursive: true });
    const unpacked = join(home, 'node_modules/carabiner');
    mkdirSync(unpacked, { recursive: true });
    execFileSync('tar', ['-xzf', pack(home), '-C', unpacked, '--strip-components=1']);
    await build({ root: home, configFile: false, logLevel: 'error', build: { outDir: join(home, 'built') } });
    await buyFrom(join(home, 'built'));
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
});
