/** A site that replaces the request for which the user is reading or typing a PIN. */
import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, describe } from 'node:test';
import { parseEther, Wallet as EthersWallet } from 'ethers';
import type { Locator } from 'playwright-core';
import type { Wallet } from '../../../src/api/wallet.ts';
import type { TransactionResult } from '../../../src/channel/messages.ts';
import { poll } from '../../waiting.ts';
import { kill, openWorld, PIN, type Visitor, WalletView, type World } from '../harness.ts';
import { holdings } from './unmoved.ts';
import { core as first, describeVariants, rest, variant } from '../parts.ts';

const NOTICE = 'The site replaced its request';
const SHOW = 'Show the new request';

let world: World;
before(async () => void (world = await openWorld()));
after(() => world.close());

for (const where of ['iframe', 'popup'] as const) {
  // In the window it is the same code.
  const [group, core, more] =
    where === 'iframe' ? [describe, first, rest] : [describeVariants, variant, variant];
  group(where === 'iframe' ? 'in the dialog' : 'in a window, on another site', () => {
    let visitor: Visitor;
    let wallet: Wallet;
    let to: string;
    let nonce: number;
    let held: string;
    before(async () => {
      visitor = await world.visit(where);
      wallet = await visitor.createWallet();
    });
    after(() => visitor.close());
    beforeEach(async () => {
      to = EthersWallet.createRandom().address;
      await world.ethereum.give('ETH', wallet.address);
      nonce = await world.chain.getTransactionCount(wallet.address);
      held = await holdings(world, wallet);
    });
    afterEach(() => visitor.startAgain());

    /** Requests this amount, in a call that the page can withdraw. */
    const ask = (value: string): Promise<WalletView> =>
      visitor.ask(
        (connect, params) => {
          const abort = new AbortController();
          Object.assign(window, { abort });
          return connect.transfer({ ...params, secretType: 'ETHEREUM' }, { signal: abort.signal });
        },
        { walletId: wallet.id, to, value },
      );
    /** Withdraws it and requests this amount instead, in a single task. */
    const replace = (value: string): Promise<void> =>
      visitor.evaluate(
        (params) => {
          const page = window as unknown as { abort: AbortController; answer: unknown };
          page.abort.abort();
          page.abort = new AbortController();
          const call = window.connect.transfer(
            { ...params, secretType: 'ETHEREUM' },
            { signal: page.abort.signal },
          );
          page.answer = call.then(
            (done) => ({ value: done }),
            (error) => ({ error: { code: error.code, message: '', details: error.details } }),
          );
        },
        { walletId: wallet.id, to, value },
      );
    const type = (digits: string): Promise<void> => visitor.page.keyboard.type(digits);
    const typeIn = async (view: WalletView, digits: string): Promise<void> => {
      await view.takes('PIN');
      await view.box('PIN').focus();
      await (where === 'iframe' ? type(digits) : view.popup.keyboard.type(digits));
    };
    /** What is there leaves the screen by what is done; its like may come after it. */
    const following = async (shown: Locator, act: () => Promise<void>): Promise<void> => {
      const before = await shown.elementHandle();
      await act();
      const stays = () => before!.evaluate((element) => element.isConnected).catch(() => false);
      await poll(async () => !(await stays()), 'the next view');
    };
    const press = (view: WalletView, key: string): Promise<void> =>
      (view.host ?? view.popup).keyboard.press(key);

    const assertNothingSent = async (): Promise<void> => {
      assert.equal(await holdings(world, wallet), held, 'nothing moved');
      assert.equal(await world.chain.getBalance(to), 0n);
    };
    const assertSent = async (value: string): Promise<void> => {
      const { value: done } = await visitor.answer<TransactionResult>();
      await world.receipt(done!.transactionHash);
      assert.equal(await world.chain.getBalance(to), parseEther(value));
      assert.equal((await world.chain.getTransactionCount(wallet.address)) - nonce, 1);
    };
    /** The notice is shown, and further typing sends nothing. */
    const assertHeldBack = async (view: WalletView): Promise<void> => {
      await view.heading(NOTICE).waitFor();
      await (view.host ?? view.popup).keyboard.type(PIN.slice(3));
      await press(view, 'Enter');
      assert.equal(await view.box('PIN').count(), 0);
      assert.equal(await view.button('Approve').count(), 0);
      await assertNothingSent();
    };
    /** A user who has read the notice goes on and focuses the PIN field. */
    const goOn = async (view: WalletView): Promise<void> => {
      await view.consent(SHOW);
      await view.box('PIN').waitFor();
      assert.equal(await view.box('PIN').evaluate((input) => input.matches(':focus')), false);
      await view.approve();
    };

    core('control: the same digits without a replacement send the one that was read', async () => {
      const view = await ask('0.001');
      await typeIn(view, PIN);
      await view.consent('Approve');
      await assertSent('0.001');
    });

    core(
      'withdrawn while the PIN is typed: the new one is not drawn, and the rest of the PIN goes nowhere',
      async () => {
        const view = await ask('0.001');
        await typeIn(view, PIN.slice(0, 3));
        await replace('3');
        await assertHeldBack(view);
        await goOn(view);
        await assertSent('3');
      },
    );

    variant('withdrawn before a digit is typed: the new one is not drawn either', async () => {
      const view = await ask('0.001');
      await view.box('PIN').waitFor();
      await replace('3');
      await assertHeldBack(view);
      await view.press('Reject');
      assert.equal((await visitor.answer()).error?.code, 'user.rejected');
      await assertNothingSent();
    });

    more('with the wallet destroyed and opened again: the notice comes with the new one', async () => {
      const first = await ask('0.001');
      await typeIn(first, PIN.slice(0, 3));
      await kill(first);
      const second = await ask('3');
      await assertHeldBack(second);
      await goOn(second);
      await assertSent('3');
    });

    variant('by a press that began before the notice: it shows nothing', async () => {
      const view = await ask('0.001');
      await view.box('PIN').waitFor();
      await view.stopClock();
      await replace('3');
      const button = view.button(SHOW);
      await button.waitFor();
      // A double click meant for the previous view, and Enter from somebody who is typing.
      await button.dblclick({ force: true });
      await press(view, 'Enter');
      await view.heading(NOTICE).waitFor();
      assert.equal(await view.box('PIN').count(), 0);
      await assertNothingSent();
    });

    more('control: the same request again, after its element was re-rendered, is shown at once', async () => {
      const view = await ask('0.001');
      const first = view.box('PIN');
      // The wallet has it: one that is withdrawn while the window still loads is never shown.
      await view.seeAll();
      await following(first, () => replace('0.001'));
      await first.waitFor();
      assert.equal(await view.heading(NOTICE).count(), 0);
      await view.approve();
      await assertSent('0.001');
    });

    variant('control: the user’s own Reject, Esc and Close, with digits typed, accuse nobody', async () => {
      const ends: ((view: WalletView) => Promise<void>)[] = [
        (view) => view.press('Reject'),
        (view) => view.input(press(view, 'Escape')),
        (view) => view.press('Close'),
      ];
      for (const [index, end] of ends.entries()) {
        const view = await ask(`0.00${index + 1}`);
        await typeIn(view, PIN.slice(0, 2));
        await end(view);
        assert.equal((await visitor.answer()).error?.code, 'user.rejected');
        await view.gone();
      }
      const view = await ask('0.004');
      await view.box('PIN').waitFor();
      assert.equal(await view.heading(NOTICE).count(), 0);
      await view.approve();
      await assertSent('0.004');
    });

    more(
      'in another tab: nothing is drawn there until the user goes on there, which takes the first back',
      async () => {
        const view = await ask('0.001');
        await typeIn(view, PIN.slice(0, 3));
        const tab = await visitor.another(where, '/plain');
        const behind = await tab.ask(
          (connect, params) => connect.transfer({ ...params, secretType: 'ETHEREUM' }),
          { walletId: wallet.id, to, value: '3' },
        );
        await behind.heading(/^Another window of your wallet is asking for /).waitFor();
        await (behind.host ?? behind.popup).keyboard.type(PIN.slice(3));
        await press(behind, 'Enter');
        assert.equal(await behind.box('PIN').count(), 0);
        await assertNothingSent();
        await behind.consent('Go on here');
        await behind.box('PIN').waitFor();
        assert.equal((await visitor.answer()).error?.code, 'user.rejected');
        await behind.approve();
        const { value: done } = await tab.answer<TransactionResult>();
        await world.receipt(done!.transactionHash);
        assert.equal(await world.chain.getBalance(to), parseEther('3'));
      },
    );

    variant('three times in a minute: all are rejected, and the site waits', async () => {
      const view = await ask('0.001');
      await view.seeAll();
      await view.stopClock();
      const notice = view.heading(NOTICE);
      await replace('1');
      await notice.waitFor();
      await following(notice, () => replace('2'));
      await notice.waitFor();
      await replace('3');
      await view.heading(/ is paused$/).waitFor();
      await view.leave('Close');
      const { error } = await visitor.answer();
      assert.equal(error?.code, 'request.rate-limited');
      await assertNothingSent();
    });
  });
}
