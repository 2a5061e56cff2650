/**
 * Attempts to get a recipient paid whom the user has not seen: a transaction of several clauses, the last of which is far below the visible
 * part. The same script with a user who looks at all of them goes through.
 */
import assert from 'node:assert/strict';
import { after, afterEach, before, describe, test } from 'node:test';
import type { LocalNetwork } from '../../../demo/networks/local-network.ts';
import type { Wallet } from '../../../src/api/wallet.ts';
import type { TransactionResult } from '../../../src/channel/messages.ts';
import { CASES } from '../chain-cases.ts';
import { openWorld, PIN, poll, type Visitor, type WalletView, type World } from '../harness.ts';
import { pathOf } from '../hosts.ts';

const { holds, fresh } = CASES.VECHAIN;
const VET = 10n ** 18n;

let world: World;
before(async () => void (world = await openWorld({ chains: ['VECHAIN'] })));
after(() => world.close());

for (const where of ['iframe', 'popup'] as const)
  describe(`a recipient out of sight, in ${where === 'iframe' ? 'the dialog' : 'a window, cross-site'}`, () => {
    let visitor: Visitor;
    let wallet: Wallet;
    let local: LocalNetwork;
    before(async () => {
      local = world.local.VECHAIN!;
      visitor = await world.visit(where, pathOf('VECHAIN'));
      wallet = await visitor.createWallet('VECHAIN');
      for (const asset of ['VET', 'VTHO']) await local.give(asset, wallet.address);
    });
    after(() => visitor.close());
    afterEach(() => visitor.startAgain());

    const ask = (recipients: string[]): Promise<WalletView> =>
      visitor.ask((connect, params) => connect.execute(params as never), {
        type: 'VET_TRANSACTION',
        walletId: wallet.id,
        clauses: recipients.map((to, i) => ({ to, amount: String(i ? 3n * VET : VET) })),
      });

    test('the last of five clauses: it is not approved before it was seen, by no key and no click; once seen it is', async () => {
      const recipients = await Promise.all(Array.from({ length: 5 }, () => fresh()));
      const last = recipients.at(-1)!;
      const before = await holds(local, wallet.address);
      const view = await ask(recipients);
      await view.text('See every recipient first').waitFor();
      await view.type('PIN', PIN);
      await view.box('PIN').press('Enter');
      await view.approval().click({ force: true });
      await view.text('See every recipient first').waitFor();
      assert.equal(await holds(local, last), 0n);
      assert.equal(await holds(local, wallet.address), before, 'nothing moved');
      await view.seeAll();
      await view.press('Approve');
      const { value, error } = await visitor.answer<TransactionResult>();
      assert.equal(error, undefined);
      assert.ok(value!.transactionHash);
      await poll(async () => (await holds(local, last)) === 3n * VET || undefined, 'the last payment');
    });
  });
