/** Messages of a hostile page, and what they cannot make the wallet do. After each, the wallet still sends what is approved. */
import assert from 'node:assert/strict';
import { after, afterEach, before, describe, test } from 'node:test';
import type { Wallet } from '../../../src/api/wallet.ts';
import type { TransactionResult } from '../../../src/channel/messages.ts';
import { openWorld, type Visitor, WalletView, type World } from '../harness.ts';
import { variant } from '../parts.ts';
import { answer, embed, init, request, stillWaiting } from '../raw-host.ts';
import { movesNothing, sends } from './unmoved.ts';

let world: World;
before(async () => void (world = await openWorld()));
after(() => world.close());

const FRIEND = '0x71C7656EC7ab88b098defB751B7401B5f6d8976F';
const codeOf = (message: Record<string, unknown>): string | undefined =>
  (message['error'] as { code: string } | undefined)?.code;

describe('a page that speaks the protocol by itself', () => {
  let visitor: Visitor;
  let wallet: Wallet;
  before(async () => {
    visitor = await world.visit('iframe');
    wallet = await visitor.wealthyWallet();
  });
  after(() => visitor.close());
  afterEach(() => visitor.startAgain());

  const inPage = (): WalletView => new WalletView(visitor.page.locator('#raw').contentFrame(), visitor.page);
  const start = async (): Promise<WalletView> => {
    await embed(visitor.page, world.frame);
    await init(visitor.page);
    return inPage();
  };
  const payment = (value = '0.1') => ({
    walletId: wallet.id,
    secretType: 'ETHEREUM',
    to: FRIEND,
    value,
  });
  const attack = (work: () => Promise<void>): Promise<void> => movesNothing(world, wallet, work);
  /** The request on screen is approved, and sent alone. */
  const assertSends = (view: WalletView, id: string): Promise<void> =>
    sends(world, wallet, async () => {
      await view.approve();
      const { result } = await answer(visitor.page, id);
      return (result as TransactionResult).transactionHash;
    });
  /** The wallet still works for the same page: the messages before did no harm. */
  let controls = 0;
  const assertStillServes = async (view: WalletView): Promise<void> => {
    const id = `control-${++controls}`;
    await visitor.evaluate(
      ({ requestId, params }) =>
        window.raw.send({ type: 'request', id: requestId, action: 'transfer', params }),
      { requestId: id, params: payment() },
    );
    await assertSends(view, id);
  };

  test('lists of 2^32 empty places: each is refused at once, and the wallet goes on', async () => {
    const view = await start();
    await attack(async () => {
      await visitor.evaluate(() => {
        const places = Object.assign([], { length: 2 ** 32 - 1 });
        for (const [id, action, params] of [
          ['sparse-0001', 'executeAll', { requests: places }],
          ['sparse-0002', 'linkWallets', { secretTypes: places }],
          ['sparse-0003', 'pending', { requestIds: places }],
          ['sparse-0004', 'execute', { type: 'ETH_TRANSACTION', walletId: 'w', clauses: [[places]] }],
          ['sparse-0005', 'sign', places],
        ] as const)
          window.raw.send({ type: 'request', id, action, params });
      });
      for (let n = 1; n <= 5; n++)
        assert.equal(codeOf(await answer(visitor.page, `sparse-000${n}`)), 'request.invalid');
    });
    await assertStillServes(view);
  });

  variant('an init that holds such a list: it is not taken, and the next good one is', async () => {
    await embed(visitor.page, world.frame);
    await attack(async () => {
      await visitor.evaluate((params) => {
        const unlinked = Object.assign([], { length: 2 ** 32 - 1 });
        const { port1, port2 } = new MessageChannel();
        window.raw.post({ type: 'carabiner:init', protocol: 1, mode: 'approve', unlinked }, [port2]);
        port1.postMessage({ type: 'request', id: 'bad-init-01', action: 'transfer', params });
      }, payment('3'));
      await stillWaiting(visitor.page);
      assert.equal(await inPage().approval().count(), 0);
    });
    await init(visitor.page);
    await assertStillServes(inPage());
  });

  for (const [what, id] of [
    ['a request of 3,000 levels', 'nested-0001'],
    ['a request that holds itself a million times over', 'doubled-001'],
  ] as const)
    variant(`${what}: it has an answer, and the wallet goes on`, async () => {
      const view = await start();
      await attack(async () => {
        await visitor.evaluate((named) => {
          let value: unknown = [];
          if (named.startsWith('nested')) for (let level = 0; level < 3000; level++) value = [value];
          else for (let times = 0; times < 20; times++) value = [value, value];
          const params = { type: 'ETH_TRANSACTION', walletId: 'w', value };
          window.raw.send({ type: 'request', id: named, action: 'execute', params });
        }, id);
        assert.equal(codeOf(await answer(visitor.page, id)), 'request.invalid');
      });
      await assertStillServes(view);
    });

  test('an open id with another body: refused, and what is sent is what was drawn', async () => {
    const before = await world.chain.getBalance(FRIEND);
    const view = await start();
    await attack(async () => {
      await visitor.evaluate(
        (params) => window.raw.send({ type: 'request', id: 'open-id-01', action: 'transfer', params }),
        payment(),
      );
      await view.heading('Send 0.1 ETH').waitFor();
      const other = await request(visitor.page, 'open-id-01', 'transfer', payment('3'));
      assert.equal(codeOf(other), 'request.conflict');
    });
    await visitor.evaluate(() => void (window.raw.heard.length = 0));
    await assertSends(view, 'open-id-01');
    assert.equal((await world.chain.getBalance(FRIEND)) - before, 10n ** 17n);
  });

  variant('21 requests at once: the last is refused, and the first is on screen', async () => {
    const view = await start();
    await attack(async () => {
      await visitor.evaluate((params) => {
        for (let n = 1; n <= 21; n++)
          window.raw.send({ type: 'request', id: `flood-${1000 + n}`, action: 'transfer', params });
      }, payment());
      assert.equal(codeOf(await answer(visitor.page, 'flood-1021')), 'request.rate-limited');
    });
    await assertSends(view, 'flood-1001');
  });
});
