/** A pending transaction is sped up or cancelled by its chain's own means. */
import assert from 'node:assert/strict';
import type { LocalUtxo } from '../../../demo/networks/esplora.ts';
import type { Wallet } from '../../../src/api/wallet.ts';
import { parseUnits } from '../../../src/base/amount.ts';
import { CHAIN_NAMES } from '../../../src/chains/secret-type.ts';
import { after, before, group, sideBySide, test } from '../../groups.ts';
import { CASES, missing } from '../../e2e/chain-cases.ts';
import { openWorld, type Visitor, type WalletView, type World } from '../../e2e/harness.ts';
import { pathOf } from '../../e2e/hosts.ts';

let world: World;
before(async () => void (world = await openWorld({ chains: ['BITCOIN'] })));
after(() => world.close());

/** Blocks are mined only on request. */
interface Blocks {
  hold(): Promise<unknown>;
  mine(): Promise<unknown>;
  flow(): Promise<unknown>;
}

const bitcoin = (): LocalUtxo => world.local.BITCOIN as LocalUtxo;

const CHAINS: Record<'ETHEREUM' | 'BITCOIN', Blocks> = {
  ETHEREUM: {
    hold: () => world.chain.send('evm_setAutomine', [false]),
    mine: () => world.chain.send('evm_mine', []),
    flow: () => world.chain.send('evm_setAutomine', [true]),
  },
  BITCOIN: {
    hold: async () => (bitcoin().mining = false),
    mine: () => bitcoin().mine(),
    flow: async () => (bitcoin().mining = true),
  },
};

function declare(secretType: 'ETHEREUM' | 'BITCOIN'): void {
  group(CHAIN_NAMES[secretType], missing(secretType), () => {
    const { coin, decimals, value, fresh, holds } = CASES[secretType];
    const blocks = CHAINS[secretType];
    let visitor: Visitor;
    let wallet: Wallet;
    before(async () => {
      visitor = await world.visit('iframe', pathOf(secretType));
      wallet = await visitor.createWallet(secretType);
      await world.local[secretType]!.give(coin, wallet.address);
      await blocks.hold();
    });
    after(async () => {
      await blocks.flow();
      await visitor.close();
    });

    /** Sends, and leaves it pending. */
    async function send(to: string): Promise<void> {
      const view = await visitor.ask(
        (connect, params) => connect.transfer(params as Parameters<typeof connect.transfer>[0]),
        { walletId: wallet.id, to, value, secretType },
      );
      await view.approve();
      assert.ok((await visitor.answer()).value);
      await view.leave('Close');
    }

    async function activity(): Promise<WalletView> {
      const view = await visitor.opening(() => visitor.button('Manage wallets').click());
      await view.button(`More for ${wallet.alias}`).click();
      await view.root.getByRole('menuitem', { name: 'Activity' }).click();
      await view.heading('Activity').waitFor();
      return view;
    }

    for (const how of ['Speed up', 'Cancel'] as const)
      test(`${how}: one of the two is mined, for the fee that was shown`, async () => {
        const [to, start] = [await fresh(), await holds(world.local[secretType]!, wallet.address)];
        await send(to);
        const view = await activity();
        const row = (text: string) => view.root.getByRole('listitem').filter({ hasText: text });
        // Bitcoin's node tells of the faucet's gift; on Ethereum nothing is known of the time before the first look.
        if (secretType === 'BITCOIN') await row('Received').waitFor();
        await row('Waiting').getByRole('button').click();
        await view.button(how === 'Cancel' ? 'Cancel transaction' : how).click();
        await view.root.getByRole('radio', { name: how, checked: true }).waitFor();
        await view.heading(`${how} transaction`).waitFor();
        const paid = await view.pay(decimals, async () => {
          await view.heading(how === 'Cancel' ? 'Cancelling' : /^Sending /).waitFor();
          await view.root.getByText('Waiting for confirmation', { exact: true }).waitFor();
          await blocks.mine();
        });
        await view.button('Done').click();
        await view.heading('Activity').waitFor();
        await row(how === 'Cancel' ? 'Cancelled' : 'Replaced').waitFor();
        await row('Waiting').waitFor({ state: 'detached' });
        const local = world.local[secretType]!;
        const amount = how === 'Cancel' ? 0n : parseUnits(value, decimals);
        assert.equal(await holds(local, to), amount);
        assert.equal(start - (await holds(local, wallet.address)), amount + paid);
        // The user leaves. If the page had removed the view, its next request would come after a notice.
        await view.button('Back').click();
        await view.button(`More for ${wallet.alias}`).waitFor();
        await view.close();
        await view.gone();
      });
  });
}

sideBySide('on each chain', () => {
  declare('ETHEREUM');
  declare('BITCOIN');
});
