/** Transactions with chain-specific terms, by keyboard alone at 360 px, without axe findings; and where focus is afterwards. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { SecretType } from '../../../src/chains/secret-type.ts';
import { CASES, missing } from '../../e2e/chain-cases.ts';
import { within } from '../../waiting.ts';
import {
  axe,
  evaluateIn,
  openWorld,
  PIN,
  type Visitor,
  type WalletView,
  type World,
} from '../../e2e/harness.ts';
import { pathOf } from '../../e2e/hosts.ts';
import { consent, focused, press, tabTo } from '../../e2e/keyboard.ts';

let world: World;
before(async () => void (world = await openWorld({ chains: ['VECHAIN', 'BITCOIN'] })));
after(() => world.close());

async function arrive(chain: SecretType): Promise<Visitor> {
  const visitor = await world.visit('iframe', pathOf(chain), {
    viewport: { width: 360, height: 740 },
    reducedMotion: 'reduce',
  });
  const { address } = await visitor.createWallet(chain);
  const { coin, gas } = CASES[chain];
  for (const asset of [coin, ...(gas ? [gas] : [])]) await world.local[chain]!.give(asset, address);
  return visitor;
}

async function look(view: WalletView): Promise<void> {
  const frame = await view.frame();
  assert.deepEqual(await axe(frame), []);
  const [needed, width] = await evaluateIn(frame)(
    () => [document.documentElement.scrollWidth, innerWidth] as const,
  );
  assert.ok(needed <= width, `needs ${needed} px of ${width}`);
}

/** Reads the approval, approves it and leaves, all by keyboard. `terms` are on it, `details` behind "Details". */
async function readAndSend(
  visitor: Visitor,
  view: WalletView,
  terms: RegExp[],
  details: RegExp[],
): Promise<void> {
  const { page } = visitor;
  await view.approval().waitFor();
  for (const term of terms) await view.text(term).first().waitFor();
  await look(view);
  await press(page, /^Details/);
  for (const term of details) await view.text(term).first().waitFor();
  await look(view);
  await tabTo(page, /^PIN$/);
  await within(page.keyboard.type(PIN), 'the PIN by keys');
  await consent(page, async () => (await view.approval().count()) === 0);
  await view.sent();
  await look(view);
  await press(page, /^Done$/);
  await view.gone();
}

test('bitcoin by <transfer-dialog>', { skip: missing('BITCOIN') }, async () => {
  const visitor = await arrive('BITCOIN');
  const { page } = visitor;
  const to = await CASES.BITCOIN.fresh();
  await press(page, /^Send$/);
  await page.getByRole('dialog', { name: 'Send' }).waitFor();
  await tabTo(page, /^Recipient$/);
  await within(page.keyboard.type(to), 'the address by keys');
  await tabTo(page, /^Amount$/);
  await within(page.keyboard.type('0.0125'), 'the amount by keys');
  const view = await visitor.opening(() => press(page, /^Continue$/));
  await readAndSend(
    visitor,
    view,
    [/^Fee rate$/, /^Comes back to you$/],
    [/^Size$/, /^Coins spent together$/, /satoshi$/],
  );
  assert.equal(await CASES.BITCOIN.holds(world.local.BITCOIN!, to), 1_250_000n);
  assert.match(await focused(page), /^Send$/);
  await visitor.close();
});

test('two clauses of VeChain by promise', async () => {
  const visitor = await arrive('VECHAIN');
  const { page } = visitor;
  const receivers = [await CASES.VECHAIN.fresh(), await CASES.VECHAIN.fresh()];
  await visitor.evaluate((to) => {
    window.next = async () =>
      window.connect.execute({
        type: 'VET_TRANSACTION',
        walletId: (await window.connect.wallets())[0]!.id,
        clauses: to.map((each) => ({ to: each, amount: '1000000000000000000' })),
      });
  }, receivers);
  const view = await visitor.opening(() => press(page, /^Run$/));
  await readAndSend(
    visitor,
    view,
    [/^Clause 1 of 2$/, /^Clause 2 of 2$/, /^Expected fee$/],
    [/^Gas limit$/, /^Gas price$/, /^Must be in a block by$/, /^Clause 2 in wei$/],
  );
  for (const to of receivers) assert.equal(await CASES.VECHAIN.holds(world.local.VECHAIN!, to), 10n ** 18n);
  assert.match(await focused(page), /^Run$/);
  await visitor.close();
});
