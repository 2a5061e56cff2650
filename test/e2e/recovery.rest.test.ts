/** Nothing is lost and nothing is sent twice, even if pages, frames and nodes die at the worst moment. */
import assert from 'node:assert/strict';
import { after, before, beforeEach, afterEach, describe, test } from 'node:test';
import { keccak256, Wallet as EthersWallet, parseEther } from 'ethers';
import type { Wallet } from '../../src/api/wallet.ts';
import type { Pending, TransactionResult } from '../../src/channel/messages.ts';
import { poll } from '../waiting.ts';
import { type HostEvent, kill, openWorld, type Visitor, type WalletView, type World } from './harness.ts';
import { variant } from './parts.ts';

let world: World;
before(async () => void (world = await openWorld()));
after(() => world.close());

for (const where of ['iframe', 'popup'] as const) {
  describe(where, () => {
    /** The same in dialog and window. */
    const onEither = where === 'iframe' ? test : variant;
    let visitor: Visitor;
    let wallet: Wallet;
    let to: string;
    let nonce: number;
    before(async () => {
      visitor = await world.visit(where);
      wallet = await visitor.createWallet();
    });
    after(() => visitor.close());
    beforeEach(async () => {
      to = EthersWallet.createRandom().address;
      await world.ethereum.give('ETH', wallet.address);
      nonce = await world.chain.getTransactionCount(wallet.address);
    });
    afterEach(async () => {
      world.node.down = false;
      await visitor.startAgain('/');
    });

    const send = (requestId?: string): Promise<WalletView> =>
      visitor.ask(
        (connect, { options, ...params }) =>
          connect.transfer({ ...params, secretType: 'ETHEREUM', value: '1.5' }, options),
        { walletId: wallet.id, to, options: requestId ? { requestId } : {} },
      );
    const transactions = async (): Promise<number> =>
      (await world.chain.getTransactionCount(wallet.address)) - nonce;
    const received = async (): Promise<bigint> => world.chain.getBalance(to);
    const results = async (): Promise<HostEvent[]> =>
      (await visitor.events()).filter(({ type, action }) => type === 'result' && action === 'transfer');
    const pendingAs = (state: Pending['state'], id: string): Promise<Pending> =>
      poll(async () => {
        const all = await visitor.evaluate(() => window.connect.pending());
        return all.find((each) => each.requestId === id && each.state === state);
      }, `${id} as ${state}`);

    onEither('the page reloads between approval and answer, and gets the hash after it', async () => {
      const view = await send('order-0001');
      const held = world.node.hold();
      await view.approve();
      const { raw, release } = await held;
      await visitor.reload();
      release();
      const hash = keccak256(raw);
      await world.receipt(hash);
      const { result } = await pendingAs('done', 'order-0001');
      assert.deepEqual(result, { transactionHash: hash });
      // An element fires it too, unless it asked before the node had it: then it offers to look it up.
      const check = visitor.page.getByRole('button', { name: 'Check in wallet' });
      await poll(
        async () => (await results()).length === 1 || (where === 'iframe' && (await check.count()) === 1),
        'what an element says',
      );
      assert.equal(await received(), parseEther('1.5'));
      assert.equal(await transactions(), 1);
    });

    test('the page reloads before approval and asks what is pending: no request is lost or doubled', async () => {
      const view = await send('order-0005');
      await view.approval().waitFor();
      await visitor.reload();
      const all = await visitor.evaluate(() => window.connect.pending());
      const found = all.find(({ requestId }) => requestId === 'order-0005');
      if (where === 'iframe') {
        // It is gone with the page, and nothing was approved.
        assert.equal(found, undefined);
        await (await send('order-0005')).approve();
        const { value } = await visitor.answer<TransactionResult>();
        await world.receipt(value!.transactionHash);
      } else {
        // The window is still open, with its request.
        assert.equal(found?.state, 'unknown');
        await view.approve();
        const { result } = await pendingAs('done', 'order-0005');
        await world.receipt((result as TransactionResult).transactionHash);
        await visitor.event('result', 'transfer');
        assert.equal((await results()).length, 1);
      }
      assert.equal(await received(), parseEther('1.5'));
      assert.equal(await transactions(), 1);
    });

    variant('the page reloads before approval and repeats the request: one transaction', async () => {
      const view = await send('order-0006');
      await view.approval().waitFor();
      await visitor.reload();
      await visitor.evaluate(() => window.connect.pending());
      const again = await send('order-0006');
      await again.approval().waitFor();
      await again.approve();
      const { value } = await visitor.answer<TransactionResult>();
      await world.receipt(value!.transactionHash);
      // The window is still there, with its request, and takes the same one again for the same.
      if (where === 'popup') assert.ok(again.popup === view.popup);
      assert.equal(await received(), parseEther('1.5'));
      assert.equal(await transactions(), 1);
    });

    onEither('approved but not sent, because the node went down: Send again sends exactly one', async () => {
      const sentBefore = world.node.sent().length;
      const view = await send('order-0007');
      const held = world.node.hold();
      await view.approve();
      const { raw, drop, release } = await held;
      world.node.down = true;
      drop();
      await view.heading('Approved but not sent').waitFor();
      await view.press('Send again');
      await view.text(/^Still no answer/).waitFor();
      assert.equal(await transactions(), 0);
      world.node.down = false;
      release();
      await view.input(view.button('Send again').dblclick());
      const { value } = await visitor.answer<TransactionResult>();
      assert.equal(value?.transactionHash, keccak256(raw));
      await world.receipt(keccak256(raw));
      assert.equal(await received(), parseEther('1.5'));
      assert.equal(await transactions(), 1);
      assert.deepEqual([...new Set(world.node.sent().slice(sentBefore))], [raw]);
    });

    test('the wallet dies after signing and before broadcast: one transaction, and the hash is delivered', async () => {
      const view = await send('order-0002');
      const held = world.node.hold();
      await view.approve();
      const { raw, drop, release } = await held;
      await kill(view);
      drop();
      const { error } = await visitor.answer();
      assert.equal(error?.code, 'frame.unreachable');
      assert.equal(error.details['requestId'], 'order-0002');
      assert.equal(await received(), 0n);

      const all = await visitor.evaluate(() => window.connect.pending());
      const found = all.find(({ requestId }) => requestId === 'order-0002');
      assert.equal(found?.state, where === 'iframe' ? 'unsent' : 'unknown');
      const again = await visitor.ask((connect) => connect.resume('order-0002'));
      release();
      await again.press('Send again');
      const { value } = await visitor.answer<TransactionResult>();
      assert.equal(value?.transactionHash, keccak256(raw));
      await world.receipt(keccak256(raw));
      assert.equal(await received(), parseEther('1.5'));
      assert.equal(await transactions(), 1);
    });

    onEither('the wallet dies after broadcast and before the answer: the hash is delivered', async () => {
      const view = await send('order-0003');
      const held = world.node.hold();
      await view.approve();
      const { raw, release } = await held;
      release();
      await world.receipt(keccak256(raw));
      await kill(view);
      const answer = await visitor.answer<TransactionResult>();
      let hash = answer.value?.transactionHash;
      if (!hash) {
        assert.equal(answer.error?.code, 'frame.unreachable');
        const all = await visitor.evaluate(() => window.connect.pending());
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

    onEither('two clicks on Approve send one transaction', async () => {
      const view = await send();
      await view.enterPin();
      await view.consent('Approve', () => view.input(view.button('Approve').dblclick()));
      const { value } = await visitor.answer<TransactionResult>();
      await world.receipt(value!.transactionHash);
      assert.equal(await transactions(), 1);
      assert.equal(await received(), parseEther('1.5'));
    });

    variant('two clicks on Send are one request', async () => {
      await visitor.evaluate(
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
      const [only, ...more] = await results();
      assert.equal(more.length, 0);
      await world.receipt((only!.result as TransactionResult).transactionHash);
      assert.equal(await transactions(), 1);
    });

    onEither(
      'the same request id gets the same answer and signs nothing new; with another request it is refused',
      async () => {
        const view = await send('order-0004');
        await view.approve();
        const { value: first } = await visitor.answer<TransactionResult>();
        await world.receipt(first!.transactionHash);
        await view.done();
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
      },
    );
  });
}
