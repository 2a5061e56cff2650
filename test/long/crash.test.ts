/** The wallet dies at a random moment of an approval, again and again: never two transactions, never a lost answer. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { parseEther, Wallet as EthersWallet } from 'ethers';
import type { Wallet } from '../../src/api/wallet.ts';
import type { TransactionResult } from '../../src/channel/messages.ts';
import { openWorld, poll, type Visitor, type World } from '../e2e/harness.ts';

const RUNS = Number(process.env['CRASHES'] ?? 50);
/** An unlock takes about this long; signing and sending a little more. */
const LATEST = 1500;

describe(`${RUNS} crashes`, () => {
  let world: World;
  let visitor: Visitor;
  let wallet: Wallet;
  before(async () => {
    world = await openWorld();
    visitor = await world.visit('iframe');
    wallet = await visitor.wealthyWallet();
  });
  after(() => world.close());

  for (let run = 0; run < RUNS; run++) {
    const delay = Math.round((run / RUNS) * LATEST);
    test(`${delay} ms after Approve`, async () => {
      const to = EthersWallet.createRandom().address;
      const nonce = await world.chain.getTransactionCount(wallet.address);
      const requestId = `crash-${String(run).padStart(4, '0')}`;
      const view = await visitor.ask(
        (connect, { options, ...params }) =>
          connect.transfer({ ...params, secretType: 'ETHEREUM', value: '0.01' }, options),
        { walletId: wallet.id, to, options: { requestId } },
      );
      await view.approve();
      await new Promise((resolve) => setTimeout(resolve, delay));
      await visitor.page.evaluate(() => document.querySelector('dialog[open] iframe')?.remove());
      const { value, error } = await visitor.answer<TransactionResult>();
      assert.ok(value ?? error, 'neither an answer nor an error');

      let hash = value?.transactionHash;
      if (!hash) {
        // What died before it was signed leaves nothing; what was signed is delivered, or can be sent.
        const all = await visitor.page.evaluate(() => window.connect.pending());
        const found = all.find((each) => each.requestId === requestId);
        if (found?.state === 'done') hash = (found.result as TransactionResult).transactionHash;
        else if (found) {
          const again = await visitor.ask((connect, id) => connect.resume(id as string), requestId);
          if (found.state === 'unsent') await again.button('Send again').click();
          hash = (await visitor.answer<TransactionResult>()).value?.transactionHash;
        }
      }
      if (hash) {
        const receipt = await poll(
          async () => (await world.chain.getTransactionReceipt(hash)) ?? undefined,
          'receipt',
        );
        assert.equal(receipt.status, 1);
      }
      assert.equal(await world.chain.getBalance(to), hash ? parseEther('0.01') : 0n);
      assert.equal((await world.chain.getTransactionCount(wallet.address)) - nonce, hash ? 1 : 0);
      await visitor.startAgain();
    });
  }
});
