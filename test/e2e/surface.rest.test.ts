/** Where the wallet opens, and whether it can be used there. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Wallet } from '../../src/api/wallet.ts';
import type { SignResult } from '../../src/channel/messages.ts';
import { evaluateIn, openWorld, PIN, Visitor, type WalletView, type World } from './harness.ts';
import { type Hosts, startHosts } from './hosts.ts';
import { variant } from './parts.ts';

let world: World;
let unlisted: Hosts;
let visitor: Visitor;
let wallet: Wallet;
before(async () => {
  world = await openWorld();
  unlisted = await startHosts(world.frame);
  visitor = await world.visit('iframe');
  wallet = await visitor.wealthyWallet();
});
after(async () => {
  await visitor?.close();
  await unlisted?.close();
  await world.close();
});

/** The same user, on a page of the wallet's site that the operator has not listed. */
class Elsewhere extends Visitor {
  override get origin(): string {
    return unlisted.sameSite;
  }
}

const sign = (on: Visitor, { id: walletId }: Wallet): Promise<WalletView> =>
  on.ask((connect, params) => connect.sign(params as Parameters<typeof connect.sign>[0]), {
    type: 'ETHEREUM_RAW',
    walletId,
    data: '0x48656c6c6f',
  });

async function approved(on: Visitor): Promise<void> {
  assert.equal((await on.answer<SignResult>()).value?.success, true);
}

test('a same-site page that is not listed opens a window, where the same wallets are', async () => {
  const elsewhere = new Elsewhere(world, visitor.context, await visitor.context.newPage(), 'popup');
  await elsewhere.open();
  const linking = await elsewhere.linking(() => elsewhere.run((connect) => connect.linkWallets()));
  await linking.root.getByRole('checkbox').last().check();
  await linking.consent('Link wallets');
  await linking.gone();
  const [linked] = await elsewhere.wallets();
  assert.equal(linked!.address, wallet.address);
  // Reads need no listing.
  const balance = await elsewhere.evaluate((id) => window.connect.balance(id), linked!.id);
  assert.equal(Number(balance.balance) > 0, true);
  const view = await sign(elsewhere, linked!);
  await view.approve();
  await approved(elsewhere);
  assert.equal(await elsewhere.page.locator('dialog[open]').count(), 0);
  await elsewhere.page.close();
});

variant('a listed page that may not ask, or gets no answer, opens a window', async () => {
  const page = await visitor.context.newPage();
  const silent = new Visitor(world, visitor.context, page, 'popup');
  await page.route('**/embed.json', () => {});
  await page.goto(world.hosts.sameSite);
  await page.getByRole('button', { name: 'Manage wallets', exact: true }).waitFor();
  const view = await silent.opening(() => silent.button('Manage wallets').click());
  await view.popup.getByRole('heading').first().waitFor();
  assert.equal(await page.locator('dialog[open]').count(), 0);
  await view.popup.close();
  await page.unroute('**/embed.json');
  await page.goto(`${world.hosts.sameSite}/no-connect-src`);
  await silent.ready();
  const again = await silent.opening(() => silent.button('Manage wallets').click());
  await again.popup.close();
  await page.close();
  // A page could have closed an unanswered window, so the next request would come after a notice.
  await visitor.passMinute();
});

test('a listed page that is isolated embeds the wallet and has it sign', async () => {
  await visitor.open('/isolated');
  assert.equal(await visitor.evaluate(() => crossOriginIsolated), true);
  const view = await sign(visitor, wallet);
  await view.approve();
  await approved(visitor);
});

variant('a window of 1280 × 900 at 200 %: the dialog has room, raises no alarm, and approves', async () => {
  const context = visitor.context;
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  // The viewport that a browser has at this zoom.
  await session.send('Emulation.setDeviceMetricsOverride', {
    width: 640,
    height: 450,
    deviceScaleFactor: 2,
    mobile: false,
  });
  const zoomed = new Visitor(world, context, page, 'iframe');
  await zoomed.open();
  const view = await sign(zoomed, wallet);
  await view.approval().waitFor();
  const box = (await page.locator('dialog[open] iframe').boundingBox())!;
  assert.deepEqual([box.width, box.height], [622, 432]);
  await view.type('PIN', PIN);
  assert.equal(await view.heading(/^(Make this window larger|Something covers this window)$/).count(), 0);
  await view.consent('Approve');
  await approved(zoomed);
  await page.close();
});

test('a page pinned to a release, by its script’s URL, has the same wallet', async () => {
  await visitor.open('/pinned');
  const view = await sign(visitor, wallet);
  await view.approve();
  await approved(visitor);
});

test('its pages may use the browser’s features that the wallet uses, and no others, and the browser knows each name in their policy', async () => {
  const used = ['camera', 'clipboard-read', 'clipboard-write', 'publickey-credentials-create'];
  for (const [path, features] of [
    ['/frame/', [...used, 'publickey-credentials-get', 'window-management']],
    ['/wallet/', [...used, 'publickey-credentials-get', 'window-management']],
    ['/read/', []],
  ] as const) {
    const page = await visitor.context.newPage();
    const warnings: string[] = [];
    page.on('console', (message) => void (message.type() === 'warning' && warnings.push(message.text())));
    await page.goto(world.frame + path);
    const allowed = await evaluateIn(page)(() =>
      (
        document as unknown as { featurePolicy: { allowedFeatures(): string[] } }
      ).featurePolicy.allowedFeatures(),
    );
    // What a browser tells servers of itself, how it isolates a page, and nodes in a local network need nobody’s permission here.
    const others = /^(ch-.*|cross-origin-isolated|local-network(-access)?|loopback-network)$/;
    assert.deepEqual(allowed.filter((name) => !others.test(name)).sort(), features);
    assert.deepEqual(warnings, []);
    await page.close();
  }
});
