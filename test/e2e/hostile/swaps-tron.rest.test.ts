/**
 * Attempts on Tron to have somebody else's contract pass for the exchange that the operator lists, or to have its swap pay somebody else. Each
 * is told in a danger, without whose tick nothing is signed. The same for the wallet itself, on the listed exchange, goes through.
 */
import assert from 'node:assert/strict';
import { after, afterEach, before, describe, test } from 'node:test';
import { deployV2 } from '../../../demo/networks/exchanges/contracts.ts';
import { addExchanges } from '../../../demo/networks/exchanges/index.ts';
import type { LocalTron } from '../../../demo/networks/tron.ts';
import type { Wallet } from '../../../src/api/wallet.ts';
import { fromEvm, toEvm } from '../../../src/chains/tron/address.ts';
import { CASES } from '../chain-cases.ts';
import { openWorld, PIN, type Visitor, type WalletView, type World } from '../harness.ts';
import { pathOf } from '../hosts.ts';
import { said } from '../said.ts';
import { unchanged } from './unmoved.ts';

interface Entry {
  router: string;
  wrapped: string;
}

let world: World;
let tron: LocalTron;
let entry: Entry;
/** The same contract, which nobody lists. */
let copy: string;

before(async () => {
  world = await openWorld({ chains: ['TRON'] });
  tron = world.local.TRON as LocalTron;
  await addExchanges(tron);
  [entry] = tron.network.exchanges as [Entry];
  copy = fromEvm((await deployV2(tron.deployer(), toEvm(entry.wrapped))).router);
});
after(() => world.close());

describe('a swap on Tron', () => {
  let visitor: Visitor;
  let wallet: Wallet;
  let thief: string;
  const { holds, fresh } = CASES.TRON;

  before(async () => {
    visitor = await world.visit('iframe', pathOf('TRON'));
    wallet = await visitor.createWallet('TRON');
    await tron.give('TRX', wallet.address);
    thief = await fresh();
  });
  after(() => visitor.close());
  afterEach(() => visitor.startAgain());

  const ask = (to: string, recipient: string): Promise<WalletView> =>
    visitor.ask((connect, params) => connect.execute(params as never), {
      type: 'TRON_CONTRACT_EXECUTION',
      walletId: wallet.id,
      to,
      value: '20000000',
      functionName: 'swapExactETHForTokens',
      inputs: [
        { type: 'uint256', value: '1' },
        { type: 'address[]', value: JSON.stringify([entry.wrapped, tron.contracts['DUSD']]) },
        { type: 'address', value: recipient },
        { type: 'uint256', value: '4000000000' },
      ],
    });
  const held = async () =>
    `${await holds(tron, wallet.address, 'TRX')} ${await holds(tron, wallet.address, 'DUSD')}`;

  /** Whether anything of it is called by the exchange's name. */
  const isNamed = (words: string) => words.includes('SunSwap V2');

  test('on a copy of the router that nobody lists, a swap for the wallet itself is not called one', () =>
    unchanged(held, async () => {
      const view = await ask(copy, wallet.address);
      await view.text('Maximum fee').first().waitFor();
      const words = await said(view);
      assert.equal(isNamed(words), false, words);
      await view.press('Reject');
    }));

  for (const [name, told, to] of [
    ['on such a copy', 'You pay, and nothing comes back', () => copy],
    ['on the listed exchange', 'Somebody else receives what you buy', () => entry.router],
  ] as const)
    test(`${name}, for the thief: it is told, and without a tick nothing is signed`, () =>
      unchanged(held, async () => {
        const view = await ask(to(), thief);
        await view.text('Maximum fee').first().waitFor();
        const words = await said(view);
        assert.equal(isNamed(words), to() === entry.router, words);
        assert.ok(words.includes(told), words);
        const pin = view.box('PIN');
        if ((await pin.count()) && (await pin.isEditable())) await view.type('PIN', PIN);
        await view.button('Approve').click({ force: true });
        await view.text(told).first().waitFor();
        await view.press('Reject');
        assert.equal((await visitor.answer()).error?.code, 'user.rejected');
      }));

  test('for the wallet itself, on the listed exchange: it is called a swap, and goes through', async () => {
    const before = BigInt(await holds(tron, wallet.address, 'DUSD'));
    const view = await ask(entry.router, wallet.address);
    await view.text('by SunSwap V2').first().waitFor();
    await view.seeAll();
    await view.approve();
    assert.equal((await visitor.answer()).error, undefined);
    assert.ok(BigInt(await holds(tron, wallet.address, 'DUSD')) > before);
  });
});
