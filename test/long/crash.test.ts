/** Kills the wallet at random moments of an approval: never two transactions, never a lost result. */
import assert from 'node:assert/strict';
import { after, afterEach, before, describe, test } from 'node:test';
import { parseEther, Wallet as EthersWallet } from 'ethers';
import type { Wallet } from '../../src/api/wallet.ts';
import type { TransactionResult } from '../../src/channel/messages.ts';
import { kill, openWorld, type Visitor, type WalletView, type World } from '../e2e/harness.ts';
import { pause } from '../waiting.ts';

const RUNS = Number(process.env['CRASHES'] ?? 50);
/** Milliseconds by which signing and sending are over, counted from Approve and from the end of the unlock. */
const LATEST = { Approve: 1500, signing: 1000 };

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
  afterEach(() => visitor.startAgain());

  for (let run = 0; run < RUNS; run++) {
    // The unlock takes most of the time, but most failures come after it: half of the crashes each.
    const since = run % 2 ? 'Approve' : 'signing';
    // On a fast machine the first moments after an unlock matter most.
    const share = since === 'signing' ? (run / RUNS) ** 2 : run / RUNS;
    const delay = Math.round(share * LATEST[since]);
    test(`${delay} ms after ${since}`, async (context) => {
      const to = EthersWallet.createRandom().address;
      const nonce = await world.chain.getTransactionCount(wallet.address);
      const requestId = `crash-${String(run).padStart(4, '0')}`;
      const ask = (afterSigning?: number): Promise<WalletView> =>
        visitor.ask(
          (connect, { options, crash, ...params }) =>
            connect.transfer(
              { ...params, secretType: 'ETHEREUM', value: '0.01' },
              {
                ...options,
                onProgress(progress) {
                  if (progress.stage !== 'signing' || crash === undefined) return;
                  // oxlint-disable-next-line carabiner/waits -- in the page, at a moment that is tested
                  setTimeout(() => {
                    for (const { shadowRoot } of document.body.children)
                      shadowRoot?.querySelector('dialog[open] iframe')?.remove();
                  }, crash);
                },
              },
            ),
          { walletId: wallet.id, to, crash: afterSigning, options: { requestId } },
        );
      const answered = async (): Promise<string | undefined> =>
        (await visitor.answer<TransactionResult>()).value?.transactionHash;

      const view = await ask(since === 'signing' ? delay : undefined);
      await view.approve();
      if (since === 'Approve') {
        await pause(delay);
        await kill(view);
      }
      const { value, error } = await visitor.answer<TransactionResult>();
      assert.ok(value ?? error, 'the request has settled without a result or an error');
      if (since === 'signing') await view.gone();

      let hash = value?.transactionHash;
      if (!hash) {
        // A signed transaction is delivered or can still be sent.
        const all = await visitor.evaluate(() => window.connect.pending());
        const found = all.find((each) => each.requestId === requestId);
        context.diagnostic(found?.state ?? 'not signed');
        if (found?.state === 'done') hash = (found.result as TransactionResult).transactionHash;
        else if (found) {
          const again = await visitor.ask((connect, id) => connect.resume(id as string), requestId);
          if (found.state === 'unsent') await again.press('Send again');
          hash = await answered();
        } else {
          // A crash before signing leaves nothing behind, and the request can be repeated. The right PIN also resets the attempt counter,
          // in which an interrupted attempt counts.
          assert.equal((await world.chain.getTransactionCount(wallet.address)) - nonce, 0);
          await (await ask()).approve();
          hash = await answered();
        }
      }
      assert.ok(hash);
      assert.equal((await world.receipt(hash)).status, 1);
      assert.equal(await world.chain.getBalance(to), parseEther('0.01'));
      assert.equal((await world.chain.getTransactionCount(wallet.address)) - nonce, 1);
    });
  }
});
