/** Pages that are older than the wallet: with the scripts of the last releases, as their own bundles have them, at today's frame. */
import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, test } from 'node:test';
import { keccak256, Wallet as EthersWallet, parseEther } from 'ethers';
import type { Wallet } from '../../src/api/wallet.ts';
import type { TransactionResult } from '../../src/channel/messages.ts';
import { poll } from '../waiting.ts';
import { openWorld, Visitor, type WalletView, type World } from './harness.ts';
import { type Hosts, RELEASES, startHosts } from './hosts.ts';
import { variant } from './parts.ts';

let world: World;
let owner: Visitor;
let wallet: Wallet;
/** Another origin for each test: a shop that the wallet does not know. */
let shop: Hosts;
before(async () => {
  world = await openWorld();
  owner = await world.visit('iframe', '/plain');
  wallet = await owner.wealthyWallet();
});
after(async () => {
  await owner?.close();
  await world.close();
});
beforeEach(async () => {
  shop = await startHosts(world.frame);
  world.embedOn(shop.sameSite);
});
afterEach(() => shop.close());

/** The owner of the wallet, at the shop. */
class Customer extends Visitor {
  override get origin(): string {
    return this.where === 'iframe' ? shop.sameSite : shop.crossSite;
  }
}

async function customer(where: 'iframe' | 'popup', path: string): Promise<Customer> {
  const page = new Customer(world, owner.context, await owner.context.newPage(), where);
  await page.open(path);
  return page;
}

const send = (
  on: Visitor,
  params: { walletId: string; to: string },
  requestId: string,
): Promise<WalletView> =>
  on.ask(
    (connect, { id, ...request }) =>
      connect.transfer({ ...request, secretType: 'ETHEREUM', value: '0.5' }, { requestId: id }),
    { ...params, id: requestId },
  );

// The newest is nearly today's, which every other test has in both: in the rest each is in one of them.
for (const release of RELEASES)
  for (const where of ['iframe', 'popup'] as const)
    ((where === 'popup') === (release === RELEASES.at(-1)) ? test : variant)(
      `a page of ${release} links, sends and gets a lost answer: ${where}`,
      async () => {
        const page = await customer(where, `/${release}`);
        const link = (): Promise<void> => page.run((connect) => connect.linkWallets());
        // The first release left the beginning to the wallet.
        const linking = await (release === '0.1.0' ? page.opening(link) : page.linking(link));
        await linking.root.getByRole('checkbox').last().check();
        await linking.consent('Link wallets');
        await linking.gone();
        const [linked] = (await page.answer<Wallet[]>()).value!;
        assert.equal(linked!.address, wallet.address);

        const to = EthersWallet.createRandom().address;
        const params = { walletId: linked!.id, to };
        const sending = await send(page, params, 'order-0001');
        await sending.approve();
        const { transactionHash } = (await page.answer<TransactionResult>()).value!;
        await world.receipt(transactionHash);
        await sending.sent();
        await sending.done();

        const requestId = 'order-0002';
        const view = await send(page, params, requestId);
        const held = world.node.hold();
        await view.approve();
        const { raw, release: forward } = await held;
        await page.reload();
        forward();
        await world.receipt(keccak256(raw));
        const found = await poll(async () => {
          const all = await page.evaluate(() => window.connect.pending());
          return all.find((each) => each.requestId === requestId && each.state === 'done');
        }, 'the lost answer');
        assert.deepEqual(found.result, { transactionHash: keccak256(raw) });
        assert.equal(await world.chain.getBalance(to), parseEther('1'));
        await page.page.close();
      },
    );

test('a page that is too old is told so, and signs nothing', async () => {
  const page = await customer('popup', '/too-old');
  await page.run((connect, params) => connect.linkWallets(params), {});
  const { error } = await page.answer();
  assert.equal(error?.code, 'frame.unreachable');
  assert.equal(error.details['reason'], 'version');
  assert.match(error.message, /This page is older than the wallet: .*protocol 0/);
  await poll(() => page.window === undefined, 'the end of the window');
  await page.page.close();
});
