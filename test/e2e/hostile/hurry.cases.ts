/**
 * Attempts to get something approved that the user could not see or had no time to: amount, recipient or total out of view, a message not
 * read to its end, a danger not ticked, a fee raised while the PIN is typed. Each one moves nothing; the same script without the trick goes
 * through.
 */
import assert from 'node:assert/strict';
import { after, afterEach, before, describe } from 'node:test';
import { hexlify, parseEther, toBeHex, Transaction, toUtf8Bytes, verifyMessage } from 'ethers';
import type { Wallet } from '../../../src/api/wallet.ts';
import type { SignResult, TransactionResult } from '../../../src/channel/messages.ts';
import { poll } from '../../waiting.ts';
import { RENEW } from '../../../src/frame/approve/drafts.ts';
import { openWorld, PIN, surfaces, type Visitor, type WalletView, type World } from '../harness.ts';
import { unchanged } from './unmoved.ts';
import { core, rest, variant } from '../parts.ts';

const FRIEND = '0x71C7656EC7ab88b098defB751B7401B5f6d8976F';
const NOBODY = '0x0000000000000000000000000000000000000000';

/** Runs in the wallet before its scripts: it asks for the fee every second. */
function renewOften(interval: number): void {
  const { setTimeout: later } = globalThis;
  globalThis.setTimeout = ((work: () => void, wait?: number, ...given: unknown[]) =>
    later(work, wait === interval ? 1000 : wait, ...given)) as typeof globalThis.setTimeout;
}

let world: World;
before(async () => void (world = await openWorld()));
after(() => world.close());

for (const where of surfaces('iframe'))
  describe(`hurry, in ${where === 'iframe' ? 'the dialog' : 'a window, cross-site'}`, () => {
    let visitor: Visitor;
    let wallet: Wallet;
    before(async () => {
      visitor = await world.visit(where);
      await visitor.context.addInitScript(renewOften, RENEW);
      await visitor.open();
      wallet = await visitor.wealthyWallet();
    });
    afterEach(async () => {
      world.node.lies.clear();
      await visitor.startAgain();
    });
    after(() => visitor.close());

    const held = async (): Promise<string> => {
      const { chain } = world;
      return (
        await Promise.all([
          chain.getBalance(wallet.address),
          chain.getTransactionCount(wallet.address, 'pending'),
        ])
      ).join();
    };
    const pay = (to = FRIEND, value = '0.1'): Promise<WalletView> =>
      visitor.ask((connect, params) => connect.transfer(params as never), {
        walletId: wallet.id,
        secretType: 'ETHEREUM',
        to,
        value,
      });
    const sign = (text: string): Promise<WalletView> =>
      visitor.ask((connect, params) => connect.sign(params as never), {
        type: 'ETHEREUM_RAW',
        walletId: wallet.id,
        data: hexlify(toUtf8Bytes(text)),
      });
    const goesThrough = async (view: WalletView): Promise<TransactionResult> => {
      await view.approve();
      const { value, error } = await visitor.answer<TransactionResult>();
      assert.equal(error, undefined);
      assert.equal((await world.receipt(value!.transactionHash))?.status, 1);
      return value!;
    };
    /** The wallet has looked at the fee again: it asks once more only after it has drawn the answer. */
    const renewed = (): Promise<true> => {
      const isFee = ({ method }: { method: string }): boolean => method === 'eth_feeHistory';
      const since = world.node.requests.length;
      return poll(
        () => world.node.requests.slice(since).flat().filter(isFee).length >= 2 && true,
        'two renewals',
      );
    };
    /** Waits until Approve shows this reason. */
    const says = async (view: WalletView, reason: string): Promise<void> => {
      await view.text(reason).first().waitFor();
    };
    /** Everything a user in a hurry does: types, presses Enter, clicks disabled buttons. */
    const hurry = async (view: WalletView): Promise<void> => {
      const pin = view.box('PIN');
      if (await pin.count()) {
        await pin.focus();
        await pin.pressSequentially(PIN);
        await pin.press('Enter');
      }
      await view.approval().click({ force: true });
      await view.approval().focus();
      await view.approval().press('Enter');
      await view.approval().press('Space');
    };
    /** The request is still unanswered, and nothing has moved. */
    const nothing = (attack: () => Promise<void>): Promise<void> =>
      unchanged(async () => {
        const state = () => Promise.race([window.answer.then(() => 'answered'), Promise.resolve('open')]);
        return `${await visitor.evaluate(state)}, ${await held()}`;
      }, attack);
    const inView = async (view: WalletView, what: ReturnType<WalletView['text']>): Promise<void> => {
      const box = (await what.first().boundingBox())!;
      const page = view.host ?? view.popup;
      const outer = view.host
        ? (await page.locator('dialog[open] iframe').boundingBox())!
        : { x: 0, y: 0, ...(page.viewportSize() ?? { width: 0, height: 0 }) };
      assert.ok(box.y >= outer.y && box.y + box.height <= outer.y + outer.height + 1, 'in view');
      assert.ok(box.x >= outer.x && box.x + box.width <= outer.x + outer.width + 1, 'in view');
    };

    core('a message whose end was not read is not signed; once read to its end it is', async () => {
      const text = `${Array.from({ length: 80 }, (_, i) => `${i + 1}. A line of the terms.`).join('\n')}\nAnd I give away everything.`;
      const view = await sign(text);
      await nothing(async () => {
        await says(view, 'Read to the end first');
        await hurry(view);
        await says(view, 'Read to the end first');
      });
      await view.seeAll();
      await view.text('And I give away everything.').waitFor();
      if (await view.box('PIN').inputValue()) await view.consent('Approve');
      else await view.approve();
      const { value } = await visitor.answer<SignResult>();
      assert.equal(verifyMessage(text, value!.result.signature), wallet.address);
    });

    variant('empty lines do not hide the end of a message', async () => {
      const short = await sign('Sign in');
      await short.approve();
      const { value } = await visitor.answer<SignResult>();
      assert.equal(verifyMessage('Sign in', value!.result.signature), wallet.address);
      await visitor.startAgain();
      const view = await sign(`Sign in${'\n'.repeat(400)}And I give away everything.`);
      await nothing(async () => {
        await says(view, 'Read to the end first');
        await hurry(view);
        await says(view, 'Read to the end first');
      });
      await view.press('Reject');
    });

    core(
      'a danger that was not ticked is not approved, by no key and no click; once ticked it is',
      async () => {
        const view = await pay(NOBODY);
        const before = await held();
        await nothing(async () => {
          await says(view, 'Tick the box first');
          await hurry(view);
          await says(view, 'Tick the box first');
        });
        await view.root.getByRole('checkbox', { name: /^I understand the risk/ }).check();
        await goesThrough(view);
        assert.notEqual(await held(), before);
      },
    );

    rest('the open pad covers neither amount nor recipient nor total', async () => {
      const view = await pay();
      await view.button('Show PIN pad').click();
      await view.root.getByRole('group', { name: 'PIN pad' }).waitFor();
      for (const what of [view.heading('Send 0.1 ETH'), view.address(FRIEND), view.text('Total at most')])
        await inView(view, what);
      await goesThrough(view);
    });

    if (where === 'iframe')
      rest(
        'a fee above what was promised, raised while the PIN is typed, clears the PIN and says so; one below it does not and is paid',
        async () => {
          const raise = (times: bigint) =>
            world.node.lies.set('eth_feeHistory', (_, truth) => {
              const history = truth as { baseFeePerGas: string[] };
              return {
                ...history,
                baseFeePerGas: history.baseFeePerGas.map((fee) => toBeHex((BigInt(fee) * times) / 100n)),
              };
            });
          const calm = await pay();
          await calm.type('PIN', PIN);
          await calm.heading('Send 0.1 ETH').waitFor();
          const most = parseEther(await calm.figure('Total at most'));
          raise(130n);
          await renewed();
          assert.equal((await calm.box('PIN').inputValue()).length, PIN.length, 'the PIN stays');
          assert.equal(parseEther(await calm.figure('Total at most')), most, 'and so does the promise');
          await calm.consent('Approve');
          const { value } = await visitor.answer<TransactionResult>();
          const sent = world.node.sent().map((raw) => Transaction.from(raw));
          const mine = sent.find(({ hash }) => hash === value!.transactionHash)!;
          assert.ok(mine.value + mine.gasLimit * mine.maxFeePerGas! <= most, 'no more than was promised');
          world.node.lies.clear();
          await visitor.startAgain();

          const view = await pay();
          await nothing(async () => {
            await view.type('PIN', PIN);
            await view.heading('Send 0.1 ETH').waitFor();
            const promised = await view.figure('Total at most');
            raise(1000n);
            await view.text('The fee went up. Check it and enter your PIN again.').waitFor();
            assert.equal(await view.box('PIN').inputValue(), '');
            assert.notEqual(await view.figure('Total at most'), promised);
            await view.approval().click({ force: true });
          });
          await view.press('Reject');
        },
      );
  });
