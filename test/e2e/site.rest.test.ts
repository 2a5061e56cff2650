/** Pages on other host names of the frame's site: the `site` in networks.json and in the page decides what they get. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Wallet } from '../../src/api/wallet.ts';
import type { SignResult } from '../../src/channel/messages.ts';
import { within } from '../waiting.ts';
import { openWorld, type Visitor, WalletView, type World } from './harness.ts';

const SITE = 'shop.localhost';
let world: World;
let visitor: Visitor;
let wallet: Wallet;
before(async () => {
  world = await openWorld({ site: SITE });
  visitor = await world.visit('iframe', '/on-site');
});
after(() => world.close());

const askToSign = (from: Visitor): Promise<WalletView> =>
  from.ask((connect, params) => connect.sign(params), {
    type: 'ETHEREUM_RAW' as const,
    walletId: wallet.id,
    data: '0x48656c6c6f',
  });

test('a page on another sub-domain of the site has the wallet in a dialog, and approves there', async () => {
  assert.equal(new URL(visitor.origin).hostname, `www.${SITE}`);
  assert.equal(new URL(world.frame).hostname, `wallet.${SITE}`);
  wallet = await visitor.createWallet();
  const view = await askToSign(visitor);
  await view.approve();
  assert.equal((await visitor.answer<SignResult>()).value?.success, true);
  await view.gone();
});

test('it is the same wallet as in a window that another site opens', async () => {
  const elsewhere = await visitor.another('popup');
  const view = await elsewhere.linking(() => elsewhere.button('Connect wallet').click());
  await view.root.getByRole('checkbox', { name: new RegExp(`^${wallet.alias}, `) }).check();
  await view.leave('Link wallets');
  assert.deepEqual(
    (await elsewhere.wallets()).map(({ address }) => address),
    [wallet.address],
  );
  await within(elsewhere.page.close(), 'the end of a tab');
});

test('a page of the site that does not name it has the wallet in a window', async () => {
  await visitor.open('/');
  const [popup] = await Promise.all([
    visitor.page.waitForEvent('popup'),
    visitor.run((connect, params) => connect.sign(params), {
      type: 'ETHEREUM_RAW' as const,
      walletId: wallet.id,
      data: '0x48656c6c6f',
    }),
  ]);
  await new WalletView(popup).approve();
  assert.equal((await visitor.answer<SignResult>()).value?.success, true);
});

test('a page that claims a wider site than the frame’s: no wallet is shown in its dialog, only the way to a window', async () => {
  const origin = new URL(visitor.origin);
  origin.hostname = 'evil.localhost';
  world.embedOn(origin.origin);
  await visitor.page.goto(new URL('/on-wider-site', origin).href);
  await visitor.ready();
  const view = await visitor.opening(() => visitor.button('Manage wallets').click());
  await view.button('Open in a window').waitFor();
  for (const name of ['Create wallet', 'Approve', 'Link wallets'])
    assert.equal(await view.button(name).count(), 0);
  assert.equal(await view.text(wallet.address.slice(2, 6)).count(), 0);
  assert.deepEqual(await visitor.wallets(), []);
});
