/**
 * The page is loaded again, which closes the wallet in it, at twenty moments of swaps between chains: each goes on, is one entry of the activity,
 * and nothing is sent twice.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { LocalTron } from '../../demo/networks/tron.ts';
import type { Wallet } from '../../src/api/wallet.ts';
import { poll } from '../waiting.ts';
import { openWorld, type Visitor, type World } from './harness.ts';
import { storedActivity, tickAll } from './swap-setup.ts';

const MOMENTS = 20;
const COINS = 2_000_000_000;

let world: World;
let visitor: Visitor;
let tron: LocalTron;
let wallet: Wallet;
let recipient: Wallet;
before(async () => {
  world = await openWorld({ thorchain: true, chains: ['TRON'] });
  tron = world.local.TRON as LocalTron;
  visitor = await world.visit('iframe', '/plain');
  wallet = await visitor.createWallet('TRON');
  recipient = await visitor.createWallet('ETHEREUM');
  await tron.fund(wallet.address, BigInt(COINS) * 100n);
});
after(async () => {
  await visitor?.close();
  await world?.close();
});

async function approve(): Promise<{ first: number }> {
  const memo = Buffer.from(`=:e:${recipient.address}:1`).toString('hex');
  const request = {
    type: 'TRX_TRANSACTION' as const,
    walletId: wallet.id,
    to: world.thorchain!.vaultOn('TRON'),
    value: COINS,
    data: `0x${memo}`,
  };
  const view = await visitor.opening(() => visitor.run((connect, asked) => connect.execute(asked), request));
  await view.approval().waitFor();
  await view.seeAll();
  await tickAll(view);
  const first = tron.requests.length;
  // The page may be gone before the wallet has an answer.
  void view.approve().catch(() => {});
  return { first };
}

const paid = (): number =>
  [...world.thorchain!.engine.swaps.values()].filter(
    ({ outs }) => outs.length > 0 && outs.every((out) => out.paid),
  ).length;

for (let moment = 1; moment <= MOMENTS; moment++)
  test(`loaded again at request ${moment} after Approve, the wallet goes on with the swap`, async () => {
    const before = paid();
    const { first } = await approve();
    await poll(() => {
      // From the fifth on, its coins are on their way.
      if (moment > 5) tron.ledger.mine();
      return tron.requests.length >= first + moment || paid() > before;
    }, `request ${moment}`);
    await visitor.reload();
    const view = await visitor.opening(() =>
      visitor.run((connect) => connect.manageWallets({ chain: 'TRON' })),
    );
    await view.button(`More for ${wallet.alias}`).click();
    await view.root.getByRole('menuitem', { name: 'Activity' }).click();
    await view.heading('Activity').waitFor();
    const stored = await storedActivity(view);
    const rows = view.root.getByRole('listitem').filter({ hasText: 'TRX →' });
    await poll(async () => (await rows.count()) === Object.keys(stored).length, 'its rows');
    // Signed, and perhaps never sent.
    if (Object.values(stored).includes('unknown')) {
      await rows.first().getByRole('button').click();
      const again = view.button('Send again');
      if ((await again.count()) > 0) await again.click();
      await view.button('Back').click();
    }
    await poll(async () => {
      tron.ledger.mine();
      return (await rows.filter({ hasText: 'Swapped' }).count()) === Object.keys(stored).length;
    }, 'every swap paid out');
    assert.deepEqual(
      [...world.thorchain!.engine.swaps.keys()].map((hash) => hash.toLowerCase()).sort(),
      Object.keys(stored).sort(),
    );
    await view.button('Back').click();
    await view.close();
    await view.gone();
  });
