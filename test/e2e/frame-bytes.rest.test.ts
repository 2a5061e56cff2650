/** The byte budgets count the files of lists. These runs show that the lists are right. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Wallet } from 'ethers';
import { readGraph } from '../../scripts/graph.ts';
import { filesAtRest, filesUntilFirstPin, filesUntilSent } from '../../scripts/sizes.ts';
import type { TransactionResult } from '../../src/channel/messages.ts';
import { pause, poll } from '../waiting.ts';
import { openWorld, type Visitor, type World } from './harness.ts';

let world: World;
let visitor: Visitor;
before(async () => {
  world = await openWorld();
  visitor = await world.visit('iframe');
});
after(() => world.close());

test('a transfer loads every file that the byte budget counts, and no other', async () => {
  const wallet = await visitor.wealthyWallet();
  await visitor.reload();
  // The page has read the balance, in a hidden frame.
  await visitor.page.getByText('10 ETH').waitFor();
  const session = await visitor.context.newCDPSession(visitor.page);
  await session.send('Network.clearBrowserCache');
  const loaded = new Set<string>();
  visitor.context.on('request', (request) => {
    const { origin, pathname } = new URL(request.url());
    if (origin === world.frame && /^\/frame\/.*\.js$/.test(pathname)) loaded.add(pathname.slice(1));
  });
  const view = await visitor.ask(
    (connect, params) => connect.transfer(params as Parameters<typeof connect.transfer>[0]),
    { walletId: wallet.id, to: Wallet.createRandom().address, value: '1', secretType: 'ETHEREUM' },
  );
  await view.approve();
  await view.sent();
  assert.ok((await visitor.answer<TransactionResult>()).value?.transactionHash);
  await poll(() => loaded.size >= filesUntilSent().length, 'every file');
  assert.deepEqual([...loaded].sort(), filesUntilSent().sort());
  assert.deepEqual(ofTheCopy([...loaded]), []);
});

test('a page with every element loads three files before anybody comes near one, and nothing of the frame', async () => {
  const loaded: string[] = [];
  const looker = await world.visit('iframe', '/all', {
    onRequest(url) {
      if (url.startsWith(world.frame)) loaded.push(new URL(url).pathname.slice(1));
    },
  });
  await poll(() => loaded.length >= 3, 'every file');
  // Nothing comes later, either.
  await pause(500);
  assert.deepEqual(loaded.sort(), ['embed.json', ...filesAtRest()].sort());
  assert.equal(loaded.length, 3);
  assert.equal(looker.page.frames().length, 1);
  await Promise.all([looker.page.waitForResponse(/transfer-dialog-view/), looker.button('Send').hover()]);
  assert.equal(looker.page.frames().length, 1);
  await looker.close();
});

test('a window loads no more than what is counted, from the click to the PIN field of a first wallet', async () => {
  const newcomer = await world.visit('popup');
  const loaded: string[] = [];
  newcomer.context.on('request', (request) => {
    const { origin, pathname } = new URL(request.url());
    if (origin === world.frame && /^\/frame\/.*\.js$/.test(pathname)) loaded.push(pathname.slice(1));
  });
  const view = await newcomer.opening(() => newcomer.button('Manage wallets').click());
  await view.button('Create wallet').click();
  await view.box('PIN').waitFor();
  const counted = new Set(filesUntilFirstPin());
  await poll(() => loaded.filter((file) => counted.has(file)).length >= counted.size, 'every file');
  // The chain comes while the PIN is typed.
  const others = [...new Set(loaded)].filter((file) => !counted.has(file));
  assert.deepEqual(
    others.filter((file) => !/\/(evm|contracts|hex-accounts|rlp|ethers)-/.test(file)),
    [],
  );
  assert.deepEqual(ofTheCopy(loaded), []);
  await newcomer.close();
});

/** Which of these files have code of the encrypted copy: whoever keeps none, or only pays, downloads none of it. */
function ofTheCopy(files: readonly string[]): string[] {
  const copy = readGraph().frame.filter(({ modules }) =>
    modules.some((name) => name.startsWith('src/sync/')),
  );
  assert.ok(copy.length > 0);
  return copy.map(({ file }) => file).filter((file) => files.includes(file));
}
