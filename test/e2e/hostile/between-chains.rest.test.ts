/**
 * Attempts to have a payment carry another order to swap between chains than its user wants, or to an address that takes no coins any more.
 * Each is told, or refused; the same order for the user's own wallet, to a vault that is active, goes through.
 */
import assert from 'node:assert/strict';
import { after, afterEach, before, describe, test } from 'node:test';
import type { LocalTron } from '../../../demo/networks/tron.ts';
import type { Wallet } from '../../../src/api/wallet.ts';
import type { TransactionResult } from '../../../src/channel/messages.ts';
import { CASES } from '../chain-cases.ts';
import { openWorld, PIN, type Visitor, type WalletView, type World } from '../harness.ts';
import { unchanged } from './unmoved.ts';

const THIEF = '0x71C7656EC7ab88b098defB751B7401B5f6d8976F';
/** 5000 TRX in sun, for about 0.5 ETH in hundred-millionths. */
const AMOUNT = '5000000000';
const LIMIT = 49_000_000;

let world: World;
let visitor: Visitor;
let tron: Wallet;
let ether: Wallet;

before(async () => {
  world = await openWorld({ thorchain: true, chains: ['TRON'] });
  visitor = await world.visit('iframe');
  ether = await visitor.createWallet('ETHEREUM');
  tron = await visitor.createWallet('TRON');
  await (world.local.TRON as LocalTron).fund(tron.address, 10n ** 11n);
});
after(async () => {
  await visitor?.close();
  await world?.close();
});
afterEach(() => visitor.startAgain());

const vault = (): string => world.thorchain!.vaultOn('TRON');
const order = (recipient = ether.address, limit: number | string = LIMIT): string =>
  `=:e:${recipient}:${limit}`;
const held = async (): Promise<string> => String(await CASES.TRON.holds(world.local.TRON!, tron.address));

function ask(memo: string, to = vault()): Promise<WalletView> {
  return visitor.ask((connect, params) => connect.execute(params as never), {
    type: 'TRX_TRANSACTION',
    walletId: tron.id,
    to,
    value: AMOUNT,
    data: memo,
  });
}

/** What is told needs a tick, and without it neither the PIN nor a press approves anything. */
async function isHeld(view: WalletView, told: string): Promise<void> {
  await view.text(told).first().waitFor();
  const box = view.root.getByRole('checkbox', { name: /^I understand the risk/ }).first();
  assert.equal(await box.isChecked(), false);
  const pin = view.box('PIN');
  if ((await pin.count()) && (await pin.isEditable())) await view.type('PIN', PIN);
  await view.button('Approve').click({ force: true });
  await view.text(told).first().waitFor();
  await view.press('Reject');
  assert.equal((await visitor.answer()).error?.code, 'user.rejected');
}

async function isRefused(reason: string): Promise<void> {
  const { error } = await visitor.answer();
  assert.equal(error?.code, 'swap.thorchain.unavailable');
  assert.equal(error?.details?.['reason'], reason);
}

/** Without the trick. */
async function goesThrough(): Promise<void> {
  await visitor.startAgain();
  const before = await held();
  const view = await ask(order());
  await view.heading(/./).first().waitFor();
  await view.seeAll();
  await view.approve();
  const { value, error } = await visitor.answer<TransactionResult>();
  assert.equal(error, undefined);
  assert.ok(value!.transactionHash);
  assert.notEqual(await held(), before);
}

describe('an order to swap between chains', () => {
  const TOLD: [name: string, told: string, memo: () => string][] = [
    ['for somebody else', 'Somebody else receives what you buy', () => order(THIEF)],
    ['with a limit of 0', 'It accepts any price', () => order(ether.address, 0)],
    [
      'with a limit of a tenth of the price',
      'less than today’s price',
      () => order(ether.address, LIMIT / 10),
    ],
    ['that nobody can read', 'You cannot read this order', () => '=:e:thief:1'],
    ['with a share for somebody else', 'Others get 10% of it', () => `${order()}:thief:1000`],
  ];
  for (const [name, told, memo] of TOLD)
    test(`${name}: it is told, and without a tick nothing is signed`, () =>
      unchanged(held, async () => isHeld(await ask(memo()), told)));

  test('changed between the offer and the approval: it is told', () =>
    unchanged(held, async () => {
      const view = await visitor.ask(
        async (connect, { order: body, own, thief }) => {
          const [request] = await connect.createSwap(body as never);
          const { data } = request as { data: string };
          return connect.execute({ ...request, data: data.replace(own, thief) } as never);
        },
        {
          order: {
            walletId: tron.id,
            fromSecretType: 'TRON',
            toSecretType: 'ETHEREUM',
            destinationWalletId: ether.id,
            orderType: 'SELL',
            inputAmount: '5000',
            outputAmount: '0.4',
            slippage: '50',
            exchange: 'THORChain',
          },
          own: ether.address,
          thief: THIEF,
        },
      );
      await isHeld(view, 'Somebody else receives what you buy');
    }));

  test('whose chain is halted after it was drawn: nothing is signed', () =>
    unchanged(held, async () => {
      const view = await ask(order());
      await view.heading(/./).first().waitFor();
      await view.seeAll();
      world.thorchain!.books.mimir.set('HALTETHTRADING', 1);
      await view.approve();
      await isRefused('halted');
      world.thorchain!.books.mimir.delete('HALTETHTRADING');
    }));

  test('of whose address two nodes say different things: nothing is signed', () =>
    unchanged(held, async () => {
      const inbound = /127\.0\.0\.1:\d+\/thorchain\/inbound_addresses/;
      await visitor.context.route(inbound, async (route) => {
        const response = await route.fetch();
        const all = (await response.json()) as { chain: string; address: string }[];
        const lie = all.map((each) => (each.chain === 'TRON' ? { ...each, address: tron.address } : each));
        await route.fulfill({ response, json: lie });
      });
      await ask(order()).catch(() => {});
      await isRefused('nodes-differ');
      await visitor.context.unroute(inbound);
    }));

  test('to a vault that has retired since: nothing is signed, and to the one after it the same goes through', async () => {
    const old = vault();
    await world.thorchain!.churn();
    await unchanged(held, async () => {
      await ask(order(), old).catch(() => {});
      await isRefused('vault');
    });
    await goesThrough();
  });
});
