/** Wrong PINs. */
import assert from 'node:assert/strict';
import { after, before, beforeEach, afterEach } from 'node:test';
import { Wallet as EthersWallet } from 'ethers';
import type { Wallet } from '../../src/api/wallet.ts';
import type { TransactionResult } from '../../src/channel/messages.ts';
import { openWorld, PIN, type Visitor, type WalletView, type World } from './harness.ts';
import { core, rest } from './parts.ts';

const WRONG = '739155';
let world: World;
let visitor: Visitor;
let wallet: Wallet;
before(async () => void (world = await openWorld()));
after(() => world.close());
beforeEach(async () => {
  visitor = await world.visit('iframe');
  wallet = await visitor.wealthyWallet();
});
afterEach(() => visitor.close());

const send = (from = visitor): Promise<WalletView> =>
  from.ask((connect, params) => connect.transfer({ ...params, secretType: 'ETHEREUM', value: '1' }), {
    walletId: wallet.id,
    to: EthersWallet.createRandom().address,
  });

async function wrongPin(view: WalletView, left: number): Promise<void> {
  await view.approve(WRONG);
  await view
    .text(
      left === 1
        ? 'Wrong PIN. 1 attempt left, then a lock of 15 minutes.'
        : `Wrong PIN. ${left} attempts left.`,
    )
    .first()
    .waitFor();
}

core('three wrong PINs, then the right one, sends once', async () => {
  const view = await send();
  for (const left of [4, 3, 2]) await wrongPin(view, left);
  await view.approve(PIN);
  const { value } = await visitor.answer<TransactionResult>();
  await world.receipt(value!.transactionHash);
  assert.equal(await world.chain.getTransactionCount(wallet.address), 1);
});

rest('five wrong PINs lock the wallet, also after a reload and in another tab', async () => {
  const view = await send();
  for (const left of [4, 3, 2, 1]) await wrongPin(view, left);
  await view.approve(WRONG);
  await view.heading('Locked for a while').waitFor();
  assert.ok(await view.root.getByRole('timer', { name: 'Time left' }).isVisible());
  await view.press('Reject');
  const { error } = await visitor.answer();
  assert.ok(['user.rejected', 'pincode.locked'].includes(error!.code), error!.code);
  await view.gone();

  await visitor.reload();
  // Sooner than a minute after typed digits, a request comes after a notice.
  await visitor.passMinute();
  const again = await send();
  await again.heading('Locked for a while').waitFor();
  assert.equal(await again.button('Approve').count(), 0);
  // One window asks at a time.
  await again.press('Reject');
  await again.gone();

  const other = await send(await visitor.another('iframe'));
  await other.heading('Locked for a while').waitFor();
  assert.equal(await world.chain.getTransactionCount(wallet.address), 0);
});
