/** Accessibility: by keyboard alone, at 360 px, with a screen reader, in light and dark, and under the strictest policies. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { parseEther, Wallet as EthersWallet } from 'ethers';
import type { Wallet } from '../../src/api/wallet.ts';
import type { SignResult, TransactionResult } from '../../src/channel/messages.ts';
import { poll, within } from '../waiting.ts';
import { axe, evaluateIn, openWorld, PIN, surfaces, type WalletView, type World } from './harness.ts';
import { consent, press, tabTo } from './keyboard.ts';
import { variant } from './parts.ts';

let world: World;
before(async () => void (world = await openWorld()));
after(() => world.close());

for (const where of surfaces('iframe'))
  test(`creates, links and sends by keyboard alone (${where})`, async () => {
    const visitor = await world.visit(where);
    const { page } = visitor;
    const view = await visitor.opening(() => press(page, /^Manage wallets$/));
    const keys = view.host ?? view.popup;
    await view.button('Create wallet').waitFor();
    await press(keys, /^Create wallet$/);
    await view.box('PIN').waitFor();
    await tabTo(keys, /^PIN$/);
    await within(keys.keyboard.type(PIN), 'the PIN by keys');
    await press(keys, /^Continue$/);
    await view.box('Confirm PIN').waitFor();
    await tabTo(keys, /^Confirm PIN$/);
    await within(keys.keyboard.type(PIN), 'the PIN by keys');
    await press(keys, /^Continue$/);
    await view.button('Remind me later').waitFor();
    await press(keys, /^Remind me later$/);
    await view.heading('Receive ETH').waitFor();
    await press(keys, /^Done$/);
    await visitor.event('result', 'manageWallets');
    await view.gone();
    const wallet = (await visitor.wallets())[0]!;
    await world.ethereum.give('ETH', wallet.address);

    await press(page, /^Send$/);
    await page.getByRole('dialog', { name: 'Send' }).waitFor();
    await tabTo(page, /^Recipient$/);
    const to = EthersWallet.createRandom().address;
    await within(page.keyboard.type(to), 'the address by keys');
    await tabTo(page, /^Amount$/);
    await within(page.keyboard.type('1.5'), 'the amount by keys');
    const approval = await visitor.opening(() => press(page, /^Continue$/));
    const pad = approval.host ?? approval.popup;
    await approval.approval().waitFor();
    await approval.takes('PIN');
    await tabTo(pad, /^PIN$/);
    await within(pad.keyboard.type(PIN), 'the PIN by keys');
    await consent(pad, async () => (await visitor.events()).some(({ stage }) => stage === 'signing'));
    await visitor.event('result', 'transfer');
    await poll(
      async () => (await world.chain.getBalance(to)) === parseEther('1.5') || undefined,
      'the transfer',
    );
    await visitor.close();
  });

for (const where of ['iframe', 'popup'] as const)
  variant(`links again, signs and rejects by keyboard alone (${where})`, async () => {
    const visitor = await world.visit(where);
    const { page } = visitor;
    const wallet = await visitor.createWallet();
    await visitor.evaluate((id) => window.connect.unlink(id), wallet.id);
    await press(page, /^Connect wallet$/);
    await visitor.button('I have one').waitFor();
    let view = await visitor.opening(() => press(page, /^I have one$/));
    const keys = view.host ?? view.popup;
    const box = view.root.getByRole('checkbox', { name: new RegExp(`^${wallet.alias}, `) });
    await box.waitFor();
    await tabTo(keys, new RegExp(`^${wallet.alias}`));
    await within(keys.keyboard.press('Space'), 'the key that ticks');
    assert.ok(await box.isChecked());
    // It is disabled for the first half second, and Tab skips it.
    await view.button('Link wallets').click({ trial: true });
    await tabTo(keys, /^Link wallets$/);
    await consent(keys, async () => (await visitor.wallets()).length === 1);
    await view.gone();

    await visitor.evaluate(
      (id) => document.querySelector('sign-request')!.setAttribute('wallet-id', id),
      wallet.id,
    );
    view = await visitor.opening(() => press(page, /^Sign$/));
    await view.approval().waitFor();
    const pad = view.host ?? view.popup;
    await view.takes('PIN');
    await tabTo(pad, /^PIN$/);
    await within(pad.keyboard.type(PIN), 'the PIN by keys');
    await consent(pad, async () =>
      (await visitor.events()).some(({ type, action }) => type === 'result' && action === 'sign'),
    );
    await view.gone();

    view = await visitor.opening(() => press(page, /^Sign$/));
    await view.approval().waitFor();
    (view.host ?? view.popup).keyboard.press('Escape').catch(() => {});
    await visitor.event('cancel', 'sign');
    await view.gone();
    await visitor.close();
  });

variant('axe finds nothing on a page that is always light, where the system is dark', async () => {
  const visitor = await world.visit('iframe', '/light', { colorScheme: 'dark', reducedMotion: 'reduce' });
  await visitor.createWallet();
  await visitor.button('Send').click();
  assert.deepEqual(await axe(visitor.page), []);
  await visitor.close();
});

for (const where of ['iframe', 'popup'] as const)
  (where === 'iframe' ? test : variant)(
    `nothing breaks the page’s strict policy or the frame’s, while unlocking, sending and signing (${where})`,
    async () => {
      const visitor = await world.visit(where, '/strict');
      const wallet: Wallet = await visitor.wealthyWallet();
      let view = await visitor.ask(
        (connect, params) => connect.transfer({ ...params, secretType: 'ETHEREUM', value: '1' }),
        {
          walletId: wallet.id,
          to: EthersWallet.createRandom().address,
        },
      );
      await view.approve();
      assert.ok((await visitor.answer<TransactionResult>()).value);
      await view.done();
      const askToSign = (): Promise<WalletView> =>
        visitor.ask((connect, params) => connect.sign(params), {
          type: 'ETHEREUM_RAW' as const,
          walletId: wallet.id,
          data: '0x48656c6c6f',
        });
      view = await askToSign();
      await view.approve();
      assert.ok((await visitor.answer<SignResult>()).value);
      await view.gone();
      assert.deepEqual(visitor.complaints, []);

      // A violation is noticed, in the frame as in the page.
      view = await askToSign();
      await view.approval().waitFor();
      for (const at of [await view.frame(), visitor.page]) {
        const before = visitor.complaints.length;
        await evaluateIn(at)(() => {
          try {
            document.body.innerHTML = '<p style="color: red"></p>';
          } catch {
            // Blocked, and reported to the console.
          }
        });
        await poll(async () => visitor.complaints.length > before || undefined, 'the complaint');
      }
      await visitor.close();
    },
  );

test('the frame page ships its policy and Trusted Types', async () => {
  const { headers } = await fetch(`${world.frame}/frame/`);
  const policy = headers.get('content-security-policy') ?? '';
  assert.match(policy, /default-src 'none'/);
  assert.match(policy, /script-src 'self' 'wasm-unsafe-eval'(;|$)/);
  assert.match(policy, /style-src 'self'(;|$)/);
  assert.match(policy, /require-trusted-types-for 'script'/);
  assert.equal(headers.get('x-frame-options'), null);
});
