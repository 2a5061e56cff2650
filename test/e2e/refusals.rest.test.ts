/** How a request ends when it is not approved, and what happens when the wallet cannot open. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Wallet } from '../../src/api/wallet.ts';
import type { SignResult } from '../../src/channel/messages.ts';
import { openWorld, type Visitor, WalletView, type World } from './harness.ts';
import { variant } from './parts.ts';

let world: World;
before(async () => void (world = await openWorld()));
after(() => world.close());

const HELLO = '0x48656c6c6f';
const askToSign = (visitor: Visitor, wallet: Wallet): Promise<WalletView> =>
  visitor.ask((connect, params) => connect.sign(params), {
    type: 'ETHEREUM_RAW' as const,
    walletId: wallet.id,
    data: HELLO,
  });

async function assertRejected(visitor: Visitor): Promise<void> {
  const { error } = await visitor.answer();
  assert.equal(error?.code, 'user.rejected');
}

for (const where of ['iframe', 'popup'] as const) {
  describe(`when the user rejects (${where})`, () => {
    /** The same in dialog and window. */
    const onEither = where === 'iframe' ? test : variant;
    let visitor: Visitor;
    let wallet: Wallet;
    before(async () => {
      visitor = await world.visit(where);
      wallet = await visitor.createWallet();
    });
    after(() => visitor.close());

    variant('Reject rejects with user.rejected', async () => {
      const view = await askToSign(visitor, wallet);
      await view.press('Reject');
      await assertRejected(visitor);
      await view.gone();
    });

    test('closing the wallet rejects with user.rejected, and the next request works', async () => {
      const view = await askToSign(visitor, wallet);
      await view.approval().waitFor();
      if (where === 'iframe') await view.close();
      else await view.popup.close();
      await assertRejected(visitor);
      await view.gone();

      const next = await askToSign(visitor, wallet);
      await next.approve();
      const { value } = await visitor.answer<SignResult>();
      assert.equal(value?.success, true);
      await next.gone();
    });

    variant('Close closes a wallet that has not loaded yet', async () => {
      await visitor.context.route('**/networks.json', () => {});
      const view = await askToSign(visitor, wallet);
      await view.press('Close');
      await assertRejected(visitor);
      await view.gone();
      await visitor.context.unroute('**/networks.json');
    });

    onEither('an AbortSignal closes the approval', async () => {
      const view = await visitor.ask(
        (connect, params) => {
          const abort = new AbortController();
          (window as unknown as { abort: AbortController }).abort = abort;
          return connect.sign(params, { signal: abort.signal });
        },
        { type: 'ETHEREUM_RAW' as const, walletId: wallet.id, data: HELLO },
      );
      await view.approval().waitFor();
      await visitor.evaluate(() => (window as unknown as { abort: AbortController }).abort.abort());
      await assertRejected(visitor);
      await view.gone();
    });

    onEither('an element fires only connect-cancel, and can be used again', async () => {
      await visitor.evaluate(
        (id) => document.querySelector('sign-request')!.setAttribute('wallet-id', id),
        wallet.id,
      );
      const before = (await visitor.events()).length;
      const view = await visitor.opening(() => visitor.button('Sign').click());
      await view.press('Reject');
      await visitor.page.getByText('You rejected the request').waitFor();
      await visitor.event('cancel', 'sign');
      const types = (await visitor.events()).slice(before).map(({ type }) => type);
      assert.equal(types.filter((type) => ['result', 'cancel', 'error'].includes(type)).join(), 'cancel');
      const again = await visitor.opening(() => visitor.button('Sign').click());
      await again.approve();
      await visitor.page.getByText('Message signed').waitFor();
    });
  });
}

test('a dialog is closed by Escape', async () => {
  const visitor = await world.visit('iframe');
  const wallet = await visitor.createWallet();
  const view = await askToSign(visitor, wallet);
  await view.approval().waitFor();
  // Not awaited: the frame that got the key may be gone before it can report that.
  visitor.page.keyboard.press('Escape').catch(() => {});
  await assertRejected(visitor);
  await visitor.close();
});

test('a blocked window becomes a button, which opens the same request', async () => {
  const visitor = await world.visit('popup');
  await visitor.createWallet();
  // What Playwright evaluates in a page counts as a press there, so nothing is evaluated until the page has asked.
  const said = visitor.page.waitForEvent('console', (message) => /^(opened|blocked)$/.test(message.text()));
  await visitor.page.goto(`${visitor.origin}/unasked`);
  assert.equal((await said).text(), 'blocked');
  const open = visitor.button('Open in a window');
  await open.waitFor();
  const view = await visitor.opening(() => open.click());
  await view.approve();
  assert.equal((await visitor.answer<SignResult>()).value?.success, true);
  assert.equal((await visitor.events()).filter(({ type }) => type === 'request').length, 1);
  await visitor.close();
});

variant(
  'a frame that the page’s own policy blocks becomes a button, which opens the same request in a window',
  async () => {
    const visitor = await world.visit('iframe');
    const wallet = await visitor.createWallet();
    await visitor.open('/no-frame-src');
    await visitor.evaluate((id) => {
      document.querySelector('sign-request')!.setAttribute('wallet-id', id);
      document.addEventListener('connect-progress', (event) => {
        const { requestId } = event as unknown as { requestId: string };
        (window as unknown as { ids: Set<string> }).ids = (
          (window as unknown as { ids?: Set<string> }).ids ?? new Set()
        ).add(requestId);
      });
    }, wallet.id);
    await visitor.button('Sign').click();
    const open = visitor.button('Open in a window');
    await open.waitFor();
    const [popup] = await Promise.all([visitor.page.waitForEvent('popup'), open.click()]);
    const view = new WalletView(popup);
    await view.approve();
    await visitor.page.getByText('Message signed').waitFor();
    const events = await visitor.events();
    assert.equal(events.filter(({ type }) => type === 'request').length, 1);
    assert.equal(events.filter(({ type }) => type === 'result').length, 1);
    assert.equal(await visitor.evaluate(() => (window as unknown as { ids: Set<string> }).ids.size), 1);
    await visitor.close();
  },
);

variant('an iframe that stays silent offers a window, which opens the same request in a window', async () => {
  const visitor = await world.visit('iframe', '/', { impatient: true });
  const wallet = await visitor.createWallet();
  await visitor.evaluate(
    (id) => document.querySelector('sign-request')!.setAttribute('wallet-id', id),
    wallet.id,
  );
  // Not in the window.
  await visitor.page.route('**/frame/', () => {});
  await visitor.button('Sign').click();
  const open = visitor.button('Open in a window');
  await open.waitFor();
  const [popup] = await Promise.all([visitor.page.waitForEvent('popup'), open.click()]);
  await new WalletView(popup).approve();
  await visitor.page.getByText('Message signed').waitFor();
  assert.equal((await visitor.events()).filter(({ type }) => type === 'request').length, 1);
  await visitor.close();
});

variant('a page whose opener policy cuts off the window learns why', async () => {
  const visitor = await world.visit('popup', '/coop');
  await visitor.linking(() => visitor.run((connect) => connect.linkWallets()));
  const { error } = await visitor.answer();
  assert.equal(error?.code, 'frame.blocked');
  assert.equal(error?.details['reason'], 'coop');
  assert.match(error!.message, /Cross-Origin-Opener-Policy/);
  await visitor.close();
});

variant('a node that is down is reported, and the request continues when it is back', async () => {
  const visitor = await world.visit('iframe');
  const wallet = await visitor.wealthyWallet();
  world.node.down = true;
  const view = await visitor.ask(
    (connect, params) => connect.transfer({ ...params, secretType: 'ETHEREUM', value: '1' }),
    { walletId: wallet.id, to: '0x71C7656EC7ab88b098defB751B7401B5f6d8976F' },
  );
  await view.heading('Cannot reach Ethereum').waitFor();
  assert.equal(await view.button('Approve').count(), 0);
  world.node.down = false;
  await view.button('Retry').click();
  await view.approve();
  const { value } = await visitor.answer<{ transactionHash: string }>();
  assert.ok(await world.chain.getTransaction(value!.transactionHash));
  await visitor.close();
});

variant('an invalid payload is refused before anything opens, with the path of every bad field', async () => {
  const visitor = await world.visit('iframe');
  const wallet = await visitor.createWallet();
  await visitor.evaluate(() => window.connect.preload('ETHEREUM'));
  await visitor.run((connect, request) => connect.execute(request), {
    type: 'ETH_TRANSACTION' as const,
    walletId: wallet.id,
    to: '0x12',
    value: '-1',
    data: 'zz',
  });
  const { error } = await visitor.answer();
  assert.equal(error?.code, 'request.invalid');
  assert.deepEqual(error.issues?.map(({ path }) => path).toSorted(), ['data', 'to', 'value']);
  assert.equal(await visitor.page.locator('dialog[open]').count(), 0);
  await visitor.close();
});
