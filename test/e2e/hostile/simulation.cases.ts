/**
 * Contracts that behave well only in simulations: each pays when it detects one, and keeps what it gets otherwise. Each one is either shown
 * for what it will do, or is a danger that must be ticked; the same contract without the trick pays as shown.
 */
import assert from 'node:assert/strict';
import { after, afterEach, before, describe } from 'node:test';
import { id, parseEther, toBeHex } from 'ethers';
import type { Wallet } from '../../../src/api/wallet.ts';
import type { TransactionResult } from '../../../src/channel/messages.ts';
import { openWorld, PIN, surfaces, type Visitor, type WalletView, type World } from '../harness.ts';
import { said } from '../said.ts';
import { movesNothing } from './unmoved.ts';
import { core, variant } from '../parts.ts';

/** `deposit()`, which says nothing about what it returns. */
const DEPOSIT = '0xd0e30db0';
const DIFFERS = 'It can do something other than it shows';

/** Code that sends one ether to the caller if `condition` leaves a non-zero value on the stack. */
function paysWhen(condition: string): string {
  // CALL(gas, caller, 1 ether, nothing).
  return runsWhen(condition, '6000600060006000670de0b6b3a7640000335af100');
}

function runsWhen(condition: string, code: string): string {
  const jump = (condition.length / 2 + 4).toString(16).padStart(2, '0');
  // JUMPI over STOP.
  return `0x${condition}60${jump}57005b${code}`;
}

/** Code of a collection that takes item 1 of the caller for item 2. */
const SWAPS_ITEMS = (() => {
  const transfer = `7f${id('Transfer(address,address,uint256)').slice(2)}`;
  // LOG4(nothing, Transfer, caller, this, 1), and the other way round with 2.
  return `60013033${transfer}60006000a460023330${transfer}60006000a400`;
})();

/** How the contract detects a simulation, in opcodes; and how the approval reacts. */
const TRICKS: [what: string, condition: string | ((baseFee: bigint) => string), told: 'real' | 'differs'][] =
  [
    ['the gas price is 0', '3a15', 'real'],
    ['the base fee is 0', '4815', 'real'],
    ['there is more gas than anybody pays for', '620f42405a11', 'real'],
    ['the base fee is more than all gas of the transaction costs', '483a10', 'real'],
    ['nobody makes the block', '4115', 'differs'],
    ['somebody makes the block', '41', 'differs'],
    ['the block has an odd number', '60014316', 'differs'],
    ['the block has an even number', '6001431615', 'differs'],
    ['the time is odd', '60014216', 'differs'],
    [
      'the base fee is about as it is now',
      (baseFee) => `64${((baseFee * 5n) / 4n).toString(16).padStart(10, '0')}4810`,
      'differs',
    ],
  ];

let world: World;
before(async () => void (world = await openWorld()));
after(() => world.close());

let made = 0;
/** A contract at a new address, with ten ether. */
async function contract(condition: string, code = paysWhen(condition)): Promise<string> {
  const address = toBeHex(0xc0de0000 + ++made, 20);
  await world.chain.send('anvil_setCode', [address, code]);
  await world.chain.send('anvil_setBalance', [address, toBeHex(parseEther('10'))]);
  return address;
}

/** Waits until balance changes are drawn, and returns the text. */
const drawn = async (view: WalletView): Promise<string> => {
  await view.text('Maximum fee').first().waitFor();
  return said(view);
};

for (const where of surfaces('iframe'))
  describe(`a contract that pays only in simulations, in ${where === 'iframe' ? 'the dialog' : 'a window, cross-site'}`, () => {
    let visitor: Visitor;
    let wallet: Wallet;
    before(async () => {
      visitor = await world.visit(where);
      wallet = await visitor.wealthyWallet();
    });
    afterEach(() => visitor.startAgain());
    after(() => visitor.close());

    const execute = (to: string): Promise<WalletView> =>
      visitor.ask((connect, params) => connect.execute(params), {
        type: 'ETH_TRANSACTION' as const,
        walletId: wallet.id,
        to,
        value: String(parseEther('0.5')),
        data: DEPOSIT,
      });

    for (const [what, condition, told] of TRICKS)
      (what === 'nobody makes the block' ? core : variant)(
        `when ${what}: ${told === 'real' ? 'no gain is shown' : 'it is a danger to tick'}`,
        () =>
          movesNothing(world, wallet, async () => {
            const block = await world.chain.getBlock('latest');
            const asked = typeof condition === 'string' ? condition : condition(block!.baseFeePerGas!);
            const view = await execute(await contract(asked));
            const text = await drawn(view);
            assert.equal(text.includes('+1'), false, text);
            assert.equal(text.includes('+0.5'), false, text);
            assert.equal(text.includes(DIFFERS), told === 'differs', text);
            if (told === 'differs') {
              await (view.host ?? view.popup).keyboard.type(PIN);
              await view.button('Approve').click({ force: true });
              assert.equal(await view.isBusy(), false);
            }
            await view.press('Reject');
            assert.equal((await visitor.answer()).error?.code, 'user.rejected');
          }),
      );

    core('control: one that always pays is shown to pay, which can differ, and pays', async () => {
      const to = await contract('6001');
      const view = await execute(to);
      const text = await drawn(view);
      assert.match(text, /can differ/);
      assert.match(text, /\+\s*0\.5/);
      assert.equal(text.includes(DIFFERS), false);
      const before = await world.chain.getBalance(wallet.address);
      await view.approve();
      const { value } = await visitor.answer<TransactionResult>();
      const receipt = await world.receipt(value!.transactionHash);
      const after = await world.chain.getBalance(wallet.address);
      assert.equal(after - before, parseEther('0.5') - receipt.gasUsed * receipt.gasPrice);
    });

    variant(
      'a collection that takes an item for another one in every second block alone is a danger to tick',
      () =>
        movesNothing(world, wallet, async () => {
          const view = await execute(await contract('60014316', runsWhen('60014316', SWAPS_ITEMS)));
          const text = await drawn(view);
          assert.equal(text.includes(DIFFERS), true, text);
          await view.press('Reject');
          assert.equal((await visitor.answer()).error?.code, 'user.rejected');
        }),
    );

    variant('control: one that always does so is shown with both items', async () => {
      const view = await execute(await contract('6001', runsWhen('6001', SWAPS_ITEMS)));
      const text = await drawn(view);
      assert.match(text, /#1\s*−1/);
      assert.match(text, /#2\s*(can differ)?\s*\+1/);
      assert.equal(text.includes(DIFFERS), false, text);
      await view.approve();
      const { value } = await visitor.answer<TransactionResult>();
      assert.equal((await world.receipt(value!.transactionHash)).logs.length, 2);
    });
  });
