/** The plain page of `demo/frameworks` as it is shipped, under a strict policy. Apps that are built are in `test/long/frameworks.test.ts`. */
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { openWorld, type World } from './harness.ts';
import { buyAt, serveShop, SHOPS } from './shops.ts';

let world: World;
before(async () => {
  world = await openWorld();
});
after(() => world.close());

test('a plain page with the script tag links, sends and signs', async () => {
  const shop = await serveShop(join(SHOPS, 'html'), world.frame);
  await buyAt(world, shop.url);
  await shop.close();
});
