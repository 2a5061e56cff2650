/** Nothing is lost and nothing is sent twice: pages, frames and nodes die at the worst moment. */
import assert from 'node:assert/strict';
import { after, before, beforeEach, afterEach, describe, test } from 'node:test';
import { keccak256, Wallet as EthersWallet, parseEther } from 'ethers';
import type { Wallet } from '../../src/api/wallet.ts';
import type { Pending, TransactionResult } from '../../src/channel/messages.ts';
import { openWorld, poll, type Visitor, type WalletView, WalletView as View, type World } from './harness.ts';

let world: World;
before(async () => void (world = await openWorld()));
after(() => world.close());

for (const where of ['iframe', 'popup'] as const) {
  describe(where, () => {
    let visitor: Visitor;
    let wallet: Wallet;
    let to: string;
    let nonce: number;
    before(async () => {
      visitor = await world.visit(where);
      wallet = await visitor.wealthyWallet();
    });
    after(() => visitor.close());
    beforeEach(async () => {
      to = EthersWallet.createRandom().address;
      nonce = await world.chain.getTransactionCount(wallet.address);
    });
    afterEach(() => visitor.startAgain());

    const send = (requestId?: string): Promise<WalletView> =>
      visitor.ask(
        (connect, { options, ...params }) =>
          connect.transfer({ ...params, secretType: 'ETHEREUM', value: '1.5' }, options),
        { walletId: wallet.id, to, options: requestId ? { requestId } : {} },
      );
    const transactions = async (): Promise<number> =>
      (await world.chain.getTransactionCount(wallet.address)) - nonce;
    const received = async (): Promise<bigint> => world.chain.getBalance(to);

    test('the page reloads between approval and answer, and gets the hash after it', async () => {
      const view = await send('order-0001');
      const held = world.node.hold();
      await view.approve();
      const { raw, release } = await held;
      await visitor.reload();
      release();
      const hash = keccak256(raw);
      await world.receipt(hash);
      const pending = await poll(async () => {
        const all = await visitor.page.evaluate(() => window.connect.pending());
        return (
          all.find(
            ({ requestId, state }) => requestId === 'order-0001' && (state === 'done' || where === 'popup'),
          ) ?? eventually(visitor, hash)
        );
      });
      if (pending.state === 'done') assert.deepEqual(pending.result, { transactionHash: hash });
      assert.equal(await received(), parseEther('1.5'));
      assert.equal(await transactions(), 1);
    });

    test('the wallet dies after signing and before broadcast: one transaction, and the hash is delivered', async () => {
      const view = await send('order-0002');
      const held = world.node.hold();
      await view.approve();
      const { raw, drop, release } = await held;
      await kill(visitor, view);
      drop();
      const { error } = await visitor.answer();
      assert.equal(error?.code, 'frame.unreachable');
      assert.equal(error.details['requestId'], 'order-0002');
      assert.equal(await received(), 0n);

      const all = await visitor.page.evaluate(() => window.connect.pending());
      const found = all.find(({ requestId }) => requestId === 'order-0002');
      assert.equal(found?.state, where === 'iframe' ? 'unsent' : 'unknown');
      const again = await visitor.ask((connect) => connect.resume('order-0002'));
      release();
      await again.button('Send again').click();
      const { value } = await visitor.answer<TransactionResult>();
      assert.equal(value?.transactionHash, keccak256(raw));
      await world.receipt(keccak256(raw));
      assert.equal(await received(), parseEther('1.5'));
      assert.equal(await transactions(), 1);
    });

    test('the wallet dies after broadcast and before the answer: the hash is delivered', async () => {
      const view = await send('order-0003');
      const held = world.node.hold();
      await view.approve();
      const { raw, release } = await held;
      release();
      await world.receipt(keccak256(raw));
      await kill(visitor, view);
      const answer = await visitor.answer<TransactionResult>();
      let hash = answer.value?.transactionHash;
      if (!hash) {
        assert.equal(answer.error?.code, 'frame.unreachable');
        const all = await visitor.page.evaluate(() => window.connect.pending());
        const found = all.find(({ requestId }) => requestId === 'order-0003');
        if (found?.state === 'done') hash = (found.result as TransactionResult).transactionHash;
        else {
          await visitor.ask((connect) => connect.resume('order-0003'));
          hash = (await visitor.answer<TransactionResult>()).value?.transactionHash;
        }
      }
      assert.equal(hash, keccak256(raw));
      assert.equal(await transactions(), 1);
    });

    test('two clicks on Approve send one transaction', async () => {
      const view = await send();
      await view.type('PIN', '739154');
      await view.button('Approve').dblclick();
      const { value } = await visitor.answer<TransactionResult>();
      await world.receipt(value!.transactionHash);
      assert.equal(await transactions(), 1);
      assert.equal(await received(), parseEther('1.5'));
    });

    test('two clicks on Send are one request', async () => {
      await visitor.page.evaluate(
        ([id, address]) => {
          const element = document.querySelector('transfer-dialog')!;
          element.setAttribute('wallet-id', id!);
          element.setAttribute('to', address!);
          element.setAttribute('value', '1.5');
          element.setAttribute('secret-type', 'ETHEREUM');
        },
        [wallet.id, to],
      );
      const view = await visitor.opening(() => visitor.button('Send').dblclick());
      await view.approve();
      await visitor.event('result', 'transfer');
      const results = (await visitor.events()).filter((e) => e.type === 'result' && e.action === 'transfer');
      assert.equal(results.length, 1);
      await world.receipt((results[0]!.result as TransactionResult).transactionHash);
      assert.equal(await transactions(), 1);
    });

    test('the same request id answers the same and signs nothing new; with another request it is refused', async () => {
      const view = await send('order-0004');
      await view.approve();
      const { value: first } = await visitor.answer<TransactionResult>();
      await world.receipt(first!.transactionHash);
      await view.leave('Done');
      await visitor.run(
        (connect, { options, ...params }) =>
          connect.transfer({ ...params, secretType: 'ETHEREUM', value: '1.5' }, options),
        { walletId: wallet.id, to, options: { requestId: 'order-0004' } },
      );
      const { value: second } = await visitor.answer<TransactionResult>();
      assert.deepEqual(second, first);
      await visitor.run(
        (connect, { options, ...params }) =>
          connect.transfer({ ...params, secretType: 'ETHEREUM', value: '9' }, options),
        { walletId: wallet.id, to, options: { requestId: 'order-0004' } },
      );
      const { error } = await visitor.answer();
      assert.equal(error?.code, 'request.conflict');
      assert.equal(await transactions(), 1);
    });
  });
}

/** Takes the frame away without a word. */
async function kill(visitor: Visitor, view: View): Promise<void> {
  if (view.host) await visitor.page.locator('dialog[open] iframe').evaluate((frame) => frame.remove());
  else await view.popup.close();
}

/** The element that took the answer over tells it by its event. */
async function eventually(visitor: Visitor, hash: string): Promise<Pending | undefined> {
  const found = (await visitor.events()).find(
    ({ type, result }) => type === 'result' && (result as TransactionResult)?.transactionHash === hash,
  );
  return found && { requestId: 'order-0001', action: 'transfer', state: 'done', result: found.result };
}
